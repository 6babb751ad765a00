package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// Derive makes a dataset in the folder out from the run directories under the
// roots. On failure, or when the context ends, nothing is left behind.
func Derive(ctx context.Context, roots []string, out string, o Options) (*Summary, error) {
	p, err := planRuns(ctx, roots, o)
	if err != nil {
		return nil, err
	}
	s, err := dataset.Stage(out)
	if err != nil {
		return nil, err
	}
	sum, err := deriveInto(ctx, p, s)
	if err != nil {
		return nil, errors.Join(err, s.Discard())
	}
	return sum, nil
}

// planRuns is MakePlan for a caller who expects to find something.
func planRuns(ctx context.Context, roots []string, o Options) (*Plan, error) {
	p, err := MakePlan(ctx, roots, o)
	if err == nil && p.counts.Directories == 0 && len(p.experiments) == 0 {
		err = fmt.Errorf("%s: have no run directory, want one with %s", strings.Join(roots, ", "), schema.DocumentManifest.File)
	}
	return p, err
}

func deriveInto(ctx context.Context, p *Plan, s *dataset.Staging) (*Summary, error) {
	for i := range p.shards {
		if _, err := RunShard(ctx, p, i, shardFolder(s.Dir, i)); err != nil {
			return nil, err
		}
	}
	p.report(StageCommit, 0, 1)
	l, sum, err := commit(ctx, p, s)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if sum.Dir, err = s.Publish(l.DatasetID); err != nil {
		return nil, err
	}
	p.report(StageCommit, 1, 1)
	return sum, nil
}
