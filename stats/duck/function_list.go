package duck

import (
	"context"
	"database/sql"

	"github.com/duckdb/duckdb-go/v2"
)

// registerList makes SELECT * FROM assay_functions() list the functions.
func registerList(conn *sql.Conn) error {
	names := []string{"name", "kind", "arguments", "returns", "doc", "example"}
	return duckdb.RegisterTableUDF(conn, "assay_functions", duckdb.RowTableFunction{
		BindArgumentsContext: func(context.Context, map[string]any, ...any) (duckdb.RowTableSource, error) {
			return &functionRows{names: names}, nil
		},
	})
}

// functionRows delivers one row a function.
type functionRows struct {
	names []string
	next  int
}

// ColumnInfos names the columns.
func (f *functionRows) ColumnInfos() []duckdb.ColumnInfo {
	cols := make([]duckdb.ColumnInfo, len(f.names))
	for i, n := range f.names {
		cols[i] = duckdb.ColumnInfo{Name: n, T: typeInfo(duckdb.TYPE_VARCHAR)}
	}
	return cols
}

// Cardinality is the number of functions.
func (f *functionRows) Cardinality() *duckdb.CardinalityInfo {
	return &duckdb.CardinalityInfo{Cardinality: uint(len(Functions)), Exact: true}
}

// Init starts over.
func (f *functionRows) Init() { f.next = 0 }

// FillRow delivers the next function.
func (f *functionRows) FillRow(row duckdb.Row) (bool, error) {
	if f.next >= len(Functions) {
		return false, nil
	}
	fn := Functions[f.next]
	f.next++
	for i, text := range []string{fn.Name, fn.Kind, fn.Arguments, fn.Returns, fn.Doc, fn.Example} {
		if err := duckdb.SetRowValue(row, i, text); err != nil {
			return false, err
		}
	}
	return true, nil
}
