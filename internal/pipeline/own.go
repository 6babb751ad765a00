package pipeline

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// writeOwnTables writes the tables that belong to no shard.
func (p *Plan) writeOwnTables(ctx context.Context, dir string) ([]dataset.File, error) {
	s := &sink{dir: dir}
	var errs []error
	plan := openTable(s, &errs, &schema.TablePlan, p.planExtras()...)
	metrics := openTable[schema.MetricRow](s, &errs, &schema.TableMetrics)
	err := errors.Join(errs...)
	if err == nil {
		err = errors.Join(p.writeCells(plan), metrics.Write(metricRows()))
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	return s.close(ctx, p.options.workers())
}

// metricRows are the rows of the registry, sorted by the table's key.
func metricRows() []schema.MetricRow {
	rows := schema.MetricRows()
	slices.SortFunc(rows, func(a, b schema.MetricRow) int {
		return cmp.Or(strings.Compare(a.Level, b.Level), cmp.Compare(a.Place, b.Place))
	})
	return rows
}

func (p *Plan) planExtras() []dataset.Extra[schema.PlanRow] {
	return dataset.FactorExtras(p.factors, func(r *schema.PlanRow) schema.Members[schema.Scalar] { return r.Treatment })
}

// writeCells writes every planned cell with its run.
func (p *Plan) writeCells(w *dataset.Writer[schema.PlanRow]) error {
	for _, e := range p.experiments {
		for a := range e.grid.arms {
			for _, task := range e.grid.tasks {
				if err := w.Write(p.cellRows(e, int32(a), task)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// cellRows are the repetitions of one arm on one task.
func (p *Plan) cellRows(e *experiment, a int32, task string) []schema.PlanRow {
	arm := &e.grid.arms[a]
	rows := make([]schema.PlanRow, max(e.grid.repetitions, 1))
	for i := range rows {
		repetition := schema.Some(int64(i + 1))
		if e.grid.repetitions == 0 {
			repetition = schema.None[int64]()
		}
		rows[i] = schema.PlanRow{ExperimentID: e.id, Arm: arm.name, HarnessID: arm.harness, ModelKey: arm.model,
			TaskID: task, Repetition: repetition, Inferred: e.grid.inferred, Treatment: arm.treatment}
		if run, ok := e.filled[cell{a, task, repetition}]; ok {
			rows[i].RunID = schema.Some(p.runs[run].id)
		}
	}
	return rows
}

// columns describes the columns of a table of the dataset, those of metrics and
// factors included.
func (p *Plan) columns(t *schema.Table) []schema.Column {
	return dataset.Columns(t, p.factors)
}

// openIn creates a file for writing that must not exist.
func openIn(dir, name string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}
