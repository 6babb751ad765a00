package stats_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// R's power.t.test(n = 34, delta = 0.5, type = "paired") gives 0.8077775, and
// asks for 33.36713 pairs at a power of 0.8.
func TestPairedTPowerAsInR(t *testing.T) {
	if got := stats.PairedTPower(34, 1, 0.5, 0.05); math.Abs(got-0.8077775) > 5e-8 {
		t.Errorf("power %.8f, want 0.8077775", got)
	}
	plan := stats.MeanPlan{Between: 1}
	if n, reason := plan.RequiredTasksBound(0.5, 1, stats.DefaultPlanning()); n != 34 || !reason.OK() {
		t.Errorf("%d tasks (%s), want 34", n, reason)
	}
	d, _ := plan.DetectableBound(34, 1, stats.DefaultPlanning())
	if got := stats.PairedTPower(34, 1, d, 0.05); math.Abs(got-0.8) > 1e-9 || d > 0.5 {
		t.Errorf("detectable %g with power %g, want 0.8", d, got)
	}
}

// By hand: with six discordant pairs the exact test rejects at 0.05 only where
// all six go one way (p = 2/64); with five it never does.
func TestExactPairedPowerByHand(t *testing.T) {
	for _, c := range []struct {
		tasks                          int
		discordance, difference, power float64
	}{
		{5, 1, 1, 0},
		{6, 1, 1, 1},
		{6, 1, 0, 2.0 / 64},
		{6, 0.5, 0.5, 1.0 / 64},
		{6, 1, 0.5, math.Pow(0.75, 6) + math.Pow(0.25, 6)},
	} {
		got := stats.PairedRatesPlan{Discordance: c.discordance, Difference: c.difference}.Power(c.tasks, 0.05)
		if math.Abs(got-c.power) > 1e-12 {
			t.Errorf("%+v: power %.15g", c, got)
		}
	}
}

// Connor's approximation is known to be some percent below the exact number.
func TestRequiredPairs(t *testing.T) {
	g := stats.DefaultPlanning()
	for _, p := range []stats.PairedRatesPlan{{0.2, 0.1}, {0.3, 0.1}, {0.25, -0.15}, {0.1, 0.05}} {
		n, reason := p.RequiredTasks(g)
		bound, _ := p.RequiredTasksBound(g)
		if !reason.OK() || n < bound || float64(n) > 1.25*float64(bound) {
			t.Errorf("%+v: %d tasks (%s), bound %d", p, n, reason, bound)
		}
		if power := p.Power(n, g.Alpha); power < g.Power || power > g.Power+0.02 {
			t.Errorf("%+v: power %g at %d tasks", p, power, n)
		}
		d, _ := stats.DetectableRateDifference(n, p.Discordance, g)
		if math.Abs(d-math.Abs(p.Difference)) > 0.01 {
			t.Errorf("%+v: detectable %g at %d tasks", p, d, n)
		}
	}
	if _, reason := stats.DetectableRateDifference(5, 0.3, g); reason != stats.TooFew {
		t.Errorf("five tasks: reason %q, want %q", reason, stats.TooFew)
	}
	if _, reason := (stats.PairedRatesPlan{Discordance: 0.2}).RequiredTasks(g); reason != stats.Undefined {
		t.Errorf("no difference: reason %q, want %q", reason, stats.Undefined)
	}
}

// Near-normal differences must give what the noncentral t gives.
func TestSimulatedPowerAgreesWithTheory(t *testing.T) {
	var byTask [][]float64
	for i := range 400 {
		u := (float64(i) + 0.5) / 400
		byTask = append(byTask, []float64{0.3 + 2*math.Sqrt2*math.Erfinv(2*u-1)})
	}
	plan, reason := stats.MeanPlanOf(byTask)
	if !reason.OK() || plan.WithinReason != stats.TooFew || math.Abs(plan.SD(1)-2) > 0.02 {
		t.Fatalf("%+v (%s)", plan, reason)
	}
	g, r := stats.DefaultPlanning(), stats.Resampling{Seed: 4}
	for _, tasks := range []int{10, 40, 150} {
		simulated, _ := plan.Detectable(tasks, g, r)
		theory, _ := plan.DetectableBound(tasks, 1, g)
		if math.Abs(simulated/theory-1) > 0.03 {
			t.Errorf("%d tasks: detectable %g, theory %g", tasks, simulated, theory)
		}
	}
	n, _ := plan.RequiredTasks(0.5, g, r)
	if bound, _ := plan.RequiredTasksBound(0.5, 1, g); math.Abs(float64(n-bound)) > 0.05*float64(bound) {
		t.Errorf("%d tasks, theory %d", n, bound)
	}
	if _, reason := plan.Detectable(5, g, r); reason != stats.TooFew {
		t.Errorf("five tasks: reason %q, want %q", reason, stats.TooFew)
	}
}

// Shrout and Fleiss (1979): ICC(1,1) = .17 of their six subjects by four
// raters (0.16574176840547555 by psych::ICC), raters taken as repetitions; as
// arms, the variance of subjects is (11.2417-1.0194)/4 from their table 3.
func TestVarianceSplitOfShroutAndFleiss(t *testing.T) {
	subjects := [][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}
	var repeated, crossed [][][]float64
	for _, s := range subjects {
		repeated = append(repeated, [][]float64{s})
		var arms [][]float64
		for _, v := range s {
			arms = append(arms, []float64{v})
		}
		crossed = append(crossed, arms)
	}
	one := stats.VarianceSplit(repeated)
	if math.Abs(one.ICC-0.16574176840547555) > 1e-14 || one.ResidualReason != stats.TooFew {
		t.Errorf("%+v", one)
	}
	two := stats.VarianceSplit(crossed)
	if math.Abs(two.Residual-1.0194) > 5e-5 || math.Abs(two.Task-(11.2417-1.0194)/4) > 5e-5 || two.RepetitionReason != stats.TooFew {
		t.Errorf("%+v", two)
	}
	// Twice the same value in every cell adds no repetition variance.
	for _, task := range crossed {
		for a := range task {
			task[a] = append(task[a], task[a][0])
		}
	}
	doubled := stats.VarianceSplit(append(crossed, [][]float64{{1}, nil, {2}, {3}}))
	if doubled.Repetition != 0 || !doubled.RepetitionReason.OK() || math.Abs(doubled.Task-two.Task) > 1e-12 || doubled.Dropped != 1 {
		t.Errorf("%+v", doubled)
	}
	if got := stats.VarianceSplit(nil); got.TaskReason != stats.NoData {
		t.Errorf("no task: %+v", got)
	}
}

func TestLeaveOneClusterOut(t *testing.T) {
	// By hand: task means 1, 3, -2, 2 in clusters a, a, b, c; mean 1.
	rows := [][]float64{{1}, {2, 4}, {-2}, {2}, {}}
	got := stats.LeaveOneClusterOut(rows, []string{"a", "a", "b", "c", "d"})
	want := []stats.Influence{{"a", 2, 0}, {"b", 1, 2}, {"c", 1, 2.0 / 3}}
	if got.Estimate != 1 || len(got.Without) != 3 || got.SameSign || got.Lowest != 0 || got.Highest != 2 {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if g := got.Without[i]; g.Cluster != w.Cluster || g.Tasks != w.Tasks || math.Abs(g.Estimate-w.Estimate) > 1e-15 {
			t.Errorf("%+v, want %+v", g, w)
		}
	}
	if got := stats.LeaveOneClusterOut(rows[:2], []string{"a", "a"}); got.Reason != stats.TooFew {
		t.Errorf("one cluster: reason %q, want %q", got.Reason, stats.TooFew)
	}
}

// Two tasks, so that all four draws are known: arm 0 has 1 and 0, arm 1 has 0
// and 0.5. Arm 0 is ahead in the draws 00, 01 and 10, and behind in 11.
func TestRankArmsByHand(t *testing.T) {
	const draws = 40000
	r := stats.Resampling{Draws: draws, Seed: 9}
	got := stats.RankArms([][]float64{{1, 0}, {0, 0.5}}, nil, r)
	if sd := math.Sqrt(0.75 * 0.25 / draws); math.Abs(got.SameOrder-0.75) > 4*sd || got.SameFirst != got.SameOrder || got.Above[0][1] != got.SameOrder {
		t.Errorf("%+v", got)
	}
	if got.Order[0] != 0 || got.Above[0][1]+got.Above[1][0] != 1 {
		t.Errorf("%+v", got)
	}
	gaps := stats.RankArms([][]float64{{1, 0}, {0, 0.5}}, [][]bool{{true, false}, {true, true}}, r)
	if gaps.Draws+gaps.Undefined != draws || math.Abs(float64(gaps.Undefined)/draws-0.25) > 0.01 {
		t.Errorf("draws without a value of an arm: %+v", gaps)
	}
	alone := stats.RankArmsByCluster([][]float64{{1, 0}, {0, 0.5}}, nil, []string{"b", "a"}, r)
	if math.Abs(alone.SameOrder-got.SameOrder) > 0.01 || alone.Order[0] != 0 {
		t.Errorf("clusters of one task: %+v", alone)
	}
	if got := stats.RankArmsByCluster([][]float64{{1, 0}, {0, 0.5}}, nil, []string{"a", "a"}, r); got.Reason != stats.TooFew {
		t.Errorf("one cluster: %+v", got)
	}
	if got := stats.RankArms([][]float64{{1, 2}}, nil, r); got.Reason != stats.TooFew {
		t.Errorf("one arm: %+v", got)
	}
}

func ExamplePairedRatesPlan_RequiredTasks() {
	plan, _ := stats.PlanOf(stats.PairedCells{Both: 60, FirstOnly: 25, SecondOnly: 10, Neither: 55})
	n, _ := plan.RequiredTasks(stats.DefaultPlanning())
	d, _ := stats.DetectableRateDifference(150, plan.Discordance, stats.DefaultPlanning())
	fmt.Printf("%d tasks for a difference of %.2f; 150 tasks show %.3f\n", n, plan.Difference, d)
	// Output: 193 tasks for a difference of 0.10; 150 tasks show 0.114
}
