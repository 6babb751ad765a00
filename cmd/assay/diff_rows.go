package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// diffTable compares one table of two datasets row by row along its key. Files
// with the same hashes are not read.
func diffTable(ctx context.Context, x, y *dataset.Dataset, t *schema.Table) ([]difference, error) {
	if fileHashes(x, t) == fileHashes(y, t) {
		return nil, nil
	}
	first, err := openTable(ctx, x, t)
	if err != nil {
		return nil, err
	}
	defer first.Close()
	second, err := openTable(ctx, y, t)
	if err != nil {
		return nil, err
	}
	defer second.Close()
	w := &rowWalk{table: t}
	if err := w.walk(ctx, first, second); err != nil {
		return nil, err
	}
	list := w.differences()
	// A dataset's id and code revision stand in every file, so bytes differ wherever those do.
	if len(list) == 0 && x.Lineage.DatasetID == y.Lineage.DatasetID {
		list = append(list, difference{Level: levelBytes, Where: t.Name, First: fileHashes(x, t), Second: fileHashes(y, t)})
	}
	return list, nil
}

func fileHashes(d *dataset.Dataset, t *schema.Table) string {
	var hashes []string
	for _, f := range d.Lineage.Files {
		if f.Table == t.Name {
			hashes = append(hashes, f.SHA256)
		}
	}
	return strings.Join(hashes, " ")
}

// openTable opens one table alone, without the study's views.
func openTable(ctx context.Context, d *dataset.Dataset, t *schema.Table) (*duck.DB, error) {
	src := source(d)
	src.Relations = slices.DeleteFunc(src.Relations, func(r duck.Relation) bool { return r.Name != t.Name })
	return duck.Open(ctx, src, duck.Options{})
}

// errStopped ends a query whose rows are no longer wanted.
var errStopped = errors.New("stopped")

// orderedRows are the rows of a table along its key, then the error that ended them.
func orderedRows(ctx context.Context, db *duck.DB, t *schema.Table, columns *[]string) iter.Seq2[[]duck.Value, error] {
	query := "SELECT * FROM " + t.Name + " ORDER BY " + strings.Join(t.Key, " NULLS FIRST, ") + " NULLS FIRST"
	return func(yield func([]duck.Value, error) bool) {
		err := db.Each(ctx, query, func(cols []duck.Column) error {
			for _, c := range cols {
				*columns = append(*columns, c.Name)
			}
			return nil
		}, func(row []duck.Value) error {
			if !yield(slices.Clone(row), nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// A rowWalk goes through two versions of a table side by side.
type rowWalk struct {
	table   *schema.Table
	columns [2][]string
	only    [2]difference
	changed map[string]*difference
	common  []string
	place   [2]map[string]int
	onlyIn  [2][]string
}

func (w *rowWalk) walk(ctx context.Context, first, second *duck.DB) error {
	w.changed = map[string]*difference{}
	nextX, stopX := iter.Pull2(orderedRows(ctx, first, w.table, &w.columns[0]))
	defer stopX()
	nextY, stopY := iter.Pull2(orderedRows(ctx, second, w.table, &w.columns[1]))
	defer stopY()
	x, err, okX := nextX()
	if err != nil {
		return err
	}
	y, err, okY := nextY()
	if err != nil {
		return err
	}
	w.align()
	for okX || okY {
		order := 0
		switch {
		case !okY:
			order = -1
		case !okX:
			order = 1
		default:
			order = w.compareKeys(x, y)
		}
		switch {
		case order < 0:
			w.alone(0, x)
		case order > 0:
			w.alone(1, y)
		default:
			w.compare(x, y)
		}
		if order <= 0 {
			if x, err, okX = nextX(); err != nil {
				return err
			}
		}
		if order >= 0 {
			if y, err, okY = nextY(); err != nil {
				return err
			}
		}
	}
	return nil
}

// align finds the columns that both versions have.
func (w *rowWalk) align() {
	for i := range w.columns {
		w.place[i] = map[string]int{}
		for j, name := range w.columns[i] {
			w.place[i][name] = j
			if !slices.Contains(w.columns[1-i], name) {
				w.onlyIn[i] = append(w.onlyIn[i], name)
			}
		}
	}
	for _, name := range w.columns[0] {
		if _, both := w.place[1][name]; both {
			w.common = append(w.common, name)
		}
	}
}

func (w *rowWalk) compareKeys(x, y []duck.Value) int {
	for _, k := range w.table.Key {
		if c := compareValues(x[w.place[0][k]], y[w.place[1][k]]); c != 0 {
			return c
		}
	}
	return 0
}

// compareValues orders two values of a key: nulls first, numbers by size, texts by bytes.
func compareValues(a, b duck.Value) int {
	if (a.Kind == duck.Null) != (b.Kind == duck.Null) {
		if a.Kind == duck.Null {
			return -1
		}
		return 1
	}
	if a.Kind == duck.Integer && b.Kind == duck.Integer {
		return cmp.Compare(a.Int, b.Int)
	}
	return strings.Compare(a.String(), b.String())
}

// key prints a row's key.
func (w *rowWalk) key(side int, row []duck.Value) string {
	var parts []string
	for _, k := range w.table.Key {
		if v := row[w.place[side][k]]; v.Kind != duck.Null {
			parts = append(parts, k+" "+v.String())
		}
	}
	return strings.Join(parts, ", ")
}

// alone counts a row that one version has.
func (w *rowWalk) alone(side int, row []duck.Value) {
	d := &w.only[side]
	if d.Count++; d.Count > 1 {
		return
	}
	d.Level, d.Where = levelRows, w.table.Name
	if side == 0 {
		d.First = "a row " + w.key(side, row)
	} else {
		d.Second = "a row " + w.key(side, row)
	}
}

func (w *rowWalk) compare(x, y []duck.Value) {
	for _, name := range w.common {
		a, b := x[w.place[0][name]], y[w.place[1][name]]
		if a.Kind == b.Kind && a.String() == b.String() {
			continue
		}
		d := w.changed[name]
		if d == nil {
			d = &difference{Level: levelRows, Where: fmt.Sprintf("%s.%s at %s", w.table.Name, name, w.key(0, x)),
				First: shown(a), Second: shown(b), Definition: definitionOf(name)}
			w.changed[name] = d
		}
		d.Count++
	}
}

func shown(v duck.Value) string {
	if v.Kind == duck.Null {
		return "NULL"
	}
	return v.String()
}

// definitionOf is that of the metric of a column, or of the metric that it stands beside.
func definitionOf(column string) string {
	for _, m := range schema.Metrics {
		if m.Name == column {
			return m.Name + ": " + m.Definition
		}
		for _, c := range m.Companions {
			if c.Name == column {
				return c.Doc + ", beside " + m.Name
			}
		}
	}
	return ""
}

func (w *rowWalk) differences() []difference {
	var list []difference
	if len(w.onlyIn[0])+len(w.onlyIn[1]) > 0 {
		list = append(list, difference{Level: levelDefinitions, Where: "columns of " + w.table.Name,
			First: strings.Join(w.onlyIn[0], ", "), Second: strings.Join(w.onlyIn[1], ", ")})
	}
	for _, d := range w.only {
		if d.Count > 0 {
			list = append(list, d)
		}
	}
	for _, name := range w.common {
		if d := w.changed[name]; d != nil {
			list = append(list, *d)
		}
	}
	return list
}
