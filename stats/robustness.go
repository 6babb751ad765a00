package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// An Influence is a paired difference without one cluster of tasks.
type Influence struct {
	// Cluster is the one left out, such as a repository.
	Cluster string
	// Tasks is the number of its tasks.
	Tasks int
	// Estimate is the mean over the remaining tasks.
	Estimate float64
}

// A LeaveOneOutResult says how far a difference rests on single clusters.
type LeaveOneOutResult struct {
	// Estimate is the mean over all tasks.
	Estimate float64
	// Without are the estimates without each cluster, in order of its name.
	Without []Influence
	// Lowest and Highest are the extremes of Without.
	Lowest, Highest float64
	// SameSign says that no single cluster turns the sign of the estimate, or
	// makes it 0.
	SameSign bool
	// Reason is NoData without a task, TooFew with a single cluster.
	Reason Reason
}

// LeaveOneClusterOut repeats the estimate of PairedMean without each cluster in
// turn. It is a check of a conclusion, not a test.
func LeaveOneClusterOut(differencesByTask [][]float64, clusters []string) LeaveOneOutResult {
	if len(clusters) != len(differencesByTask) {
		panic("stats: clusters and tasks differ in length")
	}
	byCluster := map[string][]float64{}
	var all []float64
	for t, d := range differencesByTask {
		if len(d) > 0 {
			m := mean(d)
			all = append(all, m)
			byCluster[clusters[t]] = append(byCluster[clusters[t]], m)
		}
	}
	if len(all) == 0 {
		return LeaveOneOutResult{Reason: NoData}
	}
	r := LeaveOneOutResult{Estimate: mean(all), SameSign: true, Lowest: math.Inf(1), Highest: math.Inf(-1)}
	if len(byCluster) == 1 {
		return LeaveOneOutResult{Estimate: r.Estimate, Reason: TooFew}
	}
	names := slices.Sorted(maps.Keys(byCluster))
	for _, name := range names {
		var rest twofold
		for _, other := range names {
			if other != name {
				rest.add(sumOf(byCluster[other]))
			}
		}
		own := len(byCluster[name])
		r.Without = append(r.Without, Influence{Cluster: name, Tasks: own, Estimate: rest.value() / float64(len(all)-own)})
	}
	for _, w := range r.Without {
		r.Lowest, r.Highest = math.Min(r.Lowest, w.Estimate), math.Max(r.Highest, w.Estimate)
		r.SameSign = r.SameSign && w.Estimate*r.Estimate > 0
	}
	return r
}

// A RankingStability says how often the order of arms holds under resampling of tasks.
type RankingStability struct {
	// Order are the arms from the highest mean to the lowest; arms with equal
	// means stay in their own order.
	Order []int
	// SameOrder is the share of draws in which the whole order holds.
	SameOrder float64
	// SameFirst is the share in which the first arm stays first.
	SameFirst float64
	// Above[i][j] is the share in which arm i has a higher mean than arm j,
	// equal means half.
	Above [][]float64
	// Draws is the number of draws that count.
	Draws int
	// Undefined counts draws in which an arm had no value.
	Undefined int
	// Reason is NoData where an arm has no value at all, TooFew with fewer than
	// two arms, tasks or clusters.
	Reason Reason
}

// RankArms resamples tasks and compares the means of the arms in every draw;
// all arms see the same tasks. values[a][t] is the mean of arm a on task t where
// has[a][t]; a nil has says that all exist. The shares are no p-values
// (Goldstein and Spiegelhalter, JRSS A 159 (1996) 385-443, on how unstable ranks are).
func RankArms(values [][]float64, has [][]bool, r Resampling) RankingStability {
	sums, counts := make([][]float64, len(values)), make([][]float64, len(values))
	for a, row := range values {
		sums[a], counts[a] = make([]float64, len(row)), make([]float64, len(row))
		for t, v := range row {
			if has == nil || has[a][t] {
				sums[a][t], counts[a][t] = v, 1
			}
		}
	}
	return rankArms(sums, counts, r)
}

// RankArmsByCluster is RankArms with clusters of tasks, such as repositories,
// resampled whole; clusters[t] is that of task t.
func RankArmsByCluster(values [][]float64, has [][]bool, clusters []string, r Resampling) RankingStability {
	names := slices.Sorted(slices.Values(clusters))
	names = slices.Compact(names)
	sums, counts := make([][]float64, len(values)), make([][]float64, len(values))
	for a, row := range values {
		sums[a], counts[a] = make([]float64, len(names)), make([]float64, len(names))
		for t, v := range row {
			if has == nil || has[a][t] {
				c, _ := slices.BinarySearch(names, clusters[t])
				sums[a][c] += v
				counts[a][c]++
			}
		}
	}
	return rankArms(sums, counts, r)
}

// rankArms compares ratios of sums over resampled units.
func rankArms(sums, counts [][]float64, r Resampling) RankingStability {
	arms := len(sums)
	if arms < 2 || len(sums[0]) < 2 {
		return RankingStability{Reason: TooFew}
	}
	every := make([]int32, len(sums[0]))
	for i := range every {
		every[i] = int32(i)
	}
	observed := make([]float64, arms)
	if !armMeans(sums, counts, every, observed) {
		return RankingStability{Reason: NoData}
	}
	out := RankingStability{Order: armOrder(observed), Above: square(arms)}
	for _, m := range drawnMeans(sums, counts, r) {
		if m == nil {
			out.Undefined++
			continue
		}
		out.Draws++
		out.count(m)
	}
	out.divide()
	return out
}

// drawnMeans are the means of the arms in every draw, nil where an arm has none.
func drawnMeans(sums, counts [][]float64, r Resampling) [][]float64 {
	means := make([][]float64, r.draws())
	units := len(sums[0])
	drawEach(len(means), r.Workers, func() func(int) {
		drawn := make([]int32, units)
		return func(i int) {
			g := newPhilox(r.Seed, uint64(i))
			for j := range drawn {
				drawn[j] = int32(g.below(uint32(units)))
			}
			m := make([]float64, len(sums))
			if armMeans(sums, counts, drawn, m) {
				means[i] = m
			}
		}
	})
	return means
}

// armMeans writes the mean of every arm over the drawn units, and reports
// whether all have one.
func armMeans(sums, counts [][]float64, drawn []int32, means []float64) bool {
	for a := range sums {
		sum, n := 0.0, 0.0
		for _, u := range drawn {
			sum += sums[a][u]
			n += counts[a][u]
		}
		if n == 0 {
			return false
		}
		means[a] = sum / n
	}
	return true
}

func armOrder(means []float64) []int {
	order := make([]int, len(means))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(means[b], means[a]) })
	return order
}

func (s *RankingStability) count(means []float64) {
	for i := range means {
		for j := range means {
			switch {
			case means[i] > means[j]:
				s.Above[i][j]++
			case means[i] == means[j]:
				s.Above[i][j] += 0.5
			}
		}
	}
	// An order holds where no arm is passed by one that is below it.
	same, first := true, true
	for i := 1; i < len(s.Order); i++ {
		same = same && means[s.Order[i-1]] >= means[s.Order[i]]
		first = first && means[s.Order[0]] >= means[s.Order[i]]
	}
	if same {
		s.SameOrder++
	}
	if first {
		s.SameFirst++
	}
}

func (s *RankingStability) divide() {
	if s.Draws == 0 {
		s.Reason = NoData
		return
	}
	n := float64(s.Draws)
	s.SameOrder /= n
	s.SameFirst /= n
	for i := range s.Above {
		for j := range s.Above {
			s.Above[i][j] /= n
		}
		s.Above[i][i] = 0
	}
}
