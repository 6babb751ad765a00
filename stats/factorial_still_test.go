package stats_test

import (
	"testing"

	"github.com/assay-bench/assay/stats"
)

// TestFactorThatChangesNothing: a factor that leaves every response as it is has
// no error to test it with; rounding must not pass for one.
func TestFactorThatChangesNothing(t *testing.T) {
	var a, b []string
	var y []float64
	var task []int
	for i := range 12 {
		for _, level := range []string{"x", "y"} {
			for _, idle := range []string{"off", "on"} {
				v := 0.1 * float64(i%5)
				if level == "y" {
					v += 0.3 + 0.07*float64(i%3)
				}
				a, b, y, task = append(a, level), append(b, idle), append(y, v), append(task, i)
			}
		}
	}
	f, err := stats.AnalyzeFactorial(stats.FactorialDesign{
		Factors: []stats.Factor{stats.NewFactor("a", a, nil), stats.NewFactor("idle", b, nil)}, Response: y, Block: task})
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range f.Terms {
		if want := stats.Reason(""); term.Name == "a" && term.Test.Reason != want || term.Name != "a" && term.Test.Reason != stats.NoVariation {
			t.Errorf("%s: have reason %q", term.Name, term.Test.Reason)
		}
	}
	for _, c := range f.Contrasts {
		if c.Factor == "idle" && (c.Difference.Uncertain != stats.NoVariation || c.Difference.Estimate > 1e-12) {
			t.Errorf("idle: have %+v, want 0 without an error", c.Difference)
		}
	}
}
