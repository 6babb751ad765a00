package ingest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// manifest is a small valid manifest of a task.
func manifest(task string) schema.Manifest {
	return schema.Manifest{ExperimentID: "e1", HarnessID: "h1", TaskID: task, HarnessConfig: `{"tool":"grep"}`, ModelConfig: `{}`}
}

// testID is the id that the test manifest of task t1 gives.
var testID = func() string {
	m, err := record.Complete(manifest("t1"))
	if err != nil {
		panic(err)
	}
	return m.RunID
}()

// makeRun writes a run directory whose trajectory is text, under name.
func makeRun(t testing.TB, name, text string) ingest.RunDir {
	t.Helper()
	root := t.TempDir()
	w, err := record.Create(root, manifest("t1"), record.Options{Durability: record.Buffered})
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if err := os.Remove(filepath.Join(w.Path(), schema.TrajectoryFile)); err != nil {
		t.Fatal(err)
	}
	dir := ingest.RunDir{Root: root, Path: filepath.ToSlash(strings.TrimPrefix(w.Path(), root+string(filepath.Separator)))}
	if name != "" {
		write(t, dir, name, text)
	}
	return dir
}

func write(t testing.TB, dir ingest.RunDir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir.Location(), name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// An event as a test wants to see it after the reader has moved on.
type event struct {
	seq  int64
	typ  string
	time schema.Opt[schema.Time]
	line int64
}

func read(t testing.TB, dir ingest.RunDir, o ingest.Options) (ingest.Run, []event) {
	t.Helper()
	var events []event
	run, err := ingest.NewReader(o).ReadRun(dir, func(e *schema.Event, p schema.Position) {
		events = append(events, event{e.Seq, e.Type.Name, e.TS, p.Line})
	})
	if err != nil {
		t.Fatal(err)
	}
	return run, events
}

// payloads are the required members of each event type's data.
var payloads = map[string]string{
	"run_started":     `"task":{"id":"t1"}`,
	"model_call":      `"call_id":"c1"`,
	"tool_call":       `"call_id":"c2","name":"bash","status":"ok"`,
	"test_run":        `"kind":"test","exit_status":0`,
	"resource_sample": `"scope":"process"`,
	"run_finished":    `"ending":"completed","outcome":"resolved"`,
}

var dataOf = regexp.MustCompile(`"type":"(\w+)",("run_id":"[^"]*",)"data":\{(\}?)`)

// fill replaces, as bytes, the placeholders of a trajectory: the run id, the
// first contract version, for the manifest is of this one, and data that lack the
// members their type needs.
func fill(text string) string {
	text = strings.ReplaceAll(text, `"schema_version":"1.0.0"`, `"schema_version":"`+schema.Version+`"`)
	text = strings.ReplaceAll(text, `"run_id":"r-0001"`, `"run_id":"`+testID+`"`)
	return dataOf.ReplaceAllStringFunc(text, func(s string) string {
		m := dataOf.FindStringSubmatch(s)
		if m[3] == "}" && m[1] == "resource_sample" {
			return s
		}
		comma := ","
		if m[3] == "}" {
			comma = ""
		}
		return `"type":"` + m[1] + `",` + m[2] + `"data":{` + payloads[m[1]] + comma + m[3]
	})
}

// line is one event as text.
func line(seq, typ string) string {
	return fill(`{"schema_version":"` + schema.Version + `","seq":` + seq + `,"ts":"2026-01-02T03:04:06Z","type":"` + typ + `","run_id":"r-0001","data":{}}` + "\n")
}
