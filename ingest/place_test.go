package ingest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// What is judged beyond its line, or against another file, stands at its column too.
func TestColumnOfEveryPointer(t *testing.T) {
	hello := sha256Hex("hello")
	cases := []struct{ name, text, pointer, at string }{
		{"seq", start() + ev(3, "file_read", `"path":"a"`) + finish(4), "/seq", "3,"},
		{"run_id", start() + strings.ReplaceAll(ev(2, "file_read", `"path":"a"`), testID, strings.Repeat("0", 32)) + finish(3), "/run_id", `"000`},
		{"schema_version", start() + strings.ReplaceAll(ev(2, "file_read", `"path":"a"`), `"schema_version":"1`, `"schema_version" : "2`) + finish(3), "/schema_version", `"2.`},
		{"type", start() + strings.ReplaceAll(start(), `"seq":1`, `"seq":2`) + finish(3), "/type", `"run_started"`},
		{"artifacts", start() + ev(2, "run_finished", `"ending":"completed","outcome":"resolved","artifacts":{"a/b.txt":"`+hello+`"}`), "/data/artifacts/a~1b.txt", `"` + hello},
	}
	for _, c := range cases {
		run, _ := read(t, makeRun(t, schema.TrajectoryFile, c.text), ingest.Options{})
		line := strings.Split(c.text, "\n")[1]
		want := strings.Index(line, c.at) + 1
		if len(run.Findings) != 1 || run.Findings[0].Line != 2 || run.Findings[0].Pointer != c.pointer || run.Findings[0].Column != int64(want) {
			t.Errorf("%s: have %+v, want %s at 2:%d", c.name, run.Findings, c.pointer, want)
		}
	}
}

func TestPlaceInManifest(t *testing.T) {
	dir := makeRun(t, schema.TrajectoryFile, start()+finish(2))
	text, err := os.ReadFile(filepath.Join(dir.Location(), schema.DocumentManifest.File))
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(text), `"`+testID)
	write(t, dir, schema.DocumentManifest.File, strings.Replace(string(text), testID, strings.Repeat("0", 32), 1))
	run, _ := read(t, dir, ingest.Options{})
	line, column := int64(strings.Count(before, "\n")+1), int64(len(before)-strings.LastIndex(before, "\n"))
	if f := run.Findings[0]; f.Code != &schema.RunIDMismatch || f.Line != line || f.Column != column || line < 2 {
		t.Errorf("have %+v, want run_id_mismatch at %d:%d", f, line, column)
	}
}

// Each row of events of another version is one finding.
func TestOtherVersionTwice(t *testing.T) {
	other := func(seq int) string {
		return strings.ReplaceAll(ev(seq, "file_read", `"path":"a"`), `"schema_version":"1`, `"schema_version":"2`)
	}
	run, _ := read(t, makeRun(t, schema.TrajectoryFile, start()+other(2)+other(3)+ev(4, "file_read", `"path":"a"`)+other(5)+finish(6)), ingest.Options{})
	if have, want := codes(run), "event_version_unsupported@2 event_version_unsupported@5"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// A file that was judged with its directory is not reported again where
// run_finished lists it, and what is there is not called absent.
func TestListedFileThatIsNoFile(t *testing.T) {
	listed := func(name string) string {
		return start() + ev(2, "run_finished", `"ending":"completed","outcome":"resolved","artifacts":{"`+name+`":"`+sha256Hex("x")+`"}`)
	}
	for _, c := range []struct {
		name, file, want string
		make             func(ingest.RunDir)
	}{
		{"a link", "patch.diff", "link_not_followed artifact_missing@2 have a link", func(d ingest.RunDir) { link(t, d, "trajectory.jsonl", "patch.diff") }},
		{"a directory", "patch.diff", "unreadable", func(d ingest.RunDir) { mkdir(t, d, "patch.diff") }},
		{"a directory of another name", "out", "unreadable", func(d ingest.RunDir) { mkdir(t, d, "out") }},
		{"a file below a file", "out/a", "artifact_missing@2 have no such file", func(d ingest.RunDir) { write(t, d, "out", "x") }},
	} {
		dir := makeRun(t, schema.TrajectoryFile, listed(c.file))
		c.make(dir)
		run, _ := read(t, dir, ingest.Options{})
		have := codes(run)
		if last := run.Findings[len(run.Findings)-1]; last.Code == &schema.ArtifactMissing {
			have += " have " + last.Have
		}
		if have != c.want {
			t.Errorf("%s: have %s, want %s", c.name, have, c.want)
		}
	}
}

// A plan of a newer minor version is read, and so are the tasks beside it.
func TestPlanOfNewerMinorVersion(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "e1/experiment.json", "e1/tasks.jsonl")
	for name, text := range map[string]string{
		"experiment.json": `{"schema_version":"1.99.0","experiment_id":"e1","later":1}`,
		"tasks.jsonl":     `{"id":"t1","later":1}` + "\n" + `{"id":"t2","language":1}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(root, "e1", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	e, err := ingest.ReadExperiment(ingest.ExperimentDir{Root: root, Path: "e1", HasPlan: true, HasTasks: true})
	if err != nil || e.Plan == nil || len(e.Tasks) != 1 {
		t.Fatalf("have %+v, %v, want the plan and one task", e, err)
	}
	want := "newer_minor_version@1 unknown_key(info)@1 unknown_key(info)@1 plan_unreadable@2"
	if have := codes(ingest.Run{Findings: e.Findings}); have != want {
		t.Errorf("have %s, want %s", have, want)
	}
}

// A key may hold a secret as a value may, whatever stands before it in the pointer.
func TestSecretInPointer(t *testing.T) {
	for _, key := range []string{"token=hunter2hunter2", "https://u:hunter2@host/", "sk-" + strings.Repeat("a1", 12) + "hunter2"} {
		run, _ := read(t, makeRun(t, schema.TrajectoryFile, start()+ev(2, "file_read", `"path":"a","`+key+`":1`)+finish(3)), ingest.Options{})
		for _, f := range run.Findings {
			if strings.Contains(f.Pointer+f.Have, "hunter2") {
				t.Errorf("%s: have %s at %s", key, f.Have, f.Pointer)
			}
		}
		if run.ExcludedBy() != &schema.UnknownKey {
			t.Errorf("%s: excluded by %v, want unknown_key", key, run.ExcludedBy())
		}
	}
}

// A document beyond the bound, and a plan that is no file to read, cost what they would
// with any other fault.
func TestDocumentsThatCannotBeRead(t *testing.T) {
	large := `{"x_a":"` + strings.Repeat("x", ingest.MaxLineBytes) + `"}`
	dir := makeRun(t, schema.TrajectoryFile, start()+finish(2))
	write(t, dir, schema.DocumentTestResults.File, large)
	run, _ := read(t, dir, ingest.Options{})
	if f := run.Findings[0]; f.Code != &schema.Unreadable || f.Have != "more than 64 MiB" || f.Want != "at most 64 MiB" {
		t.Errorf("have %+v, want unreadable", f)
	}
	root := t.TempDir()
	touch(t, root, "e1/tasks.jsonl")
	if err := os.WriteFile(filepath.Join(root, "e1", schema.DocumentPlan.File), []byte(large), 0o666); err != nil {
		t.Fatal(err)
	}
	e, err := ingest.ReadExperiment(ingest.ExperimentDir{Root: root, Path: "e1", HasPlan: true, HasTasks: true})
	if err != nil || codes(ingest.Run{Findings: e.Findings}) != "plan_unreadable" || e.Findings[0].Severity != schema.SeverityWarning {
		t.Errorf("have %v, %v, want plan_unreadable, a warning", e.Findings, err)
	}
}
