package stats

import (
	"cmp"
	"math"
	"slices"
)

// MeanOf is the mean of one value for each unit, such as the mean difference
// of each task.
func MeanOf(values []float64) Statistic {
	return func() func([]int32) float64 {
		return func(units []int32) float64 {
			var sum float64
			for _, u := range units {
				sum += values[u]
			}
			return sum / float64(len(units))
		}
	}
}

// RatioOf is the sum of numerators over the sum of denominators: the mean over
// rows, where both are sums over the rows of a unit. NaN where the drawn
// denominators are all 0.
func RatioOf(numerators, denominators []float64) Statistic {
	return func() func([]int32) float64 {
		return func(units []int32) float64 {
			var above, below float64
			for _, u := range units {
				above += numerators[u]
				below += denominators[u]
			}
			if below == 0 {
				return math.NaN()
			}
			return above / below
		}
	}
}

// QuantileOf is the type 7 quantile p over all rows of the drawn units. Rows
// are sorted once; a draw only counts them. Percentile limits suit a median; far
// from it a few tasks cannot bound a quantile: the 0.9 quantile of 20 tasks is
// covered some 87 times in a hundred at a nominal 95.
func QuantileOf(rows [][]float64, p float64) Statistic {
	var sorted []unitValue
	for u, values := range rows {
		for _, v := range values {
			sorted = append(sorted, unitValue{v, int32(u)})
		}
	}
	slices.SortFunc(sorted, func(a, b unitValue) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.unit, b.unit))
	})
	return func() func([]int32) float64 {
		times := make([]int, len(rows))
		return func(units []int32) float64 {
			clear(times)
			n := 0
			for _, u := range units {
				times[u]++
				n += len(rows[u])
			}
			if n == 0 {
				return math.NaN()
			}
			return weightedQuantile(sorted, times, p*float64(n-1))
		}
	}
}

// A unitValue is a row of a unit.
type unitValue struct {
	value float64
	unit  int32
}

// weightedQuantile is the value at a position, counted from 0, of the sorted
// rows, each taken as often as its unit was drawn.
func weightedQuantile(sorted []unitValue, times []int, position float64) float64 {
	lower := int(position)
	share := position - float64(lower)
	seen := 0
	for i, r := range sorted {
		seen += times[r.unit]
		if seen <= lower {
			continue
		}
		if seen > lower+1 || share == 0 {
			return r.value
		}
		for _, next := range sorted[i+1:] {
			if times[next.unit] > 0 {
				return r.value + share*(next.value-r.value)
			}
		}
		return r.value
	}
	panic("stats: fewer rows than counted")
}
