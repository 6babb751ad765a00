package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// Names of the methods that compare two independent rates.
const (
	MethodNewcombe        = "Newcombe hybrid score"
	MethodWaldDifference  = "Wald"
	MethodAgrestiCaffo    = "Agresti-Caffo"
	MethodWoolf           = "Woolf"
	MethodHaldaneAnscombe = "Haldane-Anscombe"
	MethodKatz            = "Katz"
	MethodFisher          = "Fisher exact, conditional"
)

// TwoRates are the successes and runs of two independent samples: arms whose
// tasks differ. For arms that share tasks see PairedCells; treating those as
// independent gives an interval that is too wide.
type TwoRates struct {
	// X1 successes in N1 runs of the first sample.
	X1, N1 float64
	// X2 successes in N2 runs of the second sample.
	X2, N2 float64
}

// Difference is the first rate minus the second; NoData where a sample is empty,
// Undefined where successes are not between 0 and the runs. The other methods
// have the same reasons.
func (c TwoRates) Difference() (float64, Reason) {
	if c.N1 == 0 || c.N2 == 0 {
		return 0, NoData
	}
	if !(c.X1 >= 0 && c.X1 <= c.N1 && c.X2 >= 0 && c.X2 <= c.N2) {
		return 0, Undefined
	}
	return c.X1/c.N1 - c.X2/c.N2, ""
}

// Newcombe is the hybrid score interval of the difference: the Wilson limits of
// both rates, squared and added (method 10 of Newcombe, Statistics in Medicine
// 17 (1998) 873-890). It stays within [-1, 1]. NoData where a sample is empty.
func (c TwoRates) Newcombe(level float64) (Interval, Reason) {
	d, reason := c.Difference()
	if !reason.OK() {
		return Interval{}, reason
	}
	p1, p2 := c.X1/c.N1, c.X2/c.N2
	w1, _ := Wilson(c.X1, c.N1, level)
	w2, _ := Wilson(c.X2, c.N2, level)
	return Interval{
		Low:    math.Max(-1, d-math.Hypot(p1-w1.Low, w2.High-p2)),
		High:   math.Min(1, d+math.Hypot(w1.High-p1, p2-w2.Low)),
		Level:  level,
		Method: MethodNewcombe,
	}, ""
}

// Wald is the interval by the unpooled standard error. It has width zero where
// both rates are 0 or 1 and covers badly for small samples; asked for by name.
func (c TwoRates) Wald(level float64) (Interval, Reason) {
	d, reason := c.Difference()
	if !reason.OK() {
		return Interval{}, reason
	}
	p1, p2 := c.X1/c.N1, c.X2/c.N2
	half := normalCritical(level) * math.Sqrt(p1*(1-p1)/c.N1+p2*(1-p2)/c.N2)
	return Interval{Low: d - half, High: d + half, Level: level, Method: MethodWaldDifference}, ""
}

// AgrestiCaffo adds one success and one failure to each sample (Agresti and
// Caffo, The American Statistician 54 (2000) 280-288).
func (c TwoRates) AgrestiCaffo(level float64) (Interval, Reason) {
	if _, reason := c.Difference(); !reason.OK() {
		return Interval{}, reason
	}
	i, _ := TwoRates{c.X1 + 1, c.N1 + 2, c.X2 + 1, c.N2 + 2}.Wald(level)
	i.Method = MethodAgrestiCaffo
	return i, ""
}

// CohensH is the difference of the arcsine-transformed rates (Cohen,
// Statistical Power Analysis for the Behavioral Sciences, 2nd ed., 1988, ch. 6).
func (c TwoRates) CohensH() (float64, Reason) {
	if _, reason := c.Difference(); !reason.OK() {
		return 0, reason
	}
	return 2*math.Asin(math.Sqrt(c.X1/c.N1)) - 2*math.Asin(math.Sqrt(c.X2/c.N2)), ""
}

// A Ratio is a ratio of rates or of odds.
type Ratio struct {
	// Estimate may be 0 or +Inf, which is then what the sample says.
	Estimate float64
	// Reason is Undefined where the ratio is 0/0, NoData where a sample is empty.
	Reason Reason
	// LogSE is the standard error of the logarithm.
	LogSE float64
	// Interval is the normal interval of the logarithm, taken back.
	Interval Interval
	// IntervalReason is Undefined where a cell is empty.
	IntervalReason Reason
}

func logRatio(numerator, denominator, variance, level float64, method string) Ratio {
	r := Ratio{Estimate: numerator / denominator}
	if math.IsNaN(r.Estimate) {
		return Ratio{Reason: Undefined, IntervalReason: Undefined}
	}
	r.LogSE = math.Sqrt(variance)
	if r.Estimate == 0 || math.IsInf(r.Estimate, 0) || math.IsInf(r.LogSE, 0) {
		r.LogSE, r.IntervalReason = 0, Undefined
		return r
	}
	half := normalCritical(level) * r.LogSE
	r.Interval = Interval{Low: r.Estimate * math.Exp(-half), High: r.Estimate * math.Exp(half), Level: level, Method: method}
	return r
}

// RiskRatio is the first rate over the second with Katz's log interval (Katz et
// al., Biometrics 34 (1978) 469-474).
func (c TwoRates) RiskRatio(level float64) Ratio {
	if _, reason := c.Difference(); !reason.OK() {
		return Ratio{Reason: reason, IntervalReason: reason}
	}
	return logRatio(c.X1/c.N1, c.X2/c.N2, 1/c.X1-1/c.N1+1/c.X2-1/c.N2, level, MethodKatz)
}

// OddsRatio is the cross product with Woolf's log interval (Woolf, Annals of
// Human Genetics 19 (1955) 251-253).
func (c TwoRates) OddsRatio(level float64) Ratio {
	if _, reason := c.Difference(); !reason.OK() {
		return Ratio{Reason: reason, IntervalReason: reason}
	}
	f1, f2 := c.N1-c.X1, c.N2-c.X2
	return logRatio(c.X1*f2, f1*c.X2, 1/c.X1+1/f1+1/c.X2+1/f2, level, MethodWoolf)
}

// HaldaneAnscombe is OddsRatio with one half added to every cell, so that it
// exists where a cell is empty (Anscombe, Biometrika 43 (1956) 461-464).
func (c TwoRates) HaldaneAnscombe(level float64) Ratio {
	if _, reason := c.Difference(); !reason.OK() {
		return Ratio{Reason: reason, IntervalReason: reason}
	}
	r := TwoRates{c.X1 + 0.5, c.N1 + 1, c.X2 + 0.5, c.N2 + 1}.OddsRatio(level)
	r.Interval.Method = MethodHaldaneAnscombe
	return r
}

// A Test is a statistic with its p.
type Test struct {
	// Statistic in the scale of the test: z, chi-squared, F, a sum of ranks.
	Statistic float64
	// DF are its degrees of freedom where it has any.
	DF float64
	// P is the two-sided p, or the upper tail of a chi-squared or F.
	P float64
	// Log10P is its decimal logarithm, which goes on where P underflows.
	Log10P float64
	// Reason says why there is no test.
	Reason Reason
}

// normalTest is the two-sided test of a standard normal statistic.
func normalTest(z float64) Test {
	return Test{Statistic: z, DF: math.Inf(1), P: dist.NormalTwoSided(z),
		Log10P: math.Min(0, (dist.NormalLogSurvival(math.Abs(z))+math.Ln2)/math.Ln10)}
}

// chiSquaredTest is the upper tail of a chi-squared statistic.
func chiSquaredTest(x, df float64) Test {
	return Test{Statistic: x, DF: df, P: dist.ChiSquaredSurvival(x, df), Log10P: dist.ChiSquaredLogSurvival(x, df) / math.Ln10}
}

// PooledZ is the test of equal rates by the pooled standard error; Undefined
// where all runs succeed or all fail.
func (c TwoRates) PooledZ() Test {
	d, reason := c.Difference()
	if !reason.OK() {
		return Test{Reason: reason}
	}
	p := (c.X1 + c.X2) / (c.N1 + c.N2)
	if p == 0 || p == 1 {
		return Test{Reason: Undefined}
	}
	return normalTest(d / math.Sqrt(p*(1-p)*(1/c.N1+1/c.N2)))
}
