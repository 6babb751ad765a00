package tables_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
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

// opened opens one of the shipped tables of the study.
func opened(t *testing.T, db *duck.DB, number int) *tables.Opened {
	t.Helper()
	s, err := tables.ShippedByNumber(number)
	if err != nil {
		t.Fatal(err)
	}
	o, err := tables.Open(context.Background(), db, s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestExplainBothSides: behind a difference stand the runs of both sides, and
// behind the rate of one side its own alone.
func TestExplainBothSides(t *testing.T) {
	db := openStudy(t, true, duck.Study{Baseline: "none head"})
	tables4and5 := map[int]*tables.Opened{4: opened(t, db, 4), 5: opened(t, db, 5)}
	for _, c := range []struct {
		number            int
		row, column, role string
		own, other        int // observed runs: 12 tasks x 2 repetitions an arm, one excluded in the baseline
	}{
		{4, "bm25 head", "difference", "baseline", 24, 23},
		{4, "bm25 head", "resolved_at_1", "baseline", 24, 0},
		{5, "difficulty::easy::h", "difference", "other strata", 48, 47},
		{5, "difficulty::easy::h", "tasks", "other strata", 48, 0},
	} {
		e, err := tables4and5[c.number].Explain(context.Background(), c.row, c.column)
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]int{}
		for _, g := range e.Groups {
			if g.Standing == tables.StandingObserved || g.Standing == tables.StandingNumerator {
				have[g.Role] += g.Runs
			}
		}
		if have[""] != c.own || have[c.role] != c.other {
			t.Errorf("table %d %s %s: have %v observed, want %d and %d of role %s", c.number, c.row, c.column, have, c.own, c.other, c.role)
		}
	}
}

// TestEvidenceOfTheRepository: the size of a repository stands in the manifest.
func TestEvidenceOfTheRepository(t *testing.T) {
	e, err := opened(t, openStudy(t, true, duck.Study{}), 1).Explain(context.Background(), "repo1::false", "files")
	if err != nil {
		t.Fatal(err)
	}
	if have, want := e.Runs[0].Evidence, "p/1/run_manifest.json"; have != want {
		t.Errorf("have evidence %q, want %q", have, want)
	}
	e, err = opened(t, openStudy(t, true, duck.Study{}), 1).Explain(context.Background(), "repo1::false", "difficulties")
	if err != nil || !strings.Contains(e.Definition, "as tasks.jsonl of the experiment says, else the run") {
		t.Errorf("have %q, %v, want it to name where a label can come from", e.Definition, err)
	}
}

// TestEvidenceOfTheEvaluation: what an evaluation says leads to its file, also where
// the run has events of the kind that would say it else.
func TestEvidenceOfTheEvaluation(t *testing.T) {
	relations := rewritten("THEN 'outcome' END AS resolved_by", `THEN 'outcome' END AS resolved_by, 'trajectory.jsonl' AS trajectory_file, 1 AS started_line,
		CASE WHEN excluded_by IS NULL THEN 1 END AS patch_applied, CASE WHEN t = 3 THEN 'test_results' ELSE 'events' END AS patch_applied_from,
		CASE WHEN excluded_by IS NULL THEN 0 END AS regressions, 'test_results' AS regressions_from`)
	for i := range relations {
		if relations[i].Name == schema.TableEdits.Name {
			relations[i].Query += " UNION ALL BY NAME SELECT printf('%032x', t * 100 + r * 10 + f * 2 + k) AS run_id, 5 AS seq, 7 AS line FROM range(1, 13) a(t), range(1, 3) b(r), range(0, 2) c(f), range(0, 2) d(k)"
		}
	}
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, duck.Study{}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o := opened(t, db, 4)
	for column, want := range map[string]map[string]string{
		"patch_applied": {"t3": "p/3/test_results.json", "t4": "p/4/trajectory.jsonl:7"},
		"regressions":   {"t3": "p/3/test_results.json", "t4": "p/4/test_results.json"},
	} {
		e, err := o.Explain(context.Background(), "bm25 head", column)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range e.Runs {
			if w := want[r.Task]; w != "" && r.Evidence != w {
				t.Errorf("%s of %s: have evidence %q, want %q", column, r.Task, r.Evidence, w)
			}
		}
	}
}

// TestEvidenceOfARule: a run that the plan leaves out leads to what the plan looked
// at: the task in the first event, everything else in the manifest.
func TestEvidenceOfARule(t *testing.T) {
	for have, want := range map[string]string{
		"task.language cobol":    "p/1/trajectory.jsonl:1",
		"context_budget 8000":    "p/1/run_manifest.json",
		"run 0123abc came first": "p/1/run_manifest.json",
	} {
		relations := rewritten("'p/' || t AS raw_path", "'p/' || t AS raw_path, 'trajectory.jsonl' AS trajectory_file, 1 AS started_line")
		for i := range relations {
			if relations[i].Name == schema.TableExclusions.Name {
				relations[i].Query += " UNION ALL BY NAME SELECT printf('%032x', 110) AS run_id, 'excluded' AS class, 1 AS place, 'rule:x' AS reason, '" + have + "' AS have"
			}
		}
		db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, duck.Study{}, duck.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := opened(t, db, 7).Explain(context.Background(), "exclusion::h::infrastructure", "runs")
		db.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Runs) != 1 || e.Runs[0].Evidence != want {
			t.Errorf("%s: have %v, want the evidence %q", have, e.Runs, want)
		}
	}
}

// TestRowsByWhatIsPrinted: a row is found by its key, by the values as printed, and by
// the first of them where that is one row alone.
func TestRowsByWhatIsPrinted(t *testing.T) {
	relations := rewritten("'bm25' END || ' '", "'50%' END || ' '")
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, duck.Study{}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	first, seventh := opened(t, db, 1), opened(t, db, 7)
	for _, c := range []struct {
		table      *tables.Opened
		column     string
		asked, has string
	}{
		{first, "tasks", "all repositories::true", "all repositories::true"},
		{first, "tasks", "all repositories", "all repositories::true"},
		{seventh, "runs", "failure stage::h::edit", "failure stage::h::edit"},
		{seventh, "runs", "accounting", ""}, // many rows
		{opened(t, db, 4), "resolved_at_1", "50% head", "50%25 head"},
	} {
		e, err := c.table.Explain(context.Background(), c.asked, c.column)
		if (err == nil) != (c.has != "") || e.Row != c.has {
			t.Errorf("%q: have row %q, %v, want %q", c.asked, e.Row, err, c.has)
		}
	}
}
