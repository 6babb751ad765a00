package stats

import "math"

// MethodPairedHybrid names the hybrid score interval of two clustered rates.
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

// shareMean is the mean of an arm, tasks weighing equally, with score limits.
func shareMean(units []pairedUnit, share func(pairedUnit) float64, most, level float64) scoredMean {
	var mean, tasks float64
	for _, u := range units {
		mean += share(u)
		tasks += u.tasks
	}
	mean /= tasks
	residuals := make([]float64, len(units))
	for i, u := range units {
		residuals[i] = (share(u) - mean*u.tasks) / tasks
	}
	return scoreMean(mean, residuals, len(units), most, level)
}

// hybridPairs bounds the mean over tasks of the difference of two rates, or of two
// means of outcomes between 0 and 1, by the score limits of each and their correlation
// through the tasks (hybridLimits; with one run a task and arm this is the idea of
// Newcombe's method 8). It assumes independent units. few says that one of the
// rates has fewer than 12 effective successes or failures, where a bootstrap of so few
// events covers too little. TooFew with fewer than three units: two of them always
// correlate wholly, and with those limits 66% to 97% were covered; 92% to 99% with three.
func hybridPairs(first, second []Observation, d Differences, clusters map[string]string, level float64) (ci Interval, few bool, why Reason) {
	units := pairedUnits(first, second, d, clusters)
	ci = Interval{Level: level, Method: MethodPairedHybrid}
	if len(units) < 3 {
		return ci, true, TooFew
	}
	most := mostEffective(float64(d.Pairs), zeroOrOne(first) && zeroOrOne(second))
	one := shareMean(units, func(u pairedUnit) float64 { return u.first }, most, level)
	two := shareMean(units, func(u pairedUnit) float64 { return u.second }, most, level)
	ci.Low, ci.High = hybridLimits(one.mean-two.mean, one, two)
	return ci, math.Min(one.fewest, two.fewest) < fewEffective, ""
}
