package duck

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"
)

// A frame is the result of a table function's query, by column.
type frame struct {
	function string
	names    []string
	columns  [][]Value
	rows     int
}

// frame runs the query of a table function on a connection of its own. The
// rows are sorted by all columns named, so that the order in which the engine
// delivers them decides nothing.
func (db *DB) frame(ctx context.Context, function, query string) (*frame, error) {
	res, err := db.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", function, err)
	}
	f := &frame{function: function, rows: len(res.Rows)}
	for i, c := range res.Columns {
		f.names = append(f.names, c.Name)
		column := make([]Value, len(res.Rows))
		for r := range res.Rows {
			column[r] = res.Rows[r][i]
		}
		f.columns = append(f.columns, column)
	}
	return f, nil
}

// column finds a column, without regard to case as in SQL.
func (f *frame) column(name string) ([]Value, error) {
	for i, n := range f.names {
		if strings.EqualFold(n, name) {
			return f.columns[i], nil
		}
	}
	return nil, fmt.Errorf("%s: have column %q, want one of %s", f.function, name, strings.Join(f.names, ", "))
}

// numbers is a column as doubles, NaN where it is NULL.
func (f *frame) numbers(name string) ([]float64, error) {
	col, err := f.column(name)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(col))
	for i, v := range col {
		n, ok := v.Number()
		if !ok && v.Kind != Null {
			return nil, fmt.Errorf("%s: column %s: have %q, want a number", f.function, name, v.String())
		}
		if out[i] = n; !ok {
			out[i] = math.NaN()
		}
	}
	return out, nil
}

// texts is a column as text; null reports the rows where it is NULL.
func (f *frame) texts(name string) (out []string, null []bool, err error) {
	col, err := f.column(name)
	if err != nil {
		return nil, nil, err
	}
	out, null = make([]string, len(col)), make([]bool, len(col))
	for i, v := range col {
		out[i], null[i] = v.String(), v.Kind == Null
	}
	return out, null, nil
}

// joined is the values of several columns as one text a row, a key for matching.
func (f *frame) joined(names []string) ([]string, error) {
	out := make([]string, f.rows)
	for _, name := range names {
		col, null, err := f.texts(name)
		if err != nil {
			return nil, err
		}
		for i := range out {
			if null[i] {
				out[i] += "\x00\x1f"
				continue
			}
			out[i] += col[i] + "\x1f"
		}
	}
	return out, nil
}

// distinct is the sorted distinct values of a column that are not NULL.
func distinct(values []string, null []bool) []string {
	seen := map[string]bool{}
	var out []string
	for i, v := range values {
		if !null[i] && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	sort.Strings(out)
	return out
}

// codes numbers texts from 0 by their sorted order; NULL is negative.
func codes(values []string, null []bool) []int {
	at := map[string]int{}
	for i, v := range distinct(values, null) {
		at[v] = i
	}
	out := make([]int, len(values))
	for i, v := range values {
		if out[i] = -1; !null[i] {
			out[i] = at[v]
		}
	}
	return out
}
