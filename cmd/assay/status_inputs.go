package main

import (
	"context"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/internal/pipeline"
)

// inputs says whether the raw runs are those that the dataset was made from.
func (l *statusList) inputs(ctx context.Context, a *app, d *dataset.Dataset, roots []string) error {
	p := a.newProgress()
	opts, err := deriveOptions{}.pipelineOptions(p)
	if err != nil {
		return err
	}
	s, err := pipeline.Status(ctx, d, roots, opts)
	p.end()
	if err != nil {
		return err
	}
	if len(s.Changes) == 0 {
		l.add("raw runs", true, "%d directories, every file as it was", s.Directories)
	}
	for _, kind := range []pipeline.ChangeKind{pipeline.Changed, pipeline.Came, pipeline.Went} {
		n, first := 0, ""
		for _, c := range s.Changes {
			if c.Kind != kind {
				continue
			}
			if n++; n == 1 {
				first = c.String()
			}
		}
		if n > 0 {
			l.add("raw runs", false, "%d files or directories %s since, the first is %s", n, kind, first)
		}
	}
	return nil
}
