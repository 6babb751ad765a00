package tables

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON writes a grid with everything in it: texts as they are, numbers unrounded
// (integers and decimals with all their digits), each cell with its state, its
// parts as Kind.Parts names them ("value" is the value itself), the reason for a
// mark, and the text that the readable formats print. What is absent is null.
// The members stand in the order of the grid; the bytes depend on it alone.
func JSON(g Grid) []byte {
	var out bytes.Buffer
	w := jsonWriter{jsontext.NewEncoder(&out, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true))}
	w.object(func() {
		number := Null()
		if g.Number > 0 {
			number = Integer(int64(g.Number))
		}
		w.member("table", number)
		for _, m := range []struct{ name, text string }{{"name", g.Name}, {"title", g.Title}, {"caption", g.Caption}} {
			w.member(m.name, String(m.text))
		}
		w.name("columns")
		w.array(func() {
			for _, c := range g.Columns {
				w.column(c)
			}
		})
		w.name("rows")
		w.array(func() {
			for _, r := range g.Rows {
				w.row(g.Columns, r)
			}
		})
		w.member("empty", optional(g.emptySentence()))
		w.name("notes")
		w.array(func() {
			for _, note := range g.notes() {
				w.scalar(String(note))
			}
		})
		w.member("lineage", optional(g.Lineage))
	})
	return out.Bytes()
}

// A jsonWriter writes JSON into memory, where nothing can go wrong.
type jsonWriter struct{ encoder *jsontext.Encoder }

// column writes what is said about a column.
func (w jsonWriter) column(c Column) {
	w.object(func() {
		w.member("key", String(c.Key))
		w.member("heading", String(c.Heading))
		w.member("unit", optional(c.Unit))
		w.member("group", optional(c.Group))
		w.member("kind", String(string(c.Kind)))
		w.member("stub", Truth(c.Stub))
	})
}

// row writes a row with its cells by the keys of the columns.
func (w jsonWriter) row(columns []Column, r Row) {
	w.object(func() {
		w.member("key", String(r.Key))
		w.name("cells")
		w.object(func() {
			for i, c := range r.Cells {
				w.name(columns[i].Key)
				w.cell(columns[i], c)
			}
		})
	})
}

// cell writes one cell.
func (w jsonWriter) cell(column Column, c Cell) {
	w.object(func() {
		w.member("state", String(string(c.State)))
		w.member("why", optional(c.Why))
		if c.State == StateValue {
			parts := c.parts(column.Kind)
			for i, name := range column.Kind.Parts() {
				if name == "" {
					name = "value"
				}
				w.member(name, parts[i])
			}
		}
		w.member("text", String(c.print(column.Format, minusASCII).line()))
	})
}

func (w jsonWriter) object(members func()) {
	w.token(jsontext.BeginObject)
	members()
	w.token(jsontext.EndObject)
}

func (w jsonWriter) array(elements func()) {
	w.token(jsontext.BeginArray)
	elements()
	w.token(jsontext.EndArray)
}

func (w jsonWriter) member(name string, s Scalar) {
	w.name(name)
	w.scalar(s)
}

func (w jsonWriter) name(name string) { w.token(jsontext.String(name)) }

// scalar writes a number with all its digits, so not through float64.
func (w jsonWriter) scalar(s Scalar) {
	switch s.kind {
	case scalarNumber:
		if err := w.encoder.WriteValue(jsontext.Value(s.number.Exact())); err != nil {
			panic("tables: json into memory: " + err.Error())
		}
	case scalarTruth:
		w.token(jsontext.Bool(s.truth))
	case scalarText:
		w.token(jsontext.String(strings.ToValidUTF8(s.text, "\uFFFD")))
	default:
		w.token(jsontext.Null)
	}
}

func (w jsonWriter) token(t jsontext.Token) {
	if err := w.encoder.WriteToken(t); err != nil {
		panic("tables: json into memory: " + err.Error())
	}
}
