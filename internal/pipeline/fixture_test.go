package pipeline_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/schema"
)

// A fixture is one run directory to write. Its zero value is a small, whole run.
type fixture struct {
	experiment, harness, task, model string
	repetition                       int64
	treatment                        schema.Members[schema.Scalar]
	created                          string
	ending, outcome, stage           string
	// queries is the number of queries with three candidates each.
	queries int
	// edit changes the files just before they are written.
	edit func(files map[string]string)
	// dir is the directory's path below the root; empty: as the contract asks.
	dir string
}

// write makes the directory below root and returns the run's id and path.
func (f fixture) write(t testing.TB, root string) (id, path string) {
	t.Helper()
	f.defaults()
	m := f.manifest(t)
	files := map[string]string{
		schema.DocumentManifest.File: string(marshal(t, m)),
		schema.TrajectoryFile:        f.trajectory(m.RunID),
	}
	if f.edit != nil {
		f.edit(files)
	}
	path = f.dir
	if path == "" {
		path = strings.Join([]string{f.experiment, f.harness, f.task, m.RunID}, "/")
	}
	dir := filepath.Join(root, filepath.FromSlash(path))
	check(t, os.MkdirAll(dir, 0o755))
	for name, text := range files {
		check(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return m.RunID, path
}

func (f *fixture) defaults() {
	for _, d := range []struct {
		field *string
		value string
	}{{&f.experiment, "exp"}, {&f.harness, "grep"}, {&f.task, "t1"}, {&f.created, "2026-01-02T03:04:05Z"},
		{&f.ending, "completed"}, {&f.outcome, "resolved"}} {
		if *d.field == "" {
			*d.field = d.value
		}
	}
}

func (f *fixture) manifest(t testing.TB) *schema.Manifest {
	empty, err := schema.CanonicalSHA256([]byte("{}"))
	check(t, err)
	created, err := schema.ParseTime(f.created)
	check(t, err)
	m := &schema.Manifest{
		SchemaVersion: schema.Version, ExperimentID: f.experiment, TaskID: f.task, HarnessID: f.harness,
		HarnessConfig: "{}", ModelConfig: "{}", HarnessConfigSHA256: empty, ModelConfigSHA256: empty,
		Treatment: f.treatment, CreatedAt: schema.Some(created),
	}
	if f.model != "" {
		m.ModelKey = schema.Some(f.model)
	}
	if f.repetition != 0 {
		m.Repetition = schema.Some(f.repetition)
	}
	// Runs that differ in treatment or time alone have another revision, so another id.
	var text strings.Builder
	for _, level := range f.treatment {
		text.WriteString(level.Name + string(level.Value))
	}
	m.CodeRevision = schema.Some("r" + f.created + text.String())
	m.RunID, err = m.Identity().RunID()
	check(t, err)
	return m
}

func (f *fixture) trajectory(id string) string {
	var b strings.Builder
	seq := 0
	event := func(typ, data string) {
		seq++
		fmt.Fprintf(&b, `{"schema_version":"`+schema.Version+`","run_id":"%s","seq":%d,"ts":"2026-01-02T03:04:%02d.5Z","type":"%s","data":%s}`+"\n", id, seq, seq%60, typ, data)
	}
	event("run_started", fmt.Sprintf(`{"task":{"id":"%s","language":"go","gold":{"files":[{"path":"a/b.go"},{"path":"c.go","grade":2}]}}}`, f.task))
	for q := range f.queries {
		event("retrieval_query", fmt.Sprintf(`{"query_id":"q%d","results":3,"status":"ok","query":"where is it","latency_ms":12.5}`, q))
		for rank := range 3 {
			event("retrieval_candidate", fmt.Sprintf(`{"query_id":"q%d","rank":%d,"file":"%s","score":%g,"tokens":10}`, q, rank+1, []string{"x.go", "c.go", "a/b.go"}[(rank+q)%3], 1/float64(rank+1)))
		}
	}
	event("model_call", `{"call_id":"c1","usage":{"input_tokens":100,"output_tokens":7},"cost_usd":0.0125,"latency_ms":250}`)
	event("file_read", `{"path":"c.go","tokens":40}`)
	event("edit", `{"target_paths":["c.go"],"applied":true}`)
	stage := ""
	if f.stage != "" {
		stage = fmt.Sprintf(`,"failure_stage":"%s"`, f.stage)
	}
	event("run_finished", fmt.Sprintf(`{"ending":"%s","outcome":"%s"%s,"totals":{"agent_wall_ms":4000}}`, f.ending, f.outcome, stage))
	return b.String()
}

func marshal[T any](t testing.TB, v T) []byte {
	b, err := json.Marshal(v)
	check(t, err)
	return b
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
