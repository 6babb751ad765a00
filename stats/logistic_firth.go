package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A FirthFit is a logistic regression with Jeffreys' penalty.
type FirthFit struct {
	// Coefficients carry Wald's z from the Fisher information at the estimate.
	Coefficients []Coefficient
	// Tests are the penalised likelihood ratio tests of each coefficient, the
	// penalty being that of the full design.
	Tests []TermTest
	// Profiles are the penalised profile intervals of each coefficient.
	Profiles []Interval
	// Model tests all coefficients but the intercept together.
	Model TermTest
	// PenalizedLogLik is log likelihood + log det(information)/2 at the estimate.
	PenalizedLogLik float64
	// Vcov is the inverse Fisher information over the kept columns.
	Vcov [][]float64
	// Kept are the indices of the estimable columns.
	Kept []int
	// Fitted are the fitted probabilities.
	Fitted []float64
	// Reason is why there is no fit.
	Reason Reason
}

// Firth maximizes the likelihood penalised by Jeffreys' prior (Firth 1993,
// Biometrika 80:27), which has a maximum even where the response is separated
// (Heinze and Schemper 2002, Statistics in Medicine 21:2409). Tests and limits
// keep the penalty of the full design, as logistf does; refitting the reduced
// design would give other numbers. Rows are taken to be independent. The
// estimate is shrunk: it must be named as Firth's wherever it is printed.
func Firth(d *Design, successes, trials []float64, level float64) *FirthFit {
	p := newPenalizedModel(d, successes, trials)
	f := &FirthFit{Kept: p.kept, Reason: p.why}
	if f.Reason != "" {
		return f
	}
	b, beta := p.data, p.beta
	f.PenalizedLogLik, f.Fitted, f.Vcov = p.value, p.all.probabilities(beta, nil), p.vcov
	f.Coefficients = waldTable(d, f.Kept, beta, f.Vcov, math.Inf(1), level)
	f.model(b, beta)
	f.profiles(d, b, beta, level)
	return f
}

// A penalizedModel is a penalised fit with what further tests need.
type penalizedModel struct {
	data  binomialRows // like rows added up
	all   binomialRows
	qr    *factorization
	kept  []int
	beta  []float64
	vcov  [][]float64
	value float64 // penalised log likelihood
	why   Reason
}

// newPenalizedModel finds the penalised maximum.
func newPenalizedModel(d *Design, successes, trials []float64) *penalizedModel {
	if trials == nil {
		trials = constant(len(successes), 1)
	}
	p := &penalizedModel{qr: factorize(d.values(), nil, d.Intercept)}
	p.kept = p.qr.kept
	p.data = binomialRows{success: successes, trials: trials, intercept: d.Intercept}
	for _, j := range p.kept {
		p.data.x = append(p.data.x, d.Columns[j].Values)
	}
	p.all = p.data
	if len(successes) == 0 {
		p.why = NoData
		return p
	}
	var ok bool
	p.data, _ = p.data.collapse()
	p.beta, p.value, ok = p.data.penalized(make([]float64, len(p.data.x)), constant(len(p.data.x), 1))
	if !ok {
		p.why = NotConverged
		return p
	}
	_, info := p.data.score(p.beta, nil)
	p.vcov, _ = inverseOf(info)
	return p
}

// model tests all columns but the intercept.
func (f *FirthFit) model(b binomialRows, beta []float64) {
	free, start := make([]float64, len(beta)), make([]float64, len(beta))
	df := len(beta)
	if b.intercept {
		free[0], start[0] = 1, beta[0]
		df--
	}
	_, value, ok := b.penalized(start, free)
	f.Model = likelihoodRatio("model", 2*(f.PenalizedLogLik-value), df)
	if !ok {
		f.Model.Reason = NotConverged
	}
}

// profiles tests each coefficient and finds its profile limits.
func (f *FirthFit) profiles(d *Design, b binomialRows, beta []float64, level float64) {
	f.Tests, f.Profiles = make([]TermTest, len(d.Columns)), make([]Interval, len(d.Columns))
	for j, c := range d.Columns {
		f.Tests[j] = TermTest{Name: c.Name, Reason: Aliased}
	}
	drop := dist.ChiSquaredQuantile(level, 1)
	for k, j := range f.Kept {
		free := constant(len(beta), 1)
		free[k] = 0
		excess := func(value float64, start []float64) (float64, []float64, bool) {
			from := alongTangent(start, f.Vcov, k, value)
			found, v, ok := b.penalized(from, free)
			return 2*(f.PenalizedLogLik-v) - drop, found, ok
		}
		v, _, ok := excess(0, beta)
		f.Tests[j] = likelihoodRatio(d.Columns[j].Name, v+drop, 1)
		low, okLow := profileLimit(beta, k, -f.Coefficients[j].StdErr, excess)
		high, okHigh := profileLimit(beta, k, f.Coefficients[j].StdErr, excess)
		f.Profiles[j] = Interval{Low: low, High: high, Level: level, Method: "penalised profile likelihood"}
		if !ok || !okLow || !okHigh {
			f.Tests[j].Reason = NotConverged
		}
	}
}

// penalized maximizes the penalised likelihood over the coefficients whose entry
// in free is one.
func (b binomialRows) penalized(start, free []float64) (beta []float64, value float64, ok bool) {
	beta = append([]float64(nil), start...)
	value = b.penalizedValue(beta)
	for range 2000 {
		step, size := b.penalizedStep(beta, free)
		if step == nil {
			return beta, value, false
		}
		if size < 1e-11*(1+maxAbs(beta)) {
			return beta, value, true
		}
		if size > 5 { // logistf's bound on a step keeps the search where it can return
			for k := range step {
				step[k] *= 5 / size
			}
		}
		next, v := added(beta, step, 1), 0.0
		for range 40 {
			v = b.penalizedValue(next)
			if v >= value-1e-13*math.Abs(value) {
				break
			}
			for k := range step {
				step[k] /= 2
			}
			next = added(beta, step, 1)
		}
		if !(v >= value-1e-13*math.Abs(value)) {
			return beta, value, true // no step rises: the maximum to working precision
		}
		beta, value = next, v
	}
	return beta, value, false
}

// penalizedValue is the penalised log likelihood; -Inf where the information is singular.
func (b binomialRows) penalizedValue(beta []float64) float64 {
	_, info := b.score(beta, nil)
	l, ok := cholesky(info)
	if !ok {
		return math.Inf(-1)
	}
	s := b.kernel(beta, nil)
	for k := range l {
		s += math.Log(l[k][k])
	}
	return s
}

// penalizedStep is the scoring step with the modified score, zero where not free;
// size is its largest entry.
func (b binomialRows) penalizedStep(beta, free []float64) (step []float64, size float64) {
	p := b.probabilities(beta, nil)
	_, info := b.score(beta, nil)
	inverse, ok := inverseOf(info)
	if !ok {
		return nil, 0
	}
	score := make([]float64, len(beta))
	row := make([]float64, len(beta))
	for i, v := range p {
		for k, x := range b.x {
			row[k] = x[i]
		}
		h := b.trials[i] * v * (1 - v) * form(row, inverse, row)
		r := b.success[i] - b.trials[i]*v + h*(0.5-v)
		for k := range score {
			score[k] += row[k] * r
		}
	}
	return freeStep(info, score, free)
}

// freeStep solves the block of the free coefficients.
func freeStep(info [][]float64, score, free []float64) (step []float64, size float64) {
	var at []int
	for k, f := range free {
		if f == 1 {
			at = append(at, k)
		}
	}
	block, g := square(len(at)), make([]float64, len(at))
	for a, i := range at {
		g[a] = score[i]
		for c, j := range at {
			block[a][c] = info[i][j]
		}
	}
	l, ok := cholesky(block)
	if !ok {
		return nil, 0
	}
	step = make([]float64, len(score))
	for a, v := range backward(l, forward(l, g)) {
		step[at[a]] = v
		size = max(size, math.Abs(v))
	}
	return step, size
}
