package duck

import (
	"github.com/assay-bench/assay/stats"
	"github.com/assay-bench/assay/stats/dist"
)

// power is the probability with which detectable differences are found.
const power = 0.8

// detectable is the smallest true difference that a two-sided t test of level
// 5% finds with a probability of 80%, for a given standard error: the sum of
// the two t quantiles times the error (Bloom, Evaluation Review 19, 1995). It
// is a property of the study, not of the estimate, and says what a result that
// is not significant can and cannot rule out.
func detectable(se, df float64) float64 {
	return se * (dist.StudentTQuantile(0.975, df) + dist.StudentTQuantile(power, df))
}

// detectableDifference is that of a comparison: for paired rates by the exact
// test at the observed discordance, else by t.
func detectableDifference(c comparison) (float64, bool) {
	tasks := len(c.Differences.Tasks)
	if !c.Reason.OK() || c.IntervalReason == stats.NoVariation || tasks < 2 || c.SE == 0 {
		return 0, false
	}
	if c.Test == stats.TestMcNemar || c.Test == stats.TestMcNemarMidP {
		d, why := stats.DetectableRateDifference(tasks, float64(c.Won+c.Lost)/float64(tasks), stats.DefaultPlanning())
		return d, why.OK()
	}
	return detectable(c.SE, float64(tasks-1)), true
}
