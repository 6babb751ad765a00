package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
)

// verifyOptions are the flags of assay verify.
type verifyOptions struct {
	raw     []string
	workers int
}

func verifyCommand(a *app) *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use:   "verify DATA",
		Short: "Hash a dataset again; with --raw, derive it again and compare the bytes",
		Long: `Hashes every file of a dataset and holds it against its checksums and its lineage, and recomputes the
dataset's id. With --raw the run directories are derived again, with the options that the lineage names, into a
folder that is removed afterwards; every difference is named by what explains it. Exits 3 where anything differs.`,
		Example: `  assay verify data
  assay verify data --raw raw`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runVerify(c.Context(), a, args[0], o) },
	}
	c.Flags().StringArrayVar(&o.raw, "raw", nil, "derive these run directories again and compare; may be given more than once")
	c.Flags().IntVar(&o.workers, "workers", 0, "runs read at once (default: one a processor)")
	return c
}

// verifyJSON is the result for programs.
type verifyJSON struct {
	// DatasetID is the dataset.
	DatasetID string `json:"dataset_id"`
	// Files is how many Parquet files were hashed.
	Files int `json:"files"`
	// Problems are the ways in which the dataset is not what it says.
	Problems []problemJSON `json:"problems"`
	// Derived is the id of the dataset that the raw runs give now; absent without --raw.
	Derived string `json:"derived_dataset_id,omitzero"`
	// Differences are those between the dataset and the one derived again.
	Differences []difference `json:"differences"`
}

// A problemJSON is one problem.
type problemJSON struct {
	// File is the file.
	File string `json:"file"`
	// Have is what was found.
	Have string `json:"have"`
	// Want is what was promised.
	Want string `json:"want"`
}

func runVerify(ctx context.Context, a *app, path string, o verifyOptions) error {
	d, err := dataset.Open(path)
	if err != nil {
		return err
	}
	problems, err := d.Verify()
	if err != nil {
		return err
	}
	r := verifyJSON{DatasetID: d.Lineage.DatasetID, Files: len(d.Lineage.Files), Problems: []problemJSON{}, Differences: []difference{}}
	for _, p := range problems {
		r.Problems = append(r.Problems, problemJSON{p.File, p.Have, p.Want})
	}
	// A damaged file cannot be compared row by row.
	if len(o.raw) > 0 && len(problems) == 0 {
		if err := a.deriveAgain(ctx, d, o, &r); err != nil {
			return err
		}
	}
	if err := a.printVerified(r, problems, o); err != nil {
		return err
	}
	if len(r.Problems)+len(r.Differences) > 0 {
		return notClean()
	}
	if len(o.raw) == 0 {
		a.next("assay verify " + shellQuote(path) + " --raw RAW     (derive again and compare)")
	}
	return nil
}

// deriveAgain makes the dataset anew beside nothing that lasts, and compares.
func (a *app) deriveAgain(ctx context.Context, d *dataset.Dataset, o verifyOptions, r *verifyJSON) error {
	scratch, err := os.MkdirTemp("", "assay-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	p := a.newProgress()
	opts, err := deriveOptions{workers: o.workers}.pipelineOptions(p)
	if err != nil {
		return err
	}
	opts.Options = d.Lineage.Options
	s, err := pipeline.Derive(ctx, o.raw, scratch, opts)
	p.end()
	if err != nil {
		return err
	}
	again, err := dataset.Open(s.Dir)
	if err != nil {
		return err
	}
	r.Derived = again.Lineage.DatasetID
	list, err := diffDatasets(ctx, d, again)
	r.Differences = append(r.Differences, list...)
	return err
}

func (a *app) printVerified(r verifyJSON, problems []dataset.Problem, o verifyOptions) error {
	if a.json {
		return a.printJSON(r)
	}
	for _, p := range problems {
		fmt.Fprintln(a.out, strings.Map(visible, p.String()))
	}
	fmt.Fprintf(a.out, "dataset %s: %d Parquet files hashed, %d problems\n", r.DatasetID, r.Files, len(problems))
	switch {
	case len(o.raw) > 0 && len(problems) > 0:
		fmt.Fprintln(a.out, "not derived again: a damaged dataset cannot be compared")
	case r.Derived != "":
		fmt.Fprintf(a.out, "derived again: dataset %s, %d differences (first here, second anew)\n", r.Derived, len(r.Differences))
		if len(r.Differences) > 0 {
			return a.printDifferences(r.Differences)
		}
	}
	return nil
}
