package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"

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

func writeCSV(ctx context.Context, db *duck.DB, query string, w io.Writer) error {
	out := csv.NewWriter(w)
	var fields []string
	err := db.Each(ctx, query, func(cols []duck.Column) error {
		fields = make([]string, len(cols))
		for i, c := range cols {
			fields[i] = c.Name
		}
		return out.Write(fields)
	}, func(row []duck.Value) error {
		for i, v := range row {
			fields[i] = v.String()
		}
		return out.Write(fields)
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// writeJSON writes one object a row, as an array or a line each.
func writeJSON(ctx context.Context, db *duck.DB, query string, lines bool, w io.Writer) error {
	e := jsontext.NewEncoder(w, jsontext.AllowDuplicateNames(true))
	var cols []duck.Column
	if !lines {
		if err := e.WriteToken(jsontext.BeginArray); err != nil {
			return err
		}
	}
	err := db.Each(ctx, query, func(c []duck.Column) error {
		cols = c
		return nil
	}, func(row []duck.Value) error {
		if err := e.WriteToken(jsontext.BeginObject); err != nil {
			return err
		}
		for i, v := range row {
			if err := e.WriteToken(jsontext.String(cols[i].Name)); err != nil {
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
