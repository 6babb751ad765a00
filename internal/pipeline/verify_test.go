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

// TestStatus: what changed, came or went among the raw runs is named.
func TestStatus(t *testing.T) {
	root := t.TempDir()
	_, path := fixture{queries: 1}.write(t, root)
	_, gone := fixture{task: "t2"}.write(t, root)
	d, err := dataset.Open(derive(t, pipeline.Options{}, root).Dir)
	check(t, err)
	status := func() string {
		t.Helper()
		s, err := pipeline.Status(context.Background(), d, []string{root}, pipeline.Options{})
		check(t, err)
		var lines []string
		for _, c := range s.Changes {
			lines = append(lines, string(c.Kind)+" "+c.String())
		}
		return strings.Join(lines, "\n")
	}
	if have := status(); have != "" {
		t.Fatalf("have %s, want no change", have)
	}
	run := filepath.Join(root, filepath.FromSlash(path))
	text, err := os.ReadFile(filepath.Join(run, schema.TrajectoryFile))
	check(t, err)
	check(t, os.WriteFile(filepath.Join(run, schema.TrajectoryFile), append(text, '\n'), 0o644))
	check(t, os.WriteFile(filepath.Join(run, schema.DocumentTestResults.File), []byte("{}"), 0o644))
	check(t, os.WriteFile(filepath.Join(root, "exp", schema.DocumentPlan.File), []byte("{}"), 0o644))
	check(t, os.RemoveAll(filepath.Join(root, filepath.FromSlash(gone))))
	_, came := fixture{task: "t3"}.write(t, root)
	want := []string{"changed " + path + "/" + schema.TrajectoryFile, "came " + path + "/" + schema.DocumentTestResults.File,
		"went " + gone, "came " + came, "came exp"}
	have := status()
	for _, line := range want {
		if !strings.Contains("\n"+have+"\n", "\n"+line+"\n") {
			t.Errorf("have\n%s\nwant %s in it", have, line)
		}
	}
	if n := strings.Count(have, "\n") + 1; n != len(want) {
		t.Errorf("have %d changes, want %d:\n%s", n, len(want), have)
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
