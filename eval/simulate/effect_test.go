package simulate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/assay-bench/assay/eval/simulate"
	"github.com/assay-bench/assay/schema"
)

// metricOf is what the truth says of a metric.
func metricOf(t *testing.T, truth simulate.Truth, m *schema.Metric) simulate.MetricTruth {
	t.Helper()
	for _, have := range truth.Metrics {
		if have.Metric == m.Name {
			return have
		}
	}
	t.Fatalf("%s: not in the truth", m.Name)
	return simulate.MetricTruth{}
}

func termOf(t *testing.T, m simulate.MetricTruth, factors ...string) simulate.TermTruth {
	t.Helper()
	for _, have := range m.Terms {
		if strings.Join(have.Factors, ":") == strings.Join(factors, ":") {
			return have
		}
	}
	t.Fatalf("%s: have no term %v", m.Metric, factors)
	return simulate.TermTruth{}
}

// TestTruth: the expectations of the default study, worked out by hand from its
// effects. Recall is 0.45, hard tasks (a third) have 0.10 less; bm25 adds 0.10,
// dense 0.15, dense with rewritten 0.20 more. Of six arms a retriever has two.
func TestTruth(t *testing.T) {
	truth, err := simulate.Default().Truth()
	check(t, err)
	recall := metricOf(t, truth, &schema.FileRecallAt10)
	base := 0.45 - 0.10/3
	for _, c := range []struct {
		factors    []string
		place      int
		difference float64
		mean       float64
		null       bool
	}{
		{[]string{"retriever"}, 1, 0.10, base + 0.10, false},
		{[]string{"retriever"}, 2, 0.15 + 0.20/2, base + 0.15 + 0.20/2, false},
		{[]string{"query"}, 1, 0.20 / 3, base + (0.10+0.15+0.20)/3, false},
		{[]string{"packing"}, 1, 0, base + (0.10+0.15+0.10)/3, true},
		{[]string{"retriever", "query"}, 0, 0, base + 0.10, false},
		{[]string{"retriever", "query"}, 1, 0.20, base + 0.35, false},
		{[]string{"retriever", "packing"}, 1, 0, base + 0.25, true},
	} {
		term := termOf(t, recall, c.factors...)
		have := term.Contrasts[c.place]
		if math.Abs(have.Difference-c.difference) > 1e-9 || math.Abs(have.Mean-c.mean) > 1e-9 || term.Null != c.null {
			t.Errorf("%v: have %+v, null %v, want mean %.4f, difference %.4f, null %v", c.factors, have, term.Null, c.mean, c.difference, c.null)
		}
	}
	within := metricOf(t, truth, &schema.GoldWithinBudget)
	// grep, raw: 10 candidates fit with head, 6 with full.
	if head, full := within.Arms[0].Or(-1), within.Arms[1].Or(-1); math.Abs(head-base) > 1e-9 || math.Abs(full-0.6*base) > 1e-9 {
		t.Errorf("gold_within_budget: have %g and %g, want %g and %g", head, full, base, 0.6*base)
	}
}

// TestStrata: hard tasks, a third, have 0.20 less and easy ones 0.15 more of
// resolved_at_1, by hand: 0.35 + (0.05+0.15)/3 and the size.
func TestStrata(t *testing.T) {
	truth, err := simulate.Default().Truth()
	check(t, err)
	arms := 0.35 + (0.05+0.15)/3
	want := map[string][2]float64{
		"easy": {arms + 0.15, 0.15 + 0.20/2}, "medium": {arms, 0.05 / 2}, "hard": {arms - 0.20, -0.20 - 0.15/2},
		"bug_fix": {arms - 0.05/3, 0}, "feature": {arms - 0.05/3, 0}, "refactoring": {arms - 0.05/3, 0},
	}
	strata := metricOf(t, truth, &schema.ResolvedAt1).Strata
	for _, s := range strata {
		if w := want[s.Level]; math.Abs(s.Mean-w[0]) > 1e-9 || math.Abs(s.Difference-w[1]) > 1e-9 {
			t.Errorf("%s: have %+v, want mean %.4f and difference %.4f", s.Level, s, w[0], w[1])
		}
	}
	if len(strata) != len(want) || truth.Baseline != truth.Arms[0] {
		t.Errorf("have %d strata and baseline %q, want %d and the first arm", len(strata), truth.Baseline, len(want))
	}
}

// TestMedians: half of the runs lie below the planted median of an amount, within
// five standard errors of a share, those of repositories on top.
func TestMedians(t *testing.T) {
	s := simulate.Default()
	s.Tasks, s.Repositories, s.RepositoryShare = 9999, 99, 0
	truth, err := s.Truth()
	check(t, err)
	want := metricOf(t, truth, &schema.InputTokens).Arms
	rows, err := simulate.Draw(s, 3)
	check(t, err)
	below := make([]int, len(want))
	for _, r := range rows {
		if r.InputTokens.Or(0) < want[r.Arm].Or(0) {
			below[r.Arm]++
		}
	}
	// Two runs of a task count as one at worst: the error is at most 0.5/sqrt(9999).
	for arm, n := range below {
		if share := float64(n) / float64(s.Tasks*s.Repetitions); math.Abs(share-0.5) > 5*0.5/math.Sqrt(9999) {
			t.Errorf("arm %d: have %.4f below the median, want one half", arm, share)
		}
	}
	// full packing multiplies the median by e^0.4.
	if ratio := want[1].Or(0) / want[0].Or(1); math.Abs(ratio-math.Exp(0.4)) > 1e-9 {
		t.Errorf("have a ratio of %g, want %g", ratio, math.Exp(0.4))
	}
}

// TestExpectation: over many tasks the draws come to what the truth says, within
// five standard errors.
func TestExpectation(t *testing.T) {
	s := simulate.Default()
	s.Tasks, s.Repositories, s.Spread, s.Recall, s.Resolved = 9999, 99, 1, 0.12, 0.25
	s.Effects[3].Size = -0.08
	truth, err := s.Truth()
	check(t, err)
	rows, err := simulate.Draw(s, 7)
	check(t, err)
	for _, c := range []struct {
		metric *schema.Metric
		value  func(simulate.Row) schema.Opt[float64]
	}{
		{&schema.FileRecallAt10, func(r simulate.Row) schema.Opt[float64] { return r.FileRecallAt10 }},
		{&schema.FunctionRecallAt10, func(r simulate.Row) schema.Opt[float64] { return r.FunctionRecallAt10 }},
		{&schema.GoldWithinBudget, func(r simulate.Row) schema.Opt[float64] { return r.GoldWithinBudget }},
		{&schema.ResolvedAt1, func(r simulate.Row) schema.Opt[float64] { return r.ResolvedAt1 }},
	} {
		want := metricOf(t, truth, c.metric).Arms
		sum := make([]float64, len(want))
		for _, r := range rows {
			sum[r.Arm] += c.value(r).Or(math.NaN())
		}
		for arm, total := range sum {
			// 9,999 tasks in 99 repositories of share 0.3: a repository's ease has
			// variance 1/2, so that the mean's error is at most that of a repository's
			// share, 0.3 * sqrt(1/2) * min(m, 1-m) / sqrt(99), and that of 9,999 values of
			// variance 1/4 at most.
			have, mean := total/float64(s.Tasks*s.Repetitions), want[arm].Or(-1)
			se := math.Hypot(0.3*math.Sqrt(0.5)*min(mean, 1-mean)/math.Sqrt(99), 0.5/math.Sqrt(9999))
			if math.Abs(have-mean) > 5*se {
				t.Errorf("%s: arm %d: have %.4f, want %.4f (standard error %.4f)", c.metric.Name, arm, have, mean, se)
			}
		}
	}
}

// TestPlantedEffects: the analysis behind table 2 finds the planted interaction
// and main effects, and not the planted nulls, in one study of a fixed seed.
func TestPlantedEffects(t *testing.T) {
	s := simulate.Default()
	d := derive(t, s)
	recall := metricOf(t, d.truth, &schema.FileRecallAt10)
	rows := d.query(t, `SELECT replace(term, 'factor_', ''), p_holm < 0.05 FROM factorial('SELECT * FROM included',
		'response=file_recall_at_10 factors=factor_retriever,factor_query,factor_packing') WHERE kind = 'term'`)
	for _, row := range rows {
		term, significant, _ := strings.Cut(row, " ")
		if null := termOf(t, recall, strings.Split(term, ":")...).Null; (significant == "true") == null {
			t.Errorf("%s: have p_holm < 0.05 %s, planted null %v", term, significant, null)
		}
	}
	if len(rows) != 6 {
		t.Errorf("have terms %q, want three main effects and three interactions", rows)
	}
}

// BenchmarkDraw is one study of a coverage campaign.
func BenchmarkDraw(b *testing.B) {
	s := simulate.Default()
	for seed := range uint64(b.N) {
		if _, err := simulate.Draw(s, seed); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(s.Runs()), "runs/op")
}

func ExampleDraw() {
	s := simulate.Default()
	rows, err := simulate.Draw(s, s.Seed)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(rows), "runs of", len(s.Arms()), "arms")
	truth, _ := s.Truth()
	fmt.Println(truth.Metrics[0].Metric, "is planted as", truth.Metrics[0].Arms[0].Or(0), "in", truth.Arms[0])
	// Output:
	// 1152 runs of 12 arms
	// resolved_at_1 is planted as 0.333333333333 in sim-agent / sim/coder@q8 / packing=head, query=raw, retriever=grep
}
