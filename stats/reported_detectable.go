package stats

import "github.com/assay-bench/assay/stats/dist"

// DetectableByT is the smallest true difference that a two-sided t test of level 5%
// finds with a probability of 80%, for a given standard error: the sum of the two t
// quantiles times the error (Bloom, Evaluation Review 19, 1995). It is a property of
// the study, not of the estimate, and says what a result that is not significant can
// and cannot rule out.
func DetectableByT(se, df float64) float64 {
	g := DefaultPlanning()
	return se * (dist.StudentTQuantile(1-g.Alpha/2, df) + dist.StudentTQuantile(g.Power, df))
}

// Detectable is that difference for a comparison, as tables, SQL and reports print it:
// for paired rates by the exact test at the observed discordance, else by t. It is
// missing with one task and where nothing varies.
func (c PairedComparison) Detectable() (difference float64, ok bool) {
	tasks := len(c.Differences.Tasks)
	if !c.Reason.OK() || c.IntervalReason == NoVariation || tasks < 2 || c.SE == 0 {
		return 0, false
	}
	if c.Test == TestMcNemar || c.Test == TestMcNemarMidP {
		d, why := DetectableRateDifference(tasks, float64(c.Won+c.Lost)/float64(tasks), DefaultPlanning())
		return d, why.OK()
	}
	return DetectableByT(c.SE, float64(tasks-1)), true
}
