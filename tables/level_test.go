package tables_test

import (
	"context"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// rewritten is the study with words of its rows replaced.
func rewritten(pairs ...string) []duck.Relation {
	relations := study(true)
	for i := range relations {
		relations[i].Query = strings.NewReplacer(pairs...).Replace(relations[i].Query)
	}
	return relations
}

// rowKeys makes a table of a study and returns the keys of its rows.
func rowKeys(t *testing.T, relations []duck.Relation, s duck.Study, number int) string {
	t.Helper()
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, s, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	spec, err := tables.ShippedByNumber(number)
	if err != nil {
		t.Fatal(err)
	}
	g, err := tables.Make(context.Background(), db, spec)
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, r := range g.Rows {
		keys = append(keys, r.Key)
	}
	return strings.Join(keys, "\n")
}

// TestLevelsWithPunctuation: a level's text may hold what separates the options
// of a function.
func TestLevelsWithPunctuation(t *testing.T) {
	const level = "dense: k=5, it''s"
	relations := rewritten("'none'", "'"+level+"'")
	s := duck.Study{Factors: []duck.StudyFactor{{Column: "factor_packing", Reference: "head"}, {Column: "factor_retriever", Reference: "dense: k=5, it's"}}}
	for _, number := range []int{2, 3} {
		keys := rowKeys(t, relations, s, number)
		if strings.Contains(keys, "factor_retriever::dense") || !strings.Contains(keys, "factor_retriever::bm25") {
			t.Errorf("table %d: have rows\n%s\nwant bm25 compared with the reference level", number, keys)
		}
	}
}

// TestReferenceWithoutRuns: a planned reference level that no included run has
// leaves the comparison to the first level by name.
func TestReferenceWithoutRuns(t *testing.T) {
	s := duck.Study{Factors: []duck.StudyFactor{{Column: "factor_retriever", Reference: "never run"}}}
	for _, number := range []int{2, 3} {
		if keys := rowKeys(t, study(true), s, number); !strings.Contains(keys, "factor_retriever::none") {
			t.Errorf("table %d: have rows\n%s\nwant none compared with bm25", number, keys)
		}
	}
}

// TestArmsNamedDifferently: two experiments that ran the same cells under other
// names of the arms are numbered by cell, so that no two runs claim one place.
func TestArmsNamedDifferently(t *testing.T) {
	relations := rewritten("'e' AS experiment_id, 'h' AS harness_id, 't' || t AS task_id",
		"'e' || (t % 2) AS experiment_id, 'h' AS harness_id, 't' || (t // 2) AS task_id",
		"CASE k WHEN 0 THEN 'head' ELSE 'full' END AS arm", "CASE k WHEN 0 THEN 'head' ELSE 'full' END || CASE t % 2 WHEN 0 THEN '' ELSE ' again' END AS arm")
	if keys := rowKeys(t, relations, duck.Study{}, 3); !strings.Contains(keys, "factor_retriever::none") {
		t.Errorf("have rows\n%s\nwant the comparison of none with bm25", keys)
	}
}

// TestBaselineWithoutRuns: a planned baseline of which no run is included is not
// replaced in silence.
func TestBaselineWithoutRuns(t *testing.T) {
	db := openStudy(t, true, duck.Study{Baseline: "never run"})
	spec, err := tables.ShippedByNumber(4)
	if err != nil {
		t.Fatal(err)
	}
	g, err := tables.Make(context.Background(), db, spec)
	if err != nil {
		t.Fatal(err)
	}
	if want := "the plan names never run, of which no run is included."; !strings.Contains(strings.Join(g.Notes, "\n"), want) {
		t.Errorf("have notes\n%s\nwant %s", strings.Join(g.Notes, "\n"), want)
	}
}

// TestNothingToResolve: in runs of retrieval alone the differences of resolution do
// not apply, and no note speaks of them.
func TestNothingToResolve(t *testing.T) {
	relations := rewritten("((t * 7 + r * 3 + f * 5 + k) % 4 > 0)::BIGINT", "NULL::BIGINT")
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, duck.Study{}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	spec, err := tables.ShippedByNumber(4)
	if err != nil {
		t.Fatal(err)
	}
	g, err := tables.Make(context.Background(), db, spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, column := range []string{"resolved_at_1", "difference", "p", "p_holm", "detectable", "cost_per_resolved"} {
		cell, ok := g.At("bm25 full", column)
		if !ok || cell.State != tables.StateNotApplicable {
			t.Errorf("%s: have %+v, want not applicable", column, cell)
		}
	}
	for _, note := range g.Notes {
		if strings.Contains(note, "paired with the baseline") || strings.HasPrefix(note, "Differences:") || strings.HasPrefix(note, "Baseline") {
			t.Errorf("have the note %q, want none of differences", note)
		}
	}
}

// TestLevelWithoutRetrieval: the runs of a level that asks nothing have no retrieval
// outcome. The level is left out, and what the other runs say of the other factor is
// there: the same as without those runs.
func TestLevelWithoutRetrieval(t *testing.T) {
	relations := rewritten("WHEN excluded_by IS NULL THEN least", "WHEN excluded_by IS NULL AND f = 1 THEN least")
	for i := range relations {
		if relations[i].Name == schema.TableMissing.Name {
			relations[i].Query += ` UNION ALL BY NAME SELECT printf('%032x', t * 100 + r * 10 + k) AS run_id, 'file_recall_at_10' AS metric, 'not_applicable' AS state, 'no_retrieval' AS reason
				FROM range(1, 13) a(t), range(1, 3) b(r), range(0, 2) d(k) WHERE NOT (t = 1 AND r = 1 AND k = 0)`
		}
	}
	s := duck.Study{Factors: []duck.StudyFactor{{Column: "factor_packing", Reference: "head"}, {Column: "factor_retriever", Reference: "none"}}}
	want := "file_recall_at_10::factor_packing::\nfile_recall_at_10::factor_packing::full"
	if keys := rowKeys(t, relations, s, 2); !strings.HasPrefix(keys, want) || strings.Contains(keys, "retriever") {
		t.Errorf("have rows\n%s\nwant those of packing alone:\n%s", keys, want)
	}
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, s, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// 0.1 a level: packing's part of the response, and nothing else differs between the levels.
	res, err := db.Query(context.Background(), "SELECT round(estimate, 9) FROM factorial('SELECT * FROM retrieved', 'response=file_recall_at_10 factors=' || retrieval_factors() || ' reference=' || option_text(retrieval_references())) WHERE level = 'full'")
	if err != nil {
		t.Fatal(err)
	}
	if have := res.Rows[0][0].String(); have != "0.1" {
		t.Errorf("have a difference of %s, want 0.1", have)
	}
}
