package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// manifest is a small valid manifest.
func manifest() schema.Manifest {
	return schema.Manifest{
		ExperimentID: "e1", HarnessID: "h1", TaskID: "t1",
		HarnessConfig: `{"tool":"grep"}`, ModelConfig: `{}`,
		Repetition: schema.Some[int64](1),
	}
}

func started() schema.RunStarted { return schema.RunStarted{Task: schema.Task{ID: "t1"}} }

func finished() schema.RunFinished {
	return schema.RunFinished{Ending: schema.EndingCompleted.Name, Outcome: schema.OutcomeResolved.Name}
}

// noTime is the time of a source without times.
var noTime = schema.None[schema.Time]()

func Example() {
	root, err := os.MkdirTemp("", "raw")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	w, err := record.Create(root, manifest(), record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()
	ts := schema.Some(schema.Time(1767323045678000))
	w.Append(ts, started())
	w.Append(ts, schema.ToolCall{CallID: "c1", Name: "grep", Status: schema.StatusOK.Name})
	w.Finish(ts, finished())
	b, _ := os.ReadFile(filepath.Join(w.Path(), schema.TrajectoryFile))
	fmt.Println(strings.Split(string(b), "\n")[1])
	// Output:
	// {"schema_version":"1.1.0","run_id":"5eb4ac221e3acacf3245dfabd34a35e9","seq":2,"ts":"2026-01-02T03:04:05.678Z","type":"tool_call","data":{"call_id":"c1","name":"grep","status":"ok"}}
}

func create(t *testing.T, root string, o record.Options) *record.Writer {
	t.Helper()
	w, err := record.Create(root, manifest(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func appendAll(t *testing.T, w *record.Writer, list ...schema.Payload) {
	t.Helper()
	for _, p := range list {
		if err := w.Append(noTime, p); err != nil {
			t.Fatal(err)
		}
	}
}

func lines(t *testing.T, dir string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, schema.TrajectoryFile))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
}

func TestSameInputSameBytes(t *testing.T) {
	var runs [][]byte
	for range 2 {
		root := t.TempDir()
		w := create(t, root, record.Options{Durability: record.Buffered})
		appendAll(t, w, started(), schema.FileRead{Path: "a.go"})
		if err := w.WritePatch([]byte("--- a\n")); err != nil {
			t.Fatal(err)
		}
		if _, err := w.WriteContext("seen"); err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(noTime, finished()); err != nil {
			t.Fatal(err)
		}
		var all []byte
		for _, name := range []string{schema.DocumentManifest.File, schema.TrajectoryFile} {
			b, err := os.ReadFile(filepath.Join(w.Path(), name))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, b...)
		}
		runs = append(runs, all)
	}
	if !bytes.Equal(runs[0], runs[1]) {
		t.Errorf("two recordings differ:\n%s\n%s", runs[0], runs[1])
	}
}

func TestArtifactsListEveryFile(t *testing.T) {
	w := create(t, t.TempDir(), record.Options{})
	appendAll(t, w, started())
	if err := w.WritePatch(nil); err != nil {
		t.Fatal(err)
	}
	// A file that the harness puts there itself.
	if err := os.WriteFile(filepath.Join(w.Path(), "harness.log"), []byte("hello"), 0o666); err != nil {
		t.Fatal(err)
	}
	hash, err := w.WriteContext("what the model saw")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Finish(noTime, finished()); err != nil {
		t.Fatal(err)
	}
	list := lines(t, w.Path())
	e, violations := schema.NewEventDecoder().Decode([]byte(list[len(list)-1]))
	if e == nil || len(violations) > 0 {
		t.Fatal(violations)
	}
	// sha256sum of "hello" and of the empty file.
	want := map[string]string{
		"context/" + hash: hash,
		"harness.log":     "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		"patch.diff":      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	}
	for name, sum := range want {
		if have, _ := e.RunFinished.Artifacts.Get(name); have != sum {
			t.Errorf("artifacts[%s] = %q, want %q", name, have, sum)
		}
	}
	if len(e.RunFinished.Artifacts) != len(want)+1 {
		t.Errorf("artifacts %v, want these and the manifest", e.RunFinished.Artifacts)
	}
}

func TestRefusals(t *testing.T) {
	secret := schema.ToolCall{CallID: "c", Name: "curl", Status: schema.StatusOK.Name,
		Arguments: schema.Some(schema.Object(`{"headers":{"Authorization":"Bearer hunter2"}}`))}
	dump := schema.ToolCall{CallID: "c", Name: "sh", Status: schema.StatusOK.Name,
		Arguments: schema.Some(schema.Object(`{"out":"HOME=/home/u\nPATH=/bin\nSHELL=/bin/sh\n"}`))}
	exported := schema.ToolCall{CallID: "c", Name: "sh", Status: schema.StatusOK.Name,
		Arguments: schema.Some(schema.Object(`{"out":"declare -x HOME=\"/home/u\"\nexport PATH=/bin\ndeclare -x SHELL=\"/bin/sh\"\n"}`))}
	own := schema.RetrievalQuery{QueryID: "q", Status: schema.StatusOK.Name, Query: schema.Some("where is s3cr3tvalue used")}
	cases := []struct {
		name string
		p    schema.Payload
		want string
	}{
		{"a second run_started", started(), "want run_started first and once"},
		{"run_finished by hand", finished(), "want it written by Finish"},
		{"a value outside its set", schema.ToolCall{CallID: "c", Name: "n", Status: "fine"}, `/data/status: event_schema: have "fine"`},
		{"a negative duration", schema.ModelCall{CallID: "c", LatencyMS: schema.Some(-1.0)}, "negative_value"},
		{"a candidate without document", schema.RetrievalCandidate{QueryID: "q", Rank: 1}, "want file or doc_id"},
		{"a secret", secret, "looks like a secret"},
		{"an environment dump", dump, "contents of the environment"},
		{"an environment dump of bash", exported, "contents of the environment"},
		{"a value of the environment", own, "contents of the environment"},
	}
	w := create(t, t.TempDir(), record.Options{Environ: []string{"MY_TOKEN=s3cr3tvalue", "LANG=en_US.UTF-8"}})
	if err := w.Append(noTime, schema.FileRead{Path: "a"}); err == nil {
		t.Error("an event before run_started was accepted")
	}
	appendAll(t, w, started())
	for _, c := range cases {
		err := w.Append(noTime, c.p)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want an error with %q", c.name, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "s3cr3tvalue")) {
			t.Errorf("%s: the message shows the secret: %v", c.name, err)
		}
	}
	if n := len(lines(t, w.Path())); n != 1 {
		t.Errorf("%d lines, want only run_started: a refused event leaves no trace", n)
	}
}

func TestEnvironmentIsNoPlaceForVariables(t *testing.T) {
	for environment, refused := range map[string]bool{
		`{"os":"linux","arch":"amd64","cpu":"x","memory_bytes":1}`: false,
		`{"os":"linux","PATH":"/bin"}`:                             true,
		`{"os":"linux","env":{"A":"b"}}`:                           true,
		`{"os":"linux","cpu":{"variables":["A=b"]}}`:               true,
		`{"os":"linux","GITHUB_TOKEN":"x"}`:                        true,
	} {
		m := manifest()
		m.Environment = schema.Some(schema.Object(environment))
		_, err := record.Create(t.TempDir(), m, record.Options{})
		if (err != nil) != refused {
			t.Errorf("manifest with %s: %v, want refused %v", environment, err, refused)
		}
		w := create(t, t.TempDir(), record.Options{})
		s := started()
		s.Environment = m.Environment
		if err := w.Append(noTime, s); (err != nil) != refused {
			t.Errorf("run_started with %s: %v, want refused %v", environment, err, refused)
		}
	}
}

func TestRedactPolicy(t *testing.T) {
	w := create(t, t.TempDir(), record.Options{Secrets: record.RedactSecrets, Environ: []string{"MY_TOKEN=s3cr3tvalue"}})
	appendAll(t, w, started(), schema.ToolCall{CallID: "c", Name: "curl", Status: schema.StatusOK.Name,
		Arguments: schema.Some(schema.Object(`{"api_key":"hunter2","note":"s3cr3tvalue","n":1}`))})
	want := `"arguments":{"api_key":"[secret]","note":"[secret]","n":1}`
	if have := lines(t, w.Path())[1]; !strings.Contains(have, want) {
		t.Errorf("have %s, want %s", have, want)
	}
}

func TestConfigurationSecretsAreReplacedBeforeTheHash(t *testing.T) {
	m := manifest()
	m.ModelConfig = `{"api_key":"hunter2"}`
	m, err := record.Complete(m)
	if err != nil {
		t.Fatal(err)
	}
	// printf '{"api_key":"[secret]"}' | sha256sum
	const want = "b7db99dc89149bd55ccee1075eef9d6d5d44a6ed7e29025bd66d770c38fa9641"
	if m.ModelConfig != `{"api_key":"[secret]"}` || m.ModelConfigSHA256 != want {
		t.Errorf("have %s with %s, want the redacted text and %s", m.ModelConfig, m.ModelConfigSHA256, want)
	}
}

func TestNothingIsOverwritten(t *testing.T) {
	root := t.TempDir()
	w := create(t, root, record.Options{})
	appendAll(t, w, started())
	w.Close()
	if _, err := record.Create(root, manifest(), record.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second run: %v, want that it exists", err)
	}
	before, _ := os.ReadFile(filepath.Join(w.Path(), schema.TrajectoryFile))
	again := create(t, root, record.Options{Retry: true})
	after, err := os.ReadFile(filepath.Join(w.Path()+".unfinished-1", schema.TrajectoryFile))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the unfinished run was not set aside untouched: %v", err)
	}
	appendAll(t, again, started())
	if err := again.Finish(noTime, finished()); err != nil {
		t.Fatal(err)
	}
	if _, err := record.Create(root, manifest(), record.Options{Retry: true}); err == nil {
		t.Error("a finished run was repeated under its id")
	}
	if err := again.Append(noTime, schema.FileRead{Path: "a"}); err == nil {
		t.Error("an event after run_finished was accepted")
	}
	results := schema.TestResults{SchemaVersion: schema.Version, RunID: again.RunID()}
	if err := record.AddTestResults(again.Path(), results, record.Options{}); err != nil {
		t.Errorf("results after the end: %v", err)
	}
	if err := record.AddTestResults(again.Path(), results, record.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("results twice: %v, want that they exist", err)
	}
}

func TestHostileIDsCreateNothing(t *testing.T) {
	for _, id := range []string{"../../escape", "..", ".", "", "/abs", "a/b", `a\b`, "r\x00", "-rf", "r 1", "CON", ".hidden", "r-\u202e1", strings.Repeat("x", 200), "%2e%2e%2fx"} {
		for _, set := range []func(*schema.Manifest){
			func(m *schema.Manifest) { m.ExperimentID = id },
			func(m *schema.Manifest) { m.HarnessID = id },
			func(m *schema.Manifest) { m.TaskID = id },
			func(m *schema.Manifest) { m.RunID = id + "-" },
		} {
			base := t.TempDir()
			m := manifest()
			set(&m)
			if _, err := record.Create(filepath.Join(base, "raw"), m, record.Options{}); err == nil {
				t.Errorf("%q was accepted", id)
			}
			if list, _ := os.ReadDir(base); len(list) > 0 {
				t.Errorf("%q created %v", id, list)
			}
		}
	}
}

// Results and metrics are written before the end, and listed, or added after it.
func TestDocumentsBesideTheEvents(t *testing.T) {
	results := schema.TestResults{Tests: []schema.TestResult{{Name: "TestA", Set: schema.SetFailToPass.Name, Status: schema.TestPassed.Name}}}
	metrics := schema.FinalMetrics{Metrics: schema.Members[schema.Opt[float64]]{{Name: "x_turns", Value: schema.Some(3.0)}}}
	w := create(t, t.TempDir(), record.Options{})
	appendAll(t, w, started())
	if err := errors.Join(w.WriteTestResults(results), w.WriteFinalMetrics(metrics)); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteTestResults(results); !errors.Is(err, fs.ErrExist) {
		t.Errorf("results twice: %v, want that they exist", err)
	}
	if err := w.WriteTestResults(schema.TestResults{Tests: []schema.TestResult{{Name: "A", Set: "all", Status: "passed"}}}); err == nil || !strings.Contains(err.Error(), "/tests/0/set") {
		t.Errorf("a set of no contract: %v, want its place", err)
	}
	if err := w.Finish(noTime, finished()); err != nil {
		t.Fatal(err)
	}
	if err := w.WriteFinalMetrics(metrics); err == nil {
		t.Error("metrics were written after the end without AddFinalMetrics")
	}
	run := readBack(t, w.Path())
	if len(run.Findings) > 0 || run.TestResults == nil || run.FinalMetrics == nil {
		t.Errorf("read back: %v", run.Findings)
	}
	later := create(t, t.TempDir(), record.Options{})
	appendAll(t, later, started())
	if err := later.Finish(noTime, finished()); err != nil {
		t.Fatal(err)
	}
	metrics.SchemaVersion, metrics.RunID = schema.Version, later.RunID()
	if err := record.AddFinalMetrics(later.Path(), metrics, record.Options{}); err != nil {
		t.Error(err)
	}
	if run := readBack(t, later.Path()); len(run.Findings) > 0 || run.FinalMetrics == nil {
		t.Errorf("read back: %v", run.Findings)
	}
}

// A clock fills in what the caller leaves out, and nothing else.
func TestClock(t *testing.T) {
	tick := schema.Time(1767323045000000)
	clock := func() schema.Time { tick += 1e6; return tick }
	w := create(t, t.TempDir(), record.Options{Clock: clock})
	appendAll(t, w, started())
	if err := w.Append(schema.Some(schema.Time(0)), schema.FileRead{Path: "a"}); err != nil {
		t.Fatal(err)
	}
	list := lines(t, w.Path())
	if !strings.Contains(list[0], `"ts":"2026-01-02T03:04:07Z"`) || !strings.Contains(list[1], `"ts":"1970-01-01T00:00:00Z"`) {
		t.Errorf("have %v", list)
	}
	if at, _ := w.Manifest().CreatedAt.Get(); at.String() != "2026-01-02T03:04:06Z" {
		t.Errorf("created_at %v, want the first tick", at)
	}
	if now := record.SystemClock(); now < tick/2 {
		t.Errorf("the system's clock says %v", now)
	}
}

func TestExperimentFiles(t *testing.T) {
	root := t.TempDir()
	plan := schema.Plan{ExperimentID: "e1", Tasks: []string{"t1"},
		Exclusions: []schema.ExclusionRule{{Name: "small", Field: "repo.files", Op: schema.OpLess.Name, Value: "10"}}}
	if err := record.WriteExperiment(root, plan, record.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := record.WriteExperiment(root, plan, record.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second plan: %v, want that it exists", err)
	}
	if err := record.WriteTasks(root, "e1", []schema.Task{{ID: "t1"}, {ID: "t2"}}, record.Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, "e1", schema.DocumentTask.File))
	if want := "{\"id\":\"t1\"}\n{\"id\":\"t2\"}\n"; err != nil || string(b) != want {
		t.Errorf("tasks.jsonl: have %q, %v, want %q", b, err, want)
	}
}

func BenchmarkRun(b *testing.B) {
	batch := record.NewBatch(b.TempDir(), record.Options{Durability: record.Buffered})
	n := 0
	for b.Loop() {
		n++
		m := manifest()
		m.Repetition = schema.Some(int64(n))
		w, err := batch.Create(m)
		if err != nil {
			b.Fatal(err)
		}
		w.Append(noTime, started())
		for range 30 {
			w.Append(noTime, schema.RetrievalCandidate{QueryID: "q1", Rank: 1, File: schema.Some("internal/a/b.go"), Score: schema.Some(0.25)})
		}
		if err := w.Finish(noTime, finished()); err != nil {
			b.Fatal(err)
		}
	}
}
