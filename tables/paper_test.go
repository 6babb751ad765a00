package tables_test

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// study returns the dataset's views with rows made by SQL: two factors, twelve
// tasks in three repositories, two repetitions; one run excluded, one without
// cost, two planned cells without a run, one of a task that has none.
func study(filled bool) []duck.Relation {
	rows := map[string]string{
		"runs": `SELECT printf('%032x', t * 100 + r * 10 + f * 2 + k) AS run_id, 'e' AS experiment_id, 'h' AS harness_id, 't' || t AS task_id, 'm' AS model_key,
			CASE f WHEN 0 THEN 'none' ELSE 'bm25' END || ' ' || CASE k WHEN 0 THEN 'head' ELSE 'full' END AS arm, r AS repetition,
			'repo' || (t % 3) AS repo_name, 'go' AS language, 100 + t AS repo_files, CASE t % 2 WHEN 0 THEN 'easy' ELSE 'hard' END AS difficulty,
			CASE WHEN t = 1 AND r = 1 AND f = 0 AND k = 0 THEN 'infrastructure' END AS excluded_by, 'completed' AS ending, 'resolved' AS outcome,
			'p/' || t AS raw_path, 'x' AS manifest_sha256, '1.0.0' AS schema_version, '' AS harness_config_sha256, '' AS model_config_sha256, 9 AS events,
			CASE WHEN excluded_by IS NULL THEN ((t * 7 + r * 3 + f * 5 + k) % 4 > 0)::BIGINT END AS resolved_at_1,
			CASE WHEN excluded_by IS NULL THEN 'outcome' END AS resolved_by,
			CASE WHEN resolved_at_1 = 0 THEN 'edit' END AS failure_stage,
			CASE WHEN excluded_by IS NULL AND t <> 2 THEN (0.25 * (1 + t % 3))::DECIMAL(18,9) END AS cost_usd,
			CASE WHEN excluded_by IS NULL THEN 1000 * t + 10 * r END AS input_tokens,
			CASE WHEN excluded_by IS NULL THEN least(1, 0.3 + 0.2 * f + 0.1 * k + 0.05 * (t % 4) + 0.03 * ((t * r) % 3)) END AS file_recall_at_10,
			CASE f WHEN 0 THEN 'none' ELSE 'bm25' END AS factor_retriever, CASE k WHEN 0 THEN 'head' ELSE 'full' END AS factor_packing
			FROM range(1, 13) a(t), range(1, 3) b(r), range(0, 2) c(f), range(0, 2) d(k)`,
		"plan": `SELECT 'e' AS experiment_id, 'none head' AS arm, 'h' AS harness_id, 'm' AS model_key, t.task AS task_id, t.repetition, NULL AS run_id, false AS inferred
			FROM (VALUES ('t1', 3), ('t99', 1)) t(task, repetition)`,
		"missing": `SELECT printf('%032x', 200 + r * 10 + f * 2 + k) AS run_id, 'cost_usd' AS metric, 'missing' AS state, 'no_usage' AS reason
			FROM range(1, 3) b(r), range(0, 2) c(f), range(0, 2) d(k)`,
		"metrics":          `SELECT 'run' AS level, 1 AS place, 'file_recall_at_10' AS name, 'recall@10' AS heading`,
		"resource_samples": `SELECT printf('%032x', t * 100 + 10) AS run_id, t AS seq, 'index' AS scope, 'idx' AS index_id, 100.0 * t AS index_build_ms, 1000000 AS disk_bytes, true AS included FROM range(1, 13) a(t)`,
		"queries":          `SELECT printf('%032x', t * 100 + 10) AS run_id, t AS seq, 'idx' AS index_id, 1.0 * t AS latency_ms, true AS included FROM range(1, 13) a(t)`,
	}
	if !filled {
		rows = nil
	}
	return relationsOf(rows)
}

// relationsOf are all tables of a dataset, each with the rows of a query or none.
func relationsOf(rows map[string]string) []duck.Relation {
	var out []duck.Relation
	for _, table := range schema.Tables {
		columns := table.Columns()
		if table.Values != "" {
			for _, v := range schema.ValueColumns(table.Values) {
				columns = append(columns, v.Column)
			}
		}
		var empty []string
		for _, c := range columns {
			empty = append(empty, "NULL::"+string(c.Type)+` AS "`+c.Name+`"`)
		}
		q := "SELECT " + strings.Join(empty, ", ") + " WHERE false"
		if more, ok := rows[table.Name]; ok {
			q += " UNION ALL BY NAME SELECT * FROM (" + more + ")"
		}
		out = append(out, duck.Relation{Name: table.Name, Query: q, Columns: columns})
	}
	return out
}

func openStudy(t *testing.T, filled bool, s duck.Study) *duck.DB {
	t.Helper()
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: study(filled)}, s, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestShippedTablesWithoutRuns: a table with nothing to show is written and says why.
func TestShippedTablesWithoutRuns(t *testing.T) {
	db := openStudy(t, false, duck.Study{})
	for _, s := range tables.Shipped() {
		g, err := tables.Make(context.Background(), db, s)
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		if len(g.Rows) > 0 && s.Number != 1 {
			t.Errorf("%s: have %d rows, want none", s.Name, len(g.Rows))
		}
	}
}

func TestShippedTables(t *testing.T) {
	for _, faults := range []string{"agent", "all", "none"} {
		db := openStudy(t, true, duck.Study{Faults: faults, Factors: []duck.StudyFactor{{Column: "factor_retriever", Reference: "none"}, {Column: "factor_packing", Reference: "head"}}})
		for _, s := range tables.Shipped() {
			g, err := tables.Make(context.Background(), db, s)
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
				continue
			}
			if len(g.Rows) == 0 {
				t.Errorf("%s: have no rows, want some", s.Name)
			}
			if os.Getenv("ASSAY_SHOW") != "" && faults == "agent" {
				os.Stdout.Write(tables.Screen(g, tables.Terminal{Width: 200}))
			}
		}
	}
}

// TestAbsentByStratum: a planned cell without a run lies where the task's runs lie,
// t1 among the hard ones; a task without any run lies in no known stratum.
func TestAbsentByStratum(t *testing.T) {
	db := openStudy(t, true, duck.Study{})
	s, err := tables.ShippedByNumber(5)
	if err != nil {
		t.Fatal(err)
	}
	g, err := tables.Make(context.Background(), db, s)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{"difficulty::hard::h": 1, "difficulty::easy::h": 0, "difficulty::unknown::h": 1, "scenario::unknown::h": 2}
	column := slices.IndexFunc(g.Columns, func(c tables.Column) bool { return c.Key == "resolved_at_1" })
	have := map[string]int64{}
	for _, r := range g.Rows {
		have[r.Key] = r.Cells[column].Value.(tables.Rate).Absent
	}
	if !maps.Equal(have, want) {
		t.Errorf("have %v absent, want %v", have, want)
	}
}

// TestTasksWithoutLabelOrRun: tasks whose difficulty nobody says are counted as
// unknown, six of twelve, and a planned task without a run is named as not described.
func TestTasksWithoutLabelOrRun(t *testing.T) {
	relations := rewritten("WHEN 0 THEN 'easy' ELSE 'hard' END AS difficulty", "WHEN 0 THEN 'easy' END AS difficulty")
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, duck.Study{}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g := opened(t, db, 1).Grid
	last := g.Rows[len(g.Rows)-1]
	column := slices.IndexFunc(g.Columns, func(c tables.Column) bool { return c.Key == "difficulties" })
	if have, want := g.Columns[column].Print(last.Cells[column]), "easy 6, unknown 6"; have != want {
		t.Errorf("have difficulties %q, want %q", have, want)
	}
	if want := "Not described: 1 planned task of which no run is there."; !slices.Contains(g.Notes, want) {
		t.Errorf("have notes %q, want %q among them", g.Notes, want)
	}
}

// TestIndexUsedByOneLevel: where one level of a factor builds an index and the other
// does not, the table names the level.
func TestIndexUsedByOneLevel(t *testing.T) {
	relations := study(true)
	for i := range relations {
		switch relations[i].Name {
		case schema.TableResourceSamples.Name, schema.TableQueries.Name: // the runs of bm25 alone, with either packing
			relations[i].Query = strings.ReplaceAll(relations[i].Query, "t * 100 + 10", "t * 100 + 12 + t % 2")
		}
	}
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, duck.Study{}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g := opened(t, db, 6).Grid
	column := slices.IndexFunc(g.Columns, func(c tables.Column) bool { return c.Key == "used_by" })
	if have, want := g.Columns[column].Print(g.Rows[0].Cells[column]), "retriever=bm25"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}
