package dataset

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/assay-bench/assay/schema"
)

// A Difference is a column of a table that differs between two files, with its
// first place.
type Difference struct {
	// Table is the table.
	Table string
	// Column is the column; empty where the tables differ as a whole.
	Column string
	// Values counts the values that differ.
	Values int64
	// Row is the first row that differs, from 1.
	Row int64
	// Key names that row by the table's key.
	Key string
	// Have is its value in the first file.
	Have string
	// Want is its value in the second.
	Want string
}

// String prints the difference on one line.
func (d Difference) String() string {
	if d.Column == "" {
		return fmt.Sprintf("%s: have %s, want %s", d.Table, d.Have, d.Want)
	}
	return fmt.Sprintf("%s.%s: %d values differ, first in row %d (%s): have %s, want %s", d.Table, d.Column, d.Values, d.Row, d.Key, d.Have, d.Want)
}

// Compare compares the rows of two files of a table, column by column. Files
// that hold the same rows in other bytes do not differ.
func Compare(t *schema.Table, have, want string) ([]Difference, error) {
	a, err := openTable(have)
	if err != nil {
		return nil, err
	}
	defer a.close()
	b, err := openTable(want)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if x, y := a.columns(), b.columns(); !slices.Equal(x, y) {
		return []Difference{{Table: t.Name, Have: "columns " + without(x, y), Want: without(y, x)}}, nil
	}
	if x, y := a.file.NumRows(), b.file.NumRows(); x != y {
		return []Difference{{Table: t.Name, Have: fmt.Sprint(x, " rows"), Want: fmt.Sprint(y)}}, nil
	}
	var list []Difference
	for i, path := range a.file.Schema().Columns() {
		d, err := compareColumn(a, b, i)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", have, path[0], err)
		}
		if d.Values == 0 {
			continue
		}
		d.Table, d.Column = t.Name, path[0]
		if d.Key, err = b.key(t, d.Row); err != nil {
			return nil, fmt.Errorf("%s: %w", want, err)
		}
		list = append(list, d)
	}
	return list, nil
}

// without lists what x has and y lacks, or all of x where that is nothing.
func without(x, y []string) string {
	rest := slices.DeleteFunc(slices.Clone(x), func(s string) bool { return slices.Contains(y, s) })
	if len(rest) == 0 {
		rest = x
	}
	return strings.Join(rest, ", ")
}

func compareColumn(a, b *openedTable, column int) (Difference, error) {
	var d Difference
	x, y := a.values(column), b.values(column)
	defer x.close()
	defer y.close()
	for row := int64(0); ; {
		v, errV := x.next()
		w, errW := y.next()
		switch {
		case errV == io.EOF && errW == io.EOF:
			return d, nil
		case errV == io.EOF || errW == io.EOF: // lists of other lengths
			d.Values++
			return d, nil
		case errV != nil:
			return d, errV
		case errW != nil:
			return d, errW
		}
		if v.RepetitionLevel() == 0 {
			row++
		}
		if parquet.DeepEqual(v, w) {
			continue
		}
		if d.Values++; d.Values == 1 {
			d.Row, d.Have, d.Want = row, valueText(v), valueText(w)
		}
	}
}

func valueText(v parquet.Value) string {
	if v.IsNull() {
		return "NULL"
	}
	if v.Kind() == parquet.ByteArray {
		return fmt.Sprintf("%.80q", v.ByteArray())
	}
	return fmt.Sprint(v)
}

// An openedTable is a Parquet file that is being read.
type openedTable struct {
	os   *os.File
	file *parquet.File
}

func openTable(path string) (*openedTable, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var file *parquet.File
		if file, err = parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true)); err == nil {
			return &openedTable{f, file}, nil
		}
	}
	f.Close()
	return nil, fmt.Errorf("%s: %w", path, err)
}

func (t *openedTable) close() { t.os.Close() }

func (t *openedTable) columns() []string {
	var names []string
	for _, path := range t.file.Schema().Columns() {
		names = append(names, path[0])
	}
	return names
}

// key names a row by the columns of the table's key.
func (t *openedTable) key(table *schema.Table, row int64) (string, error) {
	var parts []string
	for i, name := range t.columns() {
		if !slices.Contains(table.Key, name) {
			continue
		}
		v, err := t.value(i, row)
		if err != nil {
			return "", err
		}
		parts = append(parts, name+" "+v)
	}
	return strings.Join(parts, ", "), nil
}

// value returns one value of a column that is no list.
func (t *openedTable) value(column int, row int64) (string, error) {
	values := t.values(column)
	defer values.close()
	for range row - 1 {
		if _, err := values.next(); err != nil {
			return "", err
		}
	}
	v, err := values.next()
	return valueText(v), err
}

// columnValues reads the values of a column through all row groups.
type columnValues struct {
	groups []parquet.RowGroup
	column int
	pages  parquet.Pages
	page   parquet.Page
	reader parquet.ValueReader
	buffer [256]parquet.Value
	at, n  int
}

func (t *openedTable) values(column int) *columnValues {
	return &columnValues{groups: t.file.RowGroups(), column: column}
}

func (c *columnValues) next() (parquet.Value, error) {
	for c.at == c.n {
		if err := c.fill(); err != nil {
			return parquet.Value{}, err
		}
	}
	c.at++
	return c.buffer[c.at-1], nil
}

// fill reads on, through pages and row groups.
func (c *columnValues) fill() (err error) {
	c.at, c.n = 0, 0
	if c.reader != nil {
		if c.n, err = c.reader.ReadValues(c.buffer[:]); err != io.EOF {
			return err
		}
		c.reader = nil
		if c.n > 0 {
			return nil
		}
	}
	parquet.Release(c.page)
	c.page = nil
	if c.pages == nil {
		if len(c.groups) == 0 {
			return io.EOF
		}
		c.pages, c.groups = c.groups[0].ColumnChunks()[c.column].Pages(), c.groups[1:]
	}
	if c.page, err = c.pages.ReadPage(); err == io.EOF {
		err, c.pages, c.page = c.pages.Close(), nil, nil
		return err
	}
	if err == nil {
		c.reader = c.page.Values()
	}
	return err
}

func (c *columnValues) close() {
	parquet.Release(c.page)
	if c.pages != nil {
		c.pages.Close()
	}
}
