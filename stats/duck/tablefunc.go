package duck

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"github.com/duckdb/duckdb-go/v2"
)

// An outColumn is one column of a table function's result.
type outColumn struct {
	name string
	typ  duckdb.Type
}

// A tableFunc is a function over a query: the first argument is the query, the
// second one string of options, since the driver cannot leave out named ones.
type tableFunc struct {
	name    string
	columns []outColumn
	compute func(ctx context.Context, db *DB, query, options string) ([][]any, error)
}

func (f tableFunc) register(db *DB, conn *sql.Conn) error {
	text := typeInfo(duckdb.TYPE_VARCHAR)
	return duckdb.RegisterTableUDF(conn, f.name, duckdb.RowTableFunction{
		Config: duckdb.TableFunctionConfig{Arguments: []duckdb.TypeInfo{text, text}},
		BindArgumentsContext: func(ctx context.Context, _ map[string]any, args ...any) (duckdb.RowTableSource, error) {
			query, ok1 := args[0].(string)
			opts, ok2 := args[1].(string)
			if !ok1 || !ok2 {
				return nil, fmt.Errorf("%s: have NULL, want a query and a text of options", f.name)
			}
			return &rowSource{columns: f.columns, compute: func() ([][]any, error) { return f.compute(ctx, db, query, opts) }}, nil
		},
	})
}

// A rowSource delivers computed rows. They are computed when the first one is asked
// for: the engine binds a statement to prepare it and again to run it, and an
// EXPLAIN never asks.
type rowSource struct {
	columns []outColumn
	compute func() ([][]any, error)
	ready   bool
	rows    [][]any
	next    int
}

// ColumnInfos names the columns.
func (s *rowSource) ColumnInfos() []duckdb.ColumnInfo {
	out := make([]duckdb.ColumnInfo, len(s.columns))
	for i, c := range s.columns {
		out[i] = duckdb.ColumnInfo{Name: c.name, T: typeInfo(c.typ)}
	}
	return out
}

// Cardinality is not known before the rows are computed.
func (s *rowSource) Cardinality() *duckdb.CardinalityInfo { return nil }

// Init starts over.
func (s *rowSource) Init() { s.next = 0 }

// FillRow delivers the next row.
func (s *rowSource) FillRow(row duckdb.Row) (bool, error) {
	if !s.ready {
		s.ready = true
		err := guard(func() (err error) {
			s.rows, err = s.compute()
			return err
		})
		if err != nil {
			return false, err
		}
	}
	if s.next >= len(s.rows) {
		return false, nil
	}
	for i, v := range s.rows[s.next] {
		if err := duckdb.SetRowValue(row, i, v); err != nil {
			return false, err
		}
	}
	s.next++
	return true, nil
}

// finite is a double, or NULL where there is none.
func finite(f float64, known bool) any {
	if !known || math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return f
}

// words is a text, or NULL where it is empty.
func words[T ~string](s T) any {
	if s == "" {
		return nil
	}
	return string(s)
}
