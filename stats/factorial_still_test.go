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

// A factor of which two levels are the same in every run has no joint test; the
// level that differs has its own.
func TestLevelThatNeverDiffers(t *testing.T) {
	var query, tool []string
	var y []float64
	var task []int
	for i := range 12 {
		for j, q := range []string{"subject", "subject+body", "keywords"} {
			for k, name := range []string{"bm25", "path"} {
				v := 0.1*float64(i%5) + 0.2*float64(k) + 0.03*float64(i*(k+1)%4)
				if j == 2 {
					v += 0.1 + 0.05*float64(i%3) - 0.02*float64(i*k%5)
				}
				query, tool, y, task = append(query, q), append(tool, name), append(y, v), append(task, i)
			}
		}
	}
	f, err := stats.AnalyzeFactorial(stats.FactorialDesign{
		Factors: []stats.Factor{stats.NewFactor("query", query, []string{"subject", "subject+body", "keywords"}), stats.NewFactor("tool", tool, nil)}, Response: y, Block: task})
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range f.Terms {
		want := stats.NoVariation
		if term.Name == "tool" {
			want = ""
		}
		if term.Test.Reason != want {
			t.Errorf("%s: have reason %q, want %q", term.Name, term.Test.Reason, want)
		}
	}
	for _, c := range f.Contrasts {
		want := stats.Reason("")
		if c.Level == "subject+body" && c.Reference == "subject" {
			want = stats.NoVariation
		}
		if c.Difference.Uncertain != want {
			t.Errorf("%s - %s: have %+v, want %q", c.Level, c.Reference, c.Difference, want)
		}
	}
}
