package tables

import (
	"fmt"
	"maps"
	"slices"
)

// A Record is one row of a query: its values by the names of the columns.
type Record map[string]Scalar

// Draw makes the grid of the records of the query, in their order. The caller
// adds the lineage line, and notes that depend on how the command was called.
func (s Spec) Draw(records []Record) (Grid, error) {
	if err := s.Validate(); err != nil {
		return Grid{}, fmt.Errorf("table %s: %w", s.Name, err)
	}
	g := Grid{Number: s.Number, Name: s.Name, Title: s.Title, Caption: s.Caption,
		Columns: s.columns(), Empty: s.emptySentence(), Notes: slices.Clone(s.Notes)}
	for i, record := range records {
		row, err := s.row(record)
		if err != nil {
			return Grid{}, fmt.Errorf("table %s: record %d: %w", g.Stem(), i+1, err)
		}
		g.Rows = append(g.Rows, row)
	}
	notes, err := s.notes(records)
	if err != nil {
		return Grid{}, fmt.Errorf("table %s: note_columns: %w", g.Stem(), err)
	}
	g.Notes = append(g.Notes, notes...)
	if err := g.Validate(); err != nil {
		return Grid{}, err
	}
	return g, nil
}

// notes are the texts of the note columns, each once, column by column, so that
// what holds for the whole table stands before what holds for a row of it.
func (s Spec) notes(records []Record) ([]string, error) {
	var notes []string
	for _, name := range s.NoteColumns {
		for _, record := range records {
			note, err := record.column(name)
			if err != nil {
				return nil, err
			}
			if text := note.Text(); text != "" && !slices.Contains(notes, text) {
				notes = append(notes, text)
			}
		}
	}
	return notes, nil
}

// row draws one row.
func (s Spec) row(record Record) (Row, error) {
	var keys []string
	for _, name := range s.Key {
		value, err := record.column(name)
		if err != nil {
			return Row{}, fmt.Errorf("key: %w", err)
		}
		if value.IsNull() {
			return Row{}, fmt.Errorf("key: %s: have NULL, want a value", name)
		}
		keys = append(keys, value.Text())
	}
	row := Row{Key: RowKey(keys...)}
	for _, mark := range []struct {
		name, column string
		set          *bool
	}{{"rule", s.Rule, &row.Rule}, {"indent", s.Indent, &row.Indent}} {
		if mark.column == "" {
			continue
		}
		value, err := record.column(mark.column)
		if err != nil {
			return Row{}, fmt.Errorf("%s: %w", mark.name, err)
		}
		*mark.set = value.truth
	}
	for _, c := range s.Columns {
		cell, err := c.draw(record)
		if err != nil {
			return Row{}, fmt.Errorf("row %s: column %s: %w", row.Key, c.Key, err)
		}
		row.Cells = append(row.Cells, cell)
	}
	return row, nil
}

// draw makes the cell of a column. A state other than value that the query gives
// decides; else a value is there if its required parts are. Without them a reason
// makes it not estimable, and NULL alone is what the column says NULL means.
func (c ColumnSpec) draw(record Record) (Cell, error) {
	d := drawing{column: c, record: record}
	state, why := State(d.part(partState).Text()), d.part(partWhy).Text()
	present := d.present()
	switch {
	case d.err != nil:
		return Cell{}, d.err
	case state != "" && !slices.Contains(States, state):
		return Cell{}, fmt.Errorf("%s: have %q, want one of %v", c.source(partState), state, States)
	case state == "" && present:
		state = StateValue
	case state == "" && why != "":
		state = StateNotEstimable
	case state == "" && c.Null != "":
		state = c.Null
	case state == "":
		state = StateMissing
	}
	if state != StateValue {
		return Cell{State: state, Why: why}, nil
	}
	value := d.value()
	return Show(value), d.err
}

// column is a column of the record, which must be there.
func (r Record) column(name string) (Scalar, error) {
	value, ok := r[name]
	if !ok {
		return Scalar{}, fmt.Errorf("have no query column %q, want one of %v", name, sortedKeys(r))
	}
	if value.kind == scalarUnusable {
		return Scalar{}, fmt.Errorf("%s: have %s, want a number or NULL", name, value.text)
	}
	return value, nil
}

// A drawing draws the parts of one cell and keeps the first error.
type drawing struct {
	column ColumnSpec
	record Record
	err    error
}

// fail keeps the first error.
func (d *drawing) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

// part is a part of the cell. One that is neither named in the specification nor
// required may be lacking, and is NULL then.
func (d *drawing) part(name string) Scalar {
	source := d.column.source(name)
	_, named := d.column.From[name]
	_, there := d.record[source]
	if !there && !named && !slices.Contains(d.column.Kind.Required(), name) {
		return Null()
	}
	value, err := d.record.column(source)
	if err != nil {
		d.fail("%w", err)
	}
	return value
}

// present reports whether the required parts are there. Some without the others
// are an error.
func (d *drawing) present() bool {
	if d.column.Kind == KindPValue && !d.part("log10").IsNull() {
		return true
	}
	required := d.column.Kind.Required()
	var lacking []string
	for _, name := range required {
		if d.part(name).IsNull() {
			lacking = append(lacking, d.column.source(name))
		}
	}
	if len(lacking) > 0 && len(lacking) < len(required) {
		d.fail("have NULL in %v beside values, want all or none of %v", lacking, required)
	}
	return len(lacking) == 0
}

// value draws a value of the column's kind.
func (d *drawing) value() Value {
	switch d.column.Kind {
	case KindNumber:
		return d.number(partValue)
	case KindRate:
		return Rate{Numerator: d.count("numerator"), Denominator: d.count("denominator"), Excluded: d.count("excluded"),
			Missing: d.count("missing"), Absent: d.count("absent"), Interval: d.limits()}
	case KindEstimate:
		return Estimate{Value: d.number(partValue), Interval: d.limits(), Coverage: d.coverage()}
	case KindInterval:
		return Interval{Low: d.number("low"), High: d.number("high")}
	case KindPValue:
		return PValue{P: d.number(partValue), Log10: d.number("log10")}
	case KindQuartiles:
		return Quartiles{Median: d.number(partValue), Q1: d.number("q1"), Q3: d.number("q3"), Coverage: d.coverage()}
	case KindShare:
		return Share{Count: d.count("count"), Total: d.count("total")}
	}
	return Text(d.part(partValue).Text())
}

// limits are the ends of the interval, or the reason for having none.
func (d *drawing) limits() Limits {
	return Limits{Low: d.number("low"), High: d.number("high"), Why: d.part("interval_why").Text()}
}

// coverage is known if the query says how many runs were observed.
func (d *drawing) coverage() Coverage {
	return Coverage{Observed: d.count("observed"), Missing: d.count("missing"), Known: !d.part("observed").IsNull()}
}

// number is a part that is a number or NULL.
func (d *drawing) number(name string) Number {
	s := d.part(name)
	n, ok := s.Number()
	if !ok && !s.IsNull() {
		d.fail("%s: have %s, want a number", d.column.source(name), s.describe())
	}
	return n
}

// count is a part that is an integer; NULL counts as 0, as it is only allowed
// where the part is optional.
func (d *drawing) count(name string) int64 {
	n := d.number(name)
	if !n.Known() {
		return 0
	}
	i, ok := n.integer()
	if !ok {
		d.fail("%s: have %s, want an integer", d.column.source(name), n.Exact())
	}
	return i
}

// integer is n as an int64 if it is one.
func (n Number) integer() (int64, bool) {
	r := n.rat()
	if !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// sortedKeys are the keys of a map in byte order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
