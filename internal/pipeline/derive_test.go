package pipeline_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

func derive(t testing.TB, o pipeline.Options, roots ...string) *pipeline.Summary {
	t.Helper()
	if o.CodeRevision == "" {
		o.CodeRevision = "test"
	}
	s, err := pipeline.Derive(context.Background(), roots, t.TempDir(), o)
	check(t, err)
	return s
}

// rows runs a query over the dataset's files, which stand as NAME.parquet, and
// returns each row as one text with blanks between the columns.
func rows(t testing.TB, s *pipeline.Summary, query string) []string {
	t.Helper()
	db, err := sql.Open("duckdb", "?autoinstall_known_extensions=false&autoload_known_extensions=false")
	check(t, err)
	defer db.Close()
	for _, table := range schema.Tables {
		path := filepath.Join(s.Dir, table.Name+".parquet")
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(s.Dir, table.Name, "*.parquet")
		}
		_, err := db.Exec(fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM '%s'", table.Name, path))
		check(t, err)
	}
	result, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer result.Close()
	names, err := result.Columns()
	check(t, err)
	var list []string
	for result.Next() {
		cells := make([]sql.NullString, len(names))
		pointers := make([]any, len(names))
		for i := range cells {
			pointers[i] = &cells[i]
		}
		check(t, result.Scan(pointers...))
		var text []string
		for _, c := range cells {
			if !c.Valid {
				c.String = "-"
			}
			text = append(text, c.String)
		}
		list = append(list, strings.Join(text, " "))
	}
	return list
}

func want(t *testing.T, what string, have, want []string) {
	t.Helper()
	if !slices.Equal(have, want) {
		t.Errorf("%s:\nhave %q\nwant %q", what, have, want)
	}
}

// TestDerive follows one run from its raw bytes to the rows of every table.
func TestDerive(t *testing.T) {
	root := t.TempDir()
	id, path := fixture{queries: 2, model: "m", treatment: schema.Members[schema.Scalar]{level("Top-K", "10.0")}}.write(t, root)
	s := derive(t, pipeline.Options{}, root)
	if want := (dataset.Counts{Directories: 1, Runs: 1, Planned: 1, Included: 1}); s.Counts != want {
		t.Errorf("have %+v, want %+v", s.Counts, want)
	}
	if s.Inferred != 1 {
		t.Errorf("inferred cells: have %d, want 1: there is no plan", s.Inferred)
	}
	want(t, "runs", rows(t, s, "SELECT run_id, raw_path, arm, factor_top_k, resolved_at_1, excluded_by, input_tokens, cost_usd::VARCHAR FROM runs"),
		[]string{id + " " + path + " grep / m / Top-K=10 10 1 - 100 0.012500000"})
	want(t, "queries", rows(t, s, "SELECT query_id, candidates, included FROM queries"), []string{"q0 3 true", "q1 3 true"})
	want(t, "candidates", rows(t, s, "SELECT query_id, rank, file, line FROM candidates LIMIT 3"), []string{"q0 1 x.go 3", "q0 2 c.go 4", "q0 3 a/b.go 5"})
	want(t, "edits", rows(t, s, "SELECT len(target_paths), target_paths[1] FROM edits"), []string{"1 c.go"})
	want(t, "plan", rows(t, s, "SELECT arm, task_id, run_id, inferred, factor_top_k FROM plan"), []string{"grep / m / Top-K=10 t1 " + id + " true 10"})
	want(t, "metrics", rows(t, s, "SELECT count(*) FROM metrics"), []string{fmt.Sprint(len(schema.Metrics))})
	d, err := dataset.Open(filepath.Dir(s.Dir))
	check(t, err)
	problems, err := d.Verify()
	if err != nil || len(problems) > 0 {
		t.Errorf("have %v %v, want nothing to be wrong", problems, err)
	}
	foot, err := dataset.ReadFooter(filepath.Join(s.Dir, "runs.parquet"))
	check(t, err)
	if foot.Metadata["assay.factor.factor_top_k"] != "Top-K" || foot.Columns[len(foot.Columns)-1] != "factor_top_k" {
		t.Errorf("have metadata %v, want the factor's name; last column %s", foot.Metadata, foot.Columns[len(foot.Columns)-1])
	}
}

func level(name, value string) schema.Member[schema.Scalar] {
	return schema.Member[schema.Scalar]{Name: name, Value: schema.Scalar(value)}
}

// TestEvidence: the position in a row leads back to the raw line.
func TestEvidence(t *testing.T) {
	root := t.TempDir()
	_, path := fixture{queries: 1}.write(t, root)
	s := derive(t, pipeline.Options{}, root)
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path), schema.TrajectoryFile))
	check(t, err)
	var seq, offset, length int
	for _, row := range rows(t, s, "SELECT seq, byte_offset, byte_length FROM candidates") {
		_, err := fmt.Sscan(row, &seq, &offset, &length)
		check(t, err)
		if line := string(text[offset : offset+length]); !strings.Contains(line, fmt.Sprintf(`"seq":%d,`, seq)) || text[offset+length] != '\n' {
			t.Errorf("seq %d: have %q, want its whole line", seq, line)
		}
	}
}

// study writes a small study with a fault of each kind that the accounting
// knows, and returns what its counts must be, by hand.
func study(t testing.TB, root string) dataset.Counts {
	for task := range 3 {
		for rep := int64(1); rep <= 2; rep++ {
			for _, on := range []string{"true", "false"} {
				if task == 2 && rep == 2 && on == "true" {
					continue // 1 absent
				}
				f := fixture{task: fmt.Sprintf("t%d", task), repetition: rep, model: "m", queries: task,
					treatment: schema.Members[schema.Scalar]{level("rag", on)}}
				if task == 0 && rep == 1 {
					f.stage, f.outcome, f.ending = "infrastructure", "not_evaluated", "error" // 2 excluded
				}
				f.write(t, root)
			}
		}
	}
	on := schema.Members[schema.Scalar]{level("rag", "true")}
	extra := fixture{task: "t1", repetition: 1, model: "m", treatment: on, created: "2026-01-03T00:00:00Z"}
	extra.write(t, root) // 1 extra
	cut := fixture{task: "t9", repetition: 1, model: "m", treatment: on, edit: func(files map[string]string) {
		text := files[schema.TrajectoryFile]
		files[schema.TrajectoryFile] = text[:len(text)-40]
	}}
	cut.write(t, root) // truncated; t9 adds 2 arms x 2 repetitions, 3 of them absent
	copied := fixture{task: "t1", repetition: 2, model: "m", queries: 1, treatment: on, dir: "copy"}
	copied.dir = "z/exp/grep/t1/" + copiedID(t, copied)
	copied.write(t, root) // 1 copy
	odd := fixture{task: "t7", edit: func(files map[string]string) { files[schema.DocumentManifest.File] = "{" }}
	odd.write(t, root) // 1 unidentified
	lone := fixture{task: "t8", edit: func(files map[string]string) { delete(files, schema.DocumentManifest.File) }}
	lone.write(t, root) // 1 unidentified
	old := fixture{task: "t1", repetition: 1, model: "m", treatment: on}
	old.dir = "exp/grep/t1/" + copiedID(t, old) + ".unfinished-1"
	old.write(t, root) // 1 superseded
	return dataset.Counts{Directories: 17, Runs: 13, Copies: 1, Superseded: 1, Unidentified: 2,
		Planned: 16, Absent: 4, Extra: 1, Unplanned: 0, Included: 9, Excluded: 4}
}

func copiedID(t testing.TB, f fixture) string {
	f.dir = ""
	id, _ := f.write(t, t.TempDir())
	return id
}

func TestAccounting(t *testing.T) {
	root := t.TempDir()
	expected := study(t, root)
	s := derive(t, pipeline.Options{}, root)
	if s.Counts != expected {
		t.Errorf("have %+v\nwant %+v", s.Counts, expected)
	}
	want(t, "excluded runs", rows(t, s, "SELECT excluded_by, count(*) FROM runs WHERE excluded_by IS NOT NULL GROUP BY 1 ORDER BY 1"),
		[]string{"extra_run 1", "infrastructure 2", "truncated 1"})
	want(t, "exclusions", rows(t, s, "SELECT class, reason, count(*), count(run_id) FROM exclusions GROUP BY 1, 2 ORDER BY 1, 2"),
		[]string{"copy duplicate_run 1 1", "excluded extra_run 1 1", "excluded infrastructure 2 2", "excluded truncated 1 1",
			"superseded superseded 1 0", "unidentified manifest_missing 1 0", "unidentified manifest_unreadable 1 0"})
	want(t, "plan", rows(t, s, "SELECT count(*), count(run_id), count(DISTINCT run_id), bool_and(inferred) FROM plan"), []string{"16 12 12 true"})
	want(t, "excluded runs have no metric", rows(t, s, "SELECT count(input_tokens), count(resolved_at_1) FROM runs WHERE excluded_by IS NOT NULL"), []string{"0 0"})
	want(t, "events of excluded runs", rows(t, s, "SELECT bool_or(e.included) FROM file_reads e JOIN runs r USING (run_id) WHERE r.excluded_by IS NOT NULL"), []string{"false"})
	for _, table := range schema.Tables {
		order := strings.Join(table.Key, " NULLS LAST, ") + " NULLS LAST"
		q := fmt.Sprintf("SELECT count(*) FROM (SELECT row_number() OVER () AS a, row_number() OVER (ORDER BY %s) AS b FROM %s) WHERE a <> b", order, table.Name)
		want(t, table.Name+" is sorted by its key", rows(t, s, q), []string{"0"})
		q = fmt.Sprintf("SELECT count(*) - count(DISTINCT (%s)) FROM %s", strings.Join(table.Key, ", "), table.Name)
		want(t, table.Name+": its key tells rows apart", rows(t, s, q), []string{"0"})
	}
	if s.Clean() {
		t.Error("have a clean summary, want the faults to show")
	}
}

// TestPlan: experiment.json says what should have been there.
func TestPlan(t *testing.T) {
	root := t.TempDir()
	check(t, os.MkdirAll(filepath.Join(root, "exp"), 0o755))
	check(t, os.WriteFile(filepath.Join(root, "exp", "experiment.json"), []byte(`{"schema_version":"`+schema.Version+`","experiment_id":"exp",
		"arms":[{"name":"with","harness_id":"grep","treatment":{"rag":true}},{"name":"without","harness_id":"grep","treatment":{"rag":false}}],
		"tasks":["t1","t2","t3"],"repetitions":1,
		"exclusions":[{"name":"python","field":"task.language","op":"=","value":"python"},{"name":"t2","field":"task_id","op":"in","value":["t2"]}]}`), 0o644))
	check(t, os.WriteFile(filepath.Join(root, "exp", "tasks.jsonl"), []byte(`{"id":"t1","difficulty":"hard"}`+"\n"+`{"id":"t3","language":"python"}`+"\n"), 0o644))
	on := schema.Members[schema.Scalar]{level("rag", "true")}
	for _, task := range []string{"t1", "t2", "t3", "t4"} {
		fixture{task: task, repetition: 1, treatment: on}.write(t, root)
	}
	s := derive(t, pipeline.Options{}, root)
	if want := (dataset.Counts{Directories: 4, Runs: 4, Planned: 6, Absent: 3, Unplanned: 1, Included: 1, Excluded: 3}); s.Counts != want {
		t.Errorf("have %+v, want %+v", s.Counts, want)
	}
	want(t, "runs", rows(t, s, "SELECT task_id, arm, difficulty, language, excluded_by FROM runs ORDER BY task_id"), []string{
		"t1 with hard go -", "t2 with - go rule:t2", "t3 with - python rule:python", "t4 with - go unplanned"})
	want(t, "plan", rows(t, s, "SELECT arm, task_id, run_id IS NULL, inferred, factor_rag FROM plan"), []string{
		"with t1 false false true", "with t2 false false true", "with t3 false false true",
		"without t1 true false false", "without t2 true false false", "without t3 true false false"})
	want(t, "the language of t3 differs", rows(t, s, "SELECT code, pointer FROM findings"), []string{"task_conflict /data/task/language"})
	d, err := dataset.Open(s.Dir)
	check(t, err)
	if e := d.Lineage.Experiments; len(e) != 1 || len(e[0].Files) != 2 || e[0].Plan == nil || e[0].Plan.Arms[1].Name != "without" {
		t.Errorf("lineage: have %+v, want the plan and two files", e)
	}
}

// TestTaskConflict: between runs of one task the first by run id is right, and
// fills what the others leave out.
func TestTaskConflict(t *testing.T) {
	root := t.TempDir()
	say := func(language string) func(map[string]string) {
		return func(files map[string]string) {
			files[schema.TrajectoryFile] = strings.Replace(files[schema.TrajectoryFile], `"language":"go",`, language, 1)
		}
	}
	languages := []string{`"language":"go",`, `"language":"rust",`, ``}
	first, firstID := "", strings.Repeat("g", 32)
	for i, language := range languages {
		id, _ := fixture{repetition: int64(i + 1), harness: "bm25", edit: say(language)}.write(t, root)
		if id < firstID {
			first, firstID = language, id
		}
	}
	s := derive(t, pipeline.Options{}, root)
	right := map[string]string{languages[0]: "go", languages[1]: "rust"}[first]
	if right == "" {
		t.Fatal("the run without a language has the smallest id: choose other repetitions")
	}
	want(t, "languages", rows(t, s, "SELECT DISTINCT language FROM runs"), []string{right})
	want(t, "findings", rows(t, s, "SELECT code, count(*) FROM findings GROUP BY 1"), []string{"task_conflict 1"})
}

// TestSeveralRoots: one plan may stand under two roots; two plans that differ
// may not. A root inside another is read once.
func TestSeveralRoots(t *testing.T) {
	plan := `{"schema_version":"` + schema.Version + `","experiment_id":"exp","arms":[{"name":"a","harness_id":"grep"}],"tasks":["t1","t2"],"repetitions":1}`
	var roots []string
	for i := range 2 {
		root := t.TempDir()
		roots = append(roots, root)
		check(t, os.MkdirAll(filepath.Join(root, "exp"), 0o755))
		check(t, os.WriteFile(filepath.Join(root, "exp", "experiment.json"), []byte(plan), 0o644))
		fixture{task: fmt.Sprintf("t%d", i+1), repetition: 1}.write(t, root)
	}
	check(t, os.WriteFile(filepath.Join(roots[1], "exp", "tasks.jsonl"), []byte(`{"id":"t2","difficulty":"easy"}`), 0o644))
	s := derive(t, pipeline.Options{}, append(roots, filepath.Join(roots[0], "exp"))...)
	if want := (dataset.Counts{Directories: 2, Runs: 2, Planned: 2, Included: 2}); s.Counts != want {
		t.Errorf("have %+v, want %+v", s.Counts, want)
	}
	want(t, "difficulty", rows(t, s, "SELECT task_id, difficulty FROM runs ORDER BY 1"), []string{"t1 -", "t2 easy"})
	slices.Reverse(roots)
	again := derive(t, pipeline.Options{}, roots...)
	if !reflect.DeepEqual(hashes(t, s.Dir), hashes(t, again.Dir)) {
		t.Error("have other bytes for another order of roots")
	}
	check(t, os.WriteFile(filepath.Join(roots[0], "exp", "experiment.json"), []byte(strings.Replace(plan, `"t2"`, `"t3"`, 1)), 0o644))
	_, err := pipeline.Derive(context.Background(), roots, t.TempDir(), pipeline.Options{CodeRevision: "test"})
	if err == nil || !strings.Contains(err.Error(), "have two plans that differ") {
		t.Errorf("have %v, want both plans named", err)
	}
}

// TestChangedManifest: what the plan read must be what the run still says.
func TestChangedManifest(t *testing.T) {
	root := t.TempDir()
	_, path := fixture{}.write(t, root)
	file := filepath.Join(root, filepath.FromSlash(path), schema.DocumentManifest.File)
	text, err := os.ReadFile(file)
	check(t, err)
	change := func(bytes string) pipeline.Options {
		return pipeline.Options{CodeRevision: "test", Workers: 1, Progress: func(p pipeline.Progress) {
			if p.Stage == pipeline.StagePlan {
				check(t, os.WriteFile(file, []byte(bytes), 0o644))
			}
		}}
	}
	s, err := pipeline.Derive(context.Background(), []string{root}, t.TempDir(), change(string(text)+"\n"))
	check(t, err)
	want(t, "excluded", rows(t, s, "SELECT excluded_by FROM runs"), []string{"changed_while_reading"})
	out := filepath.Join(t.TempDir(), "out")
	_, err = pipeline.Derive(context.Background(), []string{root}, out, change("{}"))
	if err == nil || !strings.Contains(err.Error(), "changed while the dataset was made") {
		t.Errorf("have %v, want the change named", err)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("have %v, want nothing written", err)
	}
}

// TestLink: a link is reported and belongs to what the dataset was made from.
func TestLink(t *testing.T) {
	root := t.TempDir()
	fixture{}.write(t, root)
	without := derive(t, pipeline.Options{}, root)
	if err := os.Symlink(t.TempDir(), filepath.Join(root, "elsewhere")); err != nil {
		t.Skip("no links here: ", err)
	}
	s := derive(t, pipeline.Options{}, root)
	want(t, "findings", rows(t, s, "SELECT code, file, run_id FROM findings"), []string{"link_not_followed elsewhere -"})
	if s.DatasetID == without.DatasetID {
		t.Error("have one id for two lists of findings")
	}
	d, err := dataset.Open(s.Dir)
	check(t, err)
	status, err := pipeline.Status(context.Background(), d, []string{root}, pipeline.Options{})
	if err != nil || len(status.Changes) > 0 {
		t.Errorf("have %+v %v, want it up to date", status, err)
	}
	d, err = dataset.Open(without.Dir)
	check(t, err)
	status, err = pipeline.Status(context.Background(), d, []string{root}, pipeline.Options{})
	if err != nil || len(status.Changes) != 1 || status.Changes[0].Path != "elsewhere" {
		t.Errorf("have %+v %v, want the new link", status, err)
	}
}

// TestFactorCollision: two factors that would share a column are refused.
func TestFactorCollision(t *testing.T) {
	root := t.TempDir()
	fixture{task: "t1", treatment: schema.Members[schema.Scalar]{level("top-k", "1")}}.write(t, root)
	fixture{task: "t2", treatment: schema.Members[schema.Scalar]{level("Top K", "1")}}.write(t, root)
	_, err := pipeline.Derive(context.Background(), []string{root}, t.TempDir(), pipeline.Options{CodeRevision: "test"})
	if err == nil || !strings.Contains(err.Error(), `"top-k"`) || !strings.Contains(err.Error(), `"Top K"`) {
		t.Errorf("have %v, want both factors named", err)
	}
}

// TestConflict: two directories of one id with other bytes; nothing is believed.
func TestConflict(t *testing.T) {
	root := t.TempDir()
	f := fixture{}
	id, path := f.write(t, root)
	f.dir = "a/exp/grep/t1/" + id
	f.edit = func(files map[string]string) { files[schema.TrajectoryFile] += "\n" }
	f.write(t, root)
	out := filepath.Join(t.TempDir(), "out")
	_, err := pipeline.Derive(context.Background(), []string{root}, out, pipeline.Options{CodeRevision: "test"})
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), f.dir) {
		t.Errorf("have %v, want an error that names both directories", err)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("have %v, want nothing written", err)
	}
	s := derive(t, pipeline.Options{Options: dataset.Options{ExcludeConflicts: true}}, root)
	if want := (dataset.Counts{Directories: 2, Runs: 1, Copies: 1, Planned: 1, Excluded: 1}); s.Counts != want {
		t.Errorf("have %+v, want %+v", s.Counts, want)
	}
	f.edit = nil
	f.write(t, root)
	same := derive(t, pipeline.Options{Options: dataset.Options{ExcludeConflicts: true}}, root)
	if same.Counts.Included != 1 || same.DatasetID == s.DatasetID {
		t.Errorf("the same bytes twice: have %+v in %s, want one included run and another dataset than %s", same.Counts, same.DatasetID, s.DatasetID)
	}
	want(t, "exclusions", rows(t, s, "SELECT raw_path, class, reason FROM exclusions"), []string{
		f.dir + " excluded duplicate_run", path + " copy duplicate_run"})
}

// TestCancel: a derivation that is stopped leaves nothing.
func TestCancel(t *testing.T) {
	root := t.TempDir()
	study(t, root)
	parent := t.TempDir()
	for stage, done := range map[string]int64{pipeline.StagePlan: 3, pipeline.StageRuns: 3, pipeline.StageCommit: 0} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := pipeline.Derive(ctx, []string{root}, filepath.Join(parent, "out"), pipeline.Options{CodeRevision: "test", Workers: 2,
			Progress: func(p pipeline.Progress) {
				if p.Stage == stage && p.Done == done {
					cancel()
				}
			}})
		if err != context.Canceled && !strings.Contains(fmt.Sprint(err), "canceled") {
			t.Errorf("%s: have %v, want it cancelled", stage, err)
		}
		if left, _ := os.ReadDir(parent); len(left) > 0 {
			t.Errorf("%s: have %v left, want nothing", stage, left)
		}
		cancel()
	}
}

// TestDeterminism: one dataset, whatever the order of directories, the workers,
// the time zone and the place.
func TestDeterminism(t *testing.T) {
	root := t.TempDir()
	study(t, root)
	reverse := filepath.Join(t.TempDir(), "elsewhere")
	copyReversed(t, root, reverse)
	first := hashes(t, derive(t, pipeline.Options{Workers: 1}, root).Dir)
	local := time.Local
	defer func() { time.Local = local }()
	for _, c := range []struct {
		name    string
		root    string
		workers int
		zone    string
		locale  string
	}{
		{"two workers", root, 2, "", ""},
		{"seven workers, made in reverse order, in another place", reverse, 7, "", ""},
		{"another time zone and locale", root, 2, "Asia/Kathmandu", "tr_TR.UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.zone != "" {
				t.Setenv("TZ", c.zone)
				t.Setenv("LC_ALL", c.locale)
				zone, err := time.LoadLocation(c.zone)
				check(t, err)
				time.Local = zone
			}
			have := hashes(t, derive(t, pipeline.Options{Workers: c.workers}, c.root).Dir)
			for _, name := range slices.Sorted(maps.Keys(first)) {
				if have[name] != first[name] {
					t.Errorf("%s: have other bytes", name)
				}
			}
			if !reflect.DeepEqual(have, first) {
				t.Errorf("have %d files, want %d of the same bytes", len(have), len(first))
			}
		})
	}
}

// copyReversed copies a tree whose directories are made in the opposite order.
func copyReversed(t *testing.T, from, to string) {
	entries, err := os.ReadDir(from)
	check(t, err)
	check(t, os.MkdirAll(to, 0o755))
	slices.Reverse(entries)
	for _, e := range entries {
		if e.IsDir() {
			copyReversed(t, filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
			continue
		}
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		check(t, err)
		check(t, os.WriteFile(filepath.Join(to, e.Name()), text, 0o644))
	}
}

// hashes maps every file of a dataset to the hash of its bytes.
func hashes(t *testing.T, dir string) map[string]string {
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	check(t, err)
	for _, e := range entries {
		sum, _, err := dataset.HashFile(filepath.Join(dir, e.Name()))
		check(t, err)
		out[e.Name()] = sum
	}
	return out
}
