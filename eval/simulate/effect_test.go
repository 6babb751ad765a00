package simulate_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
			error := math.Hypot(0.3*math.Sqrt(0.5)*min(mean, 1-mean)/math.Sqrt(99), 0.5/math.Sqrt(9999))
			if math.Abs(have-mean) > 5*error {
				t.Errorf("%s: arm %d: have %.4f, want %.4f (standard error %.4f)", c.metric.Name, arm, have, mean, error)
			}
		}
	}
}

// TestPlantedEffects: the analysis behind table 2 finds the planted interaction
// and main effects, and not the planted nulls, in one study of a fixed seed.
func TestPlantedEffects(t *testing.T) {
	s := simulate.Default()
	s.Tasks = 96
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

// TestWorkers: the same bytes, whatever the number of workers.
func TestWorkers(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	_, err := simulate.Write(context.Background(), one, faulty(), 1, nil)
	check(t, err)
	_, err = simulate.Write(context.Background(), two, faulty(), 3, nil)
	check(t, err)
	a, b := texts(t, one), texts(t, two)
	if len(a) != len(b) {
		t.Errorf("have %d files and %d, want as many", len(a), len(b))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s: have other bytes with three workers", name)
		}
	}
}

func texts(t *testing.T, root string) map[string]string {
	m := map[string]string{}
	check(t, filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		m[strings.TrimPrefix(name, root)] = string(b)
		return err
	}))
	return m
}

// TestCheck: a study that cannot be is refused with what is wrong.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		change func(*simulate.Study)
		want   string
	}{
		{func(s *simulate.Study) { s.Tasks = 0 }, "tasks: have 0"},
		{func(s *simulate.Study) { s.ExperimentID = "a/b" }, "experiment: have"},
		{func(s *simulate.Study) { s.Recall = 0.9 }, "file_recall_at_10: have a mean of"},
		{func(s *simulate.Study) { s.Factors[0].Name = "harness" }, "factor: have the name"},
		{func(s *simulate.Study) { s.Factors[0].Reference = "colbert" }, "and reference"},
		{func(s *simulate.Study) { s.Effects[0].At[0].Value = "colbert" }, "have retriever=colbert"},
		{func(s *simulate.Study) { s.Faults = []simulate.Plant{{Fault: &simulate.FaultAbsent, Count: 1e6}} }, "fault absent: have too few runs"},
		{func(s *simulate.Study) { s.Harnesses = []string{"a", "a"} }, "one level twice"},
	} {
		s := simulate.Default()
		c.change(&s)
		if _, err := simulate.Draw(s, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have %v, want %q", err, c.want)
		}
	}
}

func TestParseEffect(t *testing.T) {
	for _, text := range []string{"file_recall_at_10:retriever=dense,query=rewritten:+0.2", "resolved_at_1:difficulty=hard:-0.25", "input_tokens:model=sim/coder@q8:+0.5"} {
		e, err := simulate.ParseEffect(text)
		if err != nil || e.String() != text {
			t.Errorf("have %v, %v, want %s", e, err, text)
		}
	}
	for _, text := range []string{"", "resolved_at_1", "mrr:a=b:1", "resolved_at_1:a:1", "resolved_at_1:a=b:x"} {
		if e, err := simulate.ParseEffect(text); err == nil {
			t.Errorf("%q: have %v, want an error", text, e)
		}
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
