package stats

import (
	"cmp"
	"maps"
	"slices"
)

// An Observation is the value of one run of one arm.
type Observation struct {
	// Task is the unit.
	Task string
	// Repetition pairs runs of the same task across arms.
	Repetition string
	// Value is the response.
	Value float64
}

// Differences are matched pairs of two arms, by task.
type Differences struct {
	// Tasks are the tasks with at least one pair, in order.
	Tasks []string
	// ByTask holds first minus second of every pair of each task.
	ByTask [][]float64
	// Pairs is the number of pairs.
	Pairs int
	// UnmatchedFirst counts runs of the first arm without a partner.
	UnmatchedFirst int
	// UnmatchedSecond counts those of the second arm.
	UnmatchedSecond int
	// Repeated counts runs of either arm whose task and repetition occur more
	// than once in it.
	Repeated int
}

// MatchPairs pairs runs of the same task and repetition. Runs without a partner
// are left out, and counted. Where an arm has several runs of one task and
// repetition none of them can be told to be the partner; all are left out, and
// counted. The order of the input does not matter.
func MatchPairs(first, second []Observation) Differences {
	var d Differences
	ours, theirs := d.unique(first), d.unique(second)
	keys := slices.SortedFunc(maps.Keys(ours), func(a, b pairKey) int {
		return cmp.Or(cmp.Compare(a.task, b.task), cmp.Compare(a.repetition, b.repetition))
	})
	for _, k := range keys {
		other, ok := theirs[k]
		if !ok {
			d.UnmatchedFirst++
			continue
		}
		if n := len(d.Tasks); n == 0 || d.Tasks[n-1] != k.task {
			d.Tasks, d.ByTask = append(d.Tasks, k.task), append(d.ByTask, nil)
		}
		last := len(d.ByTask) - 1
		d.ByTask[last] = append(d.ByTask[last], ours[k]-other)
		d.Pairs++
	}
	d.UnmatchedSecond = len(theirs) - d.Pairs
	return d
}

// pairKey is what two runs of a pair share.
type pairKey struct{ task, repetition string }

// unique indexes the runs whose key occurs once, and counts the others.
func (d *Differences) unique(runs []Observation) map[pairKey]float64 {
	times := make(map[pairKey]int, len(runs))
	values := make(map[pairKey]float64, len(runs))
	for _, o := range runs {
		k := pairKey{o.Task, o.Repetition}
		times[k]++
		values[k] = o.Value
	}
	for k, n := range times {
		if n > 1 {
			d.Repeated += n
			delete(values, k)
		}
	}
	return values
}

// TaskMeans are the mean differences of the tasks that have a pair.
func TaskMeans(differencesByTask [][]float64) []float64 {
	var means []float64
	for _, d := range differencesByTask {
		if len(d) > 0 {
			means = append(means, mean(d))
		}
	}
	return means
}

// A PairedMeanResult is the default estimate of a paired difference.
type PairedMeanResult struct {
	// Estimate is the mean over tasks of the mean over a task's pairs.
	Estimate float64
	// Reason is NoData without a pair.
	Reason Reason
	// Tasks is the number of tasks with a pair.
	Tasks int
	// Pairs is the number of pairs.
	Pairs int
	// SE is the standard error by tasks: the standard deviation of the task
	// means over the root of their number. It stands from two tasks on.
	SE float64
	// Interval is BCa over tasks. With the reason NoVariation it holds the
	// estimate twice.
	Interval Interval
	// IntervalReason is NoData, TooFew with one task, NoVariation where all task
	// means are equal, or Undefined.
	IntervalReason Reason
	// SignFlip is the test; its reason is NoVariation where all task means are equal.
	SignFlip SignFlipResult
	// Draws is the number of bootstrap draws.
	Draws int
	// Seed is the seed of the draws.
	Seed uint64
	// Bootstrap holds the replicates, for other intervals.
	Bootstrap Bootstrap
}

// PairedMean is the default for a paired difference with any number of runs a
// task: per task the mean over matched pairs, then the mean over tasks, so that
// tasks weigh the same. BCa by resampling tasks; p by flipping the signs of
// whole tasks. Tasks are taken to be independent; for tasks that share a
// repository see PairedMeanByCluster.
func PairedMean(differencesByTask [][]float64, level float64, r Resampling) PairedMeanResult {
	means := TaskMeans(differencesByTask)
	out := pairedMean(NewBootstrap(len(means), r, MeanOf(means)), means, level, r)
	for _, d := range differencesByTask {
		out.Pairs += len(d)
	}
	return out
}

func pairedMean(b Bootstrap, means []float64, level float64, r Resampling) PairedMeanResult {
	out := PairedMeanResult{Tasks: len(means), Draws: r.draws(), Seed: r.Seed, Bootstrap: b, SignFlip: SignFlip(means, r)}
	if len(means) == 0 {
		out.Reason, out.IntervalReason = NoData, NoData
		return out
	}
	out.Estimate = b.Estimate
	if sd, reason := SD(means); reason.OK() {
		out.SE = sd / sqrtInt(len(means))
	}
	bca := b.BCa(level)
	out.Interval, out.IntervalReason = bca.Interval, bca.Reason
	return out
}

// PairedMeanByCluster is PairedMean with clusters of tasks, such as the tasks
// of one repository, resampled and flipped together. The estimate is the same;
// the statistic of a draw is the mean over all tasks of the drawn clusters.
func PairedMeanByCluster(differencesByTask [][]float64, clusters []string, level float64, r Resampling) PairedMeanResult {
	if len(clusters) != len(differencesByTask) {
		panic("stats: clusters and tasks differ in length")
	}
	above, below := sumsByCluster(differencesByTask, clusters)
	means := TaskMeans(differencesByTask)
	out := pairedMean(NewBootstrap(len(above), r, RatioOf(above, below)), means, level, r)
	out.SignFlip = SignFlip(above, r)
	for _, d := range differencesByTask {
		out.Pairs += len(d)
	}
	return out
}

// sumsByCluster sums the mean differences of the tasks of each cluster and counts
// those tasks, clusters in the order of their names.
func sumsByCluster(differencesByTask [][]float64, clusters []string) (sums, counts []float64) {
	sum, count := map[string]float64{}, map[string]float64{}
	for t, d := range differencesByTask {
		if len(d) > 0 {
			sum[clusters[t]] += mean(d)
			count[clusters[t]]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		sums, counts = append(sums, sum[name]), append(counts, count[name])
	}
	return sums, counts
}
