package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// Names of the methods of an interval for one rate, as Interval.Method gives them.
const (
	MethodWilson          = "Wilson"
	MethodWilsonCorrected = "Wilson, continuity corrected"
	MethodClopperPearson  = "Clopper-Pearson"
	MethodJeffreys        = "Jeffreys"
	MethodAgrestiCoull    = "Agresti-Coull"
	MethodClusteredWilson = "Wilson at the effective number of runs, t"
	MethodKornGraubard    = "Clopper-Pearson at the effective number of runs, t"
	MethodWorstCase       = "worst case"
)

// A RateEstimate is the share of runs that succeeded.
type RateEstimate struct {
	// Estimate is Successes over Runs. It stands unless Reason is given.
	Estimate float64
	// Reason says why there is no estimate: NoData without a run.
	Reason Reason
	// Successes is the number of runs that succeeded.
	Successes int
	// Runs is the number of runs.
	Runs int
	// Tasks is the number of tasks with at least one run: the sampled units.
	Tasks int
	// SE is the cluster standard error by task, 0 where every task has the
	// same share. It is set for ClusteredRate only.
	SE float64
	// EffectiveRuns is the number of independent runs that would carry as much
	// information. For one run a task it is Runs.
	EffectiveRuns float64
	// DF are the degrees of freedom of the t that the limits use; +Inf for z.
	DF float64
	// Interval stands unless IntervalReason is given.
	Interval Interval
	// IntervalReason says why there is no interval: NoData, or TooFew with
	// repetitions of a single task.
	IntervalReason Reason
}

// Rate is the default estimate of a rate from the successes and runs of each
// task: plain Wilson where no task has more than one run, ClusteredRate where
// one has. Tasks without a run do not count. The unit is the task; tasks are
// taken to be independent.
func Rate(successes, runs []int, level float64) RateEstimate {
	e := countRuns(successes, runs)
	repeated := false
	for _, n := range runs {
		repeated = repeated || n > 1
	}
	if repeated {
		return ClusteredRate(successes, runs, level)
	}
	if e.Reason.OK() {
		e.EffectiveRuns, e.DF = float64(e.Runs), math.Inf(1)
		e.Interval, e.IntervalReason = Wilson(float64(e.Successes), float64(e.Runs), level)
	}
	return e
}

// ClusteredRate is the rate over runs with an interval that takes the task as
// the unit: the cluster variance of the ratio of sums (Cochran, Sampling
// Techniques, 3rd ed., 1977, section 6.3) gives an effective number of runs,
// and Wilson's limits are taken at it with t on tasks-1 degrees of freedom
// (Korn and Graubard, Survey Methodology 24 (1998) 193-201, do the same for
// Clopper-Pearson). The effective number is the number of tasks where the rate
// is 0 or 1, and never above the number of runs. It does not meet plain Wilson
// at one run a task, and is wide below some ten tasks, on purpose. With a
// single task the interval is TooFew. Rates near 0 or 1 from runs that mostly
// agree within a task can fall a few points short of the level, since the
// variance is then estimated from a handful of tasks; KornGraubard does not.
func ClusteredRate(successes, runs []int, level float64) RateEstimate {
	e := countRuns(successes, runs)
	if !e.Reason.OK() {
		return e
	}
	if e.Tasks < 2 {
		e.IntervalReason = TooFew
		return e
	}
	x, n, m := float64(e.Successes), float64(e.Runs), float64(e.Tasks)
	var ss float64
	for t := range runs {
		// Counts are whole, so the residual is exact before the division.
		r := (float64(successes[t])*n - x*float64(runs[t])) / n
		ss += r * r
	}
	e.SE = math.Sqrt(m/(m-1)*ss) / n
	e.DF = m - 1
	switch {
	case e.Successes == 0 || e.Successes == e.Runs:
		e.EffectiveRuns = m
	case e.SE == 0:
		e.EffectiveRuns = n
	default:
		e.EffectiveRuns = math.Min(n, e.Estimate*(1-e.Estimate)/(e.SE*e.SE))
	}
	t := -dist.StudentTQuantile((1-level)/2, e.DF)
	low, high := wilsonLimits(e.Estimate*e.EffectiveRuns, e.EffectiveRuns, t)
	if e.Successes == 0 {
		low = 0
	}
	if e.Successes == e.Runs {
		high = 1
	}
	e.Interval = Interval{Low: low, High: high, Level: level, Method: MethodClusteredWilson}
	return e
}

// KornGraubard is ClusteredRate with the exact limits in place of Wilson's, at
// the effective number of runs times (z/t)^2 (Korn and Graubard, Survey
// Methodology 24 (1998) 193-201): wider, and for rates near 0 or 1 the safer one.
func KornGraubard(successes, runs []int, level float64) RateEstimate {
	e := ClusteredRate(successes, runs, level)
	if !e.IntervalReason.OK() {
		return e
	}
	shrink := dist.NormalQuantile((1-level)/2) / dist.StudentTQuantile((1-level)/2, e.DF)
	n := e.EffectiveRuns * shrink * shrink
	e.Interval, e.IntervalReason = ClopperPearson(e.Estimate*n, n, level)
	e.Interval.Method = MethodKornGraubard
	return e
}

func countRuns(successes, runs []int) RateEstimate {
	if len(successes) != len(runs) {
		panic("stats: successes and runs differ in length")
	}
	var e RateEstimate
	for t, n := range runs {
		if n > 0 {
			e.Tasks++
		}
		e.Runs += n
		e.Successes += successes[t]
	}
	if e.Runs == 0 {
		e.Reason, e.IntervalReason = NoData, NoData
		return e
	}
	e.Estimate = float64(e.Successes) / float64(e.Runs)
	return e
}

// Wilson is the score interval for x successes of n independent runs (Wilson,
// JASA 22 (1927) 209-212). Its limits are exactly 0 at x = 0 and 1 at x = n.
// Without a run it is NoData, and for x outside [0, n] or a level outside (0, 1)
// Undefined, beside the limits 0 and 1 that say nothing.
func Wilson(x, n, level float64) (Interval, Reason) {
	return rateLimits(x, n, level, MethodWilson, func() (float64, float64) {
		return wilsonLimits(x, n, normalCritical(level))
	})
}

// wilsonLimits solves |p - x/n| = z sqrt(p(1-p)/n). The lower root is taken
// from the product of the roots, which does not cancel for small x.
func wilsonLimits(x, n, z float64) (low, high float64) {
	z2 := z * z
	high = (2*x + z2 + z*math.Sqrt(z2+4*x*(1-x/n))) / (2 * (n + z2))
	low = x / n * x / (n + z2) / high
	if x == 0 {
		low = 0
	}
	if x == n {
		high = 1
	}
	return low, math.Min(high, 1)
}

// normalCritical is the z that a standard normal exceeds in absolute value with
// probability 1-level.
func normalCritical(level float64) float64 { return -dist.NormalQuantile((1 - level) / 2) }

// WilsonCorrected is the score interval with continuity correction: method 4 of
// Newcombe, Statistics in Medicine 17 (1998) 857-872. For its reasons see Wilson.
func WilsonCorrected(x, n, level float64) (Interval, Reason) {
	return rateLimits(x, n, level, MethodWilsonCorrected, func() (float64, float64) {
		z := normalCritical(level)
		z2, p := z*z, x/n
		low := (2*x + z2 - 1 - z*math.Sqrt(z2-2-1/n+4*p*(n-x+1))) / (2 * (n + z2))
		high := (2*x + z2 + 1 + z*math.Sqrt(z2+2-1/n+4*p*(n-x-1))) / (2 * (n + z2))
		return math.Max(low, 0), math.Min(high, 1)
	})
}

// ClopperPearson is the exact interval (Clopper and Pearson, Biometrika 26
// (1934) 404-413): it covers at least at its level, and usually above it. For its
// reasons see Wilson.
func ClopperPearson(x, n, level float64) (Interval, Reason) {
	return rateLimits(x, n, level, MethodClopperPearson, func() (float64, float64) {
		return dist.BetaQuantile((1-level)/2, x, n-x+1), dist.BetaUpperQuantile((1-level)/2, x+1, n-x)
	})
}

// Jeffreys is the equal-tailed interval under Jeffreys' prior, with 0 and 1 at
// the ends (Brown, Cai and DasGupta, Statistical Science 16 (2001) 101-133).
// For its reasons see Wilson.
func Jeffreys(x, n, level float64) (Interval, Reason) {
	return rateLimits(x, n, level, MethodJeffreys, func() (float64, float64) {
		return dist.BetaQuantile((1-level)/2, x+0.5, n-x+0.5), dist.BetaUpperQuantile((1-level)/2, x+0.5, n-x+0.5)
	})
}

// rateLimits wraps what the intervals of one rate share: no data, and limits
// of exactly 0 and 1 at the ends.
func rateLimits(x, n, level float64, method string, limits func() (low, high float64)) (Interval, Reason) {
	if reason := rateReason(x, n, level); !reason.OK() {
		return Interval{Low: 0, High: 1, Level: level, Method: method}, reason
	}
	var low, high float64
	switch {
	case x == 0:
		_, high = limits()
	case x == n:
		low, _ = limits()
		high = 1
	default:
		low, high = limits()
	}
	return Interval{Low: low, High: high, Level: level, Method: method}, ""
}

// rateReason is NoData without a run, and Undefined for what is no share or no level.
func rateReason(x, n, level float64) Reason {
	switch {
	case n == 0:
		return NoData
	case !(x >= 0 && x <= n) || math.IsInf(n, 1) || !(level > 0 && level < 1):
		return Undefined
	}
	return ""
}

// AgrestiCoull adds z^2/2 successes and failures and is otherwise Wald's
// (Agresti and Coull, The American Statistician 52 (1998) 119-126). Its limits
// may leave [0, 1]; they are not cut, since a table that cuts them hides it.
func AgrestiCoull(x, n, level float64) (Interval, Reason) {
	if reason := rateReason(x, n, level); !reason.OK() {
		return Interval{Low: 0, High: 1, Level: level, Method: MethodAgrestiCoull}, reason
	}
	z := normalCritical(level)
	total := n + z*z
	p := (x + z*z/2) / total
	half := z * math.Sqrt(p*(1-p)/total)
	return Interval{Low: p - half, High: p + half, Level: level, Method: MethodAgrestiCoull}, ""
}

// BootstrapRate is the cluster bootstrap of the rate over runs: tasks are
// resampled with all their runs, and the limits are percentiles. It is asked for
// by name; where every run succeeds or every one fails it is NoVariation, and
// below some twenty tasks it is too narrow.
func BootstrapRate(successes, runs []int, r Resampling) Bootstrap {
	var x, n []float64
	for t, count := range runs {
		if count > 0 {
			x, n = append(x, float64(successes[t])), append(n, float64(count))
		}
	}
	return NewBootstrap(len(n), r, RatioOf(x, n))
}

// WorstCase bounds the rate that all planned runs would have shown: the
// unobserved ones (excluded, missing, absent) all failed, or all succeeded
// (Manski, Partial Identification of Probability Distributions, 2003, ch. 1).
// It is no confidence interval and has no level. With nothing planned it is NoData.
func WorstCase(successes, observed, unobserved int) (Interval, Reason) {
	planned := observed + unobserved
	if planned == 0 {
		return Interval{}, NoData
	}
	return Interval{
		Low:    float64(successes) / float64(planned),
		High:   float64(successes+unobserved) / float64(planned),
		Method: MethodWorstCase,
	}, ""
}
