package simulate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-bench/assay/eval/simulate"
	"github.com/assay-bench/assay/internal/dataset"
)

// small is the default study on few tasks.
func small() simulate.Study {
	s := simulate.Default()
	s.Tasks, s.Repositories = 8, 3
	return s
}

// TestDrawIsTheDataset: the rows that Draw gives are those that the pipeline
// computes from the raw events, value by value.
func TestDrawIsTheDataset(t *testing.T) {
	s := faulty()
	s.Factors[0].Levels[0].Silent = true
	d := derive(t, s)
	rows, err := simulate.Draw(s, s.Seed)
	check(t, err)
	arms := s.Arms()
	var want []string
	for _, r := range rows {
		want = append(want, fmt.Sprintf("%s task-%04d sim-org/repo-%02d %d %s %s %.9f %.9f %.9f %.0f %.0f %.0f %.3f", arms[r.Arm].Name, r.Task+1, r.Repository+1,
			r.Repetition, r.Scenario, r.Difficulty, r.FileRecallAt10.Or(-1), r.FunctionRecallAt10.Or(-1), r.GoldWithinBudget.Or(-1),
			r.ResolvedAt1.Or(-1), r.InputTokens.Or(-1), r.OutputTokens.Or(-1), r.WallTimeS.Or(-1)))
	}
	slices.Sort(want)
	have := d.query(t, `SELECT printf('%s %s %s %d %s %s %.9f %.9f %.9f %.0f %.0f %.0f %.3f', arm, task_id, repo_name, repetition, scenario, difficulty,
		coalesce(file_recall_at_10, -1), coalesce(function_recall_at_10, -1), coalesce(gold_within_budget, -1),
		coalesce(resolved_at_1, -1)::DOUBLE, coalesce(input_tokens, -1)::DOUBLE, coalesce(output_tokens, -1)::DOUBLE, coalesce(wall_time_s, -1)) FROM included`)
	slices.Sort(have)
	if len(have) != len(want) {
		t.Errorf("have %d included runs, want %d", len(have), len(want))
	}
	for i := range min(len(have), len(want)) {
		if have[i] != want[i] {
			t.Fatalf("run %d:\nhave %s\nwant %s", i, have[i], want[i])
		}
	}
}

// TestBalanced: a study without faults has no finding, and every planned run.
func TestBalanced(t *testing.T) {
	s := small()
	d := derive(t, s)
	n := int64(s.Runs())
	if want := (dataset.Counts{Directories: n, Runs: n, Planned: n, Included: n}); d.summary.Counts != want {
		t.Errorf("have %+v, want %+v", d.summary.Counts, want)
	}
	for _, f := range d.summary.Findings {
		t.Errorf("have %d of %s, want no finding", f.Count, f.Code.Name)
	}
}
