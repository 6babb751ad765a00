package gate

import (
	"fmt"
	"strings"
	"testing"
)

func TestCompareDatasets(t *testing.T) {
	resolved := Measure{Name: "resolved_at_1", Kind: Rate, Direction: HigherIsBetter}
	cost := Measure{Name: "cost_usd", Kind: Amount, Direction: LowerIsBetter}
	pairs := func(n int, value func(i int) (before, now float64)) []Pair {
		var pairs []Pair
		for i := range n {
			before, now := value(i)
			pairs = append(pairs, Pair{fmt.Sprintf("t%03d", i), Nearest(before), Nearest(now)})
		}
		return pairs
	}
	same := func(int) (float64, float64) { return 1, 1 }
	lose := func(n int) func(int) (float64, float64) {
		return func(i int) (float64, float64) {
			if i < n {
				return 1, 0
			}
			return 1, 1
		}
	}
	for _, c := range []struct {
		name string
		data Datasets
		want Verdict
		text string
	}{
		{"the same", Datasets{Measure: resolved, Pairs: pairs(10, same)}, Pass, ""},
		{"too few", Datasets{Measure: resolved, Pairs: pairs(9, same)}, CannotDecide, "9 pairs, want at least 10"},
		{"none", Datasets{Measure: resolved}, CannotDecide, "0 pairs"},
		{"one of fifty lost", Datasets{Measure: resolved, Pairs: pairs(50, lose(1))}, Pass, ""},
		{"two of fifty lost", Datasets{Measure: resolved, Pairs: pairs(50, lose(2))}, Regressed, ""},
		{"2% dearer", Datasets{Measure: cost, Pairs: pairs(10, func(int) (float64, float64) { return 0.1, 0.102 })}, Pass, ""},
		{"3% dearer", Datasets{Measure: cost, Pairs: pairs(10, func(int) (float64, float64) { return 0.1, 0.103 })}, Regressed, ""},
		{"free before", Datasets{Measure: cost, Pairs: pairs(10, func(int) (float64, float64) { return 0, 0.001 })}, Regressed, ""},
		{"cheaper", Datasets{Measure: cost, Pairs: pairs(10, func(int) (float64, float64) { return 0.1, 0 })}, Pass, ""},
		{"a value missing", Datasets{Measure: resolved, Pairs: append(pairs(10, same), Pair{Task: "x", Baseline: Fraction(1, 1)})}, CannotDecide, "task x"},
		{"a task twice", Datasets{Measure: resolved, Pairs: append(pairs(10, same), pairs(1, same)...)}, CannotDecide, "twice"},
		{"unmatched are named", Datasets{Measure: resolved, Pairs: pairs(10, same), OnlyCurrent: []string{"z", "y"}}, Pass, "2 tasks have a value only in the current dataset: y, z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := CompareDatasets(c.data, DefaultOptions())
			var text strings.Builder
			if err := report.Text(&text); err != nil {
				t.Fatal(err)
			}
			if report.Verdict != c.want || !strings.Contains(text.String(), c.text) {
				t.Errorf("have %s\nwant %s with %q", text.String(), c.want, c.text)
			}
		})
	}
}
