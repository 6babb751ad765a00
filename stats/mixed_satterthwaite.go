package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A spread is what Satterthwaite's method needs: the covariance of the variance
// parameters (theta, sigma) and the derivatives of the fixed effects' covariance
// with respect to them.
type spread struct {
	parameters [][]float64   // covariance of (theta, sigma)
	slopes     [][][]float64 // derivative of Vcov by each
}

// spread differentiates the deviance and the covariance numerically at the
// optimum (Kuznetsova, Brockhoff and Christensen 2017, JSS 82:13).
func (m *mixedModel) spread(theta []float64, sigma float64) spread {
	point := append(append([]float64(nil), theta...), math.Log(sigma))
	split := func(x []float64) ([]float64, float64) { return x[:len(x)-1], math.Exp(x[len(x)-1]) }
	_, h := derivatives(func(x []float64) float64 {
		t, s := split(x)
		return m.deviance(t, s)
	}, point, 2e-3)
	var s spread
	if !finite(h) {
		s.parameters = scaledIdentity(len(point), math.NaN()) // no degrees of freedom
	} else {
		s.parameters = powerOf(h, -1, 1e-8*largestEntry(h))
	}
	for i := range s.parameters {
		for j := range s.parameters {
			s.parameters[i][j] *= 2
		}
	}
	for k := range point {
		e := 1e-4 * max(1, math.Abs(point[k]))
		at := func(d float64) [][]float64 {
			x := append([]float64(nil), point...)
			x[k] += d
			t, sd := split(x)
			return m.covarianceAt(t, sd)
		}
		a, b, c, d := at(e), at(-e), at(2*e), at(-2*e)
		slope := square(len(a))
		for i := range slope {
			for j := range slope {
				slope[i][j] = (8*(a[i][j]-b[i][j]) - (c[i][j] - d[i][j])) / (12 * e)
			}
		}
		s.slopes = append(s.slopes, slope)
	}
	return s
}

// covarianceAt is the covariance of the fixed effects at given parameters.
func (m *mixedModel) covarianceAt(theta []float64, sigma float64) [][]float64 {
	p, ok := m.at(theta)
	if !ok {
		return square(m.qr.rank())
	}
	out := m.fixedCovariance(p.factored)
	for i := range out {
		for j := range out {
			out[i][j] *= sigma * sigma
		}
	}
	return out
}

// DF are Satterthwaite's degrees of freedom of a contrast of the kept fixed effects.
func (f *MixedFit) DF(c []float64) float64 {
	g := make([]float64, len(f.slopes))
	for k, s := range f.slopes {
		g[k] = form(c, s, c)
	}
	v := form(c, f.Vcov, c)
	return 2 * v * v / form(g, f.parameters, g)
}

// tests fills in the table of fixed effects.
func (f *MixedFit) tests(level float64) {
	for _, c := range f.Design.Columns {
		f.Coefficients = append(f.Coefficients, Coefficient{Name: c.Name, Reason: Aliased})
	}
	for k, j := range f.Kept {
		c := Coefficient{Name: f.Design.Columns[j].Name, Estimate: f.beta[k], StdErr: math.Sqrt(f.Vcov[k][k])}
		c.DF = f.DF(unit(len(f.Kept), k))
		c.test(level, "satterthwaite t")
		f.Coefficients[j] = c
	}
}

// MarginalMeans prepares marginal means with Satterthwaite's degrees of freedom.
func (f *MixedFit) MarginalMeans() MarginalModel {
	shadow := &LinearFit{Design: f.Design, Kept: f.Kept, qr: f.model.qr}
	return MarginalModel{Design: f.Design, Beta: f.beta, Kept: f.Kept, Vcov: f.Vcov, DF: f.DF, nulls: shadow.nullVectors()}
}

// A MixedTermTest is an F test of a term of a mixed model.
type MixedTermTest struct {
	// Test is Satterthwaite's F test.
	Test TermTest
	// SS and MS are in the residual's unit: MS is F times the residual variance.
	SS, MS float64
}

// Terms tests the terms of the fixed part. Type III tests effect-coded
// coefficients whatever the coding that was fitted; types I and II take the
// hypotheses of the columns in sequence, as lmerTest does. A term with a column
// that is not estimable has the reason Aliased.
func (f *MixedFit) Terms(kind SumType) []MixedTermTest {
	var out []MixedTermTest
	for t := range f.Design.Terms {
		name := f.Design.Terms[t].String()
		rows, why := f.hypothesis(t, kind)
		if why == "" {
			why = f.Reason
		}
		if why != "" {
			out = append(out, MixedTermTest{Test: TermTest{Name: name, Reason: why}})
			continue
		}
		test := f.Wald(name, rows)
		ms := test.Statistic * f.Sigma * f.Sigma
		out = append(out, MixedTermTest{Test: test, MS: ms, SS: ms * test.DF1})
	}
	return out
}

// hypothesis gives the rows over the kept coefficients that a term's test sets to zero.
func (f *MixedFit) hypothesis(t int, kind SumType) ([][]float64, Reason) {
	if len(f.Kept) < len(f.Design.Columns) {
		return nil, Aliased
	}
	switch kind {
	case SumTypeIII:
		return f.effectCoded(t), ""
	case SumTypeI:
		return f.sequential(t, nil), ""
	}
	var before []int
	for j, c := range f.Design.Columns {
		if c.Term < 0 || c.Term != t && !f.Design.Terms[c.Term].contains(f.Design.Terms[t]) {
			before = append(before, j)
		}
	}
	return f.sequential(t, before), ""
}

// sequential takes the rows of the triangle that belong to term t when the
// columns of before come first; nil keeps the design's order.
func (f *MixedFit) sequential(t int, before []int) [][]float64 {
	order := before
	if before == nil {
		for j, c := range f.Design.Columns {
			if c.Term < t {
				order = append(order, j)
			}
		}
	}
	order = append(append([]int(nil), order...), f.Design.termOf(t)...)
	in := map[int]bool{}
	for _, j := range order {
		in[j] = true
	}
	for j := range f.Design.Columns {
		if !in[j] {
			order = append(order, j)
		}
	}
	columns := make([][]float64, len(order))
	for k, j := range order {
		columns[k] = f.Design.Columns[j].Values
	}
	qr := factorize(columns, nil, f.Design.Intercept)
	var rows [][]float64
	for k, j := range order {
		if f.Design.Columns[j].Term != t {
			continue
		}
		row := make([]float64, len(order))
		for i, v := range qr.r[k] {
			row[order[i]] = v
		}
		rows = append(rows, row)
	}
	return rows
}

// effectCoded expresses the effect-coded coefficients of term t in the fitted ones.
func (f *MixedFit) effectCoded(t int) [][]float64 {
	model := f.Design.model
	model.Coding = SumCoding
	coded, err := NewDesign(f.Design.frame, model, f.Design.keep)
	if err != nil {
		panic("stats: a design that was built cannot be built again: " + err.Error())
	}
	// X = C T, so the effect-coded coefficients are T times the fitted ones.
	qr := factorize(coded.values(), nil, coded.Intercept)
	columns := make([][]float64, len(f.Design.Columns))
	for j, c := range f.Design.Columns {
		columns[j], _ = qr.solve(c.Values)
	}
	var rows [][]float64
	for _, j := range coded.termOf(t) {
		row := make([]float64, len(columns))
		for i := range columns {
			row[i] = columns[i][j]
		}
		rows = append(rows, row)
	}
	return rows
}

// Wald tests that contrasts of the kept fixed effects are all zero by an F test
// whose denominator matches the moments of the independent t tests it is the
// mean of (Fai and Cornelius 1996, JSCS 54:363).
func (f *MixedFit) Wald(name string, contrasts [][]float64) TermTest {
	q := len(contrasts)
	cov := square(q)
	for i, c := range contrasts {
		for j, d := range contrasts {
			cov[i][j] = form(c, f.Vcov, d)
		}
	}
	if !finite(cov) {
		return TermTest{Name: name, DF1: float64(q), Reason: Undefined}
	}
	values, vectors := eigen(cov)
	total := 0.0
	var dfs []float64
	for k, v := range values {
		if v <= 1e-10*values[len(values)-1] {
			continue
		}
		direction := make([]float64, len(f.Kept))
		for i, c := range contrasts {
			for j := range direction {
				direction[j] += vectors[k][i] * c[j]
			}
		}
		est := plainDot(direction, f.beta)
		total += est * est / v
		dfs = append(dfs, f.DF(direction))
	}
	n := float64(len(dfs))
	df := momentDF(dfs)
	if !(df > 0) {
		return TermTest{Name: name, DF1: n, Reason: Undefined}
	}
	t := TermTest{Name: name, Statistic: total / n, DF1: n, DF2: df}
	t.P = dist.FSurvival(t.Statistic, n, df)
	return t
}

// momentDF matches the first moment of the mean of independent F(1, df).
func momentDF(dfs []float64) float64 {
	if len(dfs) == 0 {
		return 0
	}
	same := true
	for _, d := range dfs {
		same = same && math.Abs(d-dfs[0]) < 1e-8
	}
	if same {
		return dfs[0]
	}
	e := 0.0
	for _, d := range dfs {
		if d <= 2 {
			return 2
		}
		e += d / (d - 2)
	}
	return 2 * e / (e - float64(len(dfs)))
}
