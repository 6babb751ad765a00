package main

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// makeSame makes the tables of a few runs by derive and by SQL.
func makeSame(t *testing.T, sh shape, events string) (data, duck string) {
	t.Helper()
	dir := t.TempDir()
	raw, duck := filepath.Join(dir, "raw"), filepath.Join(dir, "duckdb")
	if err := makeInput(raw, 40, sh); err != nil {
		t.Fatal(err)
	}
	s, err := pipeline.Derive(context.Background(), []string{raw}, filepath.Join(dir, "data"), pipeline.Options{CodeRevision: "v1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	if err := runDuckDB(raw, duck, sameTablesSQL(events)); err != nil {
		t.Fatal(err)
	}
	return s.Dir, duck
}

// The contender of derive must do the same work: SQL over the raw files makes the
// three tables value by value, from input of both shapes.
func TestSameTables(t *testing.T) {
	for _, sh := range []shape{shortLines, longLines} {
		for name, events := range map[string]string{"typed": typedEvents, "JSON": jsonEvents} {
			t.Run(sh.name+" lines, "+name, func(t *testing.T) {
				data, duck := makeSame(t, sh, events)
				if err := checkSame(data, duck); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A comparison that finds nothing shows something only if it finds what differs.
func TestDifferentTables(t *testing.T) {
	data, duck := makeSame(t, shortLines, typedEvents)
	db, err := sql.Open("duckdb", engineSettings)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// Temporary tables belong to a connection.
	db.SetMaxOpenConns(1)
	for _, c := range []struct {
		name         string
		table        *schema.Table
		change, want string
	}{
		{"a value", &schema.TableCandidates, "SELECT * REPLACE (CASE WHEN seq = 3 THEN 7 ELSE list_rank END AS list_rank) FROM t", "candidates: list_rank: 40 rows differ"},
		{"a missing value", &schema.TableRuns, "SELECT * REPLACE (CASE WHEN rowid > 0 THEN mrr END AS mrr) FROM t", "runs: mrr: 1 rows differ"},
		{"a value that is missing elsewhere", &schema.TableRuns, "SELECT * REPLACE (coalesce(tool_tokens, 0) AS tool_tokens) FROM t", "runs: tool_tokens: 40 rows differ"},
		{"a double by 1e-11 of it", &schema.TableRuns, "SELECT * REPLACE (wall_time_s * (1 + 1e-11) AS wall_time_s) FROM t", "runs: wall_time_s: 40 rows differ"},
		{"a double by 1e-13 of it", &schema.TableRuns, "SELECT * REPLACE (wall_time_s * (1 + 1e-13) AS wall_time_s) FROM t", ""},
		{"fewer rows", &schema.TableQueries, "SELECT * FROM t WHERE query_id <> 'q6'", "queries: have 280 rows, SQL 240"},
		{"another key", &schema.TableQueries, "SELECT * REPLACE (CASE WHEN rowid = 0 THEN 1000 ELSE seq END AS seq) FROM t", "queries: 2 rows stand in one file only"},
		{"a column less", &schema.TableRuns, "SELECT * EXCLUDE (factor_retriever) FROM t", "runs: column 172: have [{factor_retriever VARCHAR}], SQL []"},
		{"another type", &schema.TableQueries, "SELECT * REPLACE (hit_at_1::DOUBLE AS hit_at_1) FROM t", "queries: column 28: have [{hit_at_1 BIGINT}], SQL [{hit_at_1 DOUBLE}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := t.TempDir()
			if _, err := db.Exec("CREATE OR REPLACE TEMP TABLE t AS FROM " + parquetFile(duck, c.table)); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec("COPY (" + c.change + ") TO " + parquetFile(changed, c.table) + " (FORMAT parquet)"); err != nil {
				t.Fatal(err)
			}
			have := ""
			if err := checkTable(db, c.table, data, changed); err != nil {
				have = err.Error()
			}
			if have != c.want {
				t.Errorf("have %q, want %q", have, c.want)
			}
		})
	}
}
