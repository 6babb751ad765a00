package ingest_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

func touch(t testing.TB, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func paths(d ingest.Discovery) []string {
	var out []string
	for _, r := range d.Runs {
		out = append(out, r.Path)
	}
	return out
}

func TestDiscover(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "e/h/t/b/run_manifest.json", "e/h/t/a/trajectory.jsonl", "e/h/t-1/c/trajectory.jsonl.zst", "e/h/t/d/patch.diff",
		"e/h/t/a/context/x/run_manifest.json", "e/h/t/a/inner/trajectory.jsonl.gz", "e/experiment.json", "f/tasks.jsonl")
	found, err := ingest.Discover([]string{root})
	if err != nil {
		t.Fatal(err)
	}
	// Byte order of the whole path: "e/h/t-1" stands before "e/h/t/".
	want := []string{"e/h/t-1/c", "e/h/t/a", "e/h/t/a/inner", "e/h/t/b"}
	if have := paths(found); !slices.Equal(have, want) {
		t.Errorf("runs %v, want %v", have, want)
	}
	if len(found.Experiments) != 2 || !found.Experiments[0].HasPlan || !found.Experiments[1].HasTasks || found.Experiments[1].Path != "f" {
		t.Errorf("experiments %+v, want e with a plan and f with tasks", found.Experiments)
	}
	if found, err = ingest.Discover([]string{filepath.Join(root, "e/h/t/b")}); err != nil || !slices.Equal(paths(found), []string{"."}) {
		t.Errorf("a run directory as root: %v, %v", paths(found), err)
	}
	if _, err = ingest.Discover([]string{filepath.Join(root, "nowhere")}); err == nil {
		t.Error("a root that does not exist is no error")
	}
}

// Roots that overlap, in any order and under any name, are read once.
func TestDiscoverOverlappingRoots(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "e/a/run_manifest.json", "f/b/run_manifest.json")
	alias := filepath.Join(t.TempDir(), "alias")
	if err := os.Symlink(root, alias); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	inner := filepath.Join(root, "e")
	for _, roots := range [][]string{{root, inner}, {inner, root}, {root, root}, {root + "/", root}, {alias, inner}} {
		found, err := ingest.Discover(roots)
		if err != nil || !slices.Equal(paths(found), []string{"e/a", "f/b"}) {
			t.Errorf("%v: %v, %v, want each run once", roots, paths(found), err)
		}
	}
	// A root whose name only begins like another's is another.
	touch(t, root+"x", "g/run_manifest.json")
	defer os.RemoveAll(root + "x")
	if found, _ := ingest.Discover([]string{root, root + "x"}); len(found.Runs) != 3 {
		t.Errorf("%v, want three runs", paths(found))
	}
}

func TestDiscoverFollowsNoLinks(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	touch(t, outside, "run/run_manifest.json")
	touch(t, root, "e/a/run_manifest.json")
	for target, name := range map[string]string{outside: "e/out", "..": "e/up"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	found, err := ingest.Discover([]string{root})
	if err != nil || !slices.Equal(paths(found), []string{"e/a"}) {
		t.Errorf("runs %v, %v, want e/a alone", paths(found), err)
	}
	if len(found.Findings) != 2 || found.Findings[0].Code != &schema.LinkNotFollowed || found.Findings[0].File != "out" || found.Findings[0].RunPath != "e" {
		t.Errorf("findings %v, want the two links", found.Findings)
	}
}

// Case 123: task ids in byte order of their paths, whatever order they were made in.
func TestListingOrder(t *testing.T) {
	folder := filepath.Join(casesFolder(t), "123-listing-order-and-locale")
	b, err := os.ReadFile(filepath.Join(folder, "input", "names.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Expect struct {
			Order        []string `json:"order_by_task_id"`
			Unidentified []string `json:"unidentified"`
		} `json:"expect"`
	}
	text, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(b))
	for range 2 {
		slices.Reverse(names)
		root := t.TempDir()
		for _, name := range names {
			w, err := record.Create(root, manifest(schema.PathID(name)), record.Options{Durability: record.Buffered})
			if err != nil {
				t.Fatal(err)
			}
			w.Close()
			if schema.ValidID(name) {
				continue
			}
			// The id as it was given, in the place where it would stand.
			edit(t, ingest.RunDir{Root: w.Path(), Path: "."}, map[string]any{"task_id": name})
			if err := os.Rename(filepath.Dir(w.Path()), filepath.Join(root, "e1", "h1", name)); err != nil {
				t.Fatal(err)
			}
		}
		found, err := ingest.Discover([]string{root})
		if err != nil {
			t.Fatal(err)
		}
		var order, unidentified []string
		reader := ingest.NewReader(ingest.Options{})
		for _, dir := range found.Runs {
			head, m, err := reader.ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			if head.RunID != "" {
				order = append(order, strings.Clone(m.TaskID))
				continue
			}
			if head.Findings[0].Code != &schema.ManifestSchema {
				t.Errorf("%s: %s, want manifest_schema", dir.Path, head.Findings[0].Code.Name)
			}
			unidentified = append(unidentified, strings.Split(dir.Path, "/")[2])
		}
		if !slices.Equal(order, answer.Expect.Order) || !slices.Equal(unidentified, answer.Expect.Unidentified) {
			t.Errorf("order %v and %v, want %v and %v", order, unidentified, answer.Expect.Order, answer.Expect.Unidentified)
		}
	}
}

// Case 78: one id in two places, and a manifest that names another run.
func TestRunIDTwice(t *testing.T) {
	a := makeRun(t, schema.TrajectoryFile, start()+finish(2))
	other := filepath.Join(a.Root, "e1", "h1", "t2", testID)
	if err := os.CopyFS(other, os.DirFS(a.Location())); err != nil {
		t.Fatal(err)
	}
	twin := ingest.RunDir{Root: a.Root, Path: "e1/h1/t2/" + testID}
	edit(t, twin, map[string]any{"task_id": "t2"})
	run, _ := read(t, twin, ingest.Options{})
	if !run.Unidentified() || run.Findings[0].Code != &schema.RunIDMismatch || run.Findings[0].Have != testID || len(run.Findings[0].Want) != 32 {
		t.Errorf("an id claimed by another task: %v, want run_id_mismatch with have and want", run.Findings)
	}
	edit(t, a, map[string]any{"run_id": strings.Repeat("9", 32)})
	run, _ = read(t, a, ingest.Options{})
	if f := run.Findings[0]; f.Code != &schema.RunIDMismatch || f.Have != strings.Repeat("9", 32) || f.Want != testID {
		t.Errorf("an id that is not the run's: %v, want run_id_mismatch with have and want", run.Findings)
	}
}

// A reader keeps no file open: thousands of runs need no more than one.
func TestOpenFilesAreBounded(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("open files are counted in /proc")
	}
	root := t.TempDir()
	for i := range 30 {
		touch(t, root, "e/"+strconv.Itoa(i)+"/run_manifest.json", "e/"+strconv.Itoa(i)+"/trajectory.jsonl")
	}
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip(err)
		}
		return len(list)
	}
	before := open()
	found, err := ingest.Discover([]string{root})
	if err != nil {
		t.Fatal(err)
	}
	reader := ingest.NewReader(ingest.Options{})
	for _, dir := range found.Runs {
		if _, err := reader.ReadRun(dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	if after := open(); after > before {
		t.Errorf("%d files open, %d before", after, before)
	}
}

func TestNameOfSupersededDirectory(t *testing.T) {
	for path, want := range map[string]bool{"e/a.unfinished-1": true, "a.unfinished-12": true, "a.unfinished-": false, "a.unfinished--1": false, "a.unfinished-x": false, "a": false} {
		if have := (ingest.RunDir{Path: path}).Superseded(); have != want {
			t.Errorf("%s: have %v, want %v", path, have, want)
		}
	}
}

// A plan that is no file to read changes every denominator: a warning, not a note.
func TestPlanThatIsNoFile(t *testing.T) {
	root := t.TempDir()
	touch(t, root, "e1/h/t/a/trajectory.jsonl", "plan.json")
	if err := os.Mkdir(filepath.Join(root, "e1", schema.DocumentTask.File), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(root, "plan.json"), filepath.Join(root, "e1", schema.DocumentPlan.File)); err != nil {
		t.Skip("this system makes no links: ", err)
	}
	found, err := ingest.Discover([]string{root})
	if err != nil || len(found.Experiments) != 0 || codes(ingest.Run{Findings: found.Findings}) != "plan_unreadable plan_unreadable" {
		t.Fatalf("have %+v, %v, want two plan_unreadable", found, err)
	}
	if have := found.Findings[0].Have + ", " + found.Findings[1].Have; have != "a link, a directory" {
		t.Errorf("have %s", have)
	}
}
