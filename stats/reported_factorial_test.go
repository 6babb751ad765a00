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

// With fewer than 12 tasks an interval holds 0 just where its p is at least one minus
// its level; with 12 the p is that of t.
func TestReportedFactorialAgrees(t *testing.T) {
	apart := 0
	for successes := range 8 {
		for _, level := range []float64{0.8, 0.9, 0.95, 0.99} {
			for _, tasks := range []int{8, 12} {
				one, two := make([]float64, tasks), make([]float64, tasks)
				for i := range successes {
					one[i*5%tasks] = 1
				}
				two[3] = 1
				d := levelsOf(one, two)
				d.Level = level
				plain, err := stats.AnalyzeFactorial(d)
				if err != nil {
					t.Fatal(err)
				}
				f, err := stats.ReportedFactorial(d, stats.MethodOLS)
				if err != nil {
					t.Fatal(err)
				}
				was, c := plain.Contrasts[0].Difference, f.Contrasts[0].Difference
				if !c.Uncertain.OK() {
					continue
				}
				holds := c.CI.Low <= 0 && c.CI.High >= 0
				switch {
				case c.CI.Method != stats.MethodOuterLimits:
					t.Fatalf("%d of %d: have %s, want the outer limits", successes, tasks, c.CI.Method)
				case tasks == 12 && c.P != was.P:
					t.Errorf("%d of 12: have p %g, want that of t, %g", successes, c.P, was.P)
				case tasks == 8 && (c.P < was.P || holds != (c.P >= 1-level)):
					t.Errorf("%d of 8, level %g: have %+v with p %g after %g", successes, level, c.CI, c.P, was.P)
				case tasks == 8 && !holds:
					apart++
				}
			}
		}
	}
	if apart < 3 {
		t.Errorf("%d intervals without 0: the test is one-sided", apart)
	}
}

// Arms that are alike in every run have no variation and no interval.
func TestReportedFactorialWithoutVariation(t *testing.T) {
	f, err := stats.ReportedFactorial(levelsOf(make([]float64, 10), make([]float64, 10)), stats.MethodOLS)
	if err != nil || f.Contrasts[0].Difference.Uncertain != stats.NoVariation || math.Abs(f.Contrasts[0].Difference.Estimate) > 0 {
		t.Errorf("have %+v %v, want no variation", f.Contrasts, err)
	}
}
