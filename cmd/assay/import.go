package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/ingest/importer"
)

// importOptions are the flags of assay import.
type importOptions struct {
	out        string
	onConflict string
	experiment string
}

func importCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "import FORMAT PATH... -o RAW",
		Short:   "Turn foreign logs into run directories",
		Example: "  assay import harbor jobs -o raw\n  assay import atif trajectories -o raw",
		Long: `Reads the logs of another tool and writes one run directory a run, with a
reconciliation of what was read, skipped and why, and what the format cannot supply.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return usageError(fmt.Errorf("import: have format %q, want one of %s", args[0], strings.Join(importerNames(), ", ")))
		},
	}
	// The flags are those of the formats: with a format that is none, its name is what is wrong.
	c.FParseErrWhitelist.UnknownFlags = true
	for _, imp := range importer.Importers {
		c.AddCommand(importFormatCommand(a, imp))
	}
	return c
}

func importerNames() []string {
	var names []string
	for _, imp := range importer.Importers {
		names = append(names, imp.Name)
	}
	return names
}

func importFormatCommand(a *app, imp *importer.Importer) *cobra.Command {
	var o importOptions
	short, _, _ := strings.Cut(imp.Doc, ".")
	c := &cobra.Command{
		Use:     imp.Name + " PATH... -o RAW",
		Short:   short,
		Long:    imp.Doc + "\n\nThe format cannot supply:\n  - " + strings.Join(imp.Cannot, "\n  - "),
		Example: "  assay import " + imp.Name + " PATH -o raw",
		Args:    cobra.MinimumNArgs(1),
		RunE:    func(c *cobra.Command, args []string) error { return runImport(c.Context(), a, imp, args, o) },
	}
	c.Flags().StringVarP(&o.out, "out", "o", "raw", "the folder that gets the run directories")
	c.Flags().StringVar(&o.onConflict, "on-conflict", "", "where one id has two contents: take the first or the last, instead of refusing")
	c.Flags().StringVar(&o.experiment, "experiment", "", "the experiment's name, where the format has none (default: the folder's name)")
	return c
}

func runImport(ctx context.Context, a *app, imp *importer.Importer, paths []string, o importOptions) error {
	policy, err := importer.ParseConflictPolicy(o.onConflict)
	if err != nil {
		return usageError(err)
	}
	p := a.newProgress()
	r, err := importer.Run(ctx, imp, paths, o.out, importer.Options{OnConflict: policy, Experiment: o.experiment},
		func(done, total int) { p.at("writing runs", int64(done), int64(total)) })
	p.end()
	if err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(r); err != nil {
			return err
		}
	} else if err := r.WriteText(a.out); err != nil {
		return err
	}
	a.next("assay derive " + shellQuote(o.out) + " -o data")
	if !r.Clean() {
		return notClean()
	}
	return nil
}
