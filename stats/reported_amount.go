package stats

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// MethodWoodruff names the interval of a quantile by its share of runs.
const MethodWoodruff = "order statistics at the effective number of runs (Woodruff)"

// A ReportedAmount is a quantile or mean over runs with an interval whose
// sampled units are the tasks.
type ReportedAmount struct {
	// Estimate is that over all runs.
	Estimate float64
	// Interval stands unless IntervalReason is given.
	Interval Interval
	// IntervalReason says why there is no interval: TooFew with one task, or where
	// the sample does not reach far enough beyond a quantile to bound it;
	// NoVariation where all resamples are alike.
	IntervalReason Reason
	// Reason is NoData without a run.
	Reason Reason
	// Draws is the number of bootstrap draws, 0 where the interval needs none.
	Draws int
}

// ReportedQuantile is the type 7 quantile p over the runs of all tasks. A median
// has the expanded percentile interval over resampled tasks. For any other
// quantile that covers too little, since a resample never reaches beyond the
// sample; those have WoodruffQuantile.
func ReportedQuantile(runsByTask [][]float64, p, level float64, r Resampling) ReportedAmount {
	if p == 0.5 {
		return reportedAmount(runsByTask, QuantileOf(runsByTask, p), level, r)
	}
	return WoodruffQuantile(runsByTask, p, level)
}

// ReportedMean is the mean over the runs of all tasks with StudentizedMean's
// interval; for outcomes between 0 and 1 with few effective successes or failures,
// such as recall near 1, with the exact limits at the effective number of runs, as
// KornGraubard's for rates.
func ReportedMean(runsByTask [][]float64, level float64, r Resampling) ReportedAmount {
	var sums, counts []float64
	shares, binary := true, true
	for _, runs := range runsByTask {
		if len(runs) > 0 {
			sums, counts = append(sums, sumOf(runs)), append(counts, float64(len(runs)))
		}
		for _, v := range runs {
			shares, binary = shares && v >= 0 && v <= 1, binary && (v == 0 || v == 1)
		}
	}
	m := StudentizedMean(sums, counts, level, r)
	out := ReportedAmount{Estimate: m.Estimate, Interval: m.Interval, IntervalReason: m.IntervalReason, Draws: m.Draws}
	if m.Reason == NoData {
		out.Reason, out.Draws = NoData, 0
	}
	if shares && (m.Reason.OK() || m.Reason == NoVariation && (m.Estimate == 0 || m.Estimate == 1)) {
		out.few(sums, counts, binary, level)
	}
	return out
}

// few takes exact limits where effective successes or failures are few, or where the
// bootstrap has no limit.
func (a *ReportedAmount) few(sums, counts []float64, binary bool, level float64) {
	size := sumOf(counts)
	residuals := make([]float64, len(sums))
	for i := range sums {
		residuals[i] = (sums[i] - a.Estimate*counts[i]) / size
	}
	units := len(sums)
	s := scoreMean(a.Estimate, residuals, units, mostEffective(size, binary), level)
	if s.fewest >= fewEffective && a.IntervalReason.OK() {
		return
	}
	s.exact(units, level)
	a.Interval, a.IntervalReason = Interval{Low: s.low, High: s.high, Level: level, Method: MethodKornGraubard}, ""
	a.Draws = 0
}

func reportedAmount(runsByTask [][]float64, s Statistic, level float64, r Resampling) ReportedAmount {
	if len(runsByTask) == 0 {
		return ReportedAmount{Reason: NoData, IntervalReason: NoData}
	}
	b := NewBootstrap(len(runsByTask), r, s)
	out := ReportedAmount{Estimate: b.Estimate, Draws: r.draws()}
	out.Interval, out.IntervalReason = b.PercentileExpanded(level)
	return out
}

// WoodruffQuantile bounds a quantile by the runs whose ranks no share of p can
// explain (Woodruff, JASA 47 (1952) 635-646): the exact limits of the share of
// runs below the quantile, at the effective number of runs (KornGraubard), read as
// ranks of the sorted runs. Where even the largest run may lie below the quantile,
// or the smallest above it, there is no limit and the reason is TooFew.
func WoodruffQuantile(runsByTask [][]float64, p, level float64) ReportedAmount {
	var all []float64
	tasks := 0.0
	for _, runs := range runsByTask {
		all = append(all, runs...)
		if len(runs) > 0 {
			tasks++
		}
	}
	if len(all) == 0 {
		return ReportedAmount{Reason: NoData, IntervalReason: NoData}
	}
	slices.Sort(all)
	out := ReportedAmount{Estimate: quantile7(all, p), Interval: Interval{Level: level, Method: MethodWoodruff}}
	if tasks < 2 || p <= 0 || p >= 1 {
		out.IntervalReason = TooFew
		return out
	}
	n := effectiveBelow(runsByTask, out.Estimate, p, tasks, level)
	tail := (1 - level) / 2
	if math.Pow(p, n) > tail || math.Pow(1-p, n) > tail {
		out.IntervalReason = TooFew
		return out
	}
	low := dist.BetaQuantile(tail, n*p, n*(1-p)+1)
	high := dist.BetaUpperQuantile(tail, n*p+1, n*(1-p))
	size := float64(len(all))
	// One rank further out than for independent runs of a known number: the effective
	// number is estimated, and with the exact ranks 89% to 96% were covered.
	out.Interval.Low = all[max(0, int(math.Floor(size*low))-1)]
	out.Interval.High = all[min(len(all)-1, int(math.Ceil(size*high)))]
	return out
}

// effectiveBelow is the number of independent runs that would tell the share below
// a value as well as these do, shrunk for the t over tasks.
func effectiveBelow(runsByTask [][]float64, value, p, tasks, level float64) float64 {
	var size, ss float64
	share := 0.0
	for _, runs := range runsByTask {
		for _, v := range runs {
			if v <= value {
				share++
			}
		}
		size += float64(len(runs))
	}
	share /= size
	for _, runs := range runsByTask {
		residual := 0.0
		for _, v := range runs {
			if residual -= share; v <= value {
				residual++
			}
		}
		ss += residual * residual
	}
	n := size
	if variance := tasks / (tasks - 1) * ss / (size * size); variance > 0 {
		n = math.Min(size, share*(1-share)/variance)
	}
	shrink := dist.NormalQuantile((1-level)/2) / dist.StudentTQuantile((1-level)/2, tasks-1)
	return n * shrink * shrink
}
