package duck_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

func open(t *testing.T, relations ...duck.Relation) *duck.DB {
	t.Helper()
	db, err := duck.Open(context.Background(), duck.Source{Dir: t.TempDir(), Relations: relations}, duck.Options{Comments: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func query(t *testing.T, db *duck.DB, q string) [][]string {
	t.Helper()
	res, err := db.Query(context.Background(), q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	var out [][]string
	for _, r := range res.Rows {
		var row []string
		for _, v := range r {
			row = append(row, v.String())
		}
		out = append(out, row)
	}
	return out
}

// TestWilson: 7 of 17, R 4.2.2: prop.test(7, 17, correct = FALSE)$conf.int = 0.2161308 0.6398859.
func TestWilson(t *testing.T) {
	db := open(t)
	res, err := db.Query(context.Background(), "SELECT wilson(7, 17) AS w, wilson(0, 0) AS none")
	if err != nil {
		t.Fatal(err)
	}
	w := res.Rows[0][0]
	for name, want := range map[string]float64{"estimate": 7.0 / 17, "low": 0.2161, "high": 0.6399} {
		v, ok := w.Member(name)
		if got, _ := v.Number(); !ok || math.Abs(got-want) > 5e-4 {
			t.Errorf("wilson(7, 17).%s: have %v, want %v", name, got, want)
		}
	}
	if res.Rows[0][1].Kind != duck.Null {
		t.Errorf("wilson(0, 0): have %v, want NULL", res.Rows[0][1])
	}
}

// TestClosedDoor holds what a query may not do.
func TestClosedDoor(t *testing.T) {
	db := open(t)
	for _, q := range []string{
		"SELECT * FROM read_text('/etc/hostname')",
		"COPY (SELECT 1) TO 'x.csv'",
		"ATTACH 'x.db'",
		"INSTALL fts",
		"LOAD fts",
		"SET threads=4",
		"PRAGMA enable_profiling",
		"RESET threads",
		"SET enable_external_access=true",
		"EXPORT DATABASE 'x'",
		"SELECT 1; COPY (SELECT 1) TO 'x.csv'",
	} {
		if _, err := db.Query(context.Background(), q); err == nil {
			t.Errorf("%s: have no error, want it refused", q)
		}
	}
}

// included is a small study for the documented examples.
var included = duck.Relation{Name: "included", Query: `
	SELECT 't' || t AS task_id, r AS repetition, a.arm, a.arm AS harness_id, 'repo' || t % 5 AS repository, CASE WHEN t % 2 = 0 THEN 'easy' ELSE 'hard' END AS difficulty,
	       (hash(t, a.arm) % 100 < a.rate)::INT AS resolved_at_1, (hash(t, a.arm, 1) % 100) / 100.0 AS file_recall_at_10, (hash(t, a.arm, 2) % 1000) / 10.0 AS cost_usd,
	       a.retriever AS factor_retriever, a.packing AS factor_packing
	FROM range(24) r1(t), range(1) r2(r), (VALUES ('base', 40, 'none', 'flat'), ('b', 60, 'dense', 'flat'), ('c', 50, 'none', 'tree'), ('d', 70, 'dense', 'tree')) a(arm, rate, retriever, packing)`}

// TestFunctionList runs the example of every function.
func TestFunctionList(t *testing.T) {
	db := open(t, included)
	rows := query(t, db, "SELECT name, example FROM assay_functions() ORDER BY name")
	if len(rows) != len(duck.Functions) {
		t.Fatalf("have %d functions, want %d", len(rows), len(duck.Functions))
	}
	for _, r := range rows {
		if len(query(t, db, r[1])) == 0 {
			t.Errorf("%s: have no row, want one", r[1])
		}
	}
}

func TestValues(t *testing.T) {
	db := open(t)
	rows := query(t, db, `SELECT NULL, 'a', 12::UTINYINT, 0.1::DOUBLE, 1.50::DECIMAL(18,9), -0.05::DECIMAL(4,2), true,
		TIMESTAMPTZ '2026-01-02 03:04:05.678+00', DATE '2026-01-02', [1, NULL, 3], {'b': 1, 'a': 'x'}, 170141183460469231731687303715884105727::HUGEINT`)
	want := []string{"", "a", "12", "0.1", "1.500000000", "-0.05", "true", "2026-01-02T03:04:05.678Z", "2026-01-02", "[1, NULL, 3]", "{b: 1, a: x}", "170141183460469231731687303715884105727"}
	for i, w := range want {
		if rows[0][i] != w {
			t.Errorf("column %d: have %q, want %q", i, rows[0][i], w)
		}
	}
}

// TestNestedValues: what stands in a list, a struct or a map is of its own type, in
// the order that the type declares; an interval and a small integer type print as
// they do in the engine.
func TestNestedValues(t *testing.T) {
	db := open(t)
	for q, want := range map[string]string{
		"[DATE '2026-01-02']":                                "[2026-01-02]",
		"[{'b': TIME '03:04:05', 'a': NULL}]":                "[{b: 03:04:05, a: NULL}]",
		"{'z': {'y': 1, 'x': [0.1::FLOAT]}}":                 "{z: {y: 1, x: [0.1]}}",
		"MAP {'k': 1.50::DECIMAL(4,2), 'a': NULL}":           "{k: 1.50, a: NULL}",
		"MAP {2: DATE '2026-01-02'}":                         "{2: 2026-01-02}",
		"18446744073709551615::UBIGINT":                      "18446744073709551615",
		"0.1::FLOAT":                                         "0.1",
		"'-inf'::FLOAT":                                      "-Inf",
		"INTERVAL '14 months 1 day 01:02:03.5'":              "1 year 2 months 1 day 01:02:03.5",
		"INTERVAL 0 DAY":                                     "00:00:00",
		"INTERVAL (-90) MINUTE":                              "-01:30:00",
		"[1, 2]::INTEGER[2]":                                 "[1, 2]",
		"uuid_extract_version(uuid()) IS NOT NULL":           "true",
		"union_value(num := 7)":                              "7",
		"[170141183460469231731687303715884105727::HUGEINT]": "[170141183460469231731687303715884105727]",
	} {
		if have := query(t, db, "SELECT "+q)[0][0]; have != want {
			t.Errorf("%s: have %q, want %q", q, have, want)
		}
	}
}

// TestViewsStayAsTheyAre: a statement may define what it likes, but no view or macro
// of the source is dropped, replaced or hidden, in the same call or a later one.
func TestViewsStayAsTheyAre(t *testing.T) {
	ctx := context.Background()
	db := open(t, duck.Relation{Name: "runs", Query: "SELECT 7 AS n"})
	for _, q := range []string{
		"DROP VIEW runs",
		"CREATE OR REPLACE VIEW runs AS SELECT 1 AS n",
		"CREATE OR REPLACE TEMP VIEW runs AS SELECT 1 AS n",
		"CREATE TEMP TABLE runs AS SELECT 1 AS n",
		`CREATE TEMP VIEW "RUNS" AS SELECT 1 AS n`,
		"ALTER VIEW runs RENAME TO walks",
		"CREATE SCHEMA other; CREATE VIEW other.runs AS SELECT 1 AS n",
	} {
		var err error
		for _, s := range duck.Statements(q) {
			_, err = db.Query(ctx, s)
		}
		if err == nil {
			t.Errorf("%s: have no error, want it refused", q)
		}
		if have := query(t, db, "SELECT n FROM runs")[0][0]; have != "7" {
			t.Errorf("%s: have %s in runs, want 7", q, have)
		}
	}
	for _, q := range []string{"CREATE VIEW mine AS SELECT n + 1 AS n FROM runs", "CREATE OR REPLACE VIEW mine AS SELECT n + 2 AS n FROM runs", "CREATE MACRO twice(x) AS 2 * x", "CREATE TABLE kept AS FROM mine", "INSERT INTO kept VALUES (1)", "DROP VIEW mine"} {
		if _, err := db.Query(ctx, q); err != nil {
			t.Errorf("%s: %v", q, err)
		}
	}
	if have := query(t, db, "SELECT twice(sum(n)) FROM kept")[0][0]; have != "20" {
		t.Errorf("have %s, want 20", have)
	}
}

// TestMacrosStayAsTheyAre: the questions of a study cannot be answered otherwise.
func TestMacrosStayAsTheyAre(t *testing.T) {
	db := openStudyOfNothing(t, duck.Options{Comments: true})
	before := query(t, db, "SELECT study_faults()")[0][0]
	for _, q := range []string{"CREATE OR REPLACE MACRO study_faults() AS 'all'", "DROP MACRO study_faults", "CREATE TEMP MACRO study_faults() AS 'all'", "CREATE TEMP MACRO Study_Faults() AS 'all'", "CREATE TEMP MACRO Wilson(a, b) AS 1"} {
		if _, err := db.Query(context.Background(), q); err == nil {
			t.Errorf("%s: have no error, want it refused", q)
		}
	}
	if have := query(t, db, "SELECT study_faults()")[0][0]; have != before {
		t.Errorf("have %s, want %s", have, before)
	}
}

// openStudyOfNothing is a study whose tables have no row.
func openStudyOfNothing(t *testing.T, opts duck.Options) *duck.DB {
	t.Helper()
	var relations []duck.Relation
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
		relations = append(relations, duck.Relation{Name: table.Name, Doc: table.Doc, Query: "SELECT " + strings.Join(empty, ", ") + " WHERE false", Columns: columns})
	}
	db, err := duck.OpenStudy(context.Background(), duck.Source{Dir: t.TempDir(), Relations: relations}, duck.Study{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// TestEveryColumnHasItsComment: those of the views that a study adds too.
func TestEveryColumnHasItsComment(t *testing.T) {
	db := openStudyOfNothing(t, duck.Options{Comments: true})
	for _, r := range query(t, db, "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND comment IS NULL ORDER BY ALL") {
		t.Errorf("%s.%s: have no comment, want one", r[0], r[1])
	}
}

// TestExportKeepsSums: a sum of integers is a HUGEINT, which Parquet has no type for;
// 2^53 + 1 is the first integer that a double does not hold.
func TestExportKeepsSums(t *testing.T) {
	dir := t.TempDir()
	db, err := duck.Open(context.Background(), duck.Source{Dir: dir}, duck.Options{Scratch: filepath.Join(dir, "result.parquet")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	path, err := db.ExportParquet(context.Background(), "SELECT sum(n) AS total, 'x' AS other FROM (VALUES (9007199254740992), (1)) v(n)")
	if err != nil {
		t.Fatal(err)
	}
	if have := query(t, db, "SELECT total, other FROM read_parquet('"+path+"')")[0]; have[0] != "9007199254740993" {
		t.Errorf("have %v, want 9007199254740993", have)
	}
}

// TestFilesOfAnOlderVersion: a column that the files do not have yet is NULL.
func TestFilesOfAnOlderVersion(t *testing.T) {
	dir := t.TempDir()
	db, err := duck.Open(context.Background(), duck.Source{Dir: dir}, duck.Options{Scratch: filepath.Join(dir, "runs.parquet")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExportParquet(context.Background(), "SELECT 7 AS a"); err != nil {
		t.Fatal(err)
	}
	columns := []schema.Column{{Name: "a", Type: schema.TypeInteger, Doc: "a number"}, {Name: "b", Type: schema.TypeText, Doc: "a text"}}
	older, err := duck.Open(context.Background(), duck.Source{Dir: dir, Relations: []duck.Relation{{Name: "runs", Files: []string{"runs.parquet"}, Columns: columns, Older: true}}}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer older.Close()
	if have := query(t, older, "SELECT a, b IS NULL FROM runs"); len(have) != 1 || have[0][0] != "7" || have[0][1] != "true" {
		t.Errorf("have %v, want one row of 7 and NULL", have)
	}
}

func TestComments(t *testing.T) {
	db := open(t, duck.Relation{Name: "v", Doc: "one row", Query: "SELECT 1 AS a"})
	rows := query(t, db, "SELECT comment FROM duckdb_views() WHERE view_name = 'v'")
	if len(rows) != 1 || rows[0][0] != "one row" {
		t.Errorf("have %v, want the view's comment", rows)
	}
}

// TestPairedHaikuSonnet: 89 tasks, both 32, first only 18, second only 5, neither
// 34; exact McNemar p = 0.010622 (R 4.2.2, binom.test(5, 23)$p.value).
func TestPairedRates(t *testing.T) {
	db := open(t, duck.Relation{Name: "study", Query: `
		SELECT 't' || i AS task_id, 1 AS repetition, arm,
		       CASE arm WHEN 'sonnet' THEN (i < 50)::INT ELSE (i < 32 OR i BETWEEN 50 AND 54)::INT END AS resolved
		FROM range(89) r(i), (VALUES ('sonnet'), ('haiku')) a(arm)`})
	res, err := db.Query(context.Background(), "SELECT difference, p, won, lost, tasks FROM paired('SELECT * FROM study', 'response=resolved arm=arm baseline=haiku')")
	if err != nil {
		t.Fatal(err)
	}
	row := res.Rows[0]
	d, _ := row[0].Number()
	p, _ := row[1].Number()
	if math.Abs(d-13.0/89) > 1e-12 || math.Abs(p-0.010622) > 1e-6 || row[2].Int != 18 || row[3].Int != 5 || row[4].Int != 89 {
		t.Errorf("have %v, want 13/89, p 0.010622, 18 won, 5 lost, 89 tasks", row)
	}
}

func TestOptionsRefused(t *testing.T) {
	db := open(t)
	for _, q := range []string{
		"SELECT * FROM paired('SELECT 1 AS a', 'response=a arm=a')",
		"SELECT * FROM paired('SELECT 1 AS a', 'respons=a')",
		"SELECT * FROM paired('SELECT 1 AS a', 'response=b arm=a baseline=1')",
		"SELECT * FROM paired('SELECT 1 AS a', 'response=''a')",
		"SELECT * FROM paired('COPY (SELECT 1) TO ''x''', 'response=a')",
		"SELECT * FROM factorial('SELECT 1 AS a', 'response=a')",
		"SELECT rate([2], ['a'])",
		"SELECT pass_at_k([1], ['a'], 0)",
		"SELECT pass_hat_k([1], ['a', 'b'], 1)",
		"SELECT mcnemar(-1, 2)",
		"SELECT breslow_day([1.0], [2.0], [1.0], [2.0, 3.0])",
		"SELECT retrieval(['a', NULL], ['a'], 10)",
		"SELECT retrieval(['a'], ['a'], -1)",
		"SELECT * FROM paired('SELECT 1 AS a, ''t'' AS task_id, 1 AS repetition', 'response=a arm=a baseline=1 method=guess')",
		"SELECT * FROM factorial('SELECT 1 AS a, ''x'' AS f, ''t'' AS task_id', 'response=a factors=f method=guess')",
		"SELECT * FROM factorial('SELECT 3 AS a, ''x'' AS f, ''t'' AS task_id', 'response=a factors=f method=logistic')",
		"SELECT * FROM ranking('SELECT 1 AS a, ''t'' AS task_id', 'response=a arm=a higher=maybe')",
		"SELECT * FROM ranking('SELECT 1 AS a, ''t'' AS task_id', 'response=a arm=a draws=0')",
		"SELECT * FROM cochran_q('SELECT 2 AS a, ''t'' AS task_id', 'response=a arm=a')",
		"SELECT * FROM cochran_q('SELECT 1 AS a, ''t'' AS task_id FROM range(2)', 'response=a arm=a')",
		"SELECT * FROM friedman('SELECT 1 AS a', 'response=a arm=a')",
		"SELECT * FROM leave_one_out('SELECT x AS a, ''t'' AS task_id, 1 AS repetition FROM range(2) r(x)', 'response=a arm=a baseline=1')",
		"SELECT * FROM power('SELECT x AS a, ''t'' AS task_id, 1 AS repetition FROM range(2) r(x)', 'response=a arm=a baseline=1 difference=much')",
		"SELECT * FROM power('SELECT x AS a, ''t'' AS task_id, 1 AS repetition FROM range(2) r(x)', 'response=a arm=a baseline=1 tasks=9000000')",
	} {
		if _, err := db.Query(context.Background(), q); err == nil {
			t.Errorf("%s: have no error, want it refused", q)
		} else {
			t.Log(err)
		}
	}
}
