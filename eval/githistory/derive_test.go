//go:build unix

package githistory

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/eval/gate"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// TestScoresAreThoseOfDerive reads the run directories back and derives the same figures from their events, with
// the other implementation of each measure.
func TestScoresAreThoseOfDerive(t *testing.T) {
	out := t.TempDir()
	result := evaluate(t, Options{
		Repo: smallRepo(t), Out: out, Functions: true,
		Cross: &Levels{Queries: []QueryForm{Subject, KeywordList}, Budgets: []int{20, 100}, Limits: []int{10}, Packings: []Packing{WholeFile, OutlineOnly}},
		Tools: []ToolSpec{
			{Name: "words", Command: "grep -rlwi {query} . --exclude-dir=.git", Expand: 5},
			{Name: "spellings", Command: `printf '%s\n' ./store//disk.go store/disk.go nowhere.go {repo}/README.md /README.md server/../server/http.go`},
			{Name: "broken", Command: "sh -c 'echo README.md; exit 3'"},
		},
	})
	recorder := &recorder{set: result.Set, arms: result.Arms}
	compared := 0
	for _, file := range runs(t, out) {
		manifest, values := derived(t, file)
		i, a := recorder.find(manifest)
		score := result.Outcomes[i][a].Score
		for _, c := range []struct {
			metric *schema.Metric
			ours   gate.Figure
		}{
			{&schema.FileRecallAt5, score.RecallAt5}, {&schema.FileRecallAt10, score.RecallAt10}, {&schema.HitAt10, score.HitAt10},
			{&schema.MRR, score.ReciprocalRank}, {&schema.GoldWithinBudget, score.InBudget},
		} {
			have, ok := values[schema.ValueIndex(c.metric)].Double()
			if whole, isWhole := values[schema.ValueIndex(c.metric)].Integer(); isWhole {
				have, ok = float64(whole), true
			}
			exact, _ := c.ours.Value()
			want, _ := exact.Float64()
			if !ok || math.Abs(have-want) > 1e-15 {
				why := values[schema.ValueIndex(c.metric)].Why()
				t.Errorf("%s, %s: derive has %v (%v, %v), want %v", result.Arms[a].Name, c.metric.Name, have, ok, why, want)
			}
			compared++
		}
	}
	if want := 2 * len(result.Arms) * 5; compared != want {
		t.Errorf("have %d figures compared, want %d", compared, want)
	}
}

// TestRunsHoldTheTimeOfTheToolAlone: a run took what its calls took, not what its writing did, and what the
// tool spent inside was not seen: missing, not zero.
func TestRunsHoldTheTimeOfTheToolAlone(t *testing.T) {
	out := t.TempDir()
	result := evaluate(t, Options{Repo: smallRepo(t), Out: out, Tools: []ToolSpec{{Name: "slow", Command: "sh -c 'sleep 0.02; echo README.md'"}}})
	recorder := &recorder{set: result.Set, arms: result.Arms}
	for _, file := range runs(t, out) {
		manifest, values := derived(t, file)
		task, arm := recorder.find(manifest)
		want := 0.0
		for _, call := range result.Outcomes[task][arm].Answer.Calls {
			want += float64(call.Elapsed.Microseconds()) / 1e6
		}
		if have, ok := values[schema.ValueIndex(&schema.WallTimeS)].Double(); !ok || math.Abs(have-want) > 1e-9 {
			t.Errorf("%s: have %v s (%v), want the %v s of its calls", result.Arms[arm].Name, have, ok, want)
		}
		for _, m := range []*schema.Metric{&schema.InputTokens, &schema.CostUSD, &schema.ModelCalls, &schema.ToolFailures, &schema.EditFailures, &schema.TestRuns} {
			if why := values[schema.ValueIndex(m)].Why(); why != &schema.MissingNotRecorded {
				t.Errorf("%s: %s: have %v, want it missing as not recorded", result.Arms[arm].Name, m.Name, values[schema.ValueIndex(m)])
			}
		}
	}
}

// find is the task and arm of a manifest.
func (r *recorder) find(m *schema.Manifest) (task, arm int) {
	for i := range r.set.Tasks {
		if schema.PathID(r.set.Tasks[i].ID) == m.TaskID {
			task = i
		}
	}
	for a := range r.arms {
		same := true
		for _, level := range treatment(r.arms[a]) {
			recorded, _ := m.Treatment.Get(level.Name)
			same = same && recorded == level.Value
		}
		if same {
			arm = a
		}
	}
	return task, arm
}

// derived is the metrics of one run directory.
func derived(t *testing.T, file string) (*schema.Manifest, []schema.Value) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(file), schema.DocumentManifest.File))
	if err != nil {
		t.Fatal(err)
	}
	manifest := new(schema.Manifest)
	if err := json.Unmarshal(text, manifest); err != nil {
		t.Fatal(err)
	}
	trajectory, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	run, decoder := derive.New(), schema.NewEventDecoder()
	run.Start(derive.Input{Manifest: manifest, RawPath: record.RunPath(manifest)})
	lines, number := bufio.NewScanner(bytes.NewReader(trajectory)), int64(0)
	for lines.Scan() {
		number++
		event, violations := decoder.Decode(lines.Bytes())
		if len(violations) > 0 {
			t.Fatalf("%s:%d: %v", file, number, violations)
		}
		run.Event(event, schema.Position{Line: number})
	}
	return manifest, run.Finish(derive.Closing{TrajectoryFile: schema.TrajectoryFile}).Run.Values
}
