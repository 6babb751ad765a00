package stats

import (
	"math"
	"slices"
)

// A MannWhitneyResult compares two independent samples by ranks.
type MannWhitneyResult struct {
	// U counts pairs in which the first value is larger, ties half.
	U float64
	// A is the share of such pairs (Vargha and Delaney, Journal of Educational
	// and Behavioral Statistics 25 (2000) 101-132).
	A float64
	// CliffsDelta is 2A - 1 (Cliff, Psychological Bulletin 114 (1993) 494-509).
	CliffsDelta float64
	// Shift is the median of all differences, first minus second (Hodges and Lehmann 1963).
	Shift float64
	// Exact says that P is exact given the mid-ranks.
	Exact bool
	// P is two-sided: sums of ranks at least as far from their mean. With more
	// than 64 values it is the normal one.
	P float64
	// Normal is the approximation with the tie-corrected variance.
	Normal TailTest
	// NormalCorrected is the same with continuity correction.
	NormalCorrected TailTest
	// Reason is NoData where a sample is empty. Where all values are equal the
	// normal tests have NoVariation.
	Reason Reason
}

// exactMannWhitneyUnits bounds the values in both samples for an exact p.
const exactMannWhitneyUnits = 64

// MannWhitney compares two independent samples (Mann and Whitney, Annals of
// Mathematical Statistics 18 (1947) 50-60). For arms that share tasks the
// paired tests are right, and this one is not.
func MannWhitney(first, second []float64) MannWhitneyResult {
	m, n := float64(len(first)), float64(len(second))
	if m == 0 || n == 0 {
		return MannWhitneyResult{Reason: NoData}
	}
	ranks, groups := midRanks(slices.Concat(first, second), 0)
	total := m + n
	sum := 0.0
	for _, r := range ranks[:len(first)] {
		sum += r
	}
	r := MannWhitneyResult{U: sum - m*(m+1)/2}
	r.A = r.U / (m * n)
	r.CliffsDelta = 2*r.A - 1
	var shifts []float64
	for _, a := range first {
		for _, b := range second {
			shifts = append(shifts, a-b)
		}
	}
	r.Shift, _ = Median(shifts)
	sd := math.Sqrt(m * n / 12 * (total + 1 - tieSum(groups)/(total*(total-1))))
	if len(groups) == 1 {
		sd = 0
	}
	r.Normal = normalTails(r.U, m*n/2, sd, 0)
	r.NormalCorrected = normalTails(r.U, m*n/2, sd, 0.5)
	if len(ranks) <= exactMannWhitneyUnits {
		r.Exact, r.P = true, rankSumP(ranks, len(first), sum)
	} else {
		r.P = r.Normal.P
	}
	return r
}

// rankSumP is the probability that the sum of m of the ranks, drawn without
// replacement, is at least as far from its mean as the given one. Doubled
// mid-ranks are whole numbers.
func rankSumP(ranks []float64, m int, sum float64) float64 {
	most := 0
	for _, r := range ranks {
		most += int(math.Round(2 * r))
	}
	ways := make([][]float64, m+1) // ways[k][s]: subsets of k ranks with doubled sum s
	for k := range ways {
		ways[k] = make([]float64, most+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		d := int(math.Round(2 * r))
		for k := m; k >= 1; k-- {
			for s := most; s >= d; s-- {
				ways[k][s] += ways[k-1][s-d]
			}
		}
	}
	mean := m * (len(ranks) + 1) // doubled
	distance := abs(int(math.Round(2*sum)) - mean)
	var all, far float64
	for s, w := range ways[m] {
		all += w
		if abs(s-mean) >= distance {
			far += w
		}
	}
	return far / all
}
