package stats

import (
	"fmt"
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// A RepeatedDesign is a set of runs of subjects (tasks) under crossed conditions.
// All columns have one entry a run.
type RepeatedDesign struct {
	// Subject is the unit that was measured repeatedly.
	Subject Factor
	// Within are the factors that vary within a subject.
	Within []Factor
	// Between are the factors that are constant within a subject.
	Between []Factor
	// Response is one number a run, NaN where missing. Runs of one subject under
	// one condition are averaged first.
	Response []float64
	// Type is SumTypeIII or SumTypeII, for unbalanced between factors.
	Type SumType
}

// A RepeatedEffect is one row of a repeated-measures analysis of variance.
type RepeatedEffect struct {
	// Name is the term, between factors first.
	Name string
	// Test is the uncorrected F test against the term's own error.
	Test TermTest
	// SS and ErrorSS are sums of squares in squared units of the response.
	SS, ErrorSS float64
	// PartialEtaSq is SS/(SS+ErrorSS).
	PartialEtaSq Number
	// GeneralizedEtaSq is SS over SS and all error sums (Olejnik and Algina 2003).
	GeneralizedEtaSq Number
	// GreenhouseGeisser and HuynhFeldt are the estimates of epsilon; Undefined for
	// a term with one contrast, which needs no correction. HuynhFeldt can exceed
	// one; tests use at most one.
	GreenhouseGeisser, HuynhFeldt Number
	// TestGG and TestHF are the tests with the degrees of freedom corrected.
	TestGG, TestHF TermTest
	// MauchlyW and MauchlyP test sphericity.
	MauchlyW, MauchlyP Number
}

// A Repeated is a repeated-measures analysis of variance.
type Repeated struct {
	// Effects are the terms: between terms first, then by within term.
	Effects []RepeatedEffect
	// Intercept is the test of a grand mean of zero.
	Intercept RepeatedEffect
	// Subjects is the number of subjects used.
	Subjects int
	// Dropped names the subjects left out for a cell without a run. A block
	// analysis or mixed model keeps their other runs and gives other numbers.
	Dropped []string
	// Reason is why there is no analysis: TooFew.
	Reason Reason
}

// RepeatedANOVA analyses a repeated-measures or mixed design by the univariate
// approach with epsilon corrections (Greenhouse and Geisser 1959; Huynh and Feldt
// 1976, JES 1:69) and Mauchly's test. It assumes Gaussian subjects, independent
// of each other, and drops a subject with a missing cell. A between factor that
// changes within a subject is an error.
func RepeatedANOVA(design RepeatedDesign) (*Repeated, error) {
	cells, between, err := design.table()
	if err != nil {
		return nil, err
	}
	r := &Repeated{}
	var y [][]float64
	kept := make([]bool, len(cells))
	for s, row := range cells {
		kept[s] = !slices.ContainsFunc(row, math.IsNaN)
		if kept[s] {
			y = append(y, row)
		} else if slices.ContainsFunc(row, func(v float64) bool { return !math.IsNaN(v) }) {
			r.Dropped = append(r.Dropped, design.Subject.Levels[s])
		}
	}
	r.Subjects = len(y)
	if r.Subjects < 2 {
		r.Reason = TooFew
		return r, nil
	}
	if err := r.analyze(design, y, subjectFrame(between, kept)); err != nil {
		return nil, err
	}
	r.generalized()
	return r, nil
}

// table averages the runs of each subject and condition; a cell without a run is
// NaN. Conditions run with the last within factor fastest.
func (d RepeatedDesign) table() (cells [][]float64, between []Factor, err error) {
	conditions := 1
	for _, f := range d.Within {
		conditions *= len(f.Levels)
	}
	sums, counts := make([][]float64, len(d.Subject.Levels)), make([][]float64, len(d.Subject.Levels))
	for s := range sums {
		sums[s], counts[s] = make([]float64, conditions), make([]float64, conditions)
	}
	for _, f := range d.Between {
		between = append(between, Factor{Name: f.Name, Levels: f.Levels, Codes: slices.Repeat([]int{-1}, len(d.Subject.Levels))})
	}
	for i, v := range d.Response {
		cell := d.cell(i)
		s := d.Subject.Codes[i]
		if cell < 0 || s < 0 || math.IsNaN(v) {
			continue
		}
		sums[s][cell] += v
		counts[s][cell]++
		for b, f := range d.Between {
			if old := between[b].Codes[s]; old >= 0 && old != f.Codes[i] {
				return nil, nil, fmt.Errorf("factor %q: have two levels for subject %s, want one: it is not between subjects", f.Name, d.Subject.Levels[s])
			}
			between[b].Codes[s] = f.Codes[i]
		}
	}
	for s := range sums {
		for c := range sums[s] {
			sums[s][c] /= counts[s][c] // 0/0: no run, NaN
		}
	}
	return sums, between, nil
}

// cell is the index of the condition of a run, -1 where a factor is missing.
func (d RepeatedDesign) cell(i int) int {
	cell := 0
	for _, f := range d.Within {
		if f.Codes[i] < 0 {
			return -1
		}
		cell = cell*len(f.Levels) + f.Codes[i]
	}
	return cell
}

// subjectFrame is the frame of the between factors over the kept subjects.
func subjectFrame(between []Factor, kept []bool) Frame {
	var f Frame
	for _, b := range between {
		g := Factor{Name: b.Name, Levels: b.Levels}
		for s, k := range kept {
			if k {
				g.Codes = append(g.Codes, b.Codes[s])
			}
		}
		f.Factors = append(f.Factors, g)
	}
	return f
}

// analyze forms every stratum: the contrasts of one within term, modelled on the
// between factors.
func (r *Repeated) analyze(design RepeatedDesign, y [][]float64, frame Frame) error {
	var within, between []string
	for _, f := range design.Within {
		within = append(within, f.Name)
	}
	for _, f := range design.Between {
		between = append(between, f.Name)
	}
	terms := Crossed(between, len(between))
	d, err := NewDesign(frame, Model{Terms: terms, Coding: SumCoding}, slices.Repeat([]bool{true}, len(y)))
	if err != nil {
		return err
	}
	for _, w := range append([]Term{nil}, Crossed(within, len(within))...) {
		z := times(y, transposed(withinContrasts(design.Within, w)))
		r.stratum(d, w, z, len(y[0]), design.Type)
	}
	return nil
}

// withinContrasts are the orthonormal contrasts of a within term over all
// conditions, one a row: Helmert's for the factors of the term and the mean of
// the others.
func withinContrasts(factors []Factor, w Term) [][]float64 {
	out := [][]float64{{1}}
	for _, f := range factors {
		k := len(f.Levels)
		part := [][]float64{constant(k, 1/math.Sqrt(float64(k)))}
		if w.contains(Term{f.Name}) {
			part = helmertRows(k)
		}
		var next [][]float64
		for _, o := range out {
			for _, p := range part {
				row := make([]float64, 0, len(o)*k)
				for _, a := range o {
					for _, b := range p {
						row = append(row, a*b)
					}
				}
				next = append(next, row)
			}
		}
		out = next
	}
	return out
}

// helmertRows are orthonormal contrasts of k levels.
func helmertRows(k int) [][]float64 {
	var out [][]float64
	for j := 1; j < k; j++ {
		row := make([]float64, k)
		for i := range j {
			row[i] = -1
		}
		row[j] = float64(j)
		length := math.Sqrt(sumSquares(row))
		for i := range row {
			row[i] /= length
		}
		out = append(out, row)
	}
	return out
}

// stratum adds the effects of one within term.
func (r *Repeated) stratum(d *Design, w Term, z [][]float64, conditions int, kind SumType) {
	columns := transposed(z)
	fits := make([]*LinearFit, len(columns))
	errorSS := 0.0
	for k, c := range columns {
		fits[k] = OLS(d, c, nil, 0.95)
		errorSS += fits[k].RSS
	}
	sphere := sphericity(fits, conditions)
	for t := -1; t < len(d.Terms); t++ {
		e := RepeatedEffect{ErrorSS: errorSS}
		df := 0
		for _, fit := range fits {
			ss, n := fit.betweenSum(t, kind)
			e.SS += ss
			df = n
		}
		e.Name = effectName(d, t, w)
		e.test(float64(df), float64(len(fits)), float64(fits[0].DFResidual), sphere)
		switch {
		case t < 0 && w == nil:
			r.Intercept = e
		default:
			r.Effects = append(r.Effects, e)
		}
	}
}

// effectName joins a between term and a within term.
func effectName(d *Design, t int, w Term) string {
	var name Term
	if t >= 0 {
		name = append(name, d.Terms[t]...)
	}
	name = append(name, w...)
	if len(name) == 0 {
		return "(Intercept)"
	}
	return name.String()
}

// betweenSum is the sum of squares of a between term for one contrast; -1 is the
// mean, which type II does not adjust for anything.
func (f *LinearFit) betweenSum(t int, kind SumType) (float64, int) {
	switch {
	case kind != SumTypeII:
		return f.droppedSum(f.Design.termOf(t))
	case t < 0:
		s := sumOf(f.y)
		return s * s / float64(len(f.y)), 1
	}
	return f.addedSum(t)
}

// test fills in tests and partial eta squared.
func (e *RepeatedEffect) test(df, contrasts, errorDF float64, s sphere) {
	num, den := df*contrasts, errorDF*contrasts
	e.GreenhouseGeisser, e.HuynhFeldt, e.MauchlyW, e.MauchlyP = s.gg, s.hf, s.w, s.p
	if den <= 0 || e.ErrorSS == 0 {
		why := TooFew
		if den > 0 {
			why = NoVariation
		}
		none := TermTest{Name: e.Name, DF1: num, DF2: den, Reason: why}
		e.Test, e.TestGG, e.TestHF = none, none, none
		e.PartialEtaSq = Number{Reason: why}
		return
	}
	f := e.SS / num / (e.ErrorSS / den)
	e.PartialEtaSq = Number{Value: e.SS / (e.SS + e.ErrorSS)}
	corrected := func(eps Number) TermTest {
		k := 1.0
		if eps.Reason == "" {
			k = min(eps.Value, 1)
		}
		return termF(e.Name, f, num*k, den*k)
	}
	e.Test, e.TestGG, e.TestHF = corrected(Number{Value: 1}), corrected(s.gg), corrected(s.hf)
}

// A sphere is what the errors of a within term say about sphericity.
type sphere struct{ gg, hf, w, p Number }

// sphericity estimates epsilon and tests it, from the residuals of the contrasts.
func sphericity(fits []*LinearFit, conditions int) sphere {
	k := len(fits)
	none := Number{Reason: Undefined}
	if k < 2 || fits[0].DFResidual < 1 {
		return sphere{none, none, none, none}
	}
	n := float64(fits[0].DFResidual)
	s := square(k)
	trace, squares := 0.0, 0.0
	for i := range s {
		for j := range s {
			s[i][j] = dot(fits[i].Residuals, fits[j].Residuals) / n
			squares += s[i][j] * s[i][j]
		}
		trace += s[i][i]
	}
	if trace == 0 {
		return sphere{none, none, none, none}
	}
	p := float64(k)
	gg := trace * trace / (p * squares)
	hf := Number{Value: ((n+1)*p*gg - 2) / (p * (n - p*gg))}
	if n <= p*gg {
		hf = none
	}
	w, tail := mauchly(s, trace/p, n, float64(conditions))
	return sphere{gg: Number{Value: gg}, hf: hf, w: w, p: tail}
}

// mauchly is Mauchly's W and its p by the second-order expansion of Anderson
// (2003, An Introduction to Multivariate Statistical Analysis, 10.7). One term of
// its second-order factor counts all conditions, as R's mauchly.test and car do,
// where Anderson counts the contrasts: p moves in the third digit at most, and
// equals the p that readers will compare it with.
func mauchly(s [][]float64, mean, n, conditions float64) (w, p Number) {
	k := float64(len(s))
	l, ok := cholesky(s)
	if !ok || n < k {
		return Number{Reason: TooFew}, Number{Reason: TooFew}
	}
	logW := 0.0
	for i := range l {
		logW += 2*math.Log(l[i][i]) - math.Log(mean)
	}
	rho := 1 - (2*k*k+k+2)/(6*k*n)
	w2 := (k + 2) * (k - 1) * (k - 2) * (2*k*k*k + 6*k*k + 3*conditions + 2) / (288 * (n * k * rho) * (n * k * rho))
	z, df := -n*rho*logW, k*(k+1)/2-1
	first, second := dist.ChiSquaredSurvival(z, df), dist.ChiSquaredSurvival(z, df+4)
	return Number{Value: math.Exp(logW)}, Number{Value: min(max(first+w2*(second-first), 0), 1)}
}

// generalized fills in generalized eta squared: all factors are manipulated.
func (r *Repeated) generalized() {
	errors := r.Intercept.ErrorSS
	last := r.Intercept.ErrorSS
	for _, e := range r.Effects {
		if e.ErrorSS != last {
			errors += e.ErrorSS
			last = e.ErrorSS
		}
	}
	for i := range r.Effects {
		e := &r.Effects[i]
		e.GeneralizedEtaSq = Number{Value: e.SS / (e.SS + errors), Reason: e.PartialEtaSq.Reason}
	}
}
