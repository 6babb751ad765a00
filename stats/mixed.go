package stats

import (
	"fmt"
	"math"
	"slices"
)

// A RandomTerm is a random intercept and slopes that vary by the levels of a
// factor, correlated with each other. Uncorrelated effects are two terms.
type RandomTerm struct {
	// Group is the grouping factor, with one code a row of the frame.
	Group Factor
	// NoIntercept leaves the random intercept out.
	NoIntercept bool
	// Slopes are the covariates whose coefficients vary.
	Slopes []Covariate
}

// A VarianceComponent is an estimated (co)variance of random effects.
type VarianceComponent struct {
	// Group is the grouping factor, "Residual" for the error.
	Group string
	// First and Second name the effects; Second is empty for a variance.
	First, Second string
	// Variance is the variance or covariance, in squared units of the response.
	Variance float64
	// SDCor is the standard deviation or correlation.
	SDCor Number
}

// A RandomEffects holds the predicted effects of one grouping factor.
type RandomEffects struct {
	// Group is the factor, Effects the names of its effects, Levels its levels.
	Group string
	// Effects are the effects' names, such as "(Intercept)".
	Effects []string
	// Levels are those of the factor.
	Levels []string
	// Modes are the conditional modes, one row a level, one column an effect.
	Modes [][]float64
	// CondSD are their conditional standard deviations.
	CondSD [][]float64
}

// A MixedFit is a fitted linear mixed model.
type MixedFit struct {
	// Design is the fixed part.
	Design *Design
	// REML reports restricted maximum likelihood.
	REML bool
	// N is the number of rows.
	N int
	// Groups are the numbers of levels of the terms, in the order of Theta.
	Groups []int
	// Theta are the relative Cholesky factors, terms by falling number of levels.
	Theta []float64
	// Singular reports that some variance is estimated as zero.
	Singular bool
	// Criterion is -2 log (restricted) likelihood. Restricted criteria of
	// different fixed parts or codings must not be compared.
	Criterion float64
	// LogLik is minus half of it; AIC and BIC count fixed effects, Theta and sigma.
	LogLik, AIC, BIC float64
	// Sigma is the residual standard deviation.
	Sigma float64
	// Components are the variances, the residual last.
	Components []VarianceComponent
	// Coefficients are the fixed effects with Satterthwaite's t (by REML; the
	// degrees of freedom of an ML fit are those of its own Hessian).
	Coefficients []Coefficient
	// Kept are the estimable columns, Vcov the covariance over them.
	Kept []int
	// Vcov is that covariance.
	Vcov [][]float64
	// Random are the predicted random effects.
	Random []RandomEffects
	// Fitted includes the random effects, Marginal does not.
	Fitted, Marginal []float64
	// Reason is why there is no error of anything: NoVariation or NotConverged.
	Reason Reason

	model *mixedModel
	beta  []float64
	spread
}

// A mixedModel is the data of a mixed model, ready for its criterion.
type mixedModel struct {
	design *Design
	reml   bool
	qr     *factorization
	y      []float64
	part   *randomPart
	system *crossSystem
	shift  []float64 // Q'y
	sorted []RandomTerm
}

// Mixed fits a linear mixed model with nested or crossed random effects by REML,
// or by maximum likelihood, minimizing the profiled criterion over the relative
// Cholesky factors (Bates, Mächler, Bolker and Walker 2015, JSS 67:1). y and the
// groups have the frame's length; rows that the design left out are left out.
//
// It assumes Gaussian random effects and errors, independent between levels. A
// grouping factor with one level, or with as many effects as rows, is an error.
// A response that the fixed part explains wholly has the reason NoVariation: its
// errors mean nothing. Level is that of the intervals.
func Mixed(d *Design, y []float64, random []RandomTerm, reml bool, level float64) (*MixedFit, error) {
	m, err := newMixedModel(d, y, random, reml)
	if err != nil {
		return nil, err
	}
	f := &MixedFit{Design: d, REML: reml, N: d.N(), model: m, Kept: m.qr.kept}
	for _, t := range m.part.terms {
		f.Groups = append(f.Groups, t.levels)
	}
	if _, residual := m.qr.solve(m.y); sumSquares(residual) <= 1e-28*sumSquares(m.y) {
		f.degenerate()
		return f, nil
	}
	theta, ok := m.optimum()
	if !ok {
		f.degenerate()
		f.Reason = NotConverged
		return f, nil
	}
	f.Theta = theta
	if p, _ := m.at(theta); !(p.rss > 1e-11*sumSquares(m.y)) {
		f.degenerate() // the groups explain the response wholly
		return f, nil
	}
	f.fill()
	f.spread = m.spread(theta, f.Sigma)
	f.tests(level)
	return f, nil
}

// MixedCriterion is the criterion of Mixed at given theta.
func MixedCriterion(d *Design, y []float64, random []RandomTerm, reml bool, theta []float64) (float64, error) {
	m, err := newMixedModel(d, y, random, reml)
	if err != nil {
		return 0, err
	}
	v, ok := m.criterion(theta)
	if !ok {
		return 0, fmt.Errorf("theta %v: the criterion is not defined", theta)
	}
	return v, nil
}

// newMixedModel checks and prepares the data.
func newMixedModel(d *Design, y []float64, random []RandomTerm, reml bool) (*mixedModel, error) {
	m := &mixedModel{design: d, reml: reml, qr: factorize(d.values(), nil, d.Intercept), y: d.Pick(y)}
	part, sorted, err := newRandomPart(d, random)
	if err != nil {
		return nil, err
	}
	m.part, m.sorted = part, sorted
	m.shift = m.qr.project(m.y)
	_, residual := m.qr.solve(m.y)
	m.system = part.crossProducts(append(slices.Clone(m.qr.q), residual), nil)
	return m, nil
}

// newRandomPart codes the terms over the kept rows, by falling number of levels.
func newRandomPart(d *Design, random []RandomTerm) (*randomPart, []RandomTerm, error) {
	part := &randomPart{n: d.N()}
	var sorted []RandomTerm
	for _, t := range random {
		block := randomBlock{}
		t.Group, block.codes = usedLevels(t.Group, d.PickCodes(t.Group.Codes))
		block.levels = len(t.Group.Levels)
		if !t.NoIntercept {
			block.z = append(block.z, constant(d.N(), 1))
		}
		for _, s := range t.Slopes {
			block.z = append(block.z, d.Pick(s.Values))
		}
		if block.codes == nil {
			return nil, nil, fmt.Errorf("grouping factor %q: have a row without a level, want it left out of the design", t.Group.Name)
		}
		if block.levels < 2 {
			return nil, nil, fmt.Errorf("grouping factor %q: have %d level, want 2 or more", t.Group.Name, block.levels)
		}
		if block.levels*block.width() >= d.N() {
			return nil, nil, fmt.Errorf("grouping factor %q: have %d random effects for %d rows, want fewer effects than rows",
				t.Group.Name, block.levels*block.width(), d.N())
		}
		part.terms, sorted = append(part.terms, block), append(sorted, t)
	}
	order := make([]int, len(sorted))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return part.terms[b].levels - part.terms[a].levels })
	out := &randomPart{n: part.n}
	var terms []RandomTerm
	for _, i := range order {
		out.terms, terms = append(out.terms, part.terms[i]), append(terms, sorted[i])
	}
	return out, terms, nil
}

// usedLevels recodes a factor to the levels that occur; the codes are nil where
// one is missing.
func usedLevels(f Factor, codes []int) (Factor, []int) {
	seen := make([]bool, len(f.Levels))
	for _, c := range codes {
		if c >= 0 {
			seen[c] = true
		}
	}
	place := make([]int, len(f.Levels))
	out := Factor{Name: f.Name}
	for l, yes := range seen {
		if yes {
			place[l] = len(out.Levels)
			out.Levels = append(out.Levels, f.Levels[l])
		}
	}
	recoded := make([]int, len(codes))
	for i, c := range codes {
		if c < 0 {
			return out, nil
		}
		recoded[i] = place[c]
	}
	return out, recoded
}

// A mixedPoint is the model at one theta.
type mixedPoint struct {
	factored *factoredSystem
	rss      float64 // penalized residual sum of squares
	logDet   float64 // of the random part
	logFixed float64 // log |X'V^-1X| with V in units of sigma squared
}

// at evaluates the model; ok is false where it cannot be.
func (m *mixedModel) at(theta []float64) (mixedPoint, bool) {
	f, ok := m.system.factor(m.part.factors(theta))
	if !ok {
		return mixedPoint{}, false
	}
	p := mixedPoint{factored: f, logDet: f.logDet}
	last := len(f.rest) - 1
	p.rss = f.rest[last][last] * f.rest[last][last]
	for k := range m.qr.rank() {
		c := last - m.qr.rank() + k
		p.logFixed += 2*math.Log(f.rest[c][c]) + 2*math.Log(math.Abs(m.qr.r[k][k]))
	}
	return p, true
}

// df is the denominator of the variance estimate.
func (m *mixedModel) df() float64 {
	if m.reml {
		return float64(m.part.n - m.qr.rank())
	}
	return float64(m.part.n)
}

// criterion is -2 log (restricted) likelihood with sigma profiled out.
func (m *mixedModel) criterion(theta []float64) (float64, bool) {
	p, ok := m.at(theta)
	if !ok {
		return 0, false
	}
	n := m.df()
	v := p.logDet + n*(1+math.Log(2*math.Pi*p.rss/n))
	if m.reml {
		v += p.logFixed
	}
	return v, !math.IsNaN(v)
}

// deviance is the criterion at given theta and sigma.
func (m *mixedModel) deviance(theta []float64, sigma float64) float64 {
	p, ok := m.at(theta)
	if !ok {
		return math.NaN()
	}
	v := p.logDet + m.df()*math.Log(2*math.Pi*sigma*sigma) + p.rss/(sigma*sigma)
	if m.reml {
		v += p.logFixed
	}
	return v
}

// optimum minimizes the criterion. The criterion does not change when a column
// of a relative factor changes sign, so the search is free and signs are set
// after it.
func (m *mixedModel) optimum() (theta []float64, ok bool) {
	criterion := func(x []float64) float64 {
		v, ok := m.criterion(x)
		if !ok {
			return math.Inf(1)
		}
		return v
	}
	best := math.Inf(1)
	for _, size := range []float64{1, 0.2, 4} { // a criterion can have more than one minimum
		found, v := quasiNewton(criterion, m.part.diagonal(size))
		if v < best-1e-9 {
			theta, best = found, v
		}
	}
	if theta == nil {
		return nil, false
	}
	theta, ok = minimize(criterion, theta)
	return m.positive(theta), ok
}

// diagonal is theta for relative factors that are the given multiple of the identity.
func (p *randomPart) diagonal(size float64) []float64 {
	var out []float64
	for _, t := range p.terms {
		for j := range t.width() {
			for i := j; i < t.width(); i++ {
				v := 0.0
				if i == j {
					v = size
				}
				out = append(out, v)
			}
		}
	}
	return out
}

// positive makes the diagonals of the relative factors non-negative; a diagonal
// that is zero to the accuracy of the search is set to zero.
func (m *mixedModel) positive(theta []float64) []float64 {
	out := slices.Clone(theta)
	k := 0
	for _, t := range m.part.terms {
		for j := range t.width() {
			diagonal := k
			if math.Abs(out[diagonal]) < 1e-5 {
				trial := slices.Clone(out)
				trial[diagonal] = 0
				a, okA := m.criterion(trial)
				b, okB := m.criterion(out)
				if okA && okB && a <= b+1e-9 {
					out = trial
				}
			}
			flip := out[diagonal] < 0
			for range t.width() - j {
				if flip {
					out[k] = -out[k]
				}
				k++
			}
		}
	}
	return out
}
