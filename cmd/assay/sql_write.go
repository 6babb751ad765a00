package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// listingLimit is the number of rows that box, markdown and latex lay out: they
// need the width of every column, so all rows must be known at once.
const listingLimit = 100_000

// writeResult runs a query and writes its rows in a format.
func (a *app) writeResult(ctx context.Context, db *duck.DB, query, format string, w io.Writer) error {
	switch format {
	case "csv":
		return writeCSV(ctx, db, query, w)
	case "json", "jsonl":
		return writeJSON(ctx, db, query, format == "jsonl", w)
	case "parquet":
		return writeParquet(ctx, db, query, w)
	case "arrow":
		return writeArrow(ctx, db, query, w)
	}
	return a.writeListing(ctx, db, query, format, w)
}

func (a *app) writeListing(ctx context.Context, db *duck.DB, query, format string, w io.Writer) error {
	var heads []string
	var rows [][]tables.Scalar
	err := db.Each(ctx, query, func(cols []duck.Column) error {
		for _, c := range cols {
			heads = append(heads, c.Name)
		}
		return nil
	}, func(row []duck.Value) error {
		if len(rows) == listingLimit {
			return fmt.Errorf("have more than %d rows, want a LIMIT or --format csv, jsonl, parquet or arrow", listingLimit)
		}
		rows = append(rows, tables.Scalars(row))
		return nil
	})
	if err != nil {
		return err
	}
	if format == listingFormats[0] && slices.Equal(heads, []string{"explain_key", "explain_value"}) {
		return writePlans(rows, w)
	}
	g := tables.Listing(heads, rows)
	out := []byte{}
	switch format {
	case "markdown":
		out = tables.Markdown(g)
	case "latex":
		out = tables.LaTeX(g, tables.ArticlePage)
	default:
		out = tables.Screen(g, a.screen())
	}
	_, err = w.Write(out)
	return err
}

// writePlans writes what EXPLAIN gives: a drawing, which a table would break.
func writePlans(rows [][]tables.Scalar, w io.Writer) error {
	for _, r := range rows {
		if _, err := fmt.Fprintln(w, r[1].Text()); err != nil {
			return err
		}
	}
	return nil
}

// writeCSV writes RFC 4180 with line feeds. NULL is an empty field and an empty
// text is "": encoding/csv writes both as nothing. A list or a struct is JSON.
func writeCSV(ctx context.Context, db *duck.DB, query string, w io.Writer) error {
	line := func(n int, field func(int) string) error {
		fields := make([]string, n)
		for i := range fields {
			fields[i] = field(i)
		}
		_, err := io.WriteString(w, strings.Join(fields, ",")+"\n")
		return err
	}
	return db.Each(ctx, query, func(cols []duck.Column) error {
		return line(len(cols), func(i int) string { return csvText(cols[i].Name) })
	}, func(row []duck.Value) error {
		return line(len(row), func(i int) string { return csvField(row[i]) })
	})
}

func csvField(v duck.Value) string {
	switch v.Kind {
	case duck.Null:
		return ""
	case duck.List, duck.Struct:
		var b bytes.Buffer
		e := jsontext.NewEncoder(&b, jsontext.AllowDuplicateNames(true))
		if err := writeJSONValue(e, v); err != nil {
			panic("assay: json into memory: " + err.Error())
		}
		return csvText(strings.TrimSuffix(b.String(), "\n"))
	}
	return csvText(v.String())
}

// csvText quotes a text where it is empty or would be read as something else.
func csvText(s string) string {
	if s != "" && s == strings.TrimSpace(s) && !strings.ContainsAny(s, ",\"\r\n") {
		return s
	}
	return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
}

// writeJSON writes one object a row, as an array or a line each. A name that stands
// twice is numbered, as the engine does in a file: a reader of JSON would keep one
// of the two values.
func writeJSON(ctx context.Context, db *duck.DB, query string, lines bool, w io.Writer) error {
	e := jsontext.NewEncoder(w, jsontext.AllowDuplicateNames(true))
	var names []string
	if !lines {
		if err := e.WriteToken(jsontext.BeginArray); err != nil {
			return err
		}
	}
	err := db.Each(ctx, query, func(cols []duck.Column) error {
		names = distinctNames(cols)
		return nil
	}, func(row []duck.Value) error {
		if err := e.WriteToken(jsontext.BeginObject); err != nil {
			return err
		}
		for i, v := range row {
			if err := e.WriteToken(jsontext.String(names[i])); err != nil {
				return err
			}
			if err := writeJSONValue(e, v); err != nil {
				return err
			}
		}
		return e.WriteToken(jsontext.EndObject)
	})
	if err != nil || lines {
		return err
	}
	return e.WriteToken(jsontext.EndArray)
}

// distinctNames are the names of columns, each further one of a name with its number.
func distinctNames(cols []duck.Column) []string {
	var names []string
	for _, c := range cols {
		name := c.Name
		for n := 1; slices.Contains(names, name); n++ {
			name = fmt.Sprintf("%s_%d", c.Name, n)
		}
		names = append(names, name)
	}
	return names
}

func writeJSONValue(e *jsontext.Encoder, v duck.Value) error {
	switch v.Kind {
	case duck.Null:
		return e.WriteToken(jsontext.Null)
	case duck.Boolean:
		return e.WriteToken(jsontext.Bool(v.Bool))
	case duck.Integer, duck.Decimal:
		return e.WriteValue(jsontext.Value(v.String()))
	case duck.Real:
		if !v.Finite() {
			return e.WriteToken(jsontext.String(v.String()))
		}
		return e.WriteToken(jsontext.Float(v.Real))
	case duck.List, duck.Struct:
		return writeJSONNested(e, v)
	}
	return e.WriteToken(jsontext.String(v.String()))
}

func writeJSONNested(e *jsontext.Encoder, v duck.Value) error {
	begin, end := jsontext.BeginArray, jsontext.EndArray
	if v.Kind == duck.Struct {
		begin, end = jsontext.BeginObject, jsontext.EndObject
	}
	if err := e.WriteToken(begin); err != nil {
		return err
	}
	for i, elem := range v.Elems {
		if v.Kind == duck.Struct {
			if err := e.WriteToken(jsontext.String(v.Names[i])); err != nil {
				return err
			}
		}
		if err := writeJSONValue(e, elem); err != nil {
			return err
		}
	}
	return e.WriteToken(end)
}
