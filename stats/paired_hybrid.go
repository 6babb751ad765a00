package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// MethodPairedHybrid names the hybrid score interval of paired rates with repetitions.
const MethodPairedHybrid = "hybrid score of the two rates at the effective number of runs, t"

// A pairedUnit is a task, or a cluster of tasks, with the shares of successes in
// its pairs.
type pairedUnit struct{ first, second, tasks float64 }

// pairedUnits sums the tasks' shares of successes over matched pairs by unit, in the
// order in which tasks and their clusters come.
func pairedUnits(first, second []Observation, d Differences, clusters map[string]string) []pairedUnit {
	other := make(map[pairKey]float64, len(second))
	for _, o := range second {
		other[pairKey{o.Task, o.Repetition}] = o.Value
	}
	byTask := make(map[string]pairedUnit, len(d.Tasks))
	for _, o := range first {
		if v, ok := other[pairKey{o.Task, o.Repetition}]; ok {
			u := byTask[o.Task]
			byTask[o.Task] = pairedUnit{u.first + o.Value, u.second + v, u.tasks + 1}
		}
	}
	at := map[string]int{}
	var units []pairedUnit
	for _, t := range d.Tasks {
		name, u := t, byTask[t]
		if clusters != nil {
			name = clusters[t]
		}
		if _, seen := at[name]; !seen {
			at[name] = len(units)
			units = append(units, pairedUnit{})
		}
		sum := &units[at[name]]
		sum.first += u.first / u.tasks
		sum.second += u.second / u.tasks
		sum.tasks++
	}
	return units
}

// A weighedRate is a mean over tasks of shares with score limits.
type weighedRate struct {
	rate, low, high float64
	// fewest are the effective successes or failures, whichever are fewer.
	fewest    float64
	residuals []float64
}

// weighRate is ClusteredRate with tasks weighing equally.
func weighRate(units []pairedUnit, share func(pairedUnit) float64, pairs int, level float64) weighedRate {
	var w weighedRate
	var tasks, ss float64
	for _, u := range units {
		w.rate += share(u)
		tasks += u.tasks
	}
	w.rate /= tasks
	for _, u := range units {
		r := share(u) - w.rate*u.tasks
		w.residuals = append(w.residuals, r)
		ss += r * r
	}
	k, n := float64(len(units)), float64(pairs)
	effective := n
	switch variance := k / (k - 1) * ss / (tasks * tasks); {
	case w.rate <= 0 || w.rate >= 1:
		effective = k
	case variance > 0:
		effective = math.Min(n, w.rate*(1-w.rate)/variance)
	}
	w.fewest = math.Min(w.rate, 1-w.rate) * effective
	t := -dist.StudentTQuantile((1-level)/2, k-1)
	w.low, w.high = wilsonLimits(w.rate*effective, effective, t)
	return w
}

// hybridPairs bounds the mean over tasks of the difference of two rates by the score
// limits of each and their correlation through the tasks (Zou and Donner,
// Statistics in Medicine 27 (2008) 1693-1702; with one run a task and arm this is
// the idea of Newcombe's method 8). It assumes independent units. few says that
// one of the rates has fewer than 12 effective successes or failures, where a
// bootstrap of so few events covers too little. TooFew with fewer than two units.
func hybridPairs(first, second []Observation, d Differences, clusters map[string]string, level float64) (ci Interval, few bool, why Reason) {
	units := pairedUnits(first, second, d, clusters)
	ci = Interval{Level: level, Method: MethodPairedHybrid}
	if len(units) < 2 {
		return ci, true, TooFew
	}
	one := weighRate(units, func(u pairedUnit) float64 { return u.first }, d.Pairs, level)
	two := weighRate(units, func(u pairedUnit) float64 { return u.second }, d.Pairs, level)
	var both, a, b float64
	for i := range units {
		both += one.residuals[i] * two.residuals[i]
		a += one.residuals[i] * one.residuals[i]
		b += two.residuals[i] * two.residuals[i]
	}
	r := 0.0
	if a > 0 && b > 0 {
		r = both / math.Sqrt(a*b)
	}
	half := func(x, y float64) float64 { return math.Sqrt(math.Max(0, x*x+y*y-2*r*x*y)) }
	estimate := one.rate - two.rate
	ci.Low = estimate - half(one.rate-one.low, two.high-two.rate)
	ci.High = estimate + half(one.high-one.rate, two.rate-two.low)
	return ci, math.Min(one.fewest, two.fewest) < fewEffective, ""
}
