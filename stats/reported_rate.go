package stats

import "math"

// fewEffective is the number of effective successes, or failures, below which
// Wilson's limits at the effective number of runs fall short of their level: in
// the simulations behind docs/decisions/interval-methods.md they cover 91% to 93%
// of rates near 0 and 1 there, and 94% to 96% above.
const fewEffective = 12

// ReportedRate is the rate as tables and SQL report it: Rate, with KornGraubard's
// limits where a task has several runs and effective successes or failures are
// few. What it covers stands in docs/validity.md.
func ReportedRate(successes, runs []int, level float64) RateEstimate {
	e := Rate(successes, runs, level)
	if e.Interval.Method == MethodClusteredWilson && math.Min(e.Estimate, 1-e.Estimate)*e.EffectiveRuns < fewEffective {
		return KornGraubard(successes, runs, level)
	}
	return e
}
