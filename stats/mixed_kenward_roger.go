package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A KenwardRoger is the small-sample correction of a restricted maximum
// likelihood fit: a larger covariance of the fixed effects, and scaled F tests.
type KenwardRoger struct {
	// Vcov is the adjusted covariance over the kept coefficients.
	Vcov [][]float64

	fit    *MixedFit
	phi    [][]float64   // unadjusted, in the basis of the orthonormal columns
	change [][][]float64 // P of every variance parameter, in that basis
	weight [][]float64   // covariance of the variance parameters
}

// KenwardRoger computes the correction (Kenward and Roger 1997, Biometrics
// 53:983; Halekoh and Højsgaard 2014, JSS 59:9). It holds for REML fits; for
// others, and where the information on the variances is singular, it is
// Undefined. The cost grows with the cube of the number of random effects.
func (f *MixedFit) KenwardRoger() (*KenwardRoger, Reason) {
	if f.Reason != "" {
		return nil, f.Reason
	}
	if !f.REML {
		return nil, Undefined
	}
	s := newMoments(f)
	k := &KenwardRoger{fit: f}
	k.phi, _ = inverseOf(s.block(s.first, s.fixed(), s.fixed()))
	n := len(s.parameters) + 1
	for r := range n {
		k.change = append(k.change, s.changeOf(r))
	}
	information := square(n)
	second := make([][][][]float64, n)
	for a := range n {
		second[a] = make([][][]float64, n)
		for b := range n {
			second[a][b] = s.secondOf(a, b)
			pp := times(times(k.phi, k.change[a]), times(k.phi, k.change[b]))
			information[a][b] = s.traceOf(a, b) - 2*traceOf(k.phi, second[a][b]) + traceOf(pp, scaledIdentity(len(pp), 1))
		}
	}
	symmetrize(information)
	inverse, ok := inverseOf(information)
	if !ok {
		return nil, Undefined
	}
	k.weight = inverse
	for a := range n {
		for b := range n {
			k.weight[a][b] *= 2
		}
	}
	k.adjust(second)
	return k, ""
}

// adjust forms the adjusted covariance.
func (k *KenwardRoger) adjust(second [][][][]float64) {
	p := len(k.phi)
	u := square(p)
	for a := range k.change {
		for b := range k.change {
			pp := times(times(k.change[a], k.phi), k.change[b])
			for i := range p {
				for j := range p {
					u[i][j] += k.weight[a][b] * (second[a][b][i][j] - pp[i][j])
				}
			}
		}
	}
	symmetrize(u)
	extra := times(times(k.phi, u), k.phi)
	adjusted := square(p)
	for i := range p {
		for j := range p {
			adjusted[i][j] = k.phi[i][j] + 2*extra[i][j]
		}
	}
	k.Vcov = square(p)
	for i := range p {
		for j := range p {
			k.Vcov[i][j] = form(k.rotate(unit(p, i)), adjusted, k.rotate(unit(p, j)))
		}
	}
}

// rotate takes a contrast of coefficients to the basis of the orthonormal columns.
func (k *KenwardRoger) rotate(c []float64) []float64 { return k.fit.model.qr.solveTransposed(c) }

// Wald is the scaled F test that contrasts of the kept coefficients are all zero.
func (k *KenwardRoger) Wald(name string, contrasts [][]float64) TermTest {
	q := len(contrasts)
	est, adjusted, plain := make([]float64, q), square(q), square(q)
	rotated := make([][]float64, q)
	for i, c := range contrasts {
		est[i] = plainDot(c, k.fit.beta)
		rotated[i] = k.rotate(c)
	}
	for i := range q {
		for j := range q {
			adjusted[i][j] = form(contrasts[i], k.Vcov, contrasts[j])
			plain[i][j] = form(rotated[i], k.phi, rotated[j])
		}
	}
	chi, ok := quadraticInverse(adjusted, est)
	inverse, fine := inverseOf(plain)
	if !ok || !fine {
		return TermTest{Name: name, DF1: float64(q), Reason: Undefined}
	}
	df, scale := k.denominator(times(times(transposed(rotated), inverse), rotated), float64(q))
	if !(df > 0) {
		return TermTest{Name: name, DF1: float64(q), Reason: Undefined}
	}
	f := scale * chi / float64(q)
	return TermTest{Name: name, Statistic: f, DF1: float64(q), DF2: df, P: dist.FSurvival(f, float64(q), df)}
}

// denominator matches the moments of the statistic to those of a scaled F.
func (k *KenwardRoger) denominator(theta [][]float64, q float64) (df, scale float64) {
	a1, a2 := 0.0, 0.0
	parts := make([][][]float64, len(k.change))
	for r, p := range k.change {
		parts[r] = times(times(times(theta, k.phi), p), k.phi)
	}
	identity := scaledIdentity(len(k.phi), 1)
	for r := range parts {
		for s := range parts {
			w := k.weight[r][s]
			a1 += w * traceOf(parts[r], identity) * traceOf(parts[s], identity)
			a2 += w * traceOf(parts[r], parts[s])
		}
	}
	b := (a1 + 6*a2) / (2 * q)
	g := ((q+1)*a1 - (q+4)*a2) / ((q + 2) * a2)
	d := 3*q + 2*(1-g)
	v0, v1, v2 := 1+g/d*b, 1-(q-g)/d*b, 1-(q+2-g)/d*b
	if math.Abs(v0) < 1e-10 {
		v0 = 0
	}
	ratio := 1.0
	if numerator := 1 - a2/q; math.Abs(numerator) > 1e-14 || math.Abs(v1) > 1e-14 {
		ratio = numerator / v1
	}
	rho := ratio * ratio * v0 / v2 / q
	df = 4 + (q+2)/(q*rho-1)
	scale = 1
	if math.Abs(df-2) >= 1e-2 {
		scale = df * (1 - a2/q) / (df - 2)
	}
	return df, scale
}

// Coefficients tests the kept coefficients with adjusted errors.
func (k *KenwardRoger) Coefficients(level float64) []Coefficient {
	out := make([]Coefficient, len(k.fit.Kept))
	for i, j := range k.fit.Kept {
		c := Coefficient{Name: k.fit.Design.Columns[j].Name, Estimate: k.fit.beta[i], StdErr: math.Sqrt(k.Vcov[i][i])}
		test := k.Wald(c.Name, [][]float64{unit(len(out), i)})
		c.DF, c.Uncertain = test.DF2, test.Reason
		if c.Uncertain == "" {
			c.test(level, "kenward-roger t")
		}
		out[i] = c
	}
	return out
}

// Terms tests the terms of the fixed part by type III hypotheses.
func (k *KenwardRoger) Terms() []MixedTermTest {
	var out []MixedTermTest
	for t := range k.fit.Design.Terms {
		name := k.fit.Design.Terms[t].String()
		rows, why := k.fit.hypothesis(t, SumTypeIII)
		if why != "" {
			out = append(out, MixedTermTest{Test: TermTest{Name: name, Reason: why}})
			continue
		}
		test := k.Wald(name, rows)
		ms := test.Statistic * k.fit.Sigma * k.fit.Sigma
		out = append(out, MixedTermTest{Test: test, MS: ms, SS: ms * test.DF1})
	}
	return out
}
