package stats

import (
	"math"
	"slices"
)

// A MixedLogisticFit is a logistic regression with random effects.
type MixedLogisticFit struct {
	// Design is the fixed part.
	Design *Design
	// N is the number of rows.
	N int
	// Groups are the numbers of levels of the terms, in the order of Theta.
	Groups []int
	// Theta are the Cholesky factors of the random effects' covariances, terms by
	// falling number of levels; there is no sigma to be relative to.
	Theta []float64
	// Singular reports that some variance is estimated as zero; errors are then
	// conditional on Theta.
	Singular bool
	// Minus2LogLik is -2 times Laplace's approximation of the log likelihood, with
	// the binomial coefficients.
	Minus2LogLik float64
	// AIC and BIC count fixed effects and Theta.
	AIC, BIC float64
	// Components are the variances of the random effects, in squared log odds.
	Components []VarianceComponent
	// Coefficients are log odds given the random effects, with Wald's z from the
	// Hessian over Theta and the fixed effects together.
	Coefficients []Coefficient
	// Kept are the estimable columns, Vcov the covariance over them.
	Kept []int
	// Vcov is that covariance.
	Vcov [][]float64
	// Random are the conditional modes of the random effects (no CondSD).
	Random []RandomEffects
	// Separation is not nil where no maximum exists.
	Separation *SeparationReport
	// Reason is why there is no fit: Separation, NoData or NotConverged.
	Reason Reason
}

// A laplaceModel is the data of a logistic mixed model.
type laplaceModel struct {
	part     *randomPart
	sorted   []RandomTerm
	qr       *factorization
	rows     binomialRows
	constant float64   // log binomial coefficients
	u        []float64 // modes of the last evaluation, where the next starts
	scale    float64   // the fixed part's columns are scale times orthonormal ones
}

// MixedLogistic fits a logistic mixed model by Laplace's approximation: the
// conditional modes by penalised iteratively reweighted least squares at each
// (theta, beta), and both optimised together. successes, trials (nil: all one)
// and the groups have the frame's length.
//
// It assumes Gaussian random effects, independent between levels. Laplace's
// approximation is biased for few runs a task (Breslow and Lin 1995, Biometrika
// 82:81). Where the fixed part separates the response no maximum exists, and
// the reason is Separation. Level is that of the intervals.
func MixedLogistic(d *Design, successes, trials []float64, random []RandomTerm, level float64) (*MixedLogisticFit, error) {
	m, err := newLaplaceModel(d, successes, trials, random)
	if err != nil {
		return nil, err
	}
	f := &MixedLogisticFit{Design: d, N: d.N(), Kept: m.qr.kept}
	for _, t := range m.part.terms {
		f.Groups = append(f.Groups, t.levels)
	}
	f.Separation = separate(m.rows, keptNames(d, f.Kept))
	if f.Separation != nil {
		f.fail(Separation)
		return f, nil
	}
	point, ok := minimize(m.at, m.start())
	if !ok {
		f.fail(NotConverged)
		return f, nil
	}
	f.fill(m, point, level)
	return f, nil
}

// MixedLogisticCriterion is -2 times Laplace's log likelihood at given theta and
// coefficients of the estimable columns.
func MixedLogisticCriterion(d *Design, successes, trials []float64, random []RandomTerm, theta, beta []float64) (float64, error) {
	m, err := newLaplaceModel(d, successes, trials, random)
	if err != nil {
		return 0, err
	}
	return m.minus2LogLik(theta, m.rows.predictor(beta, nil)), nil
}

// newLaplaceModel checks and prepares the data.
func newLaplaceModel(d *Design, successes, trials []float64, random []RandomTerm) (*laplaceModel, error) {
	m := &laplaceModel{qr: factorize(d.values(), nil, d.Intercept), scale: math.Sqrt(float64(d.N()))}
	part, sorted, err := newRandomPart(d, random)
	if err != nil {
		return nil, err
	}
	m.part, m.sorted = part, sorted
	m.rows = binomialRows{success: d.Pick(successes), trials: constant(d.N(), 1), intercept: d.Intercept}
	if trials != nil {
		m.rows.trials = d.Pick(trials)
	}
	for _, j := range m.qr.kept {
		m.rows.x = append(m.rows.x, d.Columns[j].Values)
	}
	for i, n := range m.rows.trials {
		if n > 1 {
			m.constant += logChoose(n, m.rows.success[i])
		}
	}
	return m, nil
}

// start is a unit covariance and the fixed part without random effects.
func (m *laplaceModel) start() []float64 {
	out := m.part.diagonal(1)
	beta, _, _ := m.rows.maximize(make([]float64, len(m.rows.x)), nil)
	for k := range beta {
		s := 0.0
		for j := k; j < len(beta); j++ {
			s += m.qr.r[k][j] * beta[j]
		}
		out = append(out, s/m.scale)
	}
	return out
}

// split takes a point of the search apart.
func (m *laplaceModel) split(point []float64) (theta, gamma []float64) {
	k := m.part.thetas()
	return point[:k], point[k:]
}

// at is the criterion at a point of the search.
func (m *laplaceModel) at(point []float64) float64 {
	theta, gamma := m.split(point)
	eta := make([]float64, m.part.n)
	for k, q := range m.qr.q {
		for i, v := range q {
			eta[i] += m.scale * v * gamma[k]
		}
	}
	return m.minus2LogLik(theta, eta)
}

// minus2LogLik finds the conditional modes for a fixed part and gives Laplace's
// approximation there; +Inf where the modes are not found.
func (m *laplaceModel) minus2LogLik(theta, fixed []float64) float64 {
	lambda := m.part.factors(theta)
	if m.u == nil {
		m.u = make([]float64, m.part.total())
	}
	u := slices.Clone(m.u)
	value := m.penalized(lambda, u, fixed)
	for range 100 {
		f, next, ok := m.modeStep(lambda, u, fixed)
		if !ok {
			return math.Inf(1)
		}
		after := m.penalized(lambda, next, fixed)
		for halvings := 0; after < value-1e-12*math.Abs(value) && halvings < 30; halvings++ {
			for i := range next {
				next[i] = (next[i] + u[i]) / 2
			}
			after = m.penalized(lambda, next, fixed)
		}
		moved := 0.0
		for i := range u {
			moved = max(moved, math.Abs(next[i]-u[i]))
		}
		u, value = next, after
		if moved < 1e-10 {
			m.u = u
			// f belongs to the point before the last step, which is the same to rounding squared.
			return -2*value + f.logDet
		}
	}
	return math.Inf(1)
}

// total is the number of random effects.
func (p *randomPart) total() int {
	n := 0
	for _, t := range p.terms {
		n += t.levels * t.width()
	}
	return n
}

// addRandom adds Z Lambda u to eta.
func (p *randomPart) addRandom(lambda [][][]float64, u, eta []float64) {
	at := 0
	for t, block := range p.terms {
		r := block.width()
		effects := make([][]float64, block.levels)
		for l := range effects {
			effects[l] = apply(lambda[t], u[at+l*r:at+(l+1)*r])
		}
		for i, l := range block.codes {
			for a, z := range block.z {
				eta[i] += z[i] * effects[l][a]
			}
		}
		at += block.levels * r
	}
}

// penalized is the log likelihood given u, less |u|^2/2.
func (m *laplaceModel) penalized(lambda [][][]float64, u, fixed []float64) float64 {
	eta := slices.Clone(fixed)
	m.part.addRandom(lambda, u, eta)
	var s twofold
	s.add(m.constant)
	for i, e := range eta {
		s.add(m.rows.success[i]*e - m.rows.trials[i]*logOnePlusExp(e))
	}
	s.add(-sumSquares(u) / 2)
	return s.value()
}

// modeStep is one reweighted least squares step for the modes.
func (m *laplaceModel) modeStep(lambda [][][]float64, u, fixed []float64) (*factoredSystem, []float64, bool) {
	random := make([]float64, len(fixed))
	m.part.addRandom(lambda, u, random)
	w, z := make([]float64, len(fixed)), make([]float64, len(fixed))
	for i := range fixed {
		p := logisticOf(fixed[i] + random[i])
		w[i] = max(m.rows.trials[i]*p*(1-p), 1e-300)
		z[i] = random[i] + (m.rows.success[i]-m.rows.trials[i]*p)/w[i]
	}
	f, ok := m.part.crossProducts([][]float64{z}, w).factor(lambda)
	if !ok {
		return nil, nil, false
	}
	blocks, _ := f.solution(m.part, 0)
	return f, slices.Concat(blocks...), true
}

// fail marks everything as not estimable.
func (f *MixedLogisticFit) fail(why Reason) {
	f.Reason = why
	for _, c := range f.Design.Columns {
		f.Coefficients = append(f.Coefficients, Coefficient{Name: c.Name, Reason: why})
	}
}

// fill derives the estimates at the optimum.
func (f *MixedLogisticFit) fill(m *laplaceModel, point []float64, level float64) {
	theta, gamma := m.split(point)
	f.Theta = m.part.positiveSigns(theta)
	f.Minus2LogLik = m.at(slices.Concat(f.Theta, gamma))
	n := float64(len(point))
	f.AIC, f.BIC = f.Minus2LogLik+2*n, f.Minus2LogLik+math.Log(float64(f.N))*n
	scaled := make([]float64, len(gamma))
	for k, v := range gamma {
		scaled[k] = v * m.scale
	}
	beta := m.qr.solveUpper(scaled)
	f.variances(m)
	f.Vcov = f.covariance(m, slices.Concat(f.Theta, gamma))
	if f.Vcov == nil {
		f.fail(NotConverged)
		return
	}
	f.Coefficients = waldTable(f.Design, f.Kept, beta, f.Vcov, math.Inf(1), level)
}

// positiveSigns makes the diagonals of the Cholesky factors non-negative; what
// is zero to the accuracy of the search becomes zero.
func (p *randomPart) positiveSigns(theta []float64) []float64 {
	out := slices.Clone(theta)
	k := 0
	for _, t := range p.terms {
		for j := range t.width() {
			flip := out[k] < 0
			if math.Abs(out[k]) < 1e-5 {
				out[k] = 0
			}
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

// variances fills in components and modes.
func (f *MixedLogisticFit) variances(m *laplaceModel) {
	lambda := m.part.factors(f.Theta)
	at := 0
	for t, block := range m.part.terms {
		cov := times(lambda[t], transposed(lambda[t]))
		names, group := m.sorted[t].effects(), m.sorted[t].Group
		for i := range cov {
			f.Singular = f.Singular || lambda[t][i][i] < 1e-4
			f.Components = append(f.Components, VarianceComponent{Group: group.Name, First: names[i], Variance: cov[i][i], SDCor: Number{Value: math.Sqrt(cov[i][i])}})
		}
		e := RandomEffects{Group: group.Name, Effects: names, Levels: group.Levels}
		r := block.width()
		for l := range block.levels {
			e.Modes = append(e.Modes, apply(lambda[t], m.u[at+l*r:at+(l+1)*r]))
		}
		at += block.levels * r
		f.Random = append(f.Random, e)
	}
}

// covariance is twice the inverse Hessian of the criterion, for the fixed
// effects; at a boundary theta is held.
func (f *MixedLogisticFit) covariance(m *laplaceModel, point []float64) [][]float64 {
	from := m.part.thetas()
	free := point
	criterion := m.at
	if f.Singular {
		free, from = point[from:], 0
		criterion = func(x []float64) float64 { return m.at(slices.Concat(f.Theta, x)) }
	}
	_, h := derivatives(criterion, free, 2e-3)
	inverse, ok := inverseOf(h)
	if !ok {
		return nil
	}
	p := m.qr.rank()
	// beta = scale R^-1 gamma
	rows := make([][]float64, p)
	for k := range p {
		rows[k] = m.qr.solveUpper(unit(p, k))
	}
	out := square(p)
	for i := range p {
		for j := range p {
			for a := range p {
				for b := range p {
					out[i][j] += 2 * m.scale * m.scale * rows[a][i] * rows[b][j] * inverse[from+a][from+b]
				}
			}
		}
	}
	return out
}
