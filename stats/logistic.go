package stats

import "math"

// A LogisticFit is a maximum likelihood fit of a logistic regression.
type LogisticFit struct {
	// Design is the model matrix that was fitted.
	Design *Design
	// N is the number of rows (groups, for grouped counts).
	N int
	// Rank is the number of independent columns.
	Rank int
	// Coefficients are log odds (ratios) in the order of the design's columns. A
	// dependent column has the reason Aliased; where the response is separated
	// every one has the reason Separation, because the likelihood has no maximum.
	Coefficients []Coefficient
	// Kept are the indices of the estimable columns; Vcov is over them.
	Kept []int
	// Vcov is the inverse Fisher information.
	Vcov [][]float64
	// Deviance and NullDeviance are twice the log likelihood ratio against the saturated model.
	Deviance, NullDeviance Number
	// DFResidual and DFNull are their degrees of freedom.
	DFResidual, DFNull int
	// LogLik contains the binomial coefficients of grouped counts.
	LogLik, AIC, BIC Number
	// Pearson is Pearson's chi-squared; Dispersion is it over DFResidual.
	Pearson, Dispersion Number
	// Fitted are the fitted probabilities, one a kept row.
	Fitted []float64
	// Separation is not nil where no maximum exists.
	Separation *SeparationReport
	// Reason is why there is no fit: NoData, Separation or NotConverged.
	Reason Reason

	data binomialRows
	beta []float64
}

// binomialRows are the columns, successes and trials of a logistic model.
type binomialRows struct {
	x         [][]float64 // independent columns
	success   []float64
	trials    []float64
	intercept bool
}

// Logistic fits log odds by iteratively reweighted least squares. successes and
// trials have one number a kept row of the design; nil trials are all one. A row
// of no trials does not count.
//
// Rows are taken to be independent; for runs of one task see
// LogisticClusterRobust. The data are checked for separation first (Albert and
// Anderson 1984, Biometrika 71:1): where it is found there is no maximum
// likelihood estimate and none is given; Firth's estimate exists.
func Logistic(d *Design, successes, trials []float64, level float64) *LogisticFit {
	f := &LogisticFit{Design: d, N: len(successes)}
	if trials == nil {
		trials = constant(len(successes), 1)
	}
	qr := factorize(d.values(), nil, d.Intercept)
	f.Kept, f.Rank = qr.kept, qr.rank()
	f.DFResidual, f.DFNull = f.N-f.Rank, f.N-1
	if !d.Intercept {
		f.DFNull = f.N
	}
	f.data = binomialRows{success: successes, trials: trials, intercept: d.Intercept}
	for _, j := range f.Kept {
		f.data.x = append(f.data.x, d.Columns[j].Values)
	}
	f.Separation = separate(f.data, keptNames(d, f.Kept))
	switch {
	case f.N == 0:
		f.fail(NoData)
	case f.Separation != nil:
		f.fail(Separation)
	default:
		f.fit(level)
	}
	return f
}

// fail marks everything as not estimable.
func (f *LogisticFit) fail(why Reason) {
	f.Reason = why
	none := Number{Reason: why}
	f.Deviance, f.NullDeviance, f.LogLik, f.AIC, f.BIC, f.Pearson, f.Dispersion = none, none, none, none, none, none, none
	for _, c := range f.Design.Columns {
		f.Coefficients = append(f.Coefficients, Coefficient{Name: c.Name, Reason: why})
	}
}

// fit finds the maximum and derives the rest.
func (f *LogisticFit) fit(level float64) {
	grouped, _ := f.data.collapse() // the same likelihood, of fewer rows
	beta, info, ok := grouped.maximize(make([]float64, f.Rank), nil)
	if !ok {
		f.fail(NotConverged)
		return
	}
	f.beta = beta
	f.Vcov, _ = inverseOf(info)
	f.Fitted = f.data.probabilities(beta, nil)
	f.Deviance = Number{Value: f.data.deviance(f.Fitted)}
	f.NullDeviance = Number{Value: f.data.nullDeviance()}
	ll := f.data.logLik(f.Fitted, true)
	p := float64(f.Rank)
	f.LogLik, f.AIC = Number{Value: ll}, Number{Value: -2*ll + 2*p}
	f.BIC = Number{Value: -2*ll + math.Log(float64(f.N))*p}
	f.pearson()
	f.Coefficients = waldTable(f.Design, f.Kept, beta, f.Vcov, math.Inf(1), level)
}

// waldTable tests each kept coefficient by its error; the others are aliased.
func waldTable(d *Design, kept []int, beta []float64, vcov [][]float64, df, level float64) []Coefficient {
	out := make([]Coefficient, len(d.Columns))
	for j, c := range d.Columns {
		out[j] = Coefficient{Name: c.Name, Reason: Aliased}
	}
	for k, j := range kept {
		c := Coefficient{Name: d.Columns[j].Name, Estimate: beta[k], StdErr: math.Sqrt(vcov[k][k]), DF: df}
		c.test(level, "wald")
		out[j] = c
	}
	return out
}

// pearson computes Pearson's statistic.
func (f *LogisticFit) pearson() {
	s := 0.0
	for i, p := range f.Fitted {
		if n := f.data.trials[i]; n > 0 {
			d := f.data.success[i] - n*p
			s += d * d / (n * p * (1 - p))
		}
	}
	f.Pearson, f.Dispersion = Number{Value: s}, Number{Value: s / float64(f.DFResidual)}
	if f.DFResidual == 0 {
		f.Dispersion = Number{Reason: TooFew}
	}
}

// predictor is X beta plus the offset.
func (b binomialRows) predictor(beta, offset []float64) []float64 {
	eta := make([]float64, len(b.success))
	if offset != nil {
		copy(eta, offset)
	}
	for k, x := range b.x {
		for i, v := range x {
			eta[i] += v * beta[k]
		}
	}
	return eta
}

// probabilities are the fitted probabilities.
func (b binomialRows) probabilities(beta, offset []float64) []float64 {
	eta := b.predictor(beta, offset)
	for i, e := range eta {
		eta[i] = logisticOf(e)
	}
	return eta
}

// logisticOf is 1/(1+exp(-x)).
func logisticOf(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// logOnePlusExp is log(1+exp(x)) without overflow.
func logOnePlusExp(x float64) float64 {
	if x > 0 {
		return x + math.Log1p(math.Exp(-x))
	}
	return math.Log1p(math.Exp(x))
}

// maximize runs Fisher scoring from start until the steps vanish; it halves a
// step that lowers the likelihood. info is X'WX at the maximum.
func (b binomialRows) maximize(start, offset []float64) (beta []float64, info [][]float64, ok bool) {
	beta = append([]float64(nil), start...)
	best := b.kernel(beta, offset)
	for range 100 {
		score, info := b.score(beta, offset)
		l, fine := cholesky(info)
		if !fine {
			return beta, info, false
		}
		step := backward(l, forward(l, score))
		size := 1.0
		next, value := beta, math.Inf(-1)
		for range 30 {
			next = added(beta, step, size)
			if value = b.kernel(next, offset); value >= best-1e-12*math.Abs(best) {
				break
			}
			size /= 2
		}
		done := plainDot(step, score) <= 1e-22*(1+math.Abs(best))
		beta, best = next, value
		if done {
			_, info = b.score(beta, offset)
			return beta, info, true
		}
	}
	return beta, nil, false
}

// added is a + size*b.
func added(a, b []float64, size float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] + size*b[i]
	}
	return out
}

// kernel is the log likelihood without the binomial coefficients.
func (b binomialRows) kernel(beta, offset []float64) float64 {
	var s twofold
	for i, e := range b.predictor(beta, offset) {
		s.add(b.success[i]*e - b.trials[i]*logOnePlusExp(e))
	}
	return s.value()
}

// score is the gradient and Fisher information of the log likelihood.
func (b binomialRows) score(beta, offset []float64) (score []float64, info [][]float64) {
	p := b.probabilities(beta, offset)
	residual, w := make([]float64, len(p)), make([]float64, len(p))
	for i, v := range p {
		residual[i] = b.success[i] - b.trials[i]*v
		w[i] = b.trials[i] * v * (1 - v)
	}
	score = make([]float64, len(b.x))
	for k, x := range b.x {
		score[k] = dot(x, residual)
	}
	return score, b.information(w)
}

// information is X'WX.
func (b binomialRows) information(w []float64) [][]float64 {
	info := square(len(b.x))
	for a, xa := range b.x {
		wx := product(xa, w)
		for c := a; c < len(b.x); c++ {
			info[a][c] = dot(wx, b.x[c])
			info[c][a] = info[a][c]
		}
	}
	return info
}

// deviance is twice the log likelihood ratio against the saturated model.
func (b binomialRows) deviance(p []float64) float64 {
	var s twofold
	for i, v := range p {
		y, n := b.success[i], b.trials[i]
		s.add(xlog(y, n*v) + xlog(n-y, n*(1-v)))
	}
	return 2 * s.value()
}

// xlog is x log(x/m), 0 where x is 0.
func xlog(x, m float64) float64 {
	if x == 0 {
		return 0
	}
	return x * math.Log(x/m)
}

// nullDeviance is the deviance of the intercept alone (of log odds zero without one).
func (b binomialRows) nullDeviance() float64 {
	p := 0.5
	if b.intercept {
		p = sumOf(b.success) / sumOf(b.trials)
	}
	return b.deviance(constant(len(b.success), p))
}

// logLik is the log likelihood, with the binomial coefficients if asked for.
func (b binomialRows) logLik(p []float64, coefficients bool) float64 {
	var s twofold
	for i, v := range p {
		y, n := b.success[i], b.trials[i]
		if y > 0 {
			s.add(y * math.Log(v))
		}
		if n > y {
			s.add((n - y) * math.Log1p(-v))
		}
		if coefficients && n > 1 {
			s.add(logChoose(n, y))
		}
	}
	return s.value()
}

// logChoose is the log of the binomial coefficient.
func logChoose(n, k float64) float64 {
	a, _ := math.Lgamma(n + 1)
	b, _ := math.Lgamma(k + 1)
	c, _ := math.Lgamma(n - k + 1)
	return a - b - c
}
