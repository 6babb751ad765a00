package pipeline

import (
	"context"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// Validate reads and judges everything that Derive would, and writes nothing.
// The findings, and the reasons for leaving a directory out, go to report, directory
// by directory in the order in which the dataset holds them; report must not keep
// the slices. Directories that differ under one id are findings here, never an error.
func Validate(ctx context.Context, roots []string, o Options, report func([]schema.Finding, []schema.ExclusionRow) error) (*Summary, error) {
	o.ExcludeConflicts = true
	p, err := planRuns(ctx, roots, o)
	if err != nil {
		return nil, err
	}
	sum := &Summary{Inferred: p.inferred()}
	counts := p.counts
	for i := range p.shards {
		s := newShard(p, i, reporter(report), noInputs{})
		if err := s.derive(ctx); err != nil {
			return nil, err
		}
		s.tally.into(&s.manifest)
		sum.addShard(&s.manifest)
		sum.InputBytes += s.manifest.InputBytes
		counts.Included += s.manifest.Included
		counts.Excluded += s.manifest.Excluded
	}
	sum.Counts = counts
	return sum, counts.Check()
}

// A reporter passes findings on and drops rows.
type reporter func([]schema.Finding, []schema.ExclusionRow) error

func (r reporter) add(rows *derive.Rows) error { return r.outside(rows.Findings, rows.Exclusions) }

func (r reporter) outside(findings []schema.Finding, reasons []schema.ExclusionRow) error {
	if len(findings) == 0 && len(reasons) == 0 || r == nil {
		return nil
	}
	return r(findings, reasons)
}

type noInputs struct{}

func (noInputs) add(dataset.Input) error { return nil }
