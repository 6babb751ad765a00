package tables

import (
	"bytes"
	"encoding/csv"
	"strings"
)

// rowColumn is the head of the first CSV column, which holds the rows' keys.
const rowColumn = "row"

// CSV writes the values of a grid, unrounded, with a column for every part of
// every cell. The head depends on the columns alone, not on what is in the rows:
//
//	row                       the row's key
//	KEY                       a stub, or the value of KEY
//	KEY_numerator, KEY_low …  the other parts, as Kind.Parts names them
//	KEY_state, KEY_why        what the cell shows, and the reason for a mark
//
// It is RFC 4180 with a head, in UTF-8, except that records end in LF alone.
// What is absent is an empty field; KEY_state says which kind of absence it is.
//
// Spreadsheets run a field that begins with = + - or @ as a formula, also when it
// came from a log. A text that begins so (or with a tab, a carriage return or an
// apostrophe) therefore has an apostrophe put before it; a reader that takes one
// leading apostrophe off every text has the text back. Numbers are never touched.
func CSV(g Grid) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	head := []string{rowColumn}
	for _, c := range g.Columns {
		head = append(head, c.csvNames()...)
	}
	records := [][]string{head}
	for _, r := range g.Rows {
		record := []string{inert(r.Key)}
		for i, c := range r.Cells {
			record = append(record, c.csvFields(g.Columns[i])...)
		}
		records = append(records, record)
	}
	if err := w.WriteAll(records); err != nil {
		panic("tables: csv into memory: " + err.Error())
	}
	return out.Bytes()
}

// csvNames are the heads of a column's fields.
func (c Column) csvNames() []string {
	var names []string
	for _, p := range c.Kind.Parts() {
		names = append(names, c.part(p))
	}
	if c.Stub {
		return names
	}
	return append(names, c.part("state"), c.part("why"))
}

// csvFields are the fields of a cell, one a name of csvNames.
func (c Cell) csvFields(column Column) []string {
	var fields []string
	for _, p := range c.parts(column.Kind) {
		fields = append(fields, p.csvField())
	}
	if column.Stub {
		return fields
	}
	return append(fields, string(c.State), inert(c.Why))
}

// csvField is a part of a cell.
func (s Scalar) csvField() string {
	if s.kind == scalarText {
		return inert(s.text)
	}
	return s.Text()
}

// inert is a text no spreadsheet takes for a formula. The full-width forms count,
// as some locales read them as the ASCII ones.
func inert(text string) string {
	if strings.IndexAny(text, "=+-@\t\r\n'＝＋－＠") == 0 {
		return "'" + text
	}
	return text
}
