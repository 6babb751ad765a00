package importer_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest/importer"
	"github.com/assay-bench/assay/schema"
)

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func jsonUnmarshal(s string, v any) error { return json.Unmarshal([]byte(s), v) }

// oneStep is a small trajectory with one call of n tokens.
func oneStep(n int) string {
	return fmt.Sprintf(`{"schema_version":"ATIF-v1.2","agent":{"name":"a","model_name":"m"},
"steps":[{"step_id":1,"source":"agent","metrics":{"prompt_tokens":%d,"completion_tokens":1}}]}`, n)
}

func trialText(id, task, start string, reward int) []byte {
	return fmt.Appendf(nil, `{"id":%q,"trial_name":%q,"task_name":%q,"agent_info":{"name":"a"},"started_at":%q,"verifier_result":{"rewards":{"reward":%d}}}`,
		id, id, task, start, reward)
}

func Example() {
	dir, err := os.MkdirTemp("", "import")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	in := filepath.Join(dir, "fix-the-build.json")
	if err := os.WriteFile(in, []byte(oneStep(7)), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	r, err := importer.Run(context.Background(), &importer.ATIF, []string{in}, filepath.Join(dir, "raw"), importer.Options{Experiment: "pilot"}, nil)
	fmt.Println(r.RunsImported, r.Clean(), err)
	fmt.Println(r.Experiments[0].ID)
	// Output:
	// 1 true <nil>
	// pilot
}

func TestListIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, imp := range importer.Importers {
		if seen[imp.Name] || imp.Name == "" || imp.Version == "" || imp.Doc == "" || len(imp.Cannot) == 0 {
			t.Errorf("%q: want a name of its own, a version, a doc and what it cannot supply", imp.Name)
		}
		seen[imp.Name] = true
		if have, ok := importer.ByName(imp.Name); !ok || have != imp {
			t.Errorf("%s is not found by its name", imp.Name)
		}
	}
}

// tree is every file under a folder with its bytes.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		files[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestSameInputSameBytes(t *testing.T) {
	var trees []map[string]string
	for range 2 {
		in := filepath.Join(t.TempDir(), "in")
		writeFile(t, filepath.Join(in, "job", "t1", "result.json"), trialText("1", "x", "2026-01-02T10:00:00Z", 1))
		writeFile(t, filepath.Join(in, "job", "t2", "result.json"), trialText("2", "x", "2026-01-02T09:00:00Z", 0))
		_, _, out := importAll(t, &importer.Harbor, importer.Options{}, in)
		trees = append(trees, tree(t, out))
	}
	if a, b := fmt.Sprint(trees[0]), fmt.Sprint(trees[1]); a != b {
		t.Errorf("two imports differ:\n%s\n%s", a, b)
	}
}

func TestCompressedAndPlainAreOneRun(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	var b bytes.Buffer
	// Two members, as concatenated gzip files have.
	for _, half := range []string{oneStep(7)[:40], oneStep(7)[40:]} {
		z := gzip.NewWriter(&b)
		z.Write([]byte(half))
		z.Close()
	}
	writeFile(t, filepath.Join(in, "t.json"), []byte(oneStep(7)))
	writeFile(t, filepath.Join(in, ".hidden", "t.json.gz"), b.Bytes())
	r, runs, _ := importAll(t, &importer.ATIF, importer.Options{}, in)
	if len(runs) != 1 || r.Count("identical repeats, kept once") != 1 {
		t.Errorf("%d runs, %d repeats, want one run and one repeat", len(runs), r.Count("identical repeats, kept once"))
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	base := t.TempDir()
	in := filepath.Join(base, "in")
	writeFile(t, filepath.Join(base, "outside.json"), []byte(oneStep(9)))
	writeFile(t, filepath.Join(in, "t.json"), []byte(oneStep(7)))
	if err := os.Symlink(filepath.Join(base, "outside.json"), filepath.Join(in, "link.json")); err != nil {
		t.Skip("no symbolic links here")
	}
	r, runs, _ := importAll(t, &importer.ATIF, importer.Options{}, in)
	if len(runs) != 1 || r.Clean() {
		t.Errorf("%d runs, clean %t, want one, and the link listed", len(runs), r.Clean())
	}
	// A path that is given is meant, be it a link.
	given := filepath.Join(base, "given")
	if err := os.Symlink(in, given); err != nil {
		t.Fatal(err)
	}
	r, runs, _ = importAll(t, &importer.ATIF, importer.Options{}, given)
	if len(runs) != 1 || runs[0].manifest.ExperimentID != "given" || fmt.Sprint(r.Paths) != "[given]" {
		t.Errorf("%d runs, paths %v, want the run of the folder that the link leads to, under the link's name", len(runs), r.Paths)
	}
}

// TestAddingToAnExperiment: runs that come later take the next numbers; where the
// source's order would number those that are there anew, nothing is written.
func TestAddingToAnExperiment(t *testing.T) {
	base := t.TempDir()
	out := filepath.Join(base, "raw")
	in := func(name, start string) string {
		dir := filepath.Join(base, name)
		writeFile(t, filepath.Join(dir, "job", name, "result.json"), trialText(name, "x", start, 1))
		return dir
	}
	run := func(path string) error {
		_, err := importer.Run(context.Background(), &importer.Harbor, []string{path}, out, importer.Options{}, nil)
		return err
	}
	first := in("first", "2026-01-02T10:00:00Z")
	if err := run(first); err != nil {
		t.Fatal(err)
	}
	if err := run(in("later", "2026-01-02T11:00:00Z")); err != nil {
		t.Fatal(err)
	}
	for _, r := range readRuns(t, out) {
		want := map[string]int64{"first": 1, "later": 2}[r.manifest.Source.Trial.Or("")]
		if have := r.manifest.Repetition.Or(0); have != want {
			t.Errorf("%s: repetition %d, want %d", r.manifest.Source.Trial.Or(""), have, want)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "reconciliation-2.json")); err != nil {
		t.Error(err)
	}
	before := tree(t, base)
	cases := []struct{ path, want string }{
		{in("earlier", "2026-01-02T09:00:00Z"), "import all of an experiment at once"},
		{first, "have all 1 runs already"},
	}
	for _, c := range cases {
		if err := run(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %q", filepath.Base(c.path), err, c.want)
		}
	}
	after := tree(t, base)
	delete(after, filepath.Join("earlier", "job", "earlier", "result.json"))
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Error("an import that was refused changed something")
	}
}

func TestErrorsWriteNothing(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	cases := []struct {
		name string
		ctx  context.Context
		path func(dir string) []string
		want string
	}{
		{"no path", context.Background(), func(string) []string { return nil }, "have no path"},
		{"a path that is not there", context.Background(), func(dir string) []string { return []string{filepath.Join(dir, "nowhere")} }, "nowhere: have no such file or folder"},
		{"no run", context.Background(), func(dir string) []string { return []string{dir} }, "have no run of format harbor"},
		{"cancelled", ended, func(dir string) []string { return []string{dir} }, context.Canceled.Error()},
	}
	for _, c := range cases {
		dir, parent := t.TempDir(), t.TempDir()
		_, err := importer.Run(c.ctx, &importer.Harbor, c.path(dir), filepath.Join(parent, "raw"), importer.Options{}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %q", c.name, err, c.want)
		}
		if list, _ := os.ReadDir(parent); len(list) > 0 {
			t.Errorf("%s: written %v", c.name, list)
		}
	}
}

func TestOutIsAFile(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "raw")
	writeFile(t, filepath.Join(in, "job", "t1", "result.json"), trialText("1", "x", "2026-01-02T10:00:00Z", 1))
	writeFile(t, out, nil)
	_, err := importer.Run(context.Background(), &importer.Harbor, []string{in}, out, importer.Options{}, nil)
	if err == nil || !strings.Contains(err.Error(), "raw: have a file, want a folder") {
		t.Errorf("have %v, want it said that the output is a file", err)
	}
}

// TestRunsFoundAreAccountedFor: a run that stands in the folder already is counted as that.
func TestRunsFoundAreAccountedFor(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "raw")
	add := func(name, start string) importer.Reconciliation {
		writeFile(t, filepath.Join(in, "job", name, "result.json"), trialText(name, "x", start, 1))
		r, err := importer.Run(context.Background(), &importer.Harbor, []string{in}, out, importer.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	add("1", "2026-01-02T10:00:00Z")
	r := add("2", "2026-01-02T11:00:00Z")
	if held := r.Count("runs that stand there already, not imported again"); r.RunsRead != 2 || r.RunsImported != 1 || held != 1 {
		t.Errorf("have %d found, %d imported, %d there already, want 2, 1, 1", r.RunsRead, r.RunsImported, held)
	}
}

// TestOriginals: each run can be opened down to the files it was made from.
func TestOriginals(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in")
	writeFile(t, filepath.Join(in, "job", "t1", "result.json"), trialText("1", "x", "2026-01-02T10:00:00Z", 1))
	writeFile(t, filepath.Join(in, "job", "t1", "agent", "trajectory.json"), []byte(oneStep(7)))
	r, runs, out := importAll(t, &importer.Harbor, importer.Options{}, in)
	if len(r.Runs) != 1 || r.Runs[0].RunID != runs[0].manifest.RunID || len(r.Runs[0].Files) != 2 {
		t.Fatalf("have %+v, want the run with two files", r.Runs)
	}
	if have := runs[0].manifest.Source.Path; have != schema.Some("job/t1/result.json") {
		t.Errorf("source.path %v", have)
	}
	beside := readJSON[importer.Reconciliation](t, filepath.Join(out, importer.ReconciliationFile))
	if beside.RunsImported != 1 || len(beside.Runs) != 1 {
		t.Errorf("beside the runs: %+v", beside)
	}
}
