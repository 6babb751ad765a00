package stats

// ReportedRate is the rate as tables and SQL report it: Wilson at one run a task,
// KornGraubard where a task has more. ClusteredRate falls short of its level for
// rates near 0 or 1; what each of them covers stands in docs/validity.md.
func ReportedRate(successes, runs []int, level float64) RateEstimate {
	e := Rate(successes, runs, level)
	if e.Interval.Method != MethodClusteredWilson {
		return e
	}
	return KornGraubard(successes, runs, level)
}

// A ReportedAmount is a quantile or mean over runs with an interval from
// resampled tasks.
type ReportedAmount struct {
	// Estimate is that over all runs.
	Estimate float64
	// Interval stands unless IntervalReason is given.
	Interval Interval
	// IntervalReason says why there is no interval: TooFew with one task,
	// NoVariation where all resamples are alike.
	IntervalReason Reason
	// Reason is NoData without a run.
	Reason Reason
}

// ReportedQuantile is the type 7 quantile p over the runs of all tasks, with
// the expanded percentile interval over resampled tasks.
func ReportedQuantile(runsByTask [][]float64, p, level float64, r Resampling) ReportedAmount {
	return reportedAmount(runsByTask, QuantileOf(runsByTask, p), level, r)
}

// ReportedMean is the mean over the runs of all tasks, in the same way.
func ReportedMean(runsByTask [][]float64, level float64, r Resampling) ReportedAmount {
	sums, counts := make([]float64, len(runsByTask)), make([]float64, len(runsByTask))
	for t, runs := range runsByTask {
		sums[t], counts[t] = sumOf(runs), float64(len(runs))
	}
	return reportedAmount(runsByTask, RatioOf(sums, counts), level, r)
}

func reportedAmount(runsByTask [][]float64, s Statistic, level float64, r Resampling) ReportedAmount {
	if len(runsByTask) == 0 {
		return ReportedAmount{Reason: NoData, IntervalReason: NoData}
	}
	b := NewBootstrap(len(runsByTask), r, s)
	out := ReportedAmount{Estimate: b.Estimate}
	out.Interval, out.IntervalReason = b.PercentileExpanded(level)
	return out
}
