package main

import (
	"context"
	"io"
	"os"

	"github.com/assay-bench/assay/stats/duck"
)

// exportDatabase copies every view into a new DuckDB file.
func exportDatabase(ctx context.Context, a *app, db *duck.DB, path string) error {
	if err := db.ExportDatabase(ctx, path); err != nil {
		os.Remove(path)
		return err
	}
	a.say("all tables in %s", path)
	return nil
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
