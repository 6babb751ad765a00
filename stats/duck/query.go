package duck

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// A Column is one column of a result.
type Column struct {
	// Name is the column's name.
	Name string
	// Type is its type.
	Type Type
}

// A Result is a whole result in memory. Use Each where it may be large.
type Result struct {
	// Columns are the columns, in order.
	Columns []Column
	// Rows holds a value a column.
	Rows [][]Value
}

// Query runs one statement that reads and returns all its rows.
func (db *DB) Query(ctx context.Context, query string) (Result, error) {
	var res Result
	err := db.Each(ctx, query, func(cols []Column) error {
		res.Columns = cols
		return nil
	}, func(row []Value) error {
		res.Rows = append(res.Rows, append([]Value(nil), row...))
		return nil
	})
	return res, err
}

// Each runs one statement, which must only read or make things in memory, and
// hands on its rows; the row is overwritten by the next.
func (db *DB) Each(ctx context.Context, query string, head func([]Column) error, row func([]Value) error) error {
	return db.raw(ctx, func(conn driver.Conn) error {
		stmt, err := prepareReading(ctx, conn, query)
		if err != nil {
			return err
		}
		defer stmt.Close()
		run := func() error { return db.eachOf(ctx, stmt, head, row) }
		if typ, err := stmt.StatementType(); err == nil && defining[typ] || firstWord(query) == "EXPLAIN" {
			return db.guarded(ctx, conn, run)
		}
		return run()
	})
}

// eachOf runs a prepared statement and hands on its rows.
func (db *DB) eachOf(ctx context.Context, stmt *duckdb.Stmt, head func([]Column) error, row func([]Value) error) error {
	rows, err := stmt.QueryContext(ctx, nil)
	if err != nil {
		return plainError(err)
	}
	defer rows.Close()
	return plainError(eachRow(rows, stmt, head, row))
}

// eachRow hands on the columns, then every row.
func eachRow(rows driver.Rows, stmt *duckdb.Stmt, head func([]Column) error, row func([]Value) error) error {
	names := rows.Columns()
	cols := make([]Column, len(names))
	for i, name := range names {
		typ := ""
		if t, ok := rows.(driver.RowsColumnTypeDatabaseTypeName); ok {
			typ = t.ColumnTypeDatabaseTypeName(i)
		}
		cols[i] = Column{Name: name, Type: columnType(stmt, i, typ)}
	}
	if err := head(cols); err != nil {
		return err
	}
	raw, vals := make([]driver.Value, len(cols)), make([]Value, len(cols))
	for {
		err := rows.Next(raw)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range raw {
			vals[i] = valueOf(raw[i], cols[i].Type)
		}
		if err := row(vals); err != nil {
			return err
		}
	}
}

// plainError drops the driver's prefix that says nothing to a user of SQL.
func plainError(err error) error {
	if err == nil {
		return nil
	}
	text, ok := strings.CutPrefix(err.Error(), "duckdb error: ")
	if file := outside.FindStringSubmatch(text); file != nil {
		return fmt.Errorf("have a query that reads %s, want one that reads the views alone: nothing else is opened; a CSV, JSON or Parquet file can stand in place of the dataset", file[1])
	}
	if said, _, extension := strings.Cut(text, "\n\nPlease try installing"); extension {
		return fmt.Errorf("%s Extensions are not loaded here.", said)
	}
	if ok {
		return fmt.Errorf("%s", text)
	}
	return err
}

// outside is what the engine says of a file or folder that it must not open.
var outside = regexp.MustCompile(`Cannot access (?:file|directory) (".*") - file system operations are disabled`)
