package simulate

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// startedAt is 2026-01-01T00:00:00Z, when simulated studies begin.
const startedAt schema.Time = 1767225600 * 1e6

// The versions that manifests name.
const (
	sourceFormat  = "simulated"
	simulationVer = "1.0.0"
	// contextBudget is the room for candidates, in tokens.
	contextBudget = 8000
)

// A runWriter writes runs, one at a time.
type runWriter struct {
	design *design
	root   string
	batch  *record.Batch
	random *stream
	detail *stream
}

func newRunWriter(d *design, root string) *runWriter {
	return &runWriter{design: d, root: root, batch: record.NewBatch(root, options),
		random: newStream(d.seed, streamOutcome, 0), detail: newStream(d.seed, streamDetail, 0)}
}

// write writes the planned run at a place, with what its fault puts beside it.
func (w *runWriter) write(i int) error {
	c := w.course(i)
	switch c.fault {
	case &FaultAbsent:
		return nil
	case &FaultSuperseded:
		if err := w.writeAttempt(c); err != nil {
			return err
		}
		c = w.course(i)
	case &FaultExtra, &FaultUnplanned:
		if err := w.writeRun(w.another(i)); err != nil {
			return err
		}
		c = w.course(i)
	}
	if err := w.writeRun(c); err != nil {
		return err
	}
	w.detail.restart(w.design.seed, streamFault, i)
	switch {
	case c.fault == &FaultCopy:
		return copyRun(c.out.Path(), filepath.Join(w.root, w.design.study.ExperimentID, copyFolder, c.path))
	case c.fault != nil && c.fault.damage != nil:
		return c.fault.damage(c.out.Path(), w.detail)
	}
	return nil
}

// another is a further run beside a planned one, a day later: of the same cell
// with another seed, or of a repetition that is not planned.
func (w *runWriter) another(i int) *course {
	c := w.course(i)
	unplanned := c.fault == &FaultUnplanned
	c.fault = nil
	w.detail.restart(w.design.seed, streamDetail, i+w.design.runs())
	w.random.restart(w.design.seed, streamOutcome, i+w.design.runs())
	at := w.design.cell(i)
	c.outcome = w.design.study.draw(w.random, w.design.mean(at), c.task)
	c.started += 24 * 3600e6
	if unplanned {
		c.repetition += int64(w.design.study.Repetitions)
	} else {
		c.again = 1000
	}
	return c
}

// writeAttempt writes the beginning of a run; the next run of its id sets it aside.
func (w *runWriter) writeAttempt(c *course) error {
	m, err := c.manifest()
	if err != nil {
		return err
	}
	out, err := w.batch.Create(m)
	if err != nil {
		return err
	}
	c.out = out
	return errors.Join(c.start(), c.search(), out.Close())
}

// course is what happens in the planned run at a place.
func (w *runWriter) course(i int) *course {
	d := w.design
	c := d.cell(i)
	w.detail.restart(d.seed, streamDetail, i)
	return &course{design: d, arm: &d.arms[c.arm], task: &d.tasks[c.task], repetition: int64(c.repetition + 1), place: int64(i),
		outcome: d.outcome(w.random, i), fault: d.fault(i), random: w.detail, started: startedAt + schema.Time(i)*60e6}
}

// writeRun writes one run directory.
func (w *runWriter) writeRun(c *course) error {
	m, err := c.manifest()
	if err != nil {
		return err
	}
	out, err := w.batch.Create(m)
	if err != nil {
		return err
	}
	defer out.Close()
	m = out.Manifest()
	c.out, c.path = out, record.RunPath(&m)
	if err := c.write(); err != nil {
		return fmt.Errorf("%s: %w", out.Path(), err)
	}
	return out.Close()
}

// configuration is the harness configuration of a simulated run.
type configuration struct {
	Simulated bool                          `json:"simulated"`
	Treatment schema.Members[schema.Scalar] `json:"treatment"`
	Steps     int                           `json:"steps"`
	Limit     int                           `json:"limit"`
}

// manifest says what the run is; and that it is simulated.
func (c *course) manifest() (schema.Manifest, error) {
	s := c.design.study
	config, err := json.Marshal(configuration{true, c.arm.Treatment, s.Steps, s.limit()})
	if err != nil {
		return schema.Manifest{}, err
	}
	repo := c.task.repo
	return schema.Manifest{
		ExperimentID: s.ExperimentID, TaskID: c.task.id, HarnessID: c.arm.Harness,
		HarnessConfig: schema.Object(config), ModelConfig: `{"simulated":true,"temperature":0.2}`,
		ModelKey:      schema.Some(c.arm.Model),
		ModelMetadata: schema.Some[schema.Object](`{"provider":"simulated","pricing":{"input_usd_per_mtok":0.5,"output_usd_per_mtok":2}}`),
		Treatment:     c.arm.Treatment, ContextBudget: schema.Some[int64](contextBudget),
		Seed: schema.Some(schema.Scalar(fmt.Sprint(1000 + c.repetition + c.again))), Repetition: schema.Some(c.repetition),
		Repo: &schema.Repo{Name: schema.Some(repo.name), Commit: schema.Some(repo.commit), Language: schema.Some(repo.language),
			Files: schema.Some(repo.files), Lines: schema.Some(repo.lines)},
		CodeRevision: schema.Some(sourceFormat + "-" + simulationVer), HarnessVersion: schema.Some(simulationVer),
		Benchmark:   &schema.Benchmark{Name: schema.Some(sourceFormat), Version: schema.Some(simulationVer)},
		Environment: schema.Some[schema.Object](`{"os":"linux","arch":"amd64","cpu":"simulated","memory":"16 GiB"}`),
		Source:      &schema.Source{Format: schema.Some(sourceFormat), ImporterVersion: schema.Some(simulationVer)},
		CreatedAt:   schema.Some(c.started),
	}, nil
}

// limit is the number of candidates that a query asks for.
func (s *Study) limit() int { return max(20, s.Candidates+5) }
