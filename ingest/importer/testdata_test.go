package importer_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest/importer"
	"github.com/assay-bench/assay/internal/golden"
	"github.com/assay-bench/assay/schema"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestArchives imports the files of each archive in testdata and compares what
// comes out with the archive's last file, want. The first line of an archive is
// the command: a format, and perhaps --on-conflict or --experiment with a word.
// Each want was read line by line against the input when it was made;
// ASSAY_UPDATE=1 writes it anew.
func TestArchives(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			imp, o := command(t, a)
			in := filepath.Join(t.TempDir(), "in")
			unpack(t, a, in)
			have := render(t, imp, in, o)
			last := &a.Files[len(a.Files)-1]
			if os.Getenv(golden.Update) == "1" {
				last.Data = []byte(have)
				if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if want := string(last.Data); have != want {
				t.Errorf("have:\n%s\nwant:\n%s", have, want)
			}
		})
	}
}

func command(t *testing.T, a *txtar.Archive) (*importer.Importer, importer.Options) {
	t.Helper()
	line, _, _ := strings.Cut(string(a.Comment), "\n")
	words := strings.Fields(line)
	imp, ok := importer.ByName(words[0])
	if !ok || a.Files[len(a.Files)-1].Name != "want" {
		t.Fatalf("%q: want a format and a last file want", line)
	}
	var o importer.Options
	for i := 1; i+1 < len(words); i += 2 {
		switch words[i] {
		case "--on-conflict":
			p, err := importer.ParseConflictPolicy(words[i+1])
			if err != nil {
				t.Fatal(err)
			}
			o.OnConflict = p
		case "--experiment":
			o.Experiment = words[i+1]
		default:
			t.Fatalf("%q: want a flag", words[i])
		}
	}
	return imp, o
}

func unpack(t *testing.T, a *txtar.Archive, dir string) {
	t.Helper()
	for _, f := range a.Files[:len(a.Files)-1] {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
	}
}

func writeFile(t *testing.T, name string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

// render imports and prints what came out: the error, or plans, runs and the
// reconciliation.
func render(t *testing.T, imp *importer.Importer, in string, o importer.Options) string {
	t.Helper()
	out := filepath.Join(filepath.Dir(in), "out")
	r, err := importer.Run(context.Background(), imp, []string{in}, out, o, nil)
	if err != nil {
		if list, _ := os.ReadDir(filepath.Dir(in)); len(list) != 1 {
			t.Errorf("an import that failed left %v", list)
		}
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, e := range r.Experiments {
		if text, err := os.ReadFile(filepath.Join(out, e.ID, schema.DocumentPlan.File)); err == nil {
			fmt.Fprintf(&b, "plan %s", text)
		}
	}
	for _, run := range readRuns(t, out) {
		run.render(&b)
	}
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(b.String(), "  what the format cannot supply:\n")
	return text
}

// An imported run as it is read back.
type imported struct {
	dir      string
	manifest schema.Manifest
	events   []*schema.Event
}

func (r *imported) finished() *schema.RunFinished { return r.events[len(r.events)-1].RunFinished }

func (r *imported) calls() (list []*schema.ModelCall) {
	for _, e := range r.events {
		if e.ModelCall != nil {
			list = append(list, e.ModelCall)
		}
	}
	return list
}

func (r *imported) tools() (list []*schema.ToolCall) {
	for _, e := range r.events {
		if e.ToolCall != nil {
			list = append(list, e.ToolCall)
		}
	}
	return list
}

// readRuns reads every run directory under a folder, by cell. Each must hold the
// contract.
func readRuns(t *testing.T, out string) []*imported {
	t.Helper()
	var runs []*imported
	err := filepath.WalkDir(out, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == schema.DocumentManifest.File {
			runs = append(runs, readRun(t, filepath.Dir(p)))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(runs, func(a, b *imported) int { return strings.Compare(a.key(), b.key()) })
	return runs
}

func (r *imported) key() string {
	m := &r.manifest
	return fmt.Sprintf("%s %s %s #%d", m.ExperimentID, schema.ArmName(m.HarnessID, m.ModelKey, m.Treatment), m.TaskID, m.Repetition.Or(0))
}

func readRun(t *testing.T, dir string) *imported {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, schema.DocumentManifest.File))
	if err != nil {
		t.Fatal(err)
	}
	m, violations := schema.NewDocumentDecoder[schema.Manifest](&schema.DocumentManifest).Decode(b)
	if len(violations) > 0 {
		t.Fatal(violations)
	}
	r := &imported{dir: dir, manifest: *m}
	if b, err = os.ReadFile(filepath.Join(dir, schema.TrajectoryFile)); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		e, violations := schema.NewEventDecoder().Decode([]byte(line))
		if len(violations) > 0 {
			t.Fatal(violations)
		}
		r.events = append(r.events, e)
	}
	return r
}

func (r *imported) render(b *strings.Builder) {
	m := &r.manifest
	fmt.Fprintf(b, "run %s\n", r.key())
	fmt.Fprintf(b, "  from %s trial %s\n", m.Source.Path.Or("-"), m.Source.Trial.Or("-"))
	if len(m.NotRecorded) > 0 {
		fmt.Fprintf(b, "  not recorded: %s\n", strings.Join(m.NotRecorded, ", "))
	}
	text, err := os.ReadFile(filepath.Join(r.dir, schema.TrajectoryFile))
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		// The envelope's version and run id say nothing here, nor the hash of the manifest.
		_, line, _ = strings.Cut(line, `"seq":`)
		line, _, _ = strings.Cut(line, `,"artifacts"`)
		fmt.Fprintf(b, "  %s\n", strings.TrimRight(line, "\n"))
	}
	if text, err := os.ReadFile(filepath.Join(r.dir, schema.DocumentTestResults.File)); err == nil {
		_, rest, _ := strings.Cut(string(text), "\"run_id\"")
		_, rest, _ = strings.Cut(rest, "\n")
		fmt.Fprintf(b, "  test_results: %s\n", strings.Join(strings.Fields(rest), " "))
	}
}
