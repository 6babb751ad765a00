package stats

// PassAtK is the unbiased estimate of the probability that at least one of k
// runs of a task succeeds, from c successes in n runs: 1 - C(n-c,k)/C(n,k)
// (Chen et al., "Evaluating Large Language Models Trained on Code", 2021).
// With n < k or n = 0 it is TooFew, never 0.
func PassAtK(n, c, k int) (float64, Reason) {
	if k < 1 || n < k {
		return 0, TooFew
	}
	if n-c < k {
		return 1, ""
	}
	// 1 - prod (1 - c/i) over i in n-c+1..n would round a small value away;
	// the sum over the first success at draw j does not cancel.
	fail, pass := 1.0, 0.0
	for j := range k {
		left := float64(n - j)
		pass += fail * float64(c) / left
		fail *= (left - float64(c)) / left
	}
	return pass, ""
}

// PassPowerK is the unbiased estimate of the probability that all of k runs of
// a task succeed: C(c,k)/C(n,k) (pass^k of Yao et al., tau-bench, 2024). With
// n < k or n = 0 it is TooFew.
func PassPowerK(n, c, k int) (float64, Reason) {
	if k < 1 || n < k {
		return 0, TooFew
	}
	p := 1.0
	for j := range k {
		if c-j <= 0 {
			return 0, ""
		}
		p *= float64(c-j) / float64(n-j)
	}
	return p, ""
}

// A MeanOverTasks is the mean of an estimate of each task.
type MeanOverTasks struct {
	// Mean weighs tasks equally.
	Mean float64
	// SE is the standard deviation between tasks over the root of their number.
	SE float64
	// SEReason is TooFew with one task.
	SEReason Reason
	// Tasks counts those with an estimate.
	Tasks int
	// Dropped counts those without: means at different k cover different tasks.
	Dropped int
	// Reason is NoData where no task has an estimate.
	Reason Reason
}

// MeanPassAtK is PassAtK of every task, averaged. Tasks with fewer than k runs
// drop out, and are counted.
func MeanPassAtK(runs, successes []int, k int) MeanOverTasks {
	return meanOverTasks(runs, successes, k, PassAtK)
}

// MeanPassPowerK is PassPowerK of every task, averaged.
func MeanPassPowerK(runs, successes []int, k int) MeanOverTasks {
	return meanOverTasks(runs, successes, k, PassPowerK)
}

func meanOverTasks(runs, successes []int, k int, estimate func(n, c, k int) (float64, Reason)) MeanOverTasks {
	if len(runs) != len(successes) {
		panic("stats: runs and successes differ in length")
	}
	var values []float64
	for t, n := range runs {
		if v, reason := estimate(n, successes[t], k); reason.OK() {
			values = append(values, v)
		}
	}
	m := MeanOverTasks{Tasks: len(values), Dropped: len(runs) - len(values)}
	m.Mean, m.Reason = Mean(values)
	var sd float64
	if sd, m.SEReason = SD(values); m.SEReason.OK() {
		m.SE = sd / sqrtInt(len(values))
	}
	return m
}
