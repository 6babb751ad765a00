package simulate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// TruthFile is the name of the truth in the experiment's folder.
const TruthFile = "truth.json"

// Write writes the study under root: run directories, experiment.json,
// tasks.jsonl, and the truth beside them, all of it or nothing. The experiment's
// folder must not exist. The bytes are the same for any number of workers; memory
// does not grow with the number of runs, but for a byte each. progress is called
// now and then with the runs done and all runs; or nil.
func Write(ctx context.Context, root string, s Study, workers int, progress func(done, total int64)) (Truth, error) {
	d, err := s.lay(s.Seed)
	if err != nil {
		return Truth{}, err
	}
	final := filepath.Join(root, s.ExperimentID)
	if _, err := os.Lstat(final); !errors.Is(err, fs.ErrNotExist) {
		return Truth{}, fmt.Errorf("%s: have something there already, want a new experiment", final)
	}
	if err := os.MkdirAll(root, 0o777); err != nil {
		return Truth{}, err
	}
	stage, err := os.MkdirTemp(root, ".simulate-")
	if err != nil {
		return Truth{}, err
	}
	defer os.RemoveAll(stage)
	truth := d.truth()
	if err := d.writeAll(ctx, stage, truth, max(workers, 1), progress); err != nil {
		return Truth{}, err
	}
	return truth, os.Rename(filepath.Join(stage, s.ExperimentID), final)
}

// writeAll writes the experiment's folder under root.
func (d *design) writeAll(ctx context.Context, root string, truth Truth, workers int, progress func(done, total int64)) error {
	if err := d.writeDocuments(root); err != nil {
		return err
	}
	if err := d.writeRuns(ctx, root, workers, progress); err != nil {
		return err
	}
	b, err := json.Marshal(truth, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, d.study.ExperimentID, TruthFile), append(b, '\n'), 0o666)
}

// options write fast: a simulated run can be made again. A repeated run sets its
// first attempt aside.
var options = record.Options{Durability: record.Buffered, Retry: true}

// writeRuns writes every planned run; the first error ends it.
func (d *design) writeRuns(ctx context.Context, root string, workers int, progress func(done, total int64)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next, done atomic.Int64
	var group sync.WaitGroup
	var report sync.Mutex
	total := int64(d.runs())
	for range workers {
		group.Go(func() {
			w := newRunWriter(d, root)
			for i := next.Add(1) - 1; i < total && ctx.Err() == nil; i = next.Add(1) - 1 {
				if err := w.write(int(i)); err != nil {
					stop(err)
					return
				}
				if n := done.Add(1); progress != nil && (n%100 == 0 || n == total) {
					report.Lock()
					progress(n, total)
					report.Unlock()
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// writeDocuments writes the plan and the tasks.
func (d *design) writeDocuments(root string) error {
	if err := record.WriteExperiment(root, d.plan(), options); err != nil {
		return err
	}
	tasks := make([]schema.Task, len(d.tasks))
	for i := range d.tasks {
		tasks[i] = d.tasks[i].document()
	}
	return record.WriteTasks(root, d.study.ExperimentID, tasks, options)
}

// plan is experiment.json.
func (d *design) plan() schema.Plan {
	s := d.study
	p := schema.Plan{ExperimentID: s.ExperimentID, Title: schema.Some(s.Title + " (simulated)"), CreatedAt: schema.Some(startedAt),
		Baseline: schema.Some(d.arms[d.baseline()].Name), Repetitions: schema.Some(int64(s.Repetitions)), Blocks: []string{"task_id", "repo.name"},
		Outcomes: &schema.Outcomes{Primary: schema.Some(schema.ResolvedAt1.Name), Secondary: []string{schema.FileRecallAt10.Name, schema.GoldWithinBudget.Name}}}
	for _, a := range d.arms {
		p.Arms = append(p.Arms, schema.Arm{Name: a.Name, HarnessID: a.Harness, ModelKey: schema.Some(a.Model), Treatment: a.Treatment})
	}
	for _, f := range s.Factors {
		factor := schema.Factor{Reference: schema.Some(schema.StringScalar(f.Reference)), Role: text(f.Role)}
		for _, l := range f.Levels {
			factor.Levels = append(factor.Levels, schema.StringScalar(l.Name))
		}
		if f.Role == schema.RoleRetrieval.Name {
			factor.ActsThrough = []string{schema.EventRetrievalQuery.Name}
		}
		p.Factors = append(p.Factors, schema.Member[schema.Factor]{Name: f.Name, Value: factor})
	}
	for i := range d.tasks {
		p.Tasks = append(p.Tasks, d.tasks[i].id)
	}
	if d.ruled > 0 {
		p.Exclusions = []schema.ExclusionRule{{Name: ruleName, Field: "task.language", Op: schema.OpEqual.Name,
			Value: schema.RuleValue(schema.StringScalar(ruledLanguage)), Reason: schema.Some("the study does not cover the language")}}
	}
	return p
}
