package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

func validateCommand(a *app) *cobra.Command {
	var o deriveOptions
	c := &cobra.Command{
		Use:   "validate RAW...",
		Short: "Check run directories, write nothing",
		Example: `  assay validate raw
  assay validate raw --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runValidate(c.Context(), a, args, o) },
	}
	o.flags(c)
	return c
}

func runValidate(ctx context.Context, a *app, roots []string, o deriveOptions) error {
	p := a.newProgress()
	opts, err := o.pipelineOptions(p)
	if err != nil {
		return err
	}
	const most = 200
	shown := 0
	s, err := pipeline.Validate(ctx, roots, opts, func(list []schema.Finding, _ []schema.ExclusionRow) error {
		for _, f := range list {
			if f.Severity != schema.SeverityInfo && !a.json && shown < most {
				shown++
				if len(roots) == 1 {
					f.RunPath = filepath.ToSlash(filepath.Join(roots[0], f.RunPath)) // so that an editor finds it
				}
				fmt.Fprintln(a.out, strings.Map(visible, findingLine(f)))
			}
		}
		return nil
	})
	p.end()
	if err != nil {
		return err
	}
	if err := a.printSummary(s); err != nil {
		return err
	}
	if shown >= most {
		a.say("%d findings shown; derive, then assay findings, lists all", most)
	}
	a.next("assay derive " + shellQuote(roots[0]) + " -o data")
	if !s.Clean() {
		return notClean()
	}
	return nil
}

// findingLine prints a finding as a compiler would: place, code, have and want.
func findingLine(f schema.Finding) string {
	place := f.RunPath
	if f.File != "" {
		place += "/" + f.File
	}
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
	}
	if f.Column > 0 {
		place += fmt.Sprintf(":%d", f.Column)
	}
	text := fmt.Sprintf("%s: %s %s", place, f.Severity, f.Code.Name)
	if f.Pointer != "" {
		text += " at " + f.Pointer
	}
	if f.Have != "" {
		text += ": have " + f.Have
	}
	if f.Want != "" {
		text += ", want " + f.Want
	}
	return text
}
