package importer_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/ingest/importer"
	"github.com/assay-bench/assay/schema"
)

// outside returns a folder of an outside set, or skips the test.
func outside(t *testing.T, variable, name, sub string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", name)
	}
	dir = filepath.Join(dir, filepath.FromSlash(sub))
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not there; set %s to the folder of the %s", sub, variable, name)
	}
	return dir
}

// root is the folder of go.mod.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// importAll imports paths into a new folder and reads the runs back.
func importAll(t *testing.T, imp *importer.Importer, o importer.Options, paths ...string) (importer.Reconciliation, []*imported, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "raw")
	r, err := importer.Run(context.Background(), imp, paths, out, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r, readRuns(t, out), out
}

// readJSON reads a file of an outside set.
func readJSON[T any](t *testing.T, name string) T {
	t.Helper()
	var v T
	b, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// armCounts are what a set says of one arm.
type armCounts struct {
	Runs, Resolved, NotEvaluated, Exceptions, Tokens, Cancelled int
	Calls, CallsWithUsage, Input, Output, Cost                  int64
	StageInvented                                               bool
}

func countArms(runs []*imported) map[string]armCounts {
	arms := map[string]armCounts{}
	for _, r := range runs {
		key := r.manifest.ModelKey.Or("")
		a, f := arms[key], r.finished()
		a.Runs++
		a.Resolved += one(f.Outcome == schema.OutcomeResolved.Name)
		a.NotEvaluated += one(f.Outcome == schema.OutcomeNotEvaluated.Name)
		a.Cancelled += one(f.Ending == schema.EndingCancelled.Name)
		a.Exceptions += one(f.ErrorType.Has())
		a.StageInvented = a.StageInvented || f.FailureStage.Has()
		if u := f.Totals; u != nil {
			a.Tokens += one(u.InputTokens.Has())
			a.Input += u.InputTokens.Or(0)
			a.Output += u.OutputTokens.Or(0)
			a.Cost += int64(u.CostUSD.Or(0))
		}
		for _, c := range r.calls() {
			a.Calls++
			a.CallsWithUsage += int64(one(c.Usage != nil))
		}
		arms[key] = a
	}
	return arms
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestTwoModelsOnAllTasks: one trial each of 89 tasks with two models, 45 trials
// with an exception, one without a reward, totals only in 76 trajectories, 8 of
// them all zero. The figures are the set's own.
func TestTwoModelsOnAllTasks(t *testing.T) {
	dir := outside(t, "ASSAY_CORPUS", "corpus", "harbor/predev-terminal-bench-2")
	type arm struct {
		Trials          int            `json:"trials"`
		Reward1         int            `json:"reward_1"`
		RewardMissing   int            `json:"reward_missing"`
		Exceptions      map[string]int `json:"exceptions"`
		Models          []string       `json:"models_in_trajectories"`
		Observed        int            `json:"tokens_and_cost_observed"`
		Zeros           int            `json:"all_zero_read_as_missing"`
		Without         int            `json:"without_trajectory"`
		AgentSteps      int64          `json:"agent_steps"`
		StepsWithTokens int64          `json:"agent_steps_with_metrics"`
		Input           int64          `json:"input_tokens_sum"`
		Output          int64          `json:"sum_total_completion_tokens"`
		Cost            json.Number    `json:"cost_usd_sum"`
	}
	want := readJSON[struct {
		Recomputed map[string]arm             `json:"recomputed"`
		Ours       map[string]json.RawMessage `json:"by_our_rules"`
	}](t, filepath.Join(dir, "EXPECTED.json"))
	r, runs, _ := importAll(t, &importer.Harbor, importer.Options{}, dir)
	arms := countArms(runs)
	if len(runs) != 178 || len(arms) != 2 {
		t.Fatalf("%d runs of %d models, want 178 of 2", len(runs), len(arms))
	}
	exceptions, zeros, without := 0, 0, 0
	for name, w := range want.Recomputed {
		if err := json.Unmarshal(want.Ours[name], &w); err != nil {
			t.Fatal(err)
		}
		cost, err := schema.ParseUSD(string(w.Cost))
		if err != nil {
			t.Fatal(err)
		}
		raised := w.Trials - w.Exceptions["None"]
		exceptions, zeros, without = exceptions+raised, zeros+w.Zeros, without+w.Without
		model := w.Models[0]
		if have, want := arms[model], (armCounts{Runs: w.Trials, Resolved: w.Reward1, NotEvaluated: w.RewardMissing, Exceptions: raised,
			Tokens: w.Observed, Calls: w.AgentSteps, CallsWithUsage: w.StepsWithTokens, Input: w.Input, Output: w.Output, Cost: int64(cost)}); have != want {
			t.Errorf("%s:\nhave %+v\nwant %+v", model, have, want)
		}
	}
	if exceptions != 45 {
		t.Errorf("the set has %d exceptions, want the 45 it is known for", exceptions)
	}
	if have := r.Count("zeros_read_as_missing"); have != zeros {
		t.Errorf("%d runs with zeros read as missing, want %d", have, zeros)
	}
	if have := r.Count("trials without a trajectory"); have != without {
		t.Errorf("%d trials without a trajectory, want %d", have, without)
	}
	for _, c := range r.Checks {
		if !c.OK {
			t.Errorf("check %+v", c)
		}
	}
	if !r.Clean() {
		t.Error(r.LeftOut)
	}
}

// TestJobsThatWereAborted: ten jobs while an adapter was being debugged; some
// trials were cancelled, some planned ones never began.
func TestJobsThatWereAborted(t *testing.T) {
	dir := outside(t, "ASSAY_CORPUS", "corpus", "harbor/pydantic-deepagents-tb2")
	type arm struct {
		Resolved [2]int `json:"resolved_at_1"`
		Excluded int    `json:"excluded"`
		Absent   int    `json:"absent"`
	}
	want := readJSON[struct {
		Ours struct {
			All struct {
				Runs     int `json:"runs"`
				Excluded int `json:"excluded_infrastructure"`
				Absent   int `json:"absent"`
			} `json:"all"`
			Arms map[string]arm `json:"arms"`
		} `json:"by_our_rules"`
	}](t, filepath.Join(dir, "EXPECTED.json")).Ours
	r, runs, out := importAll(t, &importer.Harbor, importer.Options{}, dir)
	planned := map[string]int{}
	for _, e := range r.Experiments {
		p := readJSON[struct {
			Arms []struct {
				ModelKey string `json:"model_key"`
			} `json:"arms"`
			Tasks       []string `json:"tasks"`
			Repetitions int      `json:"repetitions"`
		}](t, filepath.Join(out, e.ID, schema.DocumentPlan.File))
		for _, a := range p.Arms {
			planned[a.ModelKey] += len(p.Tasks) * p.Repetitions
		}
	}
	excluded, absent := 0, 0
	for model, have := range countArms(runs) {
		w := want.Arms[model]
		if have.Resolved != w.Resolved[0] || have.Runs-have.Cancelled != w.Resolved[1] || have.Cancelled != w.Excluded ||
			have.NotEvaluated != w.Excluded || planned[model]-have.Runs != w.Absent || have.StageInvented || have.Tokens != 0 {
			t.Errorf("%s: have %+v of %d planned, want %+v and no tokens", model, have, planned[model], w)
		}
		excluded, absent = excluded+have.Cancelled, absent+planned[model]-have.Runs
	}
	if len(runs) != want.All.Runs || excluded != want.All.Excluded || absent != want.All.Absent {
		t.Errorf("%d runs, %d cancelled, %d absent, want %+v", len(runs), excluded, absent, want.All)
	}
	for _, c := range r.Checks {
		if !c.OK {
			t.Errorf("check %+v", c)
		}
	}
}

// TestGoldenTrajectories: three agents' files; one of the four continues another.
func TestGoldenTrajectories(t *testing.T) {
	dir := outside(t, "ASSAY_CORPUS", "corpus", "atif/harbor-golden-trajectories")
	type file struct {
		AgentSteps int   `json:"agent_steps"`
		ToolCalls  int   `json:"tool_calls"`
		Prompt     int64 `json:"sum_prompt_tokens"`
		Completion int64 `json:"sum_completion_tokens"`
		Final      struct {
			Prompt int64       `json:"total_prompt_tokens"`
			Cost   json.Number `json:"total_cost_usd"`
		} `json:"final_metrics"`
		Continued string `json:"continued_trajectory_ref"`
	}
	files := readJSON[map[string]file](t, filepath.Join(dir, "EXPECTED.json"))
	_, runs, _ := importAll(t, &importer.ATIF, importer.Options{}, dir)
	if len(runs) != 3 {
		t.Fatalf("%d runs, want 3: a continuation is none", len(runs))
	}
	for _, r := range runs {
		name := r.manifest.Source.Path.Or("")
		want := files[name]
		last := want
		copied := 0
		if want.Continued != "" {
			// The continuation holds one agent step that it says is copied.
			last = files["terminus_2_hello-world-context-summarization-linear-history.trajectory.cont-1.json"]
			want.AgentSteps += last.AgentSteps
			want.Prompt, want.Completion = want.Prompt+last.Prompt, want.Completion+last.Completion
			copied = 1
		}
		var prompt, completion int64
		for _, c := range r.calls() {
			prompt += c.Usage.InputTokens.Or(0)
			completion += c.Usage.OutputTokens.Or(0)
		}
		if len(r.calls()) != want.AgentSteps-copied || len(r.tools()) != want.ToolCalls || prompt != want.Prompt || completion != want.Completion {
			t.Errorf("%s: %d calls, %d tool calls, %d and %d tokens, want %+v", name, len(r.calls()), len(r.tools()), prompt, completion, want)
		}
		// The last file declares the sum up to its end, its lost sub-agents' included.
		cost, err := schema.ParseUSD(string(last.Final.Cost))
		if f := r.finished(); err != nil || f.Totals.InputTokens != schema.Some(last.Final.Prompt) || f.Totals.CostUSD != schema.Some(cost) {
			t.Errorf("%s: totals %+v, want %+v", name, f.Totals, last.Final)
		}
	}
}
