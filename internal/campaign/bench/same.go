package main

import (
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// The SQL that makes the three tables as assay does, with every column but those of
// beyondSQL, and the two ways in which it reads the events.
var (
	//go:embed same.sql
	sameSQL string
	//go:embed events_typed.sql
	typedEvents string
	//go:embed events_json.sql
	jsonEvents string
)

// sameTablesSQL are the statements with one way of reading the events.
func sameTablesSQL(events string) string { return strings.Replace(sameSQL, "{events}\n", events, 1) }

// sameTables are the tables that both make.
var sameTables = []*schema.Table{&schema.TableRuns, &schema.TableQueries, &schema.TableCandidates}

// beyondSQL are the columns that read_ndjson cannot give: hashes and sizes of
// files, and places of lines in them.
var beyondSQL = []string{"line", "byte_offset", "byte_length", "started_line", "finished_line", "trajectory_sha256", "trajectory_bytes", "manifest_sha256"}

// nearly is the relative difference up to which two doubles are the same: their
// sums are made in another order.
const nearly = "1e-12"

// checkSame compares the tables that SQL wrote into the folder duck with
// those of the dataset: the columns with their order and types, the number of
// rows, and every value.
func checkSame(data, duck string) error {
	db, err := sql.Open("duckdb", engineSettings)
	if err != nil {
		return err
	}
	defer db.Close()
	var faults []error
	for _, t := range sameTables {
		faults = append(faults, checkTable(db, t, data, duck))
	}
	return errors.Join(faults...)
}

// checkDatasets compares the one dataset in the folder out with the folder duck.
func checkDatasets(out, duck string) error {
	datasets, err := filepath.Glob(filepath.Join(out, "*", schema.TableRuns.Name+".parquet"))
	if err != nil {
		return err
	}
	if len(datasets) != 1 {
		return fmt.Errorf("%s: have %d datasets, want 1", out, len(datasets))
	}
	return checkSame(filepath.Dir(datasets[0]), duck)
}

func parquetFile(dir string, t *schema.Table) string {
	return "'" + strings.ReplaceAll(filepath.ToSlash(filepath.Join(dir, t.Name+".parquet")), "'", "''") + "'"
}

func checkTable(db *sql.DB, t *schema.Table, data, duck string) error {
	c := comparison{db: db, table: t, have: parquetFile(data, t), want: parquetFile(duck, t)}
	if err := c.run(); err != nil {
		return fmt.Errorf("%s: %w", t.Name, err)
	}
	return nil
}

// A comparison is of one table: have is assay's file, want that of SQL.
type comparison struct {
	db         *sql.DB
	table      *schema.Table
	have, want string
}

func (c *comparison) run() error {
	columns, err := c.columns()
	if err != nil {
		return err
	}
	have, want, err := c.rows()
	if err != nil {
		return err
	}
	if have != want {
		return fmt.Errorf("have %d rows, SQL %d", have, want)
	}
	return c.values(columns)
}

// A tableColumn is a column with its type.
type tableColumn struct{ name, kind string }

// columns are those of both files.
func (c *comparison) columns() ([]tableColumn, error) {
	have, err := c.describe(c.have)
	if err != nil {
		return nil, err
	}
	want, err := c.describe(c.want)
	if err != nil {
		return nil, err
	}
	have = slices.DeleteFunc(have, func(t tableColumn) bool { return slices.Contains(beyondSQL, t.name) })
	for i := range max(len(have), len(want)) {
		if i >= len(have) || i >= len(want) || have[i] != want[i] {
			return nil, fmt.Errorf("column %d: have %v, SQL %v", i+1, have[min(i, len(have)):min(i+1, len(have))], want[min(i, len(want)):min(i+1, len(want))])
		}
	}
	return have, nil
}

func (c *comparison) describe(file string) (list []tableColumn, err error) {
	rows, err := c.db.Query("SELECT column_name, column_type FROM (DESCRIBE FROM " + file + ")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t tableColumn
		if err := rows.Scan(&t.name, &t.kind); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, rows.Err()
}

func (c *comparison) rows() (have, want int64, err error) {
	err = c.db.QueryRow("SELECT (SELECT count(*) FROM "+c.have+"), (SELECT count(*) FROM "+c.want+")").Scan(&have, &want)
	return have, want, err
}

// values counts the rows that differ, column by column; rows are paired by the
// table's key.
func (c *comparison) values(columns []tableColumn) error {
	on := make([]string, len(c.table.Key))
	for i, k := range c.table.Key {
		on[i] = "have." + quoted(k) + " = want." + quoted(k)
	}
	key := quoted(c.table.Key[0])
	counts := []string{"count(*) FILTER (have." + key + " IS NULL OR want." + key + " IS NULL)"}
	for _, col := range columns {
		counts = append(counts, "count(*) FILTER ("+col.differs()+")")
	}
	differing, into := make([]int64, len(columns)), make([]any, len(columns))
	for i := range differing {
		into[i] = &differing[i]
	}
	var lone int64
	query := "SELECT " + strings.Join(counts, ", ") + " FROM " + c.have + " AS have FULL JOIN " + c.want + " AS want ON " + strings.Join(on, " AND ")
	if err := c.db.QueryRow(query).Scan(append([]any{&lone}, into...)...); err != nil {
		return err
	}
	if lone > 0 {
		return fmt.Errorf("%d rows stand in one file only", lone)
	}
	var faults []error
	for i, n := range differing {
		if n > 0 {
			faults = append(faults, fmt.Errorf("%s: %d rows differ", columns[i].name, n))
		}
	}
	return errors.Join(faults...)
}

// differs is true of two rows whose values of the column are not the same.
func (t tableColumn) differs() string {
	have, want := "have."+quoted(t.name), "want."+quoted(t.name)
	different := have + " IS DISTINCT FROM " + want
	if t.kind != "DOUBLE" {
		return different
	}
	return different + " AND coalesce(abs(" + have + " - " + want + ") > " + nearly + " * greatest(abs(" + have + "), abs(" + want + ")), true)"
}

func quoted(name string) string { return `"` + name + `"` }
