package record_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

func stream(t *testing.T, text string) (record.Summary, error) {
	t.Helper()
	return record.Stream(context.Background(), strings.NewReader(text),
		record.StreamOptions{Root: t.TempDir(), Manifest: manifest(), Name: "stdin"})
}

const (
	startLine  = `{"type":"run_started","data":{"task":{"id":"t1"}}}` + "\n"
	finishLine = `{"type":"run_finished","ts":"2026-01-02T12:04:05+09:00","data":{"ending":"completed","outcome":"resolved","x_more":1}}` + "\n"
)

func TestStream(t *testing.T) {
	s, err := stream(t, "\ufeff"+startLine+"\r\n"+`{"ts":null, "data": {"path": "a.go"}, "type": "file_read", "x_note": "n", "seq": 2}`+"\n"+finishLine)
	if err != nil || !s.Finished || s.Events != 3 {
		t.Fatalf("have %+v, %v, want three events and the end", s, err)
	}
	list := lines(t, s.Path)
	if want := `"seq":2,"ts":null,"type":"file_read","data":{"path":"a.go"},"x_note":"n"}`; !strings.HasSuffix(list[1], want) {
		t.Errorf("have %s, want the end %s", list[1], want)
	}
	if want := `"ts":"2026-01-02T03:04:05Z"`; !strings.Contains(list[2], want) || !strings.Contains(list[2], `"artifacts":{"run_manifest.json"`) {
		t.Errorf("have %s, want %s and the artifacts", list[2], want)
	}
	run := readBack(t, s.Path)
	if run.ExcludedBy() != nil || len(run.Findings) > 0 {
		t.Errorf("read back: %v", run.Findings)
	}
}

func readBack(t *testing.T, path string) *ingest.Run {
	t.Helper()
	run, err := ingest.NewReader(ingest.Options{}).ReadRun(ingest.RunDir{Root: path, Path: "."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &run
}

func TestStreamWithoutEnd(t *testing.T) {
	s, err := stream(t, startLine)
	if err != nil || s.Finished || s.Events != 1 {
		t.Fatalf("have %+v, %v, want one event and no end", s, err)
	}
	if code := readBack(t, s.Path).ExcludedBy(); code != &schema.RunUnfinished {
		t.Errorf("read back: excluded by %v, want run_unfinished", code)
	}
}

func TestStreamRefusals(t *testing.T) {
	cases := []struct{ name, line, want string }{
		{"no JSON", `{"type":`, "stdin:2: byte"},
		{"two objects", `{"type":"file_read","data":{"path":"a"}}{}`, "something after the object"},
		{"a duplicate key", `{"type":"file_read","data":{"path":"a","path":"b"}}`, "duplicate"},
		{"an unknown type", `{"type":"file_write","data":{}}`, `type: have "file_write"`},
		{"an unknown key", `{"type":"file_read","data":{"path":"a"},"user":1}`, `have the key "user"`},
		{"an unknown key in data", `{"type":"file_read","data":{"path":"a","content":"x"}}`, "unknown_key"},
		{"another seq", `{"type":"file_read","data":{"path":"a"},"seq":7}`, "seq: have 7, want 2 or none"},
		{"another run", `{"type":"file_read","data":{"path":"a"},"run_id":"x"}`, "run_id: have"},
		{"a bad time", `{"type":"file_read","data":{"path":"a"},"ts":"yesterday"}`, "ts: have"},
		{"data that is no object", `{"type":"file_read","data":[]}`, "want an object"},
		{"no data", `{"type":"file_read"}`, "want both"},
		{"a secret", `{"type":"file_read","data":{"path":"a"},"x_token":"hunter2"}`, "looks like a secret"},
		{"its own artifacts", `{"type":"run_finished","data":{"ending":"completed","outcome":"resolved","artifacts":{}}}`, "data.artifacts: have a list"},
		{"no list", `[]`, "stdin:2: byte"},
	}
	for _, c := range cases {
		s, err := stream(t, startLine+c.line+"\n"+finishLine)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "stdin:2: ") {
			t.Errorf("%s: have %v, want an error at stdin:2 with %q", c.name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the message shows the secret", c.name)
		}
		if s.Events != 1 || s.Finished || len(lines(t, s.Path)) != 1 {
			t.Errorf("%s: have %+v, want the one event before it", c.name, s)
		}
	}
}

func TestParseManifest(t *testing.T) {
	m, err := record.ParseManifest("m.json", []byte(`{"experiment_id":"e1","harness_id":"h1","task_id":"t1","harness_config":{"tool":"grep"},"repetition":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if m, err = record.Complete(m); err != nil || m.RunID != "5eb4ac221e3acacf3245dfabd34a35e9" {
		t.Errorf("have %s, %v, want the id of the same manifest in Go", m.RunID, err)
	}
	if _, err := record.ParseManifest("m.json", []byte("{\n\"experiment_id\":\"a b\"}")); err == nil || !strings.HasPrefix(err.Error(), "m.json:2:17: /experiment_id") {
		t.Errorf("have %v, want the place m.json:2:17", err)
	}
}

func FuzzStream(f *testing.F) {
	f.Add(startLine + finishLine)
	f.Add(startLine + `{"type":"file_read","data":{"path":"\u00e4"},"x_a":[1.0e3]}` + "\n")
	root := f.TempDir()
	n := int64(0)
	f.Fuzz(func(t *testing.T, text string) {
		n++
		m := manifest()
		m.Repetition = schema.Some(n)
		s, _ := record.Stream(context.Background(), strings.NewReader(text),
			record.StreamOptions{Options: record.Options{Durability: record.Buffered}, Root: root, Manifest: m})
		run, err := ingest.NewReader(ingest.Options{}).ReadRun(ingest.RunDir{Root: s.Path, Path: "."}, nil)
		if err != nil {
			t.Fatal(err)
		}
		// Whatever came in, what was written is a valid prefix of a run.
		for _, found := range run.Findings {
			switch found.Code {
			case &schema.RunUnfinished, &schema.TrajectoryEmpty:
			default:
				t.Errorf("%q left %s: have %s, want %s", text, found.Code.Name, found.Have, found.Want)
			}
		}
	})
}
