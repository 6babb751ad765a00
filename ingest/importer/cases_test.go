package importer_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest/importer"
	"github.com/assay-bench/assay/schema"
)

// TestCase69: cached tokens are a part of the prompt.
func TestCase69CachedTokensAreASubset(t *testing.T) {
	dir := outside(t, "ASSAY_CASES", "cases", "069-cached-tokens-are-a-subset")
	want := readJSON[struct {
		Expect struct {
			Each struct {
				Input      int64  `json:"input_tokens"`
				Cached     int64  `json:"cached_input_tokens"`
				Output     int64  `json:"output_tokens"`
				Convention string `json:"convention"`
			} `json:"each"`
		} `json:"expect"`
	}](t, filepath.Join(dir, "expected.json")).Expect.Each
	_, runs, _ := importAll(t, &importer.ATIF, importer.Options{}, filepath.Join(dir, "input", "atif.json"))
	u := runs[0].calls()[0].Usage
	if u.InputTokens != schema.Some(want.Input) || u.CachedInputTokens != schema.Some(want.Cached) ||
		u.OutputTokens != schema.Some(want.Output) || u.Convention != schema.Some(want.Convention) {
		t.Errorf("have %+v, want %+v", u, want)
	}
}

// TestCase74: totals against steps.
func TestCase74TotalsAgainstSteps(t *testing.T) {
	dir := outside(t, "ASSAY_CASES", "cases", "074-totals-against-steps")
	want := readJSON[struct {
		Expect struct {
			File struct {
				Input    int64 `json:"input_tokens"`
				Declared int64 `json:"input_tokens_declared"`
				Recon    struct {
					Steps struct{ Declared, Found int } `json:"total_steps"`
				} `json:"reconciliation"`
			} `json:"atif.json"`
			Twice struct {
				Contains []string `json:"error_contains_all"`
			} `json:"dup-step.json"`
		} `json:"expect"`
	}](t, filepath.Join(dir, "expected.json")).Expect
	r, runs, _ := importAll(t, &importer.ATIF, importer.Options{}, filepath.Join(dir, "input", "atif.json"))
	if u := runs[0].calls()[0].Usage; u.InputTokens != schema.Some(want.File.Input) {
		t.Errorf("events: have %v, want %d", u.InputTokens, want.File.Input)
	}
	if have := runs[0].finished().Totals.InputTokens; have != schema.Some(want.File.Declared) {
		t.Errorf("totals: have %v, want %d", have, want.File.Declared)
	}
	if c := check(r, "total_steps"); c.Declared != "5" || c.Found != "2" || c.OK ||
		want.File.Recon.Steps.Declared != 5 || want.File.Recon.Steps.Found != 2 {
		t.Errorf("reconciliation: have %+v, want declared 5, found 2", c)
	}
	if !r.Clean() {
		t.Error("a total that differs makes the exit status 3, want 0")
	}

	parent := t.TempDir()
	_, err := importer.Run(context.Background(), &importer.ATIF, []string{filepath.Join(dir, "input", "dup-step.json")},
		filepath.Join(parent, "raw"), importer.Options{}, nil)
	var contradiction *importer.ContradictionError
	if !errors.As(err, &contradiction) {
		t.Fatalf("dup-step: have %v, want a contradiction", err)
	}
	for _, text := range want.Twice.Contains {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("%v: want it to hold %q", err, text)
		}
	}
	if list, _ := os.ReadDir(parent); len(list) > 0 {
		t.Errorf("dup-step: written %v, want nothing", list)
	}
}

func check(r importer.Reconciliation, name string) importer.Check {
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	return importer.Check{}
}

// TestCase126: foreign ids become path segments, and reach nothing outside.
func TestCase126ForeignIDsAsPaths(t *testing.T) {
	dir := outside(t, "ASSAY_CASES", "cases", "126-run-id-as-path")
	for _, id := range readJSON[[]string](t, filepath.Join(dir, "input", "ids.json")) {
		base := t.TempDir()
		canary := filepath.Join(base, "canary")
		writeFile(t, canary, []byte("untouched"))
		job := filepath.Join(base, "in", "job")
		writeFile(t, filepath.Join(job, "config.json"), marshal(t, map[string]any{"job_name": id, "n_attempts": 1,
			"datasets": []any{map[string]any{"name": "d", "task_names": []string{id}}}, "agents": []any{}}))
		writeFile(t, filepath.Join(job, "trial", "result.json"), marshal(t, map[string]any{
			"id": id, "trial_name": id, "task_name": id, "agent_info": map[string]any{"name": id, "model_info": map[string]any{"name": id}}}))
		out := filepath.Join(base, "out", "raw")
		if _, err := importer.Run(context.Background(), &importer.Harbor, []string{filepath.Join(base, "in")}, out, importer.Options{}, nil); err != nil {
			t.Errorf("%q: %v", id, err)
			continue
		}
		runs := readRuns(t, out)
		if len(runs) != 1 || !schema.ValidID(runs[0].manifest.TaskID) || !schema.ValidID(runs[0].manifest.HarnessID) || !schema.ValidID(runs[0].manifest.ExperimentID) {
			t.Errorf("%q: have %+v, want one run with ids that are path segments", id, runs)
		}
		if list, _ := os.ReadDir(base); len(list) != 3 {
			t.Errorf("%q: created %v outside", id, list)
		}
		if list, _ := os.ReadDir(filepath.Dir(out)); len(list) != 1 {
			t.Errorf("%q: left %v beside the runs", id, list)
		}
		if b, err := os.ReadFile(canary); err != nil || string(b) != "untouched" {
			t.Errorf("%q: canary: %q, %v", id, b, err)
		}
	}
}

// TestCase128: secrets of the kinds of the case are in no file that is written,
// nor in the text that is printed.
func TestCase128SecretsAreNotWritten(t *testing.T) {
	dir := outside(t, "ASSAY_CASES", "cases", "128-secrets-reach-the-tables")
	b, err := os.ReadFile(filepath.Join(dir, "input", "trajectory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var steps []any
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		_, data, _ := strings.Cut(line, `"data":`)
		var arguments map[string]any
		if err := jsonUnmarshal(strings.TrimSuffix(data, "}"), &arguments); err != nil {
			t.Fatal(err)
		}
		// Once as the format says, once as the text of JSON, which is in use too.
		steps = append(steps, map[string]any{"step_id": 2*i + 1, "source": "agent", "message": line,
			"tool_calls": []any{map[string]any{"tool_call_id": "a", "function_name": "f", "arguments": arguments},
				map[string]any{"tool_call_id": "b", "function_name": "f", "arguments": strings.TrimSuffix(data, "}")}},
			"observation": map[string]any{"results": []any{map[string]any{"source_call_id": "a", "content": line}}}})
	}
	in := filepath.Join(t.TempDir(), "in")
	writeFile(t, filepath.Join(in, "t.json"), marshal(t, map[string]any{"schema_version": "ATIF-v1.4",
		"agent": map[string]any{"name": "a", "extra": map[string]any{"api_key": "FAKE-SECRET-0005"}}, "steps": steps}))
	r, runs, out := importAll(t, &importer.ATIF, importer.Options{}, in)
	if n := len(runs[0].tools()); n != 10 {
		t.Errorf("%d tool calls, want 10: a secret costs no event", n)
	}
	if r.Count("secrets replaced in arguments of tool calls") == 0 {
		t.Error("the reconciliation counts no secret")
	}
	var text strings.Builder
	if err := r.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(out, "printed"), []byte(text.String()))
	err = filepath.Walk(out, func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		if strings.Contains(string(b), "FAKE-SECRET") {
			t.Errorf("%s holds a secret", p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
