package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/internal/dataset"
)

// statusOptions are the flags of assay status.
type statusOptions struct {
	raw, tables []string
}

func statusCommand(a *app) *cobra.Command {
	var o statusOptions
	c := &cobra.Command{
		Use:   "status DATA",
		Short: "What is up to date, and what is not and why",
		Long: `Says whether a dataset was made by this program and, with --raw, from the run directories as they are now:
files that changed, came or went are counted, the first of each is named. With --tables also whether rendered tables
are those of this dataset, query and specification. Nothing is written. Exits 3 where something is out of date.`,
		Example: `  assay status data --raw raw --tables tables
  assay status data --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runStatus(c.Context(), a, args[0], o) },
	}
	c.Flags().StringArrayVar(&o.raw, "raw", nil, "the run directories that the dataset was made from; may be given more than once")
	c.Flags().StringArrayVar(&o.tables, "tables", nil, "a folder of rendered tables; may be given more than once")
	return c
}

// A standing is one thing that is up to date or not.
type standing struct {
	// What is the thing.
	What string `json:"what"`
	// Current is whether it is up to date.
	Current bool `json:"current"`
	// Why says what it rests on, or what changed.
	Why string `json:"why"`
}

// A statusList gathers standings, first those of the dataset, then those made from it.
type statusList []standing

func (l *statusList) add(what string, current bool, format string, args ...any) {
	*l = append(*l, standing{what, current, fmt.Sprintf(format, args...)})
}

func runStatus(ctx context.Context, a *app, path string, o statusOptions) error {
	d, err := dataset.Open(path)
	if err != nil {
		return err
	}
	var l statusList
	l.program(d.Lineage)
	if len(o.raw) > 0 {
		if err := l.inputs(ctx, a, d, o.raw); err != nil {
			return err
		}
	}
	for _, folder := range o.tables {
		if err := l.tables(d, folder); err != nil {
			return err
		}
	}
	if a.json {
		err = a.printJSON(l)
	} else {
		fmt.Fprintf(a.out, "dataset %s in %s\n", d.Lineage.DatasetID, d.Dir)
		for _, s := range l {
			mark := "ok     "
			if !s.Current {
				mark = "stale  "
			}
			fmt.Fprintln(a.out, mark+" "+strings.Map(visible, s.What+": "+s.Why))
		}
	}
	if err != nil {
		return err
	}
	if slices.ContainsFunc(l, func(s standing) bool { return !s.Current }) {
		a.next("assay derive RAW -o " + shellQuote(filepath.Dir(d.Dir)) + "       (a new dataset beside the old one)")
		return notClean()
	}
	return nil
}

func (l *statusList) program(lineage *dataset.Lineage) {
	if now := codeRevision(); lineage.CodeRevision == now {
		l.add("program", true, "made by this one, %s", now)
	} else {
		l.add("program", false, "made by %s, this one is %s", lineage.CodeRevision, now)
	}
	l.add("schema", lineage.SchemaVersion == dataset.Version, "tables of version %s, this program makes %s", lineage.SchemaVersion, dataset.Version)
}
