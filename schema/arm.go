package schema

import (
	"slices"
	"strconv"
	"strings"
)

// ArmName names an arm that the plan gives no name: harness, model and the levels
// of the treatment, sorted by factor. Two arms have two names.
func ArmName(harness string, model Opt[string], treatment Members[Scalar]) string {
	parts := []string{harness}
	if m, ok := model.Get(); ok {
		parts = append(parts, armPart(m))
	}
	sorted := slices.Clone(treatment)
	slices.SortFunc(sorted, func(a, b Member[Scalar]) int { return strings.Compare(a.Name, b.Name) })
	var levels []string
	for _, f := range sorted {
		levels = append(levels, armPart(f.Name)+"="+armPart(f.Value.Text()))
	}
	if levels != nil {
		parts = append(parts, strings.Join(levels, ", "))
	}
	return strings.Join(parts, " / ")
}

// armPart quotes text that would run into its neighbours.
func armPart(s string) string {
	if s == "" || strings.ContainsAny(s, "=,\"\n\t") || strings.Contains(s, " / ") {
		return strconv.Quote(s)
	}
	return s
}
