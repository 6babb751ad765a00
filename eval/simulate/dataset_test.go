package simulate_test

import (
	"context"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/assay-bench/assay/eval/simulate"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// A derived study is what the pipeline made of a simulated one.
type derived struct {
	root    string
	truth   simulate.Truth
	summary *pipeline.Summary
	dataset *dataset.Dataset
	db      *duck.DB
}

// derive writes a study and takes it through the pipeline.
func derive(t testing.TB, s simulate.Study) *derived {
	t.Helper()
	ctx := context.Background()
	d := &derived{root: t.TempDir()}
	var err error
	d.truth, err = simulate.Write(ctx, d.root, s, runtime.NumCPU(), nil)
	check(t, err)
	d.summary, err = pipeline.Derive(ctx, []string{d.root}, t.TempDir(), pipeline.Options{CodeRevision: "test"})
	check(t, err)
	d.dataset, err = dataset.Open(d.summary.Dir)
	check(t, err)
	source := duck.Source{Dir: d.dataset.Dir}
	for _, table := range schema.Tables {
		r := duck.Relation{Name: table.Name, Columns: table.Columns()}
		for _, f := range d.dataset.Files(table) {
			name, err := filepath.Rel(d.dataset.Dir, f)
			check(t, err)
			r.Files = append(r.Files, name)
		}
		source.Relations = append(source.Relations, r)
	}
	d.db, err = duck.OpenStudy(ctx, source, duck.Study{}, duck.Options{})
	check(t, err)
	t.Cleanup(func() { d.db.Close() })
	return d
}

// query returns the rows as texts, blanks between the columns.
func (d *derived) query(t testing.TB, text string) []string {
	t.Helper()
	res, err := d.db.Query(context.Background(), text)
	check(t, err)
	var rows []string
	for _, r := range res.Rows {
		row := ""
		for i, v := range r {
			if i > 0 {
				row += " "
			}
			row += v.String()
		}
		rows = append(rows, row)
	}
	return rows
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
