package stats_test

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
)

func ones(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

// TestStudentizedMean: zero lies outside the interval of level 1-p and inside a wider
// one; many values have the limits of t; draws do not depend on workers.
func TestStudentizedMean(t *testing.T) {
	skewed := []float64{0.2, 0.4, 0.5, 0.9, 1.1, 1.4, 2.2, -0.3, -0.8, 3.9, 0.1, 0.6}
	s := stats.StudentizedMean(skewed, ones(12), 0.95, stats.Resampling{Seed: 3})
	if !s.IntervalReason.OK() || math.Abs(s.Estimate-0.85) > 1e-12 || math.Abs(s.Interval.Low+s.Interval.High-1.7) > 1e-12 {
		t.Fatalf("have %+v, want limits alike about 0.85", s)
	}
	for level, outside := range map[float64]bool{1 - s.P - 1e-3: true, 1 - s.P + 1e-3: false} {
		i := stats.StudentizedMean(skewed, ones(12), level, stats.Resampling{Seed: 3}).Interval
		if have := i.Low > 0 || i.High < 0; have != outside {
			t.Errorf("p = %v, level %v: have [%v, %v]", s.P, level, i.Low, i.High)
		}
	}
	for _, workers := range []int{1, 7} {
		if w := stats.StudentizedMean(skewed, ones(12), 0.95, stats.Resampling{Seed: 3, Workers: workers}); w != s {
			t.Errorf("%d workers: have %+v, want %+v", workers, w, s)
		}
	}
	var even []float64
	for i := range 400 {
		even = append(even, float64(i))
	}
	// By hand: t of 399 at 97.5% is 1.96593, the standard error sqrt(400 * 401 / 12) / 20 = 5.78072.
	if e := stats.StudentizedMean(even, ones(400), 0.95, stats.Resampling{Seed: 1}); math.Abs(e.Interval.High-e.Estimate-11.3645) > 0.3 {
		t.Errorf("400 even values: have %+v, want about 199.5 +- 11.3645", e)
	}
}

// TestStudentizedMeanRefuses what no standard error can be had of.
func TestStudentizedMeanRefuses(t *testing.T) {
	for _, c := range []struct {
		name               string
		sums               []float64
		reason, noInterval stats.Reason
	}{
		{"nothing", nil, stats.NoData, stats.NoData},
		{"one task", []float64{2}, stats.TooFew, stats.TooFew},
		{"all alike", []float64{0.1, 0.1, 0.1}, stats.NoVariation, stats.NoVariation},
		// One task of eight differs: a third of the draws leave it out and have no error.
		{"one task differs", []float64{0, 0, 0, 0, 0, 0, 0, 1}, "", stats.TooFew},
	} {
		s := stats.StudentizedMean(c.sums, ones(len(c.sums)), 0.95, stats.Resampling{Draws: 1000})
		if s.Reason != c.reason || s.IntervalReason != c.noInterval || s.P <= 0 {
			t.Errorf("%s: have %+v, want reasons %q and %q", c.name, s, c.reason, c.noInterval)
		}
	}
}

// A repository of two tasks counts as two tasks, drawn together: its mean is that
// over tasks.
func TestStudentizedMeanOfClusters(t *testing.T) {
	s := stats.StudentizedMean([]float64{3, 1, -1, 2}, []float64{2, 1, 1, 1}, 0.95, stats.Resampling{Draws: 500})
	if s.Estimate != 1 {
		t.Errorf("have %v, want (3 + 1 - 1 + 2)/5", s.Estimate)
	}
}

// TestWilsonOfFewTasks: summed over the binomial, Wilson's 95% limits cover a rate
// between 5% and 95% at worst 83% to 90% of the time with 3 to 11 runs, and at least
// 91% with 12 and more; that is why fewer have Clopper-Pearson's (ReportedRate).
func TestWilsonOfFewTasks(t *testing.T) {
	for n := 3; n <= 60; n++ {
		worst := 1.0
		for p := 0.05; p < 0.9501; p += 0.005 {
			worst = math.Min(worst, covered(t, n, p))
		}
		if n < 12 && (worst < 0.83 || worst > 0.903) || n >= 12 && worst < 0.91-5e-4 {
			t.Errorf("%d runs: have a lowest coverage of %.4f", n, worst)
		}
	}
	// 1 - 2(1 + 8)/2^8: eight runs at one half miss with 0, 1, 7 or 8 successes.
	if have := covered(t, 8, 0.5); math.Abs(have-0.9296875) > 1e-12 {
		t.Errorf("eight runs at one half: have %v, want 0.9296875", have)
	}
}

func covered(t *testing.T, n int, p float64) float64 {
	t.Helper()
	sum, mass := 0.0, math.Pow(1-p, float64(n))
	for x := 0; x <= n; x++ {
		i, why := stats.Wilson(float64(x), float64(n), 0.95)
		if !why.OK() {
			t.Fatal(why)
		}
		if i.Low <= p && p <= i.High {
			sum += mass
		}
		mass *= float64(n-x) / float64(x+1) * p / (1 - p)
	}
	return sum
}
