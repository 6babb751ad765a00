package stats

import "math"

// VarianceComponents split the variance of a response between its sources.
// Estimates are moments and may come out below zero; they are then given as 0
// and counted in Truncated, since a negative variance says that the component
// is too small to be seen.
type VarianceComponents struct {
	// Task is the variance of tasks that all arms share.
	Task float64
	// TaskReason is TooFew with fewer than two tasks.
	TaskReason Reason
	// Repetition is the variance between runs of the same task and arm: what a
	// second run would change.
	Repetition float64
	// RepetitionReason is TooFew where no task and arm has two runs. Residual
	// then holds both.
	RepetitionReason Reason
	// Residual is what is left: how far arms differ by task beyond their means.
	Residual float64
	// ResidualReason is TooFew with one arm.
	ResidualReason Reason
	// ICC is the share of Task in the sum of the components that are estimated:
	// the correlation of two runs of one task in different arms, or of one
	// arm where there is one only.
	ICC float64
	// ICCReason is that of Task, or NoVariation where the sum is 0.
	ICCReason Reason
	// Tasks is the number of tasks with a run of every arm; Dropped counts the others.
	Tasks, Dropped int
	// Truncated counts components that came out negative.
	Truncated int
}

// VarianceSplit takes the runs of each task and arm, all tasks with the same
// arms. Arm means are fixed, tasks are random; unequal numbers of repetitions
// are handled by unweighted cell means (Searle, Casella and McCulloch, Variance
// Components, 1992, sections 3.6 and 4.3), and with one arm by the analysis of
// variance with its effective number of repetitions. NoData without a complete task.
func VarianceSplit(tasksByArms [][][]float64) VarianceComponents {
	var v VarianceComponents
	var cells [][][]float64
	for _, task := range tasksByArms {
		complete := len(task) > 0
		for _, runs := range task {
			complete = complete && len(runs) > 0
		}
		if complete {
			cells = append(cells, task)
		} else {
			v.Dropped++
		}
	}
	v.Tasks = len(cells)
	if v.Tasks == 0 {
		v.TaskReason, v.RepetitionReason, v.ResidualReason, v.ICCReason = NoData, NoData, NoData, NoData
		return v
	}
	v.repetitions(cells)
	if v.Tasks < 2 {
		v.TaskReason, v.ResidualReason, v.ICCReason = TooFew, TooFew, TooFew
		return v
	}
	if len(cells[0]) == 1 {
		v.oneArm(cells)
	} else {
		v.manyArms(cells)
	}
	v.correlation()
	return v
}

func (v *VarianceComponents) repetitions(cells [][][]float64) {
	var squares twofold
	df := 0
	for _, task := range cells {
		for _, runs := range task {
			squares.add(sumOfSquaredDeviations(runs))
			df += len(runs) - 1
		}
	}
	if df == 0 {
		v.RepetitionReason = TooFew
		return
	}
	v.Repetition = squares.value() / float64(df)
}

// oneArm is the one-way analysis of variance.
func (v *VarianceComponents) oneArm(cells [][][]float64) {
	v.ResidualReason = TooFew
	var all []float64
	var n, squared float64
	var within twofold
	for _, task := range cells {
		size := float64(len(task[0]))
		all = append(all, task[0]...)
		n += size
		squared += size * size
		within.add(sumOfSquaredDeviations(task[0]))
	}
	m := float64(len(cells))
	between := (sumOfSquaredDeviations(all) - within.value()) / (m - 1)
	v.Task = v.atLeastZero((between - v.Repetition) / ((n - squared/n) / (m - 1)))
}

// manyArms is the two-way analysis of the cell means.
func (v *VarianceComponents) manyArms(cells [][][]float64) {
	tasks, arms := float64(len(cells)), float64(len(cells[0]))
	var all []float64
	var inverse float64 // mean of one over the number of runs of a cell
	byTask, byArm := make([]float64, len(cells)), make([]float64, len(cells[0]))
	for t, task := range cells {
		if len(task) != len(byArm) {
			panic("stats: tasks with different numbers of arms")
		}
		for a, runs := range task {
			m := mean(runs)
			all = append(all, m)
			byTask[t] += m / arms
			byArm[a] += m / tasks
			inverse += 1 / float64(len(runs)) / (tasks * arms)
		}
	}
	taskSquares, armSquares := arms*sumOfSquaredDeviations(byTask), tasks*sumOfSquaredDeviations(byArm)
	rest := math.Max(0, sumOfSquaredDeviations(all)-taskSquares-armSquares) / ((tasks - 1) * (arms - 1))
	v.Task = v.atLeastZero((taskSquares/(tasks-1) - rest) / arms)
	v.Residual = v.atLeastZero(rest - v.Repetition*inverse)
}

func (v *VarianceComponents) atLeastZero(x float64) float64 {
	if x < 0 {
		v.Truncated++
		return 0
	}
	return x
}

func (v *VarianceComponents) correlation() {
	sum := v.Task + v.Residual + v.Repetition
	if sum == 0 {
		v.ICCReason = NoVariation
		return
	}
	v.ICC = v.Task / sum
}
