package dataset_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// make publishes a small dataset: the metric registry and two inputs.
func makeDataset(t testing.TB, out string) *dataset.Dataset {
	t.Helper()
	l, inputs := smallLineage()
	digest := dataset.NewInputDigest(l.Experiments)
	for in := range inputs {
		digest.Add(in)
	}
	l.InputRunsSHA256 = digest.Sum()
	l.DatasetID = dataset.ID(l.SchemaVersion, l.CodeRevision, l.Options, l.InputRunsSHA256)
	s, err := dataset.Stage(out)
	check(t, err)
	defer s.Discard()
	path := filepath.Join(s.Dir, "metrics.parquet")
	f, err := os.Create(path)
	check(t, err)
	w := dataset.NewWriter[schema.MetricRow](f, &schema.TableMetrics)
	check(t, w.Write(schema.MetricRows()))
	check(t, w.Close())
	check(t, f.Close())
	check(t, dataset.Stamp(path, l.Metadata("metrics")))
	sum, size, err := dataset.HashFile(path)
	check(t, err)
	l.Files = []dataset.File{{Path: "metrics.parquet", Table: "metrics", Rows: w.Rows(), Bytes: size, SHA256: sum}}
	lineage, err := os.Create(filepath.Join(s.Dir, dataset.LineageFile))
	check(t, err)
	check(t, dataset.WriteLineage(lineage, l, func(yield func([]byte, error) bool) {
		for in := range inputs {
			if !yield(in.Text(), nil) {
				return
			}
		}
	}))
	check(t, lineage.Close())
	check(t, dataset.WriteReadme(s.Dir, l, (*schema.Table).Columns))
	check(t, dataset.WriteCroissant(s.Dir, l, (*schema.Table).Columns))
	check(t, dataset.WriteSums(s.Dir))
	dir, err := s.Publish(l.DatasetID)
	check(t, err)
	d, err := dataset.Open(dir)
	check(t, err)
	return d
}

func smallLineage() (*dataset.Lineage, iter.Seq2[dataset.Input, error]) {
	sum := strings.Repeat("a", 64)
	l := &dataset.Lineage{
		SchemaVersion: dataset.Version, CodeRevision: "v1.2.3", ContractVersions: []string{"1.0.0"},
		Factors:     []dataset.Factor{{Name: "Top-K", Column: "factor_top_k"}},
		Counts:      dataset.Counts{Directories: 2, Runs: 1, Unidentified: 1, Planned: 3, Absent: 2, Included: 1},
		Experiments: []dataset.Experiment{{ExperimentID: "e", Path: "e", Files: []dataset.InputFile{{Name: "tasks.jsonl", SHA256: sum, Bytes: 3}}}},
	}
	return l, func(yield func(dataset.Input, error) bool) {
		_ = yield(dataset.Input{RunID: schema.Some(strings.Repeat("1", 32)), Path: "e/h/t/1", State: dataset.StateRun,
			Files: []dataset.InputFile{{Name: "run_manifest.json", SHA256: sum, Bytes: 10}}}, nil) &&
			yield(dataset.Input{Path: "e/\"odd\"", State: dataset.StateUnidentified, Files: []dataset.InputFile{}}, nil)
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLineageRoundTrip(t *testing.T) {
	d := makeDataset(t, t.TempDir())
	want, inputs := smallLineage()
	want.DatasetID, want.InputRunsSHA256, want.Files = d.Lineage.DatasetID, d.Lineage.InputRunsSHA256, d.Lineage.Files
	if !reflect.DeepEqual(d.Lineage, want) {
		t.Errorf("have %+v, want %+v", d.Lineage, want)
	}
	var have []dataset.Input
	check(t, dataset.ReadInputs(d.Dir, func(in dataset.Input) error { have = append(have, in); return nil }))
	i := 0
	for in := range inputs {
		if i >= len(have) || !reflect.DeepEqual(have[i], in) {
			t.Errorf("input %d: have %+v, want %+v", i, have, in)
		}
		i++
	}
}

// TestOneInputALine: a run is found with grep, and two lineages compare by line.
func TestOneInputALine(t *testing.T) {
	d := makeDataset(t, t.TempDir())
	text, err := os.ReadFile(filepath.Join(d.Dir, dataset.LineageFile))
	check(t, err)
	if n := strings.Count(string(text), `    {"run_id":`); n != 2 {
		t.Errorf("have %d input lines, want 2:\n%s", n, text)
	}
	if !json.Valid(text) {
		t.Errorf("have no JSON:\n%s", text)
	}
}

func TestOpen(t *testing.T) {
	out := t.TempDir()
	d := makeDataset(t, out)
	if have, err := dataset.Open(out); err != nil || have.Dir != d.Dir {
		t.Errorf("a folder that holds one dataset: have %v %v, want %s", have, err, d.Dir)
	}
	if _, err := dataset.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "have no dataset") {
		t.Errorf("an empty folder: have %v", err)
	}
	check(t, os.CopyFS(filepath.Join(out, "0000000000000000"), os.DirFS(d.Dir)))
	if _, err := dataset.Open(out); err == nil || !strings.Contains(err.Error(), "have 2 datasets") || !strings.Contains(err.Error(), d.Lineage.DatasetID) {
		t.Errorf("two datasets: have %v, want an error that names both", err)
	}
	path := filepath.Join(d.Dir, dataset.LineageFile)
	text, err := os.ReadFile(path)
	check(t, err)
	check(t, os.WriteFile(path, []byte(strings.Replace(string(text), `"schema_version": "1`, `"schema_version": "9`, 1)), 0o644))
	if _, err := dataset.Open(d.Dir); err == nil || !strings.Contains(err.Error(), "have 9"+strings.TrimPrefix(dataset.Version, "1")+", want major version 1") {
		t.Errorf("a newer shape: have %v", err)
	}
}

// TestVerify breaks one thing at a time.
func TestVerify(t *testing.T) {
	for _, c := range []struct {
		name    string
		breakIt func(dir string) error
		want    string
	}{
		{"nothing", func(string) error { return nil }, ""},
		{"a byte of a table", func(dir string) error { return flip(filepath.Join(dir, "metrics.parquet")) }, "metrics.parquet: have SHA-256"},
		{"a table is gone", func(dir string) error { return os.Remove(filepath.Join(dir, "metrics.parquet")) }, "metrics.parquet: have no file"},
		{"a file too many", func(dir string) error { return os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o644) }, "notes.txt: have a file that is not listed"},
		{"a link for a table", func(dir string) error {
			from, to := filepath.Join(dir, "metrics.parquet"), filepath.Join(filepath.Dir(dir), "elsewhere.parquet")
			return errors.Join(os.Rename(from, to), os.Symlink(to, from))
		}, "metrics.parquet: have a link"},
		{"the sums are gone", func(dir string) error { return os.Remove(filepath.Join(dir, dataset.SumsFile)) }, "[SHA256SUMS: have no file, want the SHA-256 of every other file]"},
		{"a sum is cut", func(dir string) error {
			text, err := os.ReadFile(filepath.Join(dir, dataset.SumsFile))
			return errors.Join(err, os.WriteFile(filepath.Join(dir, dataset.SumsFile), text[:len(text)-30], 0o644))
		}, "SHA256SUMS: have "},
		{"a sum twice", func(dir string) error {
			text, err := os.ReadFile(filepath.Join(dir, dataset.SumsFile))
			return errors.Join(err, os.WriteFile(filepath.Join(dir, dataset.SumsFile), append(text, text[:bytes.IndexByte(text, '\n')+1]...), 0o644))
		}, "[SHA256SUMS: have README.md again at line"},
		{"an input's hash", func(dir string) error {
			return edit(filepath.Join(dir, dataset.LineageFile), strings.Repeat("a", 64), strings.Repeat("a", 63)+"b")
		}, "lineage.json: have inputs with the digest"},
		{"the code revision", func(dir string) error { return edit(filepath.Join(dir, dataset.LineageFile), "v1.2.3", "v1.2.4") }, "lineage.json: have dataset_id"},
		{"counts", func(dir string) error {
			return edit(filepath.Join(dir, dataset.LineageFile), `"absent": 2`, `"absent": 1`)
		}, "accounting: have planned 3 + unplanned 0, want runs 1 + absent 1 - extra 0"},
		{"metadata, with sums made again", func(dir string) error {
			if err := dataset.Stamp(filepath.Join(dir, "metrics.parquet"), map[string]string{"assay.dataset_id": "0"}); err != nil {
				return err
			}
			return dataset.WriteSums(dir)
		}, "metrics.parquet: have SHA-256"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := makeDataset(t, t.TempDir()).Dir
			check(t, c.breakIt(dir))
			d, err := dataset.Open(dir)
			check(t, err)
			problems, err := d.Verify()
			check(t, err)
			text := fmt.Sprint(problems)
			if c.want == "" && len(problems) > 0 || !strings.Contains(text, c.want) {
				t.Errorf("have %s, want %q", text, c.want)
			}
		})
	}
}

func flip(path string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b[len(b)/2] ^= 1
	return os.WriteFile(path, b, 0o644)
}

func edit(path, old, new string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Replace(string(b), old, new, 1)), 0o644)
}

// TestPublish: what stands under the name is the old dataset or the new one, and
// a failure leaves the folder as it was.
func TestPublish(t *testing.T) {
	parent := t.TempDir()
	out := filepath.Join(parent, "new", "data")
	s, err := dataset.Stage(out)
	check(t, err)
	check(t, s.Discard())
	if names := entries(t, parent); len(names) > 0 {
		t.Errorf("after a discarded staging: have %v, want nothing", names)
	}
	first := makeDataset(t, out)
	check(t, flip(filepath.Join(first.Dir, "metrics.parquet")))
	second := makeDataset(t, out) // the same id, made again
	if problems, err := second.Verify(); err != nil || len(problems) > 0 {
		t.Errorf("have %v %v, want the new files in place of the damaged ones", problems, err)
	}
	if names := entries(t, out); !reflect.DeepEqual(names, []string{first.Lineage.DatasetID}) {
		t.Errorf("have %v, want only the dataset", names)
	}
	s, err = dataset.Stage(out)
	check(t, err)
	defer s.Discard()
	check(t, os.WriteFile(filepath.Join(out, "taken"), nil, 0o644))
	if _, err := s.Publish("taken"); err == nil {
		t.Error("a name that something else has: have no error")
	}
}

func entries(t *testing.T, dir string) []string {
	list, err := os.ReadDir(dir)
	check(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func ExampleFactors() {
	list, err := dataset.Factors([]string{"Top-K", "retrieval"})
	fmt.Println(list, err)
	_, err = dataset.Factors([]string{"Top-K", "top_k"})
	fmt.Println(err)
	// Output:
	// [{retrieval factor_retrieval} {Top-K factor_top_k}] <nil>
	// factors: have "Top-K" and "top_k", which both become the column factor_top_k, want names that stay apart
}

// FuzzLineage: no text that stands in lineage.json makes reading it crash.
func FuzzLineage(f *testing.F) {
	d := makeDataset(f, f.TempDir())
	text, err := os.ReadFile(filepath.Join(d.Dir, dataset.LineageFile))
	check(f, err)
	f.Add(text)
	f.Add([]byte(`{"inputs": [{"files": [1]}]}`))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		check(t, os.WriteFile(filepath.Join(dir, dataset.LineageFile), text, 0o644))
		dataset.ReadInputs(dir, func(dataset.Input) error { return nil })
	})
}

// FuzzFooter: no file makes reading its footer crash.
func FuzzFooter(f *testing.F) {
	d := makeDataset(f, f.TempDir())
	text, err := os.ReadFile(filepath.Join(d.Dir, "metrics.parquet"))
	check(f, err)
	f.Add(text[len(text)-3000:])
	path := filepath.Join(f.TempDir(), "x")
	f.Fuzz(func(t *testing.T, text []byte) {
		check(t, os.WriteFile(path, text, 0o644))
		dataset.ReadFooter(path)
	})
}
