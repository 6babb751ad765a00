package stats_test

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// alike are tasks of three runs each that all succeed or all fail.
func alike(tasks, succeeding int) (successes, runs []int) {
	for t := range tasks {
		runs = append(runs, 3)
		successes = append(successes, 0)
		if t < succeeding {
			successes[t] = 3
		}
	}
	return successes, runs
}

// TestReportedRate: the effective number of runs of tasks that agree wholly is about
// that of the tasks, so 20 of 40 are Wilson's and 5 of 40 Korn and Graubard's.
func TestReportedRate(t *testing.T) {
	for succeeding, want := range map[int]string{20: stats.MethodClusteredWilson, 5: stats.MethodKornGraubard, 35: stats.MethodKornGraubard, 0: stats.MethodKornGraubard} {
		x, n := alike(40, succeeding)
		if have := stats.ReportedRate(x, n, 0.95).Interval.Method; have != want {
			t.Errorf("%d of 40 tasks: have %s, want %s", succeeding, have, want)
		}
	}
	once := stats.ReportedRate([]int{1, 0, 1}, []int{1, 1, 1}, 0.95)
	if exact, _ := stats.ClopperPearson(2, 3, 0.95); once.Interval != exact {
		t.Errorf("three tasks, one run each: have %v, want %v", once.Interval, exact)
	}
	twelve := make([]int, 12)
	for i := range twelve {
		twelve[i] = 1
	}
	all := stats.ReportedRate(twelve, twelve, 0.95)
	if plain, _ := stats.Wilson(12, 12, 0.95); all.Interval != plain {
		t.Errorf("twelve tasks, one run each: have %v, want %v", all.Interval, plain)
	}
}

// TestWoodruffQuantile: of 100 independent values the 40th and the 61st bound the
// median at 95% (R 4.2.2, qbinom(c(.025, .975), 100, .5) = 40, 60; Conover,
// Practical Nonparametric Statistics, section 3.2). Ours are one rank further out,
// for the effective number of runs is estimated.
func TestWoodruffQuantile(t *testing.T) {
	var tasks [][]float64
	for i := range 100 {
		tasks = append(tasks, []float64{float64(100 - i)})
	}
	q := stats.WoodruffQuantile(tasks, 0.5, 0.95)
	if !q.IntervalReason.OK() || q.Estimate != 50.5 || q.Interval.Low != 39 || q.Interval.High != 62 {
		t.Errorf("have %+v, want 50.5 [39, 62]", q)
	}
	// 0.95^71 = 0.0262 > 0.025: even the largest of 71 may lie below.
	if q := stats.WoodruffQuantile(tasks[:71], 0.95, 0.95); q.IntervalReason != stats.TooFew {
		t.Errorf("71 values: have %+v, want too few", q)
	}
	if q := stats.WoodruffQuantile(tasks, 0.95, 0.95); !q.IntervalReason.OK() || q.Interval.High > 100 || q.Interval.Low >= q.Estimate {
		t.Errorf("100 values: have %+v, want limits", q)
	}
	// Runs of a task that agree carry the information of one.
	repeated := make([][]float64, 71)
	for i := range repeated {
		repeated[i] = []float64{float64(i), float64(i), float64(i), float64(i)}
	}
	if q := stats.WoodruffQuantile(repeated, 0.95, 0.95); q.IntervalReason != stats.TooFew {
		t.Errorf("71 tasks of four equal runs: have %+v, want too few", q)
	}
}

// TestStratumRates: with one run a task the interval is Newcombe's hybrid score for
// two independent samples: 56 of 70 against 48 of 80 give 0.0524 to 0.3339
// (Statistics in Medicine 17 (1998) 873-890, table II (a), method 10).
func TestStratumRates(t *testing.T) {
	var response []float64
	var codes, cluster []int
	add := func(stratum, successes, runs int) {
		for i := range runs {
			y := 0.0
			if i < successes {
				y = 1
			}
			response, codes, cluster = append(response, y), append(codes, stratum), append(cluster, len(cluster))
		}
	}
	add(1, 56, 70)
	add(0, 48, 80)
	strata := stats.Factor{Name: "s", Levels: []string{"a", "b"}, Codes: codes}
	d, err := stats.StratumAgainstRest(response, strata, "b", cluster, 0.95)
	if err != nil || math.Abs(d.Estimate-0.2) > 1e-12 || math.Abs(d.Interval.Low-0.0524) > 5e-5 || math.Abs(d.Interval.High-0.3339) > 5e-5 {
		t.Errorf("have %+v %v, want 0.2 [0.0524, 0.3339]", d, err)
	}
}

// TestReportedStrata: three tasks against three, all successes on one side. Of the
// 20 ways to choose three tasks, two are as far apart: p = 0.1.
func TestReportedStrata(t *testing.T) {
	strata := stats.Factor{Name: "s", Levels: []string{"a", "b"}, Codes: []int{0, 0, 0, 1, 1, 1}}
	one := stats.ReportedStrata([]float64{1, 1, 1, 0, 0, 0}, strata, []int{0, 1, 2, 3, 4, 5}, 0.95, stats.Resampling{Seed: 1, Workers: 1})
	many := stats.ReportedStrata([]float64{1, 1, 1, 0, 0, 0}, strata, []int{0, 1, 2, 3, 4, 5}, 0.95, stats.Resampling{Seed: 1, Workers: 7})
	if one.Test != stats.TestStrataPermuted || math.Abs(one.P-0.1) > 0.01 || one.P != many.P {
		t.Errorf("have %+v and %+v, want p = 0.1 from a permutation for any number of workers", one, many)
	}
	if r := stats.ReportedStrata([]float64{1, 1, 1, 1, 1, 1}, strata, []int{0, 1, 2, 3, 4, 5}, 0.95, stats.Resampling{}); r.Reason != stats.NoVariation {
		t.Errorf("all succeed: have %+v, want no variation", r)
	}
	crossed := stats.ReportedStrata([]float64{1, 0, 1, 0, 1, 0}, strata, []int{0, 1, 2, 0, 1, 2}, 0.95, stats.Resampling{})
	if crossed.Test != stats.TestStrataLinear {
		t.Errorf("tasks in both strata: have %s, want the linear model", crossed.Test)
	}
}

// TestComparePaired: defaults and refusals.
func TestComparePaired(t *testing.T) {
	runs := func(values ...float64) (out []stats.Observation) {
		for i, v := range values {
			out = append(out, stats.Observation{Task: string(rune('a' + i)), Value: v})
		}
		return out
	}
	c, err := stats.ComparePaired(runs(1, 1, 0, 1), runs(0, 1, 0, 0), nil, stats.PairedDefault, 0.95, stats.Resampling{})
	if err != nil || c.Test != stats.TestMcNemar || math.Abs(c.P-0.5) > 1e-12 || c.Won != 2 || c.Lost != 0 {
		t.Errorf("have %+v %v, want exact McNemar with p = 2/4", c, err)
	}
	c, err = stats.ComparePaired(runs(1.5, 1, 0, 1), runs(0, 1, 0, 0), nil, stats.PairedDefault, 0.95, stats.Resampling{})
	// A draw of tasks b and c alone shows no variation and so has no error: one in
	// sixteen, more than the level leaves.
	if err != nil || c.IntervalReason != stats.TooFew || c.Test != stats.MethodStudentized {
		t.Errorf("have %+v %v, want the bootstrap t without limits", c, err)
	}
	if _, err = stats.ComparePaired(runs(1.5), runs(0), nil, stats.PairedExact, 0.95, stats.Resampling{}); err == nil {
		t.Error("newcombe on amounts: have no error, want one")
	}
	if _, err = stats.ComparePaired(runs(1), runs(0), map[string]string{"a": "r"}, stats.PairedT, 0.95, stats.Resampling{}); err == nil {
		t.Error("t by cluster: have no error, want one")
	}
	for _, m := range []stats.PairedMethod{stats.PairedT, stats.PairedWilcoxon, stats.PairedSign, stats.PairedBootstrap} {
		if c, err := stats.ComparePaired(nil, nil, nil, m, 0.95, stats.Resampling{}); err != nil || c.Reason != stats.NoData {
			t.Errorf("%s without runs: have %+v %v, want no observations", m, c, err)
		}
	}
}

// TestPlans: 34 pairs for a standardised difference of 0.5 (R 4.2.2, power.t.test).
func TestPlans(t *testing.T) {
	q := stats.PlanRequest{Planning: stats.DefaultPlanning(), Difference: 0.5, Tasks: 34}
	p := stats.PlanMeans(1, q)
	if p.RequiredTasks.Value != 34 || p.Power.Value < 0.8 || p.Detectable.Value > 0.5 {
		t.Errorf("have %+v, want 34 tasks", p)
	}
	r := stats.PlanRates(0.2, stats.PlanRequest{Planning: stats.DefaultPlanning(), Difference: 0.1})
	want, _ := stats.PairedRatesPlan{Discordance: 0.2, Difference: 0.1}.RequiredTasks(stats.DefaultPlanning())
	if r.RequiredTasks.Value != float64(want) || r.Detectable.Reason.OK() {
		t.Errorf("have %+v, want %d tasks and nothing detectable without tasks", r, want)
	}
	if p := stats.PlanMeans(0, q); p.RequiredTasks.Reason != stats.NoVariation {
		t.Errorf("sd 0: have %+v, want no variation", p)
	}
}

// TestPairedHybrid: few successes take the hybrid limits, equal arms have none, and
// amounts are refused.
func TestPairedHybrid(t *testing.T) {
	var first, second []stats.Observation
	for task := range 10 {
		for r := range 2 {
			v := 0.0
			if task < 2 {
				v = 1
			}
			name, repetition := string(rune('a'+task)), string(rune('0'+r))
			first = append(first, stats.Observation{Task: name, Repetition: repetition, Value: v})
			w := v
			if task == 0 && r == 0 {
				w = 0
			}
			second = append(second, stats.Observation{Task: name, Repetition: repetition, Value: w})
		}
	}
	c, err := stats.ComparePaired(first, second, nil, stats.PairedDefault, 0.95, stats.Resampling{Draws: 100})
	if err != nil || c.Interval.Method != stats.MethodPairedHybrid || math.Abs(c.Estimate-0.05) > 1e-12 || c.Interval.Low > 0.05 || c.Interval.High < 0.05 || c.Interval.Low < -1 {
		t.Errorf("two of ten tasks succeed: have %+v %v, want hybrid limits about 0.05", c.Interval, err)
	}
	same, err := stats.ComparePaired(first, first, nil, stats.PairedDefault, 0.95, stats.Resampling{Draws: 100})
	if err != nil || same.IntervalReason != stats.NoVariation {
		t.Errorf("equal arms: have %+v %v, want no variation", same.Interval, err)
	}
	two, err := stats.ComparePaired(first[:4], second[:4], nil, stats.PairedHybrid, 0.95, stats.Resampling{Draws: 100})
	if err != nil || two.IntervalReason != stats.TooFew {
		t.Errorf("two tasks, whose correlation says nothing: have %+v %v, want too few", two.Interval, err)
	}
	if _, err := stats.ComparePaired([]stats.Observation{{Task: "a", Value: 2}}, []stats.Observation{{Task: "a"}}, nil, stats.PairedHybrid, 0.95, stats.Resampling{}); err == nil {
		t.Error("hybrid on amounts: have no error, want one")
	}
}
