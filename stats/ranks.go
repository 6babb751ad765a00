package stats

import (
	"cmp"
	"math"
	"slices"
)

// midRanks ranks values from 1; values within width of their neighbour share
// the mean of their ranks. It also gives the sizes of the groups of ties.
func midRanks(x []float64, width float64) (ranks []float64, groups []int) {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(x[a], x[b]), cmp.Compare(a, b)) })
	ranks = make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && x[order[j]]-x[order[j-1]] <= width {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = float64(i+j+1) / 2
		}
		groups = append(groups, j-i)
		i = j
	}
	return ranks, groups
}

// roundingWidth is the distance within which differences of values as large as
// these are equal: .3-.2 and .2-.1 differ in the last bit.
func roundingWidth(values ...[]float64) float64 {
	largest := 0.0
	for _, x := range values {
		for _, v := range x {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	return largest * 1e-13
}

// tieSum is the sum of t^3 - t over groups of ties.
func tieSum(groups []int) float64 {
	var sum float64
	for _, g := range groups {
		t := float64(g)
		sum += t*t*t - t
	}
	return sum
}
