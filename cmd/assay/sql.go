package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/stats/duck"
)

// sqlOptions are the flags of assay sql.
type sqlOptions struct {
	format  string
	out     string
	export  string
	faults  string
	threads int
}

// listingFormats are the output modes of assay sql that people read.
var listingFormats = []string{"box", "markdown", "latex"}

// sqlFormats are all its output modes.
var sqlFormats = append(slices.Clip(listingFormats), "csv", "json", "jsonl", "parquet", "arrow")

func sqlCommand(a *app) *cobra.Command {
	var o sqlOptions
	c := &cobra.Command{
		Use:   "sql DATA [QUERY]",
		Short: "Ad-hoc SQL over a dataset, with the statistics as functions",
		Long: `Runs a query over the views of a dataset: runs, included, queries, candidates, missing,
plan, findings and the others. assay_functions() lists the statistics, and
assay describe column lists the columns. Without QUERY it is read from standard
input, a statement at a time where that is a terminal. Of several statements box,
markdown and latex show every result, the other formats the last. A statement may define views, tables and
macros in memory, for the statements behind it; those of the dataset stay as they are, and no file is read or written. In csv a list or struct
is JSON, NULL is nothing and an empty text "". DATA may also be a CSV, JSON lines or Parquet file, which is a view of its name.`,
		Example: `  assay sql data "SELECT harness_id, count(*) AS runs FROM included GROUP BY 1 ORDER BY 1"
  assay sql data "SELECT arm, rate(list(resolved_at_1 ORDER BY run_id), list(task_id ORDER BY run_id)) AS r FROM included GROUP BY 1"
  assay sql data "SELECT * FROM assay_functions()" --format markdown
  assay sql data "FROM runs" --format parquet -o runs.parquet`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return runSQL(c.Context(), a, args, o) },
	}
	f := c.Flags()
	f.StringVar(&o.format, "format", "", "one of "+strings.Join(sqlFormats, ", ")+" (default: as the name of the file ends, else box)")
	f.StringVarP(&o.out, "out", "o", "-", "write to a file instead of standard output, with its lineage beside it")
	f.StringVar(&o.export, "export", "", "write all tables into a new DuckDB file")
	f.StringVar(&o.faults, "faults", "", "which faults count as failures: agent, all or none")
	f.IntVar(&o.threads, "threads", 1, "threads; above 1 the engine's own sums of doubles may differ in the last digits from run to run")
	return c
}

func runSQL(ctx context.Context, a *app, args []string, o sqlOptions) error {
	if err := o.check(a); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "assay-sql-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	d, db, err := openForSQL(ctx, args[0], o, filepath.Join(scratch, "result.parquet"))
	if err != nil {
		return err
	}
	defer db.Close()
	q := querying{app: a, options: o, dataset: d, db: db}
	switch {
	case o.export != "":
		return q.exportDatabase(ctx)
	case len(args) == 2:
		return q.query(ctx, args[1])
	}
	return q.prompt(ctx)
}

func (o *sqlOptions) check(a *app) error {
	if o.format == "" {
		if o.format = formatOfName(o.out); a.json {
			o.format = "json"
		}
	}
	for _, f := range sqlFormats {
		if f == o.format {
			return checkFaults(o.faults)
		}
	}
	return usageError(fmt.Errorf("--format: have %q, want one of %s", o.format, strings.Join(sqlFormats, ", ")))
}

// formatOfName is the format that the name of an output file asks for, else box.
func formatOfName(path string) string {
	switch ending := strings.TrimPrefix(filepath.Ext(path), "."); {
	case ending == "md":
		return "markdown"
	case ending == "tex":
		return "latex"
	case ending == "ndjson":
		return "jsonl"
	case slices.Contains(sqlFormats, ending):
		return ending
	}
	return sqlFormats[0]
}

// A querying runs statements over one source of data.
type querying struct {
	*app
	options sqlOptions
	dataset *dataset.Dataset // nil for loose files
	db      *duck.DB
}

// openForSQL opens a dataset, or loose files of data, which are none.
func openForSQL(ctx context.Context, path string, o sqlOptions, scratch string) (*dataset.Dataset, *duck.DB, error) {
	opts := duck.Options{Threads: o.threads, Scratch: scratch, Comments: true}
	if o.export != "" {
		file, err := filepath.Abs(o.export)
		if err != nil {
			return nil, nil, err
		}
		if _, err := os.Lstat(file); err == nil {
			return nil, nil, fmt.Errorf("%s: have something there already, want a new file", o.export)
		}
		// The last two are what the engine writes beside the file and removes.
		opts.Writable = []string{file, file + ".wal", file + ".wal.checkpoint"}
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		db, err := openFiles(ctx, []string{path}, opts)
		return nil, db, err
	}
	d, db, err := openDataset(ctx, path, o.faults, opts)
	if err != nil {
		return nil, nil, err
	}
	// The checks of audit can be run as they stand.
	if err := apparatus(d).Define(ctx, db); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return d, db, nil
}

// openFiles opens loose CSV, JSON lines or Parquet files as views named after them.
func openFiles(ctx context.Context, paths []string, opts duck.Options) (*duck.DB, error) {
	src := duck.Source{}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		src.Dir = filepath.Dir(abs)
		r, err := duck.FileRelation(abs)
		if err != nil {
			return nil, err
		}
		src.Relations = append(src.Relations, r)
	}
	return duck.Open(ctx, src, opts)
}

// query runs statements and writes the rows of each where people read them, else
// those of the last: a CSV file is one result.
func (q querying) query(ctx context.Context, text string) error {
	statements := duck.Statements(text)
	if len(statements) == 0 {
		return usageError(errors.New("sql: have an empty query, want a statement"))
	}
	if q.options.out == "-" {
		w := bufio.NewWriterSize(q.out, 1<<16)
		if err := q.writeResults(ctx, q.db, statements, q.options.format, w); err != nil {
			return err
		}
		return w.Flush()
	}
	lineage, err := q.lineage(ctx, text)
	if err != nil {
		return err
	}
	err = writeFile(q.options.out, func(w io.Writer) error { return q.writeResults(ctx, q.db, statements, q.options.format, w) })
	if err != nil {
		return err
	}
	return q.writeLineage(q.options.out, lineage)
}

// lineage says which runs the rows of a query come from; it is made before they are
// written. Loose files have none.
func (q querying) lineage(ctx context.Context, text string) ([]byte, error) {
	if q.dataset == nil {
		return nil, nil
	}
	return queryLineage(ctx, q.dataset, q.db, text)
}

// writeLineage puts a lineage, where there is one, beside the file that it is of.
func (q querying) writeLineage(path string, lineage []byte) error {
	if lineage == nil {
		return nil
	}
	if err := writeFile(path+lineageSuffix, func(w io.Writer) error { _, err := w.Write(lineage); return err }); err != nil {
		return err
	}
	q.say("what it rests on: %s", path+lineageSuffix)
	return nil
}

func (a *app) writeResults(ctx context.Context, db *duck.DB, statements []string, format string, w io.Writer) error {
	if len(statements) == 0 {
		return nil
	}
	last := len(statements) - 1
	for _, s := range statements[:last] {
		to, f := w, format
		if !slices.Contains(listingFormats, format) {
			to, f = io.Discard, "csv"
		}
		if err := a.writeResult(ctx, db, s, f, to); err != nil {
			return err
		}
	}
	return a.writeResult(ctx, db, statements[last], format, w)
}

// prompt reads statements, each ended by a semicolon, and runs them one by one.
func (q querying) prompt(ctx context.Context) error {
	if in, ok := q.in.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		return q.promptTerminal(ctx, q.db, q.options, in)
	}
	text, err := io.ReadAll(q.in)
	if err != nil {
		return err
	}
	return q.query(ctx, string(text))
}
