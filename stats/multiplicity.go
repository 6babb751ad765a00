package stats

import (
	"cmp"
	"math"
	"slices"
)

// An Adjustment is a way to correct the p-values of a family of tests.
type Adjustment uint8

// The adjustments. Holm is the default.
const (
	// Holm controls the family-wise error under any dependence (Holm,
	// Scandinavian Journal of Statistics 6 (1979) 65-70). There is no
	// simultaneous interval that belongs to it.
	Holm Adjustment = iota
	// Hochberg does so under independence or positive dependence (Hochberg,
	// Biometrika 75 (1988) 800-802).
	Hochberg
	// Bonferroni multiplies by the number of tests.
	Bonferroni
	// BH controls the false discovery rate under positive dependence
	// (Benjamini and Hochberg, JRSS B 57 (1995) 289-300).
	BH
	// BY does so under any dependence (Benjamini and Yekutieli, Annals of
	// Statistics 29 (2001) 1165-1188).
	BY
)

// String names the adjustment as tables print it.
func (a Adjustment) String() string {
	switch a {
	case Holm:
		return "holm"
	case Hochberg:
		return "hochberg"
	case Bonferroni:
		return "bonferroni"
	case BH:
		return "bh"
	case BY:
		return "by"
	}
	return "unknown"
}

// Adjust gives the adjusted p-values in the order of p, and the size m of the
// family. A test that is not estimable does not count towards m and its value
// in the result means nothing; a nil estimable says that all are. Order and
// ties do not matter.
func Adjust(p []float64, estimable []bool, a Adjustment) (adjusted []float64, m int) {
	adjusted = make([]float64, len(p))
	var order []int
	for i := range p {
		if estimable == nil || estimable[i] {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p[i], p[j]) })
	m = len(order)
	stepAdjust(p, adjusted, order, a)
	return adjusted, m
}

// stepAdjust goes through the tests in the order of their p-values: up with a
// running maximum for Holm, down with a running minimum for the others but
// Bonferroni.
func stepAdjust(p, adjusted []float64, order []int, a Adjustment) {
	m := len(order)
	factor := adjustmentFactor(a, m)
	switch a {
	case Bonferroni:
		for _, i := range order {
			adjusted[i] = math.Min(1, p[i]*float64(m))
		}
	case Holm:
		largest := 0.0
		for rank, i := range order {
			largest = math.Max(largest, p[i]*factor(rank))
			adjusted[i] = math.Min(1, largest)
		}
	default:
		smallest := 1.0
		for rank := m - 1; rank >= 0; rank-- {
			i := order[rank]
			smallest = math.Min(smallest, p[i]*factor(rank))
			adjusted[i] = smallest
		}
	}
}

// adjustmentFactor is what the p of a rank, counted from 0, is multiplied with.
func adjustmentFactor(a Adjustment, m int) func(rank int) float64 {
	harmonic := 0.0
	for i := 1; i <= m; i++ {
		harmonic += 1 / float64(i)
	}
	return func(rank int) float64 {
		switch a {
		case Holm, Hochberg:
			return float64(m - rank)
		case BH:
			return float64(m) / float64(rank+1)
		case BY:
			return harmonic * float64(m) / float64(rank+1)
		}
		return float64(m)
	}
}
