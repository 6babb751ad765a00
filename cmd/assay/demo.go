package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/eval/simulate"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// The folders of a demonstration.
const (
	demoRaw    = "raw"
	demoData   = "data"
	demoTables = "tables"
)

func demoCommand(a *app) *cobra.Command {
	var out string
	var tasks int
	c := &cobra.Command{
		Use:   "demo -o DIR",
		Short: "A small simulated study with planted faults, to its tables, in seconds",
		Long: `Makes a study that never happened, with planted effects and faults, takes it through the whole path to the
seven tables in every format, and shows for each thing planted where it came out. DIR must not exist: it gets
raw, data and tables. Nothing in it was measured; the files say so.`,
		Example: `  assay demo -o demo`,
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return a.runDemo(c.Context(), out, tasks) },
	}
	c.Flags().StringVarP(&out, "out", "o", "demo", "a new folder")
	c.Flags().IntVar(&tasks, "tasks", simulate.Default().Tasks, "tasks; with fewer, effects are harder to find")
	return c
}

// A demonstration is what a demo made.
type demonstration struct {
	truth   simulate.Truth
	summary *pipeline.Summary
	dataset *dataset.Dataset
	db      *duck.DB
	grids   []tables.Grid
}

// runDemo makes the folder, all of it or nothing.
func (a *app) runDemo(ctx context.Context, out string, tasks int) (err error) {
	study := simulate.Default()
	study.Tasks = tasks
	study.Faults = study.DefaultFaults()
	if _, err := study.Truth(); err != nil {
		return usageError(err)
	}
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(out)), 0o777); err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o777); err != nil {
		return fmt.Errorf("%s: have something there already, want a new folder: %w", out, err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(out)
		}
	}()
	began := time.Now()
	demo, err := a.makeDemo(ctx, out, study)
	if err != nil {
		return err
	}
	defer demo.db.Close()
	if a.json {
		return a.printJSON(demo.truth)
	}
	a.say("%d simulated runs to %d tables in %.1f s; nothing here was measured", demo.summary.Counts.Runs, len(demo.grids), time.Since(began).Seconds())
	if err := a.showDemo(ctx, demo); err != nil {
		return err
	}
	return a.demoNext(ctx, out, demo)
}

// makeDemo simulates, derives and makes tables, and checks that the accounting is
// the planted one.
func (a *app) makeDemo(ctx context.Context, out string, study simulate.Study) (*demonstration, error) {
	raw, data := filepath.Join(out, demoRaw), filepath.Join(out, demoData)
	demo := &demonstration{}
	var err error
	if demo.truth, err = a.simulate(ctx, raw, study, 0); err != nil {
		return nil, err
	}
	p := a.newProgress()
	opts, err := deriveOptions{}.pipelineOptions(p)
	if err != nil {
		return nil, err
	}
	demo.summary, err = pipeline.Derive(ctx, []string{raw}, data, opts)
	p.end()
	if err != nil {
		return nil, err
	}
	if want := dataset.Counts(demo.truth.Counts); demo.summary.Counts != want {
		return nil, fmt.Errorf("accounting: have %+v, want the planted %+v", demo.summary.Counts, want)
	}
	if demo.dataset, demo.db, err = openDataset(ctx, data, "", duck.Options{}); err != nil {
		return nil, err
	}
	if demo.grids, err = a.demoTables(ctx, out, demo); err != nil {
		demo.db.Close()
		return nil, err
	}
	return demo, nil
}

func (a *app) demoTables(ctx context.Context, out string, demo *demonstration) ([]tables.Grid, error) {
	specs := tables.Shipped()
	grids, err := makeTables(ctx, demo.dataset, demo.db, specs, true)
	if err != nil {
		return nil, err
	}
	formats, err := chooseFormats(tablesOptions{out: demoTables})
	if err != nil {
		return nil, err
	}
	return grids, writeTables(ctx, demo.dataset, demo.db, filepath.Join(out, demoTables), specs, grids, formats)
}
