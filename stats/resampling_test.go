package stats_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// studyTasks are differences of a made-up study: tasks with three pairs each.
func studyTasks(tasks int) [][]float64 {
	rows := make([][]float64, tasks)
	for t := range rows {
		for r := range 3 {
			rows[t] = append(rows[t], math.Sin(float64(7*t+3*r))+0.1)
		}
	}
	return rows
}

// The same seed gives the same bytes, whoever does the work.
func TestResamplingDoesNotDependOnWorkers(t *testing.T) {
	rows := studyTasks(57)
	want := stats.PairedMean(rows, 0.95, stats.Resampling{Draws: 3000, Seed: 11, Workers: 1})
	for _, workers := range []int{2, 3, 16} {
		got := stats.PairedMean(rows, 0.95, stats.Resampling{Draws: 3000, Seed: 11, Workers: workers})
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers give another result than one", workers)
		}
	}
	other := stats.PairedMean(rows, 0.95, stats.Resampling{Draws: 3000, Seed: 12})
	if other.Interval == want.Interval {
		t.Errorf("another seed gives the same limits %v", want.Interval)
	}
}

// 499 of a Monte Carlo test of 20 units must agree with the exact count.
func TestRandomSignFlipAgreesWithExact(t *testing.T) {
	// Darwin's Zea mays data of the reference set, with six zeros, so that both
	// paths can run: Fisher's p is 0.05267.
	darwin := []float64{6.125, -8.375, 1, 2, 0.75, 2.875, 3.5, 5.125, 1.75, 3.625, 7, 3, 9.375, 7.5, -6}
	exact := stats.SignFlip(darwin, stats.Resampling{})
	if math.Abs(exact.P-0.05267333984375) > 1e-15 {
		t.Fatalf("exact p %g", exact.P)
	}
	// Every difference twice at a weight that leaves the shape: 30 units.
	var many []float64
	for _, d := range darwin {
		many = append(many, d, d/1024)
	}
	random := stats.SignFlip(many, stats.Resampling{Draws: 20000, Seed: 3})
	if random.Exact {
		t.Fatal("30 units were enumerated")
	}
	if sd := math.Sqrt(exact.P * (1 - exact.P) / 20000); math.Abs(random.P-exact.P) > 4*sd+0.002 {
		t.Errorf("random p %g, exact p %g", random.P, exact.P)
	}
}

// A p of a permutation test is never 0.
func TestMonteCarloPIsNeverZero(t *testing.T) {
	far := make([]float64, 40)
	for i := range far {
		far[i] = 100 + float64(i)
	}
	if got := stats.SignFlip(far, stats.Resampling{Draws: 999, Seed: 1}); got.P != 0.001 || got.AtLeast != 0 {
		t.Errorf("p %g with %g hits, want 0.001 with none", got.P, got.AtLeast)
	}
}

func TestMatchPairsCountsWhatHasNoPartner(t *testing.T) {
	first := []stats.Observation{{"t2", "2", 5}, {"t1", "1", 1}, {"t2", "1", 4}, {"t3", "1", 9}}
	second := []stats.Observation{{"t1", "1", 0.5}, {"t2", "1", 1}, {"t2", "2", 1}, {"t4", "1", 2}}
	first = append(first, stats.Observation{"t5", "1", 1}, stats.Observation{"t5", "1", 2})
	second = append(second, stats.Observation{"t5", "1", 1})
	want := stats.Differences{Tasks: []string{"t1", "t2"}, ByTask: [][]float64{{0.5}, {3, 4}}, Pairs: 3, UnmatchedFirst: 1, UnmatchedSecond: 2, Repeated: 2}
	got := stats.MatchPairs(first, second)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestPairedMeanEdges(t *testing.T) {
	r := stats.Resampling{Draws: 200, Seed: 1}
	if got := stats.PairedMean(nil, 0.95, r); got.Reason != stats.NoData || got.IntervalReason != stats.NoData || got.SignFlip.Reason != stats.NoData {
		t.Errorf("no task: %+v", got)
	}
	if got := stats.PairedMean([][]float64{{1, 2}, {}}, 0.95, r); got.Estimate != 1.5 || got.Tasks != 1 || got.IntervalReason != stats.TooFew {
		t.Errorf("one task: %+v", got)
	}
	rows := [][]float64{{1}, {2}, {4}, {7}, {3}}
	alone := stats.PairedMeanByCluster(rows, []string{"a", "b", "c", "d", "e"}, 0.95, r)
	if want := stats.PairedMean(rows, 0.95, r); alone.Interval != want.Interval || alone.SignFlip.P != want.SignFlip.P {
		t.Errorf("clusters of one task: %v, want %v", alone.Interval, want.Interval)
	}
}

func ExamplePairedMean() {
	byTask := [][]float64{{0.2, 0.1}, {0.3}, {-0.1, 0.0, 0.1}, {0.4, 0.2}, {0.25}, {0.1}}
	r := stats.PairedMean(byTask, 0.95, stats.Resampling{Draws: 2000, Seed: 1})
	fmt.Printf("%.4f over %d tasks, p = %.5f\n", r.Estimate, r.Tasks, r.SignFlip.P)
	// Output: 0.1833 over 6 tasks, p = 0.06250
}

// 12 arms of 500 tasks, 10,000 draws each.
func BenchmarkPairedMeanTwelveArms(b *testing.B) {
	rows := studyTasks(500)
	for b.Loop() {
		for range 12 {
			stats.PairedMean(rows, 0.95, stats.Resampling{Seed: 5})
		}
	}
}

// The same for medians over runs.
func BenchmarkMedianTwelveArms(b *testing.B) {
	rows := studyTasks(500)
	for b.Loop() {
		for range 12 {
			stats.NewBootstrap(len(rows), stats.Resampling{Seed: 5}, stats.QuantileOf(rows, 0.5)).Percentile(0.95)
		}
	}
}

// A symmetric sample has no correction, so that the limits are percentiles of
// the replicates; for 4 units they are read at -z with z = sqrt(4/3) t(3) =
// sqrt(4/3) 3.182446 = 3.674772, whose normal tail is 0.0001190.
func TestBCaExpandedReadsFurtherOut(t *testing.T) {
	x := []float64{-2, -1, 1, 2}
	b := stats.NewBootstrap(len(x), stats.Resampling{Seed: 1, Draws: 5000}, stats.MeanOf(x))
	got, plain := b.BCaExpanded(0.95), b.BCa(0.95)
	if math.Abs(got.Z0) > 0.05 || math.Abs(got.Acceleration) > 1e-15 {
		t.Fatalf("z0 %g, acceleration %g", got.Z0, got.Acceleration)
	}
	if want := 0.0001190; math.Abs(got.LowAt/want-1) > 0.4 || math.Abs((1-got.HighAt)/want-1) > 0.4 {
		t.Errorf("read at %g and %g, want about %g and 1 less it", got.LowAt, got.HighAt, want)
	}
	if got.Interval.Low >= plain.Interval.Low || got.Interval.High <= plain.Interval.High {
		t.Errorf("%v within %v", got.Interval, plain.Interval)
	}
	narrow, _ := b.Percentile(0.95)
	if wide, _ := b.PercentileExpanded(0.95); wide.Low >= narrow.Low || wide.High <= narrow.High {
		t.Errorf("%v within %v", wide, narrow)
	}
	// Large samples: the two agree.
	rows := studyTasks(2000)
	many := stats.NewBootstrap(len(rows), stats.Resampling{Seed: 1, Draws: 2000}, stats.MeanOf(stats.TaskMeans(rows)))
	if a, b := many.BCaExpanded(0.95), many.BCa(0.95); math.Abs(a.LowAt/b.LowAt-1) > 0.01 {
		t.Errorf("with 2000 units read at %g, plain %g", a.LowAt, b.LowAt)
	}
}

// 12 arms and 500 tasks in every draw.
func BenchmarkRankTwelveArms(b *testing.B) {
	values := make([][]float64, 12)
	for a := range values {
		for _, row := range studyTasks(500) {
			values[a] = append(values[a], row[0]+float64(a)/100)
		}
	}
	for b.Loop() {
		stats.RankArms(values, nil, stats.Resampling{Seed: 5})
	}
}

// What is no rate has a reason, and no number that looks like one.
func TestRatesRefuseWhatIsNoShare(t *testing.T) {
	for _, c := range []struct{ x, n, level float64 }{{-1, 5, 0.95}, {6, 5, 0.95}, {math.NaN(), 5, 0.95}, {1, math.Inf(1), 0.95}, {1, 5, 1}, {1, 5, 0}} {
		for _, f := range []func(x, n, level float64) (stats.Interval, stats.Reason){stats.Wilson, stats.WilsonCorrected, stats.ClopperPearson, stats.Jeffreys, stats.AgrestiCoull} {
			if i, reason := f(c.x, c.n, c.level); reason != stats.Undefined {
				t.Errorf("%v: %v, reason %q, want %q", c, i, reason, stats.Undefined)
			}
		}
	}
	if _, reason := (stats.TwoRates{X1: 3, N1: 2, X2: 1, N2: 2}).Newcombe(0.95); reason != stats.Undefined {
		t.Errorf("3 of 2: reason %q, want %q", reason, stats.Undefined)
	}
	if got := stats.BootstrapRate([]int{2, 0, 1, 0}, []int{2, 2, 2, 0}, stats.Resampling{Draws: 200, Seed: 1}); got.Units != 3 || got.Estimate != 0.5 {
		t.Errorf("bootstrap rate %+v", got)
	}
}
