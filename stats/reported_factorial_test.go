package stats_test

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// levelsOf is one factor of two levels, one run a task and level.
func levelsOf(a, b []float64) stats.FactorialDesign {
	d := stats.FactorialDesign{Factors: []stats.Factor{{Name: "f", Levels: []string{"a", "b"}}}}
	for t := range a {
		d.Response = append(d.Response, a[t], b[t])
		d.Block = append(d.Block, t, t)
		d.Factors[0].Codes = append(d.Factors[0].Codes, 0, 1)
	}
	return d
}

// TestReportedFactorial: rates in the middle of many tasks keep the limits of t; with
// few failures both limits are at least as far out, the estimate and its test as before;
// amounts are left alone.
func TestReportedFactorial(t *testing.T) {
	share := func(tasks, successes, step int) []float64 {
		out := make([]float64, tasks)
		for i := range successes {
			out[(i*step)%tasks] = 1
		}
		return out
	}
	amounts := make([]float64, 20)
	for i := range amounts {
		amounts[i] = float64(i * i)
	}
	for _, c := range []struct {
		name   string
		design stats.FactorialDesign
		wider  bool
	}{
		{"50 of 100 against 60", levelsOf(share(100, 50, 1), share(100, 60, 3)), false},
		{"19 of 20 against 17", levelsOf(share(20, 19, 1), share(20, 17, 3)), true},
		{"amounts", levelsOf(amounts, share(20, 3, 1)), false},
	} {
		plain, err := stats.AnalyzeFactorial(c.design)
		if err != nil {
			t.Fatal(err)
		}
		reported, err := stats.ReportedFactorial(c.design, stats.MethodOLS)
		if err != nil {
			t.Fatal(err)
		}
		was, is := plain.Contrasts[0].Difference, reported.Contrasts[0].Difference
		if is.Estimate != was.Estimate || is.P != was.P || is.StdErr != was.StdErr {
			t.Errorf("%s: have %+v, want the estimate and test of %+v", c.name, is, was)
		}
		if wider := is.CI.Method == stats.MethodOuterLimits; wider != c.wider || is.CI.Low > was.CI.Low || is.CI.High < was.CI.High || !wider && is.CI != was.CI {
			t.Errorf("%s: have %+v after %+v, want wider: %v", c.name, is.CI, was.CI, c.wider)
		}
	}
}

// Arms that are alike in every run have no variation and no interval.
func TestReportedFactorialWithoutVariation(t *testing.T) {
	f, err := stats.ReportedFactorial(levelsOf(make([]float64, 10), make([]float64, 10)), stats.MethodOLS)
	if err != nil || f.Contrasts[0].Difference.Uncertain != stats.NoVariation || math.Abs(f.Contrasts[0].Difference.Estimate) > 0 {
		t.Errorf("have %+v %v, want no variation", f.Contrasts, err)
	}
}
