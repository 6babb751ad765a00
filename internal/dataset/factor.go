package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// A Factor is an experimental factor with the column that holds its levels.
type Factor struct {
	// Name is the factor's name in the manifests.
	Name string `json:"name"`
	// Column is factor_ and the name in lower case, other characters than letters,
	// digits and underscores replaced by an underscore.
	Column string `json:"column"`
}

// FactorMetadata is the metadata key that holds the original name of a column.
func (f Factor) FactorMetadata() string { return "assay.factor." + f.Column }

// FactorColumn is the column of a factor.
func FactorColumn(name string) string {
	return "factor_" + strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// Factors gives each name its column, sorted by column. Two names that become
// one column are an error: a table would mix their levels.
func Factors(names []string) ([]Factor, error) {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	list := make([]Factor, 0, len(names))
	for _, n := range names {
		list = append(list, Factor{Name: n, Column: FactorColumn(n)})
	}
	slices.SortStableFunc(list, func(a, b Factor) int { return strings.Compare(a.Column, b.Column) })
	for i := 1; i < len(list); i++ {
		if list[i].Column == list[i-1].Column {
			return nil, fmt.Errorf("factors: have %q and %q, which both become the column %s, want names that stay apart",
				list[i-1].Name, list[i].Name, list[i].Column)
		}
	}
	return list, nil
}
