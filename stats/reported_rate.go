package stats

import "math"

// fewEffective is the number of effective successes, or failures, below which
// Wilson's limits at the effective number of runs fall short of their level: in
// the simulations behind docs/decisions/interval-methods.md they cover 91% to 93%
// of rates near 0 and 1 there, and 94% to 96% above.
const fewEffective = 12

// fewTasks is the number of tasks with one run each below which Wilson's limits may
// cover less than 90%: by exact summation of the binomial, their lowest coverage over
// rates from 5% to 95% is 83% to 90% of 3 to 11 tasks, and 91% or more from 12 on.
const fewTasks = 12

// ReportedRate is the rate as tables and SQL report it: Rate, with ClopperPearson's
// exact limits below 12 tasks with one run each, and with KornGraubard's limits where
// a task has several runs and effective successes or failures are few. What it
// covers stands in docs/validity.md.
func ReportedRate(successes, runs []int, level float64) RateEstimate {
	e := Rate(successes, runs, level)
	switch e.Interval.Method {
	case MethodWilson:
		if e.Runs < fewTasks && e.IntervalReason.OK() {
			e.Interval, e.IntervalReason = ClopperPearson(float64(e.Successes), float64(e.Runs), level)
		}
	case MethodClusteredWilson:
		if math.Min(e.Estimate, 1-e.Estimate)*e.EffectiveRuns < fewEffective {
			return KornGraubard(successes, runs, level)
		}
	}
	return e
}
