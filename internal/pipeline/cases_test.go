package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// caseFile is a file of the cases, from ASSAY_CASES.
func caseFile(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("ASSAY_CASES")
	if dir == "" {
		_, file, _, _ := runtime.Caller(0)
		dir = filepath.Join(filepath.Dir(file), "..", "..", "..", "shared", "cases")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skip("no cases: set ASSAY_CASES to their folder")
	}
	return path
}

// TestCase025ZeroIsNotNull: the right answer is the case's, for the three usages
// written as events.
func TestCase025ZeroIsNotNull(t *testing.T) {
	caseFile(t, "025-zero-is-not-null/expected.json")
	root := t.TempDir()
	for task, usage := range map[string]string{"zero": `"usage":{"input_tokens":0,"output_tokens":0},`, "absent": ``, "five": `"usage":{"input_tokens":5,"output_tokens":2},`} {
		fixture{task: task, edit: func(files map[string]string) {
			text := files[schema.TrajectoryFile]
			from := strings.Index(text, `"usage":`)
			to := strings.Index(text, `"latency_ms":250`)
			files[schema.TrajectoryFile] = text[:from] + usage + text[to:]
		}}.write(t, root)
	}
	s := derive(t, pipeline.Options{}, root)
	want(t, "tokens", rows(t, s, "SELECT task_id, input_tokens, output_tokens FROM runs ORDER BY 1"), []string{"absent - -", "five 5 2", "zero 0 0"})
	want(t, "sql", rows(t, s, "SELECT count(*), count(input_tokens), sum(input_tokens)::BIGINT, avg(input_tokens), count(*) FILTER (input_tokens = 0) FROM runs"), []string{"3 2 5 2.5 1"})
}

// asWritten gives the manifest the contract version of the cases' events.
func asWritten(files map[string]string) {
	manifest := files[schema.DocumentManifest.File]
	files[schema.DocumentManifest.File] = strings.Replace(manifest, `"schema_version":"`+schema.Version, `"schema_version":"1.0.0`, 1)
}

// TestCase028TimestampOffsets: one instant in four spellings.
func TestCase028TimestampOffsets(t *testing.T) {
	text, err := os.ReadFile(caseFile(t, "028-timestamp-offsets/input/trajectory.jsonl"))
	check(t, err)
	root := t.TempDir()
	fixture{edit: func(files map[string]string) {
		id := files[schema.TrajectoryFile][strings.Index(files[schema.TrajectoryFile], `"run_id":"`)+10:][:32]
		all := strings.ReplaceAll(string(text), "r-0001", id)
		for _, data := range []string{`{"task":{"id":"t1"}}`, `{"call_id":"c"}`, `{"call_id":"c","name":"n","status":"ok"}`, `{"ending":"completed","outcome":"resolved"}`} {
			all = strings.Replace(all, `"data":{}`, `"data":`+data, 1)
		}
		files[schema.TrajectoryFile] = all
		asWritten(files)
	}}.write(t, root)
	s := derive(t, pipeline.Options{}, root)
	want(t, "instants", rows(t, s, `SELECT epoch_ms(started_at), epoch_ms(m.ts), epoch_ms(c.ts), epoch_ms(finished_at), wall_time_s
		FROM runs JOIN model_calls m USING (run_id) JOIN tool_calls c USING (run_id)`),
		[]string{"1767290645678 1767290645678 1767290645678 1767290645678 0"})
	want(t, "findings", rows(t, s, "SELECT code FROM findings"), nil)
}

// TestCase031BytesRepeatable: twenty builds from two trees made in opposite order.
func TestCase031BytesRepeatable(t *testing.T) {
	script := caseFile(t, "031-parquet-bytes-repeatable/input/make-tree-order.sh")
	root := t.TempDir()
	study(t, root)
	reversed := filepath.Join(t.TempDir(), "reversed")
	if out, err := exec.Command("sh", script, root, reversed).CombinedOutput(); err != nil {
		t.Skipf("the case's script does not run here: %v: %s", err, out)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	sums := map[string]map[string]bool{}
	for i := range 20 {
		runtime.GOMAXPROCS([]int{1, 8}[i/2%2])
		s := derive(t, pipeline.Options{}, []string{root, reversed}[i%2])
		for name, sum := range hashes(t, s.Dir) {
			if sums[name] == nil {
				sums[name] = map[string]bool{}
			}
			sums[name][sum] = true
		}
	}
	for name, list := range sums {
		if len(list) != 1 {
			t.Errorf("%s: have %d different files over 20 builds, want 1", name, len(list))
		}
	}
}

// TestCase123ListingOrder: rows come in byte order, whatever the locale.
func TestCase123ListingOrder(t *testing.T) {
	text, err := os.ReadFile(caseFile(t, "123-listing-order-and-locale/input/names.txt"))
	check(t, err)
	names := strings.Fields(string(text))
	var outputs []map[string]string
	for _, locale := range []string{"C", "tr_TR.UTF-8", "de_DE.UTF-8"} {
		t.Setenv("LC_ALL", locale)
		root := t.TempDir()
		for _, name := range names {
			fixture{task: name}.write(t, root)
		}
		slices.Reverse(names)
		s := derive(t, pipeline.Options{}, root)
		outputs = append(outputs, hashes(t, s.Dir))
		want(t, "tasks", rows(t, s, "SELECT task_id FROM runs ORDER BY task_id"), []string{"R-2", "Z-1", "a-1", "r-1", "r-10", "r-2", "r_1"})
		want(t, "exclusions", rows(t, s, "SELECT reason FROM exclusions WHERE place = 1"), []string{"manifest_schema"})
		if s.Counts.Unidentified != 1 || s.Clean() {
			t.Errorf("have %+v, want one unidentified directory", s.Counts)
		}
	}
	for i, o := range outputs[1:] {
		if fmt.Sprint(o) != fmt.Sprint(outputs[0]) {
			t.Errorf("build %d: have other bytes", i+2)
		}
	}
}

// TestCase143UnreadableDirectory: a directory that cannot be opened is counted.
func TestCase143UnreadableDirectory(t *testing.T) {
	caseFile(t, "143-unreadable-run-directory/expected.json")
	if os.Geteuid() == 0 {
		t.Skip("root can read every directory")
	}
	root := t.TempDir()
	for _, task := range []string{"a", "b", "c"} {
		_, path := fixture{task: task}.write(t, root)
		if task == "b" {
			dir := filepath.Join(root, filepath.FromSlash(path))
			check(t, os.Chmod(dir, 0))
			defer os.Chmod(dir, 0o755)
		}
	}
	s := derive(t, pipeline.Options{}, root)
	if s.Counts.Directories != 3 || s.Counts.Runs != 2 || s.Counts.Unidentified != 1 || s.Clean() {
		t.Errorf("have %+v, want 3 directories, 2 runs, 1 unidentified", s.Counts)
	}
	want(t, "findings", rows(t, s, "SELECT code, have, run_id FROM findings"), []string{"unreadable permission denied -"})
}

// TestCase128Secrets: no file of the dataset holds a secret of the raw files.
func TestCase128Secrets(t *testing.T) {
	text, err := os.ReadFile(caseFile(t, "128-secrets-reach-the-tables/input/trajectory.jsonl"))
	check(t, err)
	root := t.TempDir()
	fixture{edit: func(files map[string]string) {
		id := files[schema.TrajectoryFile][strings.Index(files[schema.TrajectoryFile], `"run_id":"`)+10:][:32]
		var b strings.Builder
		for i, line := range strings.SplitAfter(strings.ReplaceAll(string(text), "r-0001", id), "\n") {
			switch {
			case strings.Contains(line, "run_started"):
				line = strings.Replace(line, `"data":{}`, `"data":{"task":{"id":"t1"}}`, 1)
			case strings.Contains(line, "run_finished"):
				line = strings.Replace(line, `"data":{}`, `"data":{"ending":"completed","outcome":"resolved"}`, 1)
			case line != "":
				line = strings.Replace(line, `"data":`, fmt.Sprintf(`"data":{"call_id":"c%d","name":"n","status":"ok","arguments":`, i), 1)
				line = strings.TrimSuffix(line, "\n") + "}\n"
			}
			b.WriteString(line)
		}
		files[schema.TrajectoryFile] = b.String()
		asWritten(files)
	}}.write(t, root)
	s := derive(t, pipeline.Options{}, root)
	want(t, "findings", rows(t, s, "SELECT code, severity, line FROM findings"), []string{"secret_detected info 2", "secret_detected info 3", "secret_detected info 4"})
	entries, err := os.ReadDir(s.Dir)
	check(t, err)
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(s.Dir, e.Name()))
		check(t, err)
		if strings.Contains(string(text), "FAKE-SECRET") {
			t.Errorf("%s holds a secret", e.Name())
		}
	}
	o := pipeline.Options{CodeRevision: "test"}
	o.StrictSecrets = true
	strict, err := pipeline.Derive(context.Background(), []string{root}, t.TempDir(), o)
	check(t, err)
	want(t, "strict", rows(t, strict, "SELECT excluded_by FROM runs"), []string{"secret_detected"})
}
