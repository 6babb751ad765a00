package main

import (
	"context"
	"io"
	"os"

	"github.com/assay-bench/assay/stats/duck"
)

// exportDatabase copies every view into a new DuckDB file.
func (q querying) exportDatabase(ctx context.Context) error {
	lineage, err := q.lineage(ctx, "")
	if err != nil {
		return err
	}
	if err := q.db.ExportDatabase(ctx, q.options.export); err != nil {
		os.Remove(q.options.export)
		return err
	}
	q.say("all tables in %s", q.options.export)
	return q.writeLineage(q.options.export, lineage)
}

// writeParquet lets the engine write the file, and passes its bytes on.
func writeParquet(ctx context.Context, db *duck.DB, query string, w io.Writer) error {
	path, err := db.ExportParquet(ctx, query)
	if err != nil {
		return err
	}
	defer os.Remove(path)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}
