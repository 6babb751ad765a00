//go:build unix

package githistory

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-bench/assay/schema"
)

// runs are the trajectories below a folder of raw results.
func runs(t *testing.T, out string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(out, "*", "*", "*", "*", schema.TrajectoryFile))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// events decodes a trajectory and fails on any violation of the contract.
func events(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	decoder := schema.NewEventDecoder()
	var types []string
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		event, violations := decoder.Decode(lines.Bytes())
		if len(violations) > 0 {
			t.Fatalf("%s: %v in %s", file, violations, lines.Text())
		}
		types = append(types, event.Type.Name)
	}
	return types
}

func reportJSON(t *testing.T, r Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := NewReport(r, true).WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestRunDirectories(t *testing.T) {
	dir, out := smallRepo(t), t.TempDir()
	opts := Options{
		Repo: dir, RepoName: "thing", Out: out, Functions: true, Builtins: []string{BM25Tool, HybridTool}, CodeRevision: "abc",
		Tools: []ToolSpec{
			{Name: "words", Command: "grep -rlwi {query} . --include=*.go", Expand: 5},
			{Name: "broken tool", Command: "sh -c 'exit 3'"},
		},
	}
	result := evaluate(t, opts)
	all := runs(t, out)
	if len(all) != 2*5 { // two tasks; two outside tools, two built-in ones and the floor
		t.Fatalf("have %d runs, want 10", len(all))
	}
	for _, file := range all {
		types := events(t, file)
		if types[0] != schema.EventRunStarted.Name || types[len(types)-1] != schema.EventRunFinished.Name {
			t.Errorf("%s: have %v, want run_started first and run_finished last", file, types)
		}
		if !strings.Contains(strings.Join(types, " "), schema.EventRetrievalQuery.Name) {
			t.Errorf("%s: have no query, want one though nothing came back", file)
		}
	}
	for _, file := range []string{schema.DocumentPlan.File, schema.DocumentTask.File} {
		if !exists(filepath.Join(result.Experiment, file)) {
			t.Errorf("have no %s, want one", file)
		}
	}

	if _, err := Run(context.Background(), withCache(t, opts), nil); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("again into the same folder: have %v, want a refusal", err)
	}

	// go on after two runs were lost: one is gone, of the other only a cut line is left
	if err := os.RemoveAll(filepath.Dir(all[0])); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(all[3], 100); err != nil {
		t.Fatal(err)
	}
	opts.Resume = true
	again, err := Run(context.Background(), withCache(t, opts), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(reportJSON(t, result), reportJSON(t, again)); diff != "" {
		t.Errorf("the resumed report differs: %s", diff)
	}
	if have := len(runs(t, out)); have != 11 { // the cut one stays, renamed
		t.Errorf("have %d trajectories, want 11", have)
	}

	opts.Tools[0].Command = "grep -rl {query} . --include=*.go"
	_, err = Run(context.Background(), withCache(t, opts), nil)
	if err == nil || !strings.Contains(err.Error(), "words: command: have") {
		t.Errorf("another command: have %v, want it named", err)
	}
}

func withCache(t *testing.T, opts Options) Options {
	opts.CacheDir = t.TempDir()
	opts.Base, opts.Head = "base", "head"
	return opts
}

func TestInterruptLeavesWholeRuns(t *testing.T) {
	dir, out := smallRepo(t), t.TempDir()
	ctx, cancel := context.WithCancelCause(context.Background())
	opts := withCache(t, Options{Repo: dir, Out: out, Timeout: noLimit, Tools: []ToolSpec{
		{Name: "slow", Command: `sh -c 'case "$1" in Accept*) touch ready; sleep 3600;; esac' sh {query}`},
	}})
	_, err := Run(ctx, opts, func(p Progress) {
		if p.Done == 1 {
			go func() {
				waitFor(t, filepath.Join(exportsDir(opts.CacheDir), "*", "*", "ready"))
				cancel(errors.New("interrupted"))
			}()
		}
	})
	if err == nil || err.Error() != "interrupted" {
		t.Fatalf("have %v, want interrupted", err)
	}
	all := runs(t, out)
	if len(all) != 7 { // every tool of the first task, none of the second
		t.Errorf("have %d runs, want 7", len(all))
	}
	for _, file := range all {
		if types := events(t, file); types[len(types)-1] != schema.EventRunFinished.Name {
			t.Errorf("%s: have no end, want whole runs only", file)
		}
	}
}
