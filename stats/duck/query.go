package duck

import (
	"context"
	"database/sql/driver"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// A Column is one column of a result.
type Column struct {
	// Name is the column's name.
	Name string
	// Type is the database's name of its type.
	Type string
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

// Each runs statements, all of which must only read or make things in memory,
// and hands on the rows of the last one; the row is overwritten by the next.
func (db *DB) Each(ctx context.Context, query string, head func([]Column) error, row func([]Value) error) error {
	if err := db.check(ctx, query); err != nil {
		return err
	}
	rows, err := db.sql.QueryContext(ctx, query)
	if err != nil {
		return plainError(err)
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	cols := make([]Column, len(types))
	raw, dest, vals := make([]any, len(types)), make([]any, len(types)), make([]Value, len(types))
	for i, t := range types {
		cols[i] = Column{t.Name(), t.DatabaseTypeName()}
		dest[i] = &raw[i]
	}
	if err := head(cols); err != nil {
		return err
	}
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		for i := range raw {
			vals[i] = valueOf(raw[i], cols[i].Type)
		}
		if err := row(vals); err != nil {
			return err
		}
	}
	return plainError(rows.Err())
}

// reading lists the kinds of statements that touch no file.
var reading = map[duckdb.StmtType]bool{
	duckdb.STATEMENT_TYPE_SELECT:      true,
	duckdb.STATEMENT_TYPE_EXPLAIN:     true,
	duckdb.STATEMENT_TYPE_CREATE:      true,
	duckdb.STATEMENT_TYPE_CREATE_FUNC: true,
	duckdb.STATEMENT_TYPE_INSERT:      true,
	duckdb.STATEMENT_TYPE_UPDATE:      true,
	duckdb.STATEMENT_TYPE_DELETE:      true,
	duckdb.STATEMENT_TYPE_DROP:        true,
	duckdb.STATEMENT_TYPE_ALTER:       true,
	duckdb.STATEMENT_TYPE_PRAGMA:      true,
	duckdb.STATEMENT_TYPE_CALL:        true,
	duckdb.STATEMENT_TYPE_TRANSACTION: true,
	duckdb.STATEMENT_TYPE_PREPARE:     true,
	duckdb.STATEMENT_TYPE_EXECUTE:     true,
}

// check refuses a statement that would write a file, such as COPY: the dataset
// is among the files that the engine may open.
func (db *DB) check(ctx context.Context, query string) error {
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(c any) error {
		stmt, err := c.(driver.ConnPrepareContext).PrepareContext(ctx, query)
		if err != nil {
			return plainError(err)
		}
		defer stmt.Close()
		s, ok := stmt.(*duckdb.Stmt)
		if !ok {
			return nil
		}
		typ, err := s.StatementType()
		if err != nil {
			return err
		}
		if !reading[typ] {
			return fmt.Errorf("have a statement that writes files or changes settings, want one that reads; use --format and -o to export")
		}
		return nil
	})
}

// plainError drops the driver's prefix that says nothing to a user of SQL.
func plainError(err error) error {
	if err == nil {
		return nil
	}
	if text, ok := strings.CutPrefix(err.Error(), "duckdb error: "); ok {
		return fmt.Errorf("%s", text)
	}
	return err
}
