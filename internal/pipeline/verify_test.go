package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// TestRederive: the raw runs give the dataset again; a changed run or a changed
// value is named by its definition.
func TestRederive(t *testing.T) {
	root := t.TempDir()
	id, path := fixture{queries: 1}.write(t, root)
	fixture{task: "t2"}.write(t, root)
	d, err := dataset.Open(derive(t, pipeline.Options{}, root).Dir)
	check(t, err)
	o := pipeline.Options{CodeRevision: "another"}
	r, err := pipeline.Rederive(context.Background(), d, []string{root}, o)
	if err != nil || !r.Same() || r.Files != len(schema.Tables) || r.CodeRevision != "another" {
		t.Fatalf("have %+v %v, want the same bytes of every table", r, err)
	}
	status, err := pipeline.Status(context.Background(), d, []string{root}, o)
	if err != nil || status.UpToDate() || len(status.Changes) > 0 || status.CodeRevision != "another" {
		t.Errorf("have %+v %v, want only the code to differ", status, err)
	}
	file := filepath.Join(root, filepath.FromSlash(path), schema.TrajectoryFile)
	text, err := os.ReadFile(file)
	check(t, err)
	check(t, os.WriteFile(file, []byte(strings.Replace(string(text), `"input_tokens":100`, `"input_tokens":900`, 1)), 0o644))
	fixture{task: "t3"}.write(t, root)
	r, err = pipeline.Rederive(context.Background(), d, []string{root}, o)
	check(t, err)
	if have := fmt.Sprint(r.Changes); !strings.Contains(have, path+"/"+schema.TrajectoryFile+": have SHA-256") || !strings.Contains(have, "t3/") {
		t.Errorf("have %s, want the changed and the new directory", have)
	}
	if have := fmt.Sprint(r.Differences); !strings.Contains(have, "runs: have 2 rows, want 3") {
		t.Errorf("have %s", have)
	}
	check(t, os.RemoveAll(filepath.Join(root, "exp", "grep", "t3")))
	r, err = pipeline.Rederive(context.Background(), d, []string{root}, o)
	check(t, err)
	if have := fmt.Sprint(r.Differences); !strings.Contains(have, "runs.input_tokens: 1 values differ") || !strings.Contains(have, id) || !strings.Contains(have, "have 100, want 900") {
		t.Errorf("have %s, want input_tokens of run %s", have, id)
	}
	status, err = pipeline.Status(context.Background(), d, []string{root}, o)
	if err != nil || len(status.Changes) != 1 || status.Changes[0].File != schema.TrajectoryFile {
		t.Errorf("have %+v %v, want the changed trajectory", status, err)
	}
}

// TestValidate finds what Derive finds, and writes nothing.
func TestValidate(t *testing.T) {
	root := t.TempDir()
	study(t, root)
	var codes []string
	v, err := pipeline.Validate(context.Background(), []string{root}, pipeline.Options{}, func(list []schema.Finding, _ []schema.ExclusionRow) error {
		for _, f := range list {
			codes = append(codes, f.Code.Name)
		}
		return nil
	})
	check(t, err)
	s := derive(t, pipeline.Options{}, root)
	if v.Counts != s.Counts || fmt.Sprint(v.Findings) != fmt.Sprint(s.Findings) {
		t.Errorf("have %+v, want %+v", v, s)
	}
	want(t, "findings in the order of the dataset", codes, rows(t, s, "SELECT code FROM findings"))
}

// TestShards: many shards hold the same rows as one, in folders of parts.
func TestShards(t *testing.T) {
	root := t.TempDir()
	study(t, root)
	one := derive(t, pipeline.Options{}, root)
	many := derive(t, pipeline.WithShardBytes(pipeline.Options{}, 5000), root)
	if _, err := os.Stat(filepath.Join(many.Dir, "runs", "part-00001.parquet")); err != nil {
		t.Fatal(err)
	}
	if one.DatasetID != many.DatasetID || one.Counts != many.Counts || one.Rows != many.Rows {
		t.Errorf("have %+v, want %+v", many, one)
	}
	for _, table := range schema.Tables {
		q := fmt.Sprintf("SELECT count(*) || ' ' || sum(hash(x))::VARCHAR FROM %s x", table.Name)
		want(t, table.Name, rows(t, many, q), rows(t, one, q))
	}
	d, err := dataset.Open(many.Dir)
	check(t, err)
	if problems, err := d.Verify(); err != nil || len(problems) > 0 {
		t.Errorf("have %v %v, want nothing wrong", problems, err)
	}
}
