package stats

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// A MeanPlan is a paired comparison of means, from the observed differences of
// an earlier study.
type MeanPlan struct {
	// Between is the variance of the difference between tasks.
	Between float64
	// Within is the variance of a single pair's difference within a task, which
	// more repetitions average out. It is 0 where WithinReason is given.
	Within float64
	// WithinReason is TooFew where no task has two pairs; Between then holds both.
	WithinReason Reason
	// centred are the task means less their mean, with weight for small samples.
	centred []float64
}

// MeanPlanOf splits the differences of a study into what varies between tasks
// and within them. TooFew with fewer than two tasks, NoVariation where all task
// means are equal.
func MeanPlanOf(differencesByTask [][]float64) (MeanPlan, Reason) {
	means := TaskMeans(differencesByTask)
	if len(means) < 2 {
		return MeanPlan{}, TooFew
	}
	if allEqual(means) {
		return MeanPlan{}, NoVariation
	}
	cells := make([][][]float64, len(differencesByTask))
	for t, d := range differencesByTask {
		cells[t] = [][]float64{d}
	}
	split := VarianceSplit(cells)
	p := MeanPlan{Between: split.Task, Within: split.Repetition, WithinReason: split.RepetitionReason}
	m := mean(means)
	// Resampled centred values have a variance of (n-1)/n of the sample's.
	scale := math.Sqrt(float64(len(means)) / float64(len(means)-1))
	for _, v := range means {
		p.centred = append(p.centred, (v-m)*scale)
	}
	return p, ""
}

// SD is the standard deviation of a task's mean difference with the given
// number of repetitions.
func (p MeanPlan) SD(repetitions int) float64 {
	return math.Sqrt(p.Between + p.Within/float64(repetitions))
}

// PairedTPower is the probability that a paired t test of so many tasks
// rejects, by the noncentral t (Cohen 1988, ch. 2): exact for normal differences.
func PairedTPower(tasks int, sd, difference, alpha float64) float64 {
	if tasks < 2 {
		return 0
	}
	df := float64(tasks - 1)
	t := -dist.StudentTQuantile(alpha/2, df)
	delta := math.Abs(difference) / sd * math.Sqrt(float64(tasks))
	return dist.NoncentralTSurvival(t, df, delta) + dist.NoncentralTSurvival(t, df, -delta)
}

// RequiredTasksBound is the number of tasks at which a paired t test of normal
// differences has the power, with a number of repetitions: quick, and the only
// one that can look at repetitions that were not run.
func (p MeanPlan) RequiredTasksBound(difference float64, repetitions int, g Planning) (int, Reason) {
	if difference == 0 {
		return 0, Undefined
	}
	sd := p.SD(repetitions)
	return smallestSteady(func(n int) bool { return PairedTPower(n, sd, difference, g.Alpha) >= g.Power })
}

// DetectableBound is the smallest difference that a paired t test of normal
// differences finds with the power.
func (p MeanPlan) DetectableBound(tasks, repetitions int, g Planning) (float64, Reason) {
	if tasks < 2 {
		return 0, TooFew
	}
	sd := p.SD(repetitions)
	low, high := 0.0, sd
	for PairedTPower(tasks, sd, high, g.Alpha) < g.Power {
		high *= 2
	}
	for range 60 {
		if mid := (low + high) / 2; PairedTPower(tasks, sd, mid, g.Alpha) >= g.Power {
			high = mid
		} else {
			low = mid
		}
	}
	return high, ""
}

// Detectable is the smallest difference found with the power by simulation:
// studies of the given number of tasks are drawn from the observed task means,
// shifted by the difference, and tested by the paired t, to which the sign-flip
// test comes close. The shape of the observed differences enters; their
// repetitions stay as they were. TooFew where no sign-flip test of so many
// tasks can reach the level.
func (p MeanPlan) Detectable(tasks int, g Planning, r Resampling) (float64, Reason) {
	if tasks < 2 || math.Exp2(float64(1-tasks)) > g.Alpha {
		return 0, TooFew
	}
	shifts := p.neededShifts(tasks, g.Alpha, r)
	slices.Sort(shifts)
	return math.Max(0, quantile7(shifts, g.Power)), ""
}

// neededShifts are, for each simulated study, the shift from which on it rejects
// in favour of the first arm.
func (p MeanPlan) neededShifts(tasks int, alpha float64, r Resampling) []float64 {
	t := -dist.StudentTQuantile(alpha/2, float64(tasks-1))
	shifts := make([]float64, r.draws())
	n := float64(tasks)
	drawEach(len(shifts), r.Workers, func() func(int) {
		return func(i int) {
			g := newPhilox(r.Seed, uint64(i))
			var sum, squares float64
			for range tasks {
				v := p.centred[g.below(uint32(len(p.centred)))]
				sum += v
				squares += v * v
			}
			m := sum / n
			variance := math.Max(0, squares-n*m*m) / (n - 1)
			shifts[i] = t*math.Sqrt(variance/n) - m
		}
	})
	return shifts
}

// RequiredTasks is the number of tasks from which on the simulated power of a
// difference is reached; see Detectable. Undefined where there is no difference.
func (p MeanPlan) RequiredTasks(difference float64, g Planning, r Resampling) (int, Reason) {
	if difference == 0 {
		return 0, Undefined
	}
	return smallestSteady(func(n int) bool {
		d, reason := p.Detectable(n, g, r)
		return reason.OK() && d <= math.Abs(difference)
	})
}
