package stats

import "fmt"

// A Coding says how the levels of a factor become columns.
type Coding int

// The codings, each with R's names for its columns.
const (
	// TreatmentCoding compares each level with the first (contr.treatment).
	TreatmentCoding Coding = iota
	// SumCoding is effect coding: columns add to zero, the last level is -1 (contr.sum).
	SumCoding
	// HelmertCoding compares each level with the mean of those before it (contr.helmert).
	HelmertCoding
)

// codingRows gives, for each level of a factor, its entries in the factor's
// columns, and the columns' names.
func codingRows(f Factor, coding Coding, contrasts bool) (rows [][]float64, names []string) {
	k := len(f.Levels)
	rows = make([][]float64, k)
	if !contrasts {
		for i := range rows {
			rows[i] = make([]float64, k)
			rows[i][i] = 1
			names = append(names, f.Name+f.Levels[i])
		}
		return rows, names
	}
	for i := range rows {
		rows[i] = make([]float64, k-1)
		for j := range rows[i] {
			rows[i][j] = contrast(coding, i, j, k)
		}
	}
	for j := range k - 1 {
		if coding == TreatmentCoding {
			names = append(names, f.Name+f.Levels[j+1])
			continue
		}
		names = append(names, fmt.Sprintf("%s%d", f.Name, j+1))
	}
	return rows, names
}

// contrast is the entry of level i in column j of a factor with k levels.
func contrast(coding Coding, i, j, k int) float64 {
	switch {
	case coding == TreatmentCoding && i == j+1, coding == SumCoding && i == j:
		return 1
	case coding == SumCoding && i == k-1, coding == HelmertCoding && i <= j:
		return -1
	case coding == HelmertCoding && i == j+1:
		return float64(j + 1)
	}
	return 0
}
