package duck_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

func TestStatements(t *testing.T) {
	for text, want := range map[string][]string{
		"":                              nil,
		" ; -- nothing\n;":              nil,
		"SELECT 1":                      {"SELECT 1"},
		"SELECT 1; SELECT 2;":           {"SELECT 1", " SELECT 2"},
		"SELECT ';' || \"a;b\"":         {"SELECT ';' || \"a;b\""},
		"SELECT 'it''s; one'":           {"SELECT 'it''s; one'"},
		"SELECT 1 -- a; b\n+ 1":         {"SELECT 1 -- a; b\n+ 1"},
		"SELECT /* ; */ 1":              {"SELECT /* ; */ 1"},
		"SELECT $$;$$, $x$ ; $$ ; $x$":  {"SELECT $$;$$, $x$ ; $$ ; $x$"},
		"SELECT 'never closed; SELECT2": {"SELECT 'never closed; SELECT2"},
	} {
		if diff := cmp.Diff(want, duck.Statements(text)); diff != "" {
			t.Errorf("%q: -want +have\n%s", text, diff)
		}
	}
}

// TestNoWayToWrite: the engine may open the dataset's folder, and no statement,
// nor one inside of another, writes there.
func TestNoWayToWrite(t *testing.T) {
	dir := t.TempDir()
	db, err := duck.Open(context.Background(), duck.Source{Dir: dir}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	file := filepath.ToSlash(filepath.Join(dir, "x.csv"))
	write := "COPY (SELECT 1) TO '" + file + "'"
	for _, q := range []string{
		write,
		write + "; SELECT 1",
		"SELECT 1; " + write,
		"SELECT 1; " + write + "; SELECT 1",
		"SELECT E'\\''; " + write + "; SELECT '",
		"SELECT 1 AS a$b$; " + write + "; SELECT 2 AS a$b$",
		"SELECT /* /* */ 1 */ 1; " + write + "; SELECT 1",
		"SELECT 1 -- \r; " + write + "; SELECT 1",
		"EXPLAIN ANALYZE " + write,
		"EXPLAIN (ANALYZE) " + write,
		"EXPLAIN/**/ANALYZE " + write,
		"PREPARE p AS " + write,
		"BEGIN",
		"CALL enable_logging(storage='file', storage_path='" + filepath.ToSlash(dir) + "')",
		"SELECT * FROM enable_logging(storage='file', storage_path='" + filepath.ToSlash(dir) + "')",
		"PRAGMA profiling_output='" + file + "'",
		"EXPORT DATABASE '" + filepath.ToSlash(dir) + "/db'",
		"ATTACH '" + file + "' AS x",
		"SELECT * FROM paired('" + strings.ReplaceAll(write, "'", "''") + "', 'response=a arm=b baseline=c')",
	} {
		if _, err := db.Query(context.Background(), q); err == nil {
			t.Errorf("%s: have no error, want it refused", q)
		}
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("have files %v, %v, want none", files, err)
	}
	for _, q := range []string{"EXPLAIN SELECT 1", "EXPLAIN ANALYZE SELECT 1", "SELECT 1;", "CREATE MACRO two() AS 2", "FROM range(3) -- rows"} {
		if _, err := db.Query(context.Background(), q); err != nil {
			t.Errorf("%s: %v", q, err)
		}
	}
}

// TestExports: a query that ends in a semicolon or a comment, and a whole database.
func TestExports(t *testing.T) {
	dir := t.TempDir()
	scratch, file := filepath.Join(dir, "s.parquet"), filepath.Join(dir, "all.duckdb")
	db, err := duck.Open(context.Background(), duck.Source{Dir: dir, Relations: []duck.Relation{{Name: "runs", Query: "SELECT 7 AS n"}}},
		duck.Options{Scratch: scratch, Writable: []string{file, file + ".wal", file + ".wal.checkpoint"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, q := range []string{"FROM runs;", "FROM runs -- all", "FROM runs; -- all", "DESCRIBE runs", "SHOW TABLES", "SUMMARIZE runs", "SELECT 1 AS a, 2 AS a"} {
		if _, err := db.ExportParquet(context.Background(), q); err != nil {
			t.Errorf("%s: %v", q, err)
		}
	}
	if _, err := db.ExportParquet(context.Background(), "CREATE TABLE mine AS SELECT 1"); err == nil || !strings.Contains(err.Error(), "have a statement that gives no rows") {
		t.Errorf("have %v, want it refused", err)
	}
	if err := db.ExportDatabase(context.Background(), file); err != nil {
		t.Error(err)
	}
	left, err := filepath.Glob(file + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("have %v, %v, want the database alone", left, err)
	}
}

// TestExportedDatabase: a copy holds the views under their names, with the comments
// of their columns, and nothing twice.
func TestExportedDatabase(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "all.duckdb")
	db := openStudyOfNothing(t, duck.Options{Comments: true, Writable: []string{file, file + ".wal", file + ".wal.checkpoint"}})
	if err := db.ExportDatabase(ctx, file); err != nil {
		t.Fatal(err)
	}
	connector, err := duckdb.NewConnector(file+"?access_mode=read_only", nil)
	if err != nil {
		t.Fatal(err)
	}
	copied := sql.OpenDB(connector)
	defer copied.Close()
	var tables, stored, uncommented int
	row := copied.QueryRow(`SELECT (SELECT count(*) FROM duckdb_tables() WHERE comment IS NOT NULL), (SELECT count(*) FROM duckdb_tables() WHERE ends_with(table_name, '_stored')),
		(SELECT count(*) FROM duckdb_columns() WHERE NOT internal AND comment IS NULL)`)
	if err := row.Scan(&tables, &stored, &uncommented); err != nil {
		t.Fatal(err)
	}
	if want := len(schema.Tables) + len(duck.Views); tables != want-1 || stored != 0 || uncommented != 0 { // events needs files
		t.Errorf("have %d tables with a comment, %d stored, %d columns without a comment, want %d, 0, 0", tables, stored, uncommented, want-1)
	}
}
