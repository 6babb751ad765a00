package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// roundingShare is the share of the sum of squares of the response below which a
// residual or total sum of squares is rounding error: about (2 eps)^2, so that
// data that vary in the last digits only (NIST's SmLs09) still count.
const roundingShare = 2e-31

// A Number is a quantity that may not be estimable: where Reason is not empty,
// Value means nothing.
type Number struct {
	// Value is the quantity.
	Value float64
	// Reason says why there is none.
	Reason Reason
}

// A Coefficient is an estimated coefficient or linear combination of
// coefficients, with its standard error, test of zero and confidence interval.
type Coefficient struct {
	// Name is the column's or contrast's name.
	Name string
	// Estimate is in the unit of the response (log odds in a logistic model).
	Estimate float64
	// StdErr is the standard error, in the unit of Estimate.
	StdErr float64
	// Statistic is Estimate/StdErr: t where DF is finite, z where it is infinite.
	Statistic float64
	// DF are the degrees of freedom of Statistic; +Inf names the normal distribution.
	DF float64
	// P is the two-sided p-value of zero.
	P float64
	// CI is the two-sided interval for Estimate.
	CI Interval
	// Reason is why there is no estimate at all.
	Reason Reason
	// Uncertain is why there is an estimate but no error, test or interval.
	Uncertain Reason
}

// A TermTest is a test that all coefficients of a term, or of a model, are zero.
type TermTest struct {
	// Name is the term.
	Name string
	// Statistic is F where DF2 is finite, else chi-squared.
	Statistic float64
	// DF1 are the numerator degrees of freedom.
	DF1 float64
	// DF2 are the denominator degrees of freedom; +Inf with a chi-squared statistic.
	DF2 float64
	// P is the upper tail probability.
	P float64
	// Reason is why there is no test.
	Reason Reason
}

// A LinearFit is a least squares fit.
type LinearFit struct {
	// Design is the model matrix that was fitted.
	Design *Design
	// N is the number of rows with positive weight.
	N int
	// Rank is the number of independent columns.
	Rank int
	// DFResidual is N - Rank.
	DFResidual int
	// Coefficients stand in the order of the design's columns; a column that
	// depends on those before it has the reason Aliased.
	Coefficients []Coefficient
	// Kept are the indices of the estimable columns, rising; Vcov is over them.
	Kept []int
	// Vcov is the covariance matrix of the kept coefficients, row by row.
	Vcov [][]float64
	// RSS is the (weighted) residual sum of squares.
	RSS float64
	// Sigma is the residual standard deviation.
	Sigma Number
	// R2 and AdjR2 are the shares of variance explained; the total is about the
	// mean with an intercept and about zero without.
	R2, AdjR2 Number
	// F tests the model against the intercept alone.
	F TermTest
	// LogLik is the Gaussian log likelihood; AIC and BIC count sigma as a parameter.
	LogLik, AIC, BIC Number
	// Fitted, Residuals and Leverage hold one number a kept row; residuals are unweighted.
	Fitted, Residuals, Leverage []float64

	qr      *factorization
	weights []float64
	y       []float64
	beta    []float64 // of the kept columns
	unscale [][]float64
}

// OLS fits y, one number a kept row of the design, by (weighted) least squares:
// Householder QR on centred, scaled columns, refined in doubled precision.
// Weights may be nil; a row of weight zero does not count.
//
// Errors, tests and intervals assume independent errors of one variance (over
// the weight); runs of one task are not independent, see ClusterRobust. With no
// residual degree of freedom, or a perfect fit, estimates stand and errors carry
// a reason. Level is that of the intervals, such as 0.95.
func OLS(d *Design, y, weights []float64, level float64) *LinearFit {
	f := &LinearFit{Design: d, weights: weights, y: y}
	f.qr = factorize(d.values(), weights, d.Intercept)
	f.Kept, f.Rank = f.qr.kept, f.qr.rank()
	for i := range y {
		if weights == nil || weights[i] > 0 {
			f.N++
		}
	}
	f.DFResidual = f.N - f.Rank
	scaled := []float64(nil)
	f.beta, scaled = f.qr.solve(y)
	f.RSS = sumSquares(scaled)
	f.unscale = f.qr.inverse()
	f.fill(scaled)
	f.summarize(level)
	return f
}

// Beta are the estimates of the kept columns.
func (f *LinearFit) Beta() []float64 { return f.beta }

// fill computes fitted values, residuals and leverages.
func (f *LinearFit) fill(scaled []float64) {
	f.Residuals = scaled
	if f.qr.root != nil {
		f.Residuals = make([]float64, len(f.y))
	}
	f.Fitted = make([]float64, len(f.y))
	f.Leverage = make([]float64, len(f.y))
	for i := range f.y {
		if f.qr.root != nil {
			f.Residuals[i] = f.y[i] - f.predict(i)
		}
		f.Fitted[i] = f.y[i] - f.Residuals[i]
		for _, q := range f.qr.q {
			f.Leverage[i] += q[i] * q[i]
		}
	}
}

// predict is the fitted value of kept row i.
func (f *LinearFit) predict(i int) float64 {
	var s twofold
	for k, j := range f.Kept {
		s.addProduct(f.qr.cols[j][i], f.beta[k])
	}
	return s.value()
}

// summarize derives everything that follows from the fit.
func (f *LinearFit) summarize(level float64) {
	total := f.totalSS()
	n, df := float64(f.N), float64(f.DFResidual)
	perfect := f.RSS <= roundingShare*f.scaleSS()
	f.Sigma = Number{Reason: TooFew}
	if f.DFResidual > 0 {
		f.Sigma = Number{Value: math.Sqrt(f.RSS / df)}
	}
	f.R2, f.AdjR2 = f.shares(total)
	f.F = f.overall(total, perfect)
	f.LogLik = f.logLik(perfect)
	p := float64(f.Rank + 1)
	f.AIC = Number{Value: -2*f.LogLik.Value + 2*p, Reason: f.LogLik.Reason}
	f.BIC = Number{Value: -2*f.LogLik.Value + math.Log(n)*p, Reason: f.LogLik.Reason}
	f.Vcov = square(f.Rank)
	for i := range f.Vcov {
		for j := range f.Vcov {
			f.Vcov[i][j] = f.unscale[i][j] * f.Sigma.Value * f.Sigma.Value
		}
	}
	f.coefficients(perfect, level)
}

// totalSS is the total sum of squares the model explains part of.
func (f *LinearFit) totalSS() float64 {
	v := append([]float64(nil), f.y...)
	if f.Design.Intercept {
		centre(v, f.weights)
	}
	f.qr.weigh(v)
	return sumSquares(v)
}

// scaleSS is the sum of squares that rounding errors are measured against.
func (f *LinearFit) scaleSS() float64 {
	v := append([]float64(nil), f.y...)
	f.qr.weigh(v)
	return sumSquares(v)
}

// interceptDF is 1 with an intercept.
func (f *LinearFit) interceptDF() int {
	if f.Design.Intercept {
		return 1
	}
	return 0
}

// shares are R squared and its adjusted form.
func (f *LinearFit) shares(total float64) (r2, adjusted Number) {
	if total <= roundingShare*f.scaleSS() {
		return Number{Reason: NoVariation}, Number{Reason: NoVariation}
	}
	r2 = Number{Value: 1 - f.RSS/total}
	if f.DFResidual == 0 {
		return r2, Number{Reason: TooFew}
	}
	ratio := float64(f.N-f.interceptDF()) / float64(f.DFResidual)
	return r2, Number{Value: 1 - (1-r2.Value)*ratio}
}

// overall tests the model against the intercept (or zero).
func (f *LinearFit) overall(total float64, perfect bool) TermTest {
	t := TermTest{Name: "model", DF1: float64(f.Rank - f.interceptDF()), DF2: float64(f.DFResidual)}
	switch {
	case t.DF1 == 0:
		t.Reason = Undefined
	case f.DFResidual == 0:
		t.Reason = TooFew
	case f.R2.Reason != "":
		t.Reason = f.R2.Reason
	case perfect:
		t.Reason = Undefined
	default:
		t.Statistic = (total - f.RSS) / t.DF1 / (f.RSS / t.DF2)
		t.P = dist.FSurvival(t.Statistic, t.DF1, t.DF2)
	}
	return t
}

// logLik is the Gaussian log likelihood at the maximum.
func (f *LinearFit) logLik(perfect bool) Number {
	if perfect {
		return Number{Reason: Undefined}
	}
	n, logs := float64(f.N), 0.0
	for _, w := range f.weights {
		if w > 0 {
			logs += math.Log(w)
		}
	}
	return Number{Value: 0.5 * (logs - n*(math.Log(2*math.Pi)+1-math.Log(n)+math.Log(f.RSS)))}
}

// coefficients fills in one Coefficient a column.
func (f *LinearFit) coefficients(perfect bool, level float64) {
	f.Coefficients = make([]Coefficient, len(f.Design.Columns))
	for j, c := range f.Design.Columns {
		f.Coefficients[j] = Coefficient{Name: c.Name, Reason: Aliased}
	}
	for k, j := range f.Kept {
		c := Coefficient{Name: f.Design.Columns[j].Name, Estimate: f.beta[k], DF: float64(f.DFResidual)}
		switch {
		case f.DFResidual == 0:
			c.Uncertain = TooFew
		case perfect:
			c.StdErr, c.Uncertain = math.Sqrt(f.Vcov[k][k]), NoVariation
		default:
			c.StdErr = math.Sqrt(f.Vcov[k][k])
			c.test(level, "t")
		}
		f.Coefficients[j] = c
	}
}

// test fills in statistic, p and interval from estimate, error and df.
func (c *Coefficient) test(level float64, method string) {
	if !(c.StdErr > 0) || !(c.DF > 0) {
		c.Uncertain = Undefined
		return
	}
	c.Statistic = c.Estimate / c.StdErr
	var half float64
	if math.IsInf(c.DF, 1) {
		c.P = 2 * dist.NormalSurvival(math.Abs(c.Statistic))
		half = dist.NormalQuantile((1+level)/2) * c.StdErr
	} else {
		c.P = dist.StudentTTwoSided(c.Statistic, c.DF)
		half = dist.StudentTQuantile((1+level)/2, c.DF) * c.StdErr
	}
	c.CI = Interval{Low: c.Estimate - half, High: c.Estimate + half, Level: level, Method: method}
}

// termF is an F test whose p comes from the upper tail.
func termF(name string, f, df1, df2 float64) TermTest {
	return TermTest{Name: name, Statistic: f, DF1: df1, DF2: df2, P: dist.FSurvival(f, df1, df2)}
}
