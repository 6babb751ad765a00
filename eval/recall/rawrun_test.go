package recall

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/assay-bench/assay/schema"
)

// readRun decodes one run directory by the contract, and refuses any violation.
func readRun(t *testing.T, dir string) (schema.Manifest, []*schema.Event, schema.TestResults) {
	t.Helper()
	file := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	manifest, faults := schema.NewDocumentDecoder[schema.Manifest](&schema.DocumentManifest).Decode(file(schema.DocumentManifest.File))
	if len(faults) > 0 {
		t.Fatalf("%s: %v", dir, faults)
	}
	results, faults := schema.NewDocumentDecoder[schema.TestResults](&schema.DocumentTestResults).Decode(file(schema.DocumentTestResults.File))
	if len(faults) > 0 {
		t.Fatalf("%s: %v", dir, faults)
	}
	var events []*schema.Event
	for line := range bytes.Lines(file(schema.TrajectoryFile)) {
		event, faults := schema.NewEventDecoder().Decode(bytes.TrimSpace(line))
		if len(faults) > 0 {
			t.Fatalf("%s: %v", dir, faults)
		}
		events = append(events, event)
	}
	return *manifest, events, *results
}

func TestRunDirectories(t *testing.T) {
	opts := toolOptions(t)
	opts.Jobs = 3
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	opts.Raw = &Raw{
		Root: t.TempDir(), ExperimentID: "recall-1", CodeRevision: "r1",
		Clock: func() schema.Time { return schema.TimeOf(at) },
	}
	if _, err := Run(context.Background(), opts, nil); err != nil {
		t.Fatal(err)
	}
	hanging, raw := opts, *opts.Raw
	raw.ExperimentID = "recall-2"
	hanging.Raw, hanging.Questions, hanging.Target.Timeout = &raw, load(t, `[{"id":3,"q":"please hang","kw":["a"]}]`), short
	if _, err := Run(context.Background(), hanging, nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ experiment, task, ending, status, results, score string }{
		{"recall-1", "1", "completed", "ok", "2", "0.8"},
		{"recall-1", "2", "completed", "ok", "0", "0"},
		{"recall-2", "3", "timeout", "timeout", "0", "null"},
		{"recall-1", "4", "error", "error", "0", "null"},
		{"recall-1", "5", "error", "error", "0", "null"},
		{"recall-1", "6", "completed", "ok", "2", "0.3333333333333333"},
		{"recall-1", "7", "completed", "ok", "2", "1"},
	} {
		t.Run(c.task, func(t *testing.T) {
			dirs, err := filepath.Glob(filepath.Join(opts.Raw.Root, c.experiment, "tool", c.task, "*"))
			if err != nil || len(dirs) != 1 {
				t.Fatalf("have %d run directories, %v, want 1", len(dirs), err)
			}
			manifest, events, results := readRun(t, dirs[0])
			if manifest.RunID != filepath.Base(dirs[0]) || manifest.TaskID != c.task || manifest.HarnessID != "tool" || manifest.ModelKey.Has() {
				t.Errorf("have %+v", manifest)
			}
			query, finished := events[1].RetrievalQuery, events[len(events)-1].RunFinished
			if query == nil || finished == nil {
				t.Fatalf("have %+v and %+v, want a query second and run_finished last", events[1], events[len(events)-1])
			}
			score := "null"
			if value, ok := results.Scores[0].Value.Get(); ok {
				score = fmt.Sprint(value)
			}
			have := fmt.Sprint(finished.Ending, " ", query.Status, " ", query.Results, " ", score)
			if want := strings.Join([]string{c.ending, c.status, c.results, c.score}, " "); have != want {
				t.Errorf("have %s, want %s", have, want)
			}
			if finished.Outcome != schema.OutcomeNotApplicable.Name || len(events) != 3+int(query.Results) {
				t.Errorf("have outcome %s and %d events, want not_applicable and a candidate a result", finished.Outcome, len(events))
			}
			if _, listed := finished.Artifacts.Get(schema.DocumentTestResults.File); !listed {
				t.Errorf("artifacts: have %v, want test_results.json among them", finished.Artifacts)
			}
			if query.Results == 2 {
				first := events[2].RetrievalCandidate
				if first.DocID.Or("") != "e1" || first.Rank != 1 {
					t.Errorf("first candidate: have %+v, want doc_id e1 at rank 1", first)
				}
			}
		})
	}
	if _, err := Run(context.Background(), opts, nil); err == nil {
		t.Error("the same experiment again: have no error, want a refusal")
	}
}

func TestInterruptedRunLeavesWholeRuns(t *testing.T) {
	opts := toolOptions(t)
	opts.Raw = &Raw{Root: t.TempDir(), ExperimentID: "recall-1"}
	ctx, cancel := context.WithCancel(context.Background())
	asked := 0
	if _, err := Run(ctx, opts, func(Outcome) {
		if asked++; asked == 2 {
			cancel()
		}
	}); err == nil {
		t.Fatal("have no error, want one")
	}
	dirs, err := filepath.Glob(filepath.Join(opts.Raw.Root, "recall-1", "tool", "*", "*"))
	if err != nil || len(dirs) != 2 {
		t.Errorf("have %d run directories, %v, want 2", len(dirs), err)
	}
	for _, dir := range dirs {
		readRun(t, dir)
	}
}

// A run that was interrupted at any question, and whose journal was cut in a line, is resumed to the same results.json
// and the same run directories as one that was not.
func TestResume(t *testing.T) {
	whole := toolOptions(t)
	whole.Raw = &Raw{Root: t.TempDir(), ExperimentID: "recall-1", CodeRevision: "r1"}
	file := func(opts Options, progress func(Outcome)) string {
		t.Helper()
		result, err := Run(context.Background(), opts, progress)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := WriteResults(&out, result.Results()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := file(whole, nil)
	if _, err := os.Stat(whole.Raw.journal()); !os.IsNotExist(err) {
		t.Errorf("journal of a finished run: have %v, want none", err)
	}

	opts := toolOptions(t)
	opts.Raw = &Raw{Root: t.TempDir(), ExperimentID: "recall-1", CodeRevision: "r1"}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Run(ctx, opts, func(o Outcome) {
		if o.Question.ID == Number(4) {
			cancel()
		}
	}); err == nil {
		t.Fatal("have no error, want one")
	}
	journal, err := os.OpenFile(opts.Raw.journal(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	journal.WriteString(`{"id":5,"q":"non`)
	journal.Close()
	runs := func() []string {
		dirs, err := filepath.Glob(filepath.Join(opts.Raw.Root, "recall-1", "tool", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return dirs
	}
	if have := len(runs()); have != 3 {
		t.Fatalf("interrupted: have %d run directories, want 3", have)
	}
	// One of them was not finished: its trajectory lacks the last line.
	trajectory := filepath.Join(runs()[1], schema.TrajectoryFile)
	data, err := os.ReadFile(trajectory)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(trajectory, data[:bytes.LastIndexByte(data[:len(data)-1], '\n')+1], 0o644); err != nil {
		t.Fatal(err)
	}

	opts.Raw.Resume = true
	other := opts
	other.Limit = 3
	if _, err := Run(context.Background(), other, nil); err == nil || !strings.Contains(err.Error(), "other limit: 5 before, 3 now") {
		t.Errorf("another limit: have %v, want a refusal naming it", err)
	}
	if have := file(opts, nil); have != want {
		t.Errorf("resumed: have\n%s\nwant\n%s", have, want)
	}
	superseded := 0
	for _, dir := range runs() {
		if strings.Contains(dir, schema.UnfinishedSuffix) {
			superseded++
			continue
		}
		readRun(t, dir)
	}
	if have := len(runs()); superseded != 1 || have != 7 {
		t.Errorf("have %d run directories, %d superseded, want 7 and 1", have, superseded)
	}
	if _, err := Run(context.Background(), opts, nil); err == nil {
		t.Error("resumed once more: have no error, want one: it is finished")
	}
}

func TestNothingIsWrittenForACommandThatCannotStart(t *testing.T) {
	opts := toolOptions(t)
	opts.Target.Command = "'" + filepath.Join(t.TempDir(), "absent") + "' {q}"
	opts.Raw = &Raw{Root: filepath.Join(t.TempDir(), "raw"), ExperimentID: "recall-1"}
	if _, err := Run(context.Background(), opts, nil); err == nil {
		t.Fatal("have no error, want one")
	}
	if _, err := os.Stat(opts.Raw.Root); !os.IsNotExist(err) {
		t.Errorf("have %v, want no folder", err)
	}
}

func TestIDsThatAreNoPathSegments(t *testing.T) {
	opts := toolOptions(t)
	opts.Questions = load(t, `[{"id":"a/b ü","q":"datom","kw":["datom"]}]`)
	opts.Raw = &Raw{Root: t.TempDir(), ExperimentID: "recall-1"}
	if _, err := Run(context.Background(), opts, nil); err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob(filepath.Join(opts.Raw.Root, "recall-1", "tool", "a-b-*", "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatalf("have %d run directories, %v, want 1", len(dirs), err)
	}
	manifest, _, _ := readRun(t, dirs[0])
	if manifest.Source == nil || manifest.Source.Task.Or("") != "a/b ü" {
		t.Errorf("source: have %+v, want the original id", manifest.Source)
	}
}
