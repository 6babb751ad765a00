package stats_test

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// TestReportedMean: 0/1 outcomes with few failures have Korn and Graubard's limits, as
// the rate has; recall in the middle and amounts the bootstrap t.
func TestReportedMean(t *testing.T) {
	x, n := alike(40, 35)
	tasks := make([][]float64, len(x))
	for i := range x {
		for r := range n[i] {
			tasks[i] = append(tasks[i], 0)
			if r < x[i] {
				tasks[i][r] = 1
			}
		}
	}
	rate, mean := stats.KornGraubard(x, n, 0.95).Interval, stats.ReportedMean(tasks, 0.95, stats.Resampling{}).Interval
	if mean.Method != stats.MethodKornGraubard || math.Abs(mean.Low-rate.Low) > 1e-12 || math.Abs(mean.High-rate.High) > 1e-12 {
		t.Errorf("35 of 40 tasks: have %v, want %v", mean, rate)
	}
	var middle, amounts [][]float64
	for i := range 40 {
		middle = append(middle, []float64{0.4 + 0.005*float64(i)})
		amounts = append(amounts, []float64{float64(i * i)})
	}
	for name, runs := range map[string][][]float64{"recall of 0.4 to 0.6": middle, "amounts": amounts} {
		if m := stats.ReportedMean(runs, 0.95, stats.Resampling{Draws: 500}); m.Interval.Method != stats.MethodStudentized || !m.IntervalReason.OK() {
			t.Errorf("%s: have %+v, want the bootstrap t", name, m)
		}
	}
	if m := stats.ReportedMean(nil, 0.95, stats.Resampling{}); m.Reason != stats.NoData {
		t.Errorf("nothing: have %+v, want no observations", m)
	}
	if m := stats.ReportedMean([][]float64{{1}, {1}, {1}}, 0.95, stats.Resampling{Draws: 50}); m.Interval.High != 1 || m.Interval.Low >= 1 || !m.IntervalReason.OK() {
		t.Errorf("all found: have %+v, want limits up to 1", m)
	}
}

// TestStratumOfShares: recall has hybrid limits that hold the estimate and stay within
// -1 and 1; one task in a stratum has none; amounts keep the linear model.
func TestStratumOfShares(t *testing.T) {
	response := []float64{1, 0.5, 1, 1, 0, 0.5, 0.5, 0}
	strata := stats.Factor{Name: "s", Levels: []string{"a", "b"}, Codes: []int{0, 0, 0, 0, 1, 1, 1, 1}}
	cluster := []int{0, 1, 2, 3, 4, 5, 6, 7}
	d, err := stats.StratumAgainstRest(response, strata, "b", cluster, 0.95)
	if err != nil || d.Estimate != 0.25-0.875 || d.Interval.Method != stats.MethodStratumRates ||
		d.Interval.Low < -1 || d.Interval.Low >= d.Estimate || d.Interval.High <= d.Estimate {
		t.Errorf("have %+v %v, want limits about -0.625", d, err)
	}
	alone := strata
	alone.Codes = []int{0, 0, 0, 0, 0, 0, 0, 1}
	if d, err := stats.StratumAgainstRest(response, alone, "b", cluster, 0.95); err != nil || d.IntervalReason != stats.TooFew {
		t.Errorf("one task: have %+v %v, want too few", d, err)
	}
	amounts := []float64{3, 1, 4, 1, 5, 9, 2, 6}
	if d, err := stats.StratumAgainstRest(amounts, strata, "b", cluster, 0.95); err != nil || d.Interval.Method != stats.MethodStratumLinear {
		t.Errorf("amounts: have %+v %v, want the linear model", d, err)
	}
	if h := stats.ReportedStrata(response, strata, cluster, 0.95, stats.Resampling{Draws: 200}); h.Test != stats.TestStrataPermuted || !h.Reason.OK() {
		t.Errorf("recall of two strata: have %+v, want a permutation", h)
	}
	if h := stats.ReportedStrata([]float64{0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, strata, cluster, 0.95, stats.Resampling{}); h.Reason != stats.NoVariation {
		t.Errorf("all alike: have %+v, want no variation", h)
	}
}
