package tables_test

import (
	"context"
	"maps"
	"testing"

	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// TestExplainAddsUp opens cells of every shipped table and holds the runs behind a
// rate to the numbers that the cell prints: every column of a table's first row,
// and in every row the rates and one more cell. What a cell lists depends on its
// row and on the quantity that its column aggregates, not on the two together.
func TestExplainAddsUp(t *testing.T) {
	db := openStudy(t, true, duck.Study{Factors: []duck.StudyFactor{{Column: "factor_retriever", Reference: "none"}, {Column: "factor_packing", Reference: "head"}}})
	for _, s := range tables.Shipped() {
		o, err := tables.Open(context.Background(), db, s)
		if err != nil {
			t.Fatal(err)
		}
		g := o.Grid
		for i, r := range g.Rows {
			for j, c := range g.Columns {
				if _, rate := r.Cells[j].Value.(tables.Rate); !rate && i > 0 && j != len(g.Columns)-1 {
					continue
				}
				e, err := o.Explain(context.Background(), r.Key, c.Key)
				if err != nil {
					t.Fatalf("%s %s %s: %v", s.Name, r.Key, c.Key, err)
				}
				cell := g.Rows[i].Cells[j]
				checkGroups(t, e, cell)
				rate, ok := cell.Value.(tables.Rate)
				if !ok {
					continue
				}
				n := e.Counts
				if int64(n[tables.StandingNumerator]) != rate.Numerator || int64(n[tables.StandingNumerator]+n[tables.StandingObserved]) != rate.Denominator ||
					int64(n[tables.StandingExcluded]) != rate.Excluded || int64(n[tables.StandingMissing]) != rate.Missing || int64(n[tables.StandingAbsent]) != rate.Absent {
					t.Errorf("%s %s %s: have %v behind %+v", s.Name, r.Key, c.Key, n, rate)
				}
			}
		}
	}
}

// checkGroups: the groups of a cell add up to its counts, and where it counts tasks
// the observed runs are of as many.
func checkGroups(t *testing.T, e tables.Explanation, cell tables.Cell) {
	t.Helper()
	sums, tasks := map[tables.Standing]int{}, map[tables.Standing]int{}
	for _, g := range e.Groups {
		sums[g.Standing] += g.Runs
		tasks[g.Standing] += g.Tasks
	}
	if !maps.Equal(sums, e.Counts) {
		t.Errorf("%s %s %s: groups have %v, want %v", e.Table, e.Row, e.Column, sums, e.Counts)
	}
	if q, ok := cell.Value.(tables.Quartiles); ok && e.Counted == "tasks" && e.Counts[tables.StandingExcluded] == 0 &&
		(int64(tasks[tables.StandingObserved]) != q.Coverage.Observed || int64(tasks[tables.StandingMissing]) != q.Coverage.Missing) {
		t.Errorf("%s %s %s: have runs of %v behind %+v", e.Table, e.Row, e.Column, tasks, q.Coverage)
	}
}

// TestStands: the way back from a run meets the cells that Explain opens.
func TestStands(t *testing.T) {
	db := openStudy(t, true, duck.Study{})
	s, err := tables.ShippedByNumber(4)
	if err != nil {
		t.Fatal(err)
	}
	res, err := db.Query(context.Background(), "SELECT run_id, arm FROM included ORDER BY run_id LIMIT 1")
	if err != nil {
		t.Fatal(err)
	}
	run, arm := res.Rows[0][0].Text, res.Rows[0][1].Text
	o, err := tables.Open(context.Background(), db, s)
	if err != nil {
		t.Fatal(err)
	}
	stands, err := o.Stands(context.Background(), run)
	if err != nil || len(stands) == 0 {
		t.Fatalf("have %v, %v, want cells", stands, err)
	}
	for _, st := range stands {
		if st.Row != arm {
			t.Errorf("have a cell in row %q, want %q", st.Row, arm)
		}
	}
}
