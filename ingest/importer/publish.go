package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/internal/staging"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
)

// publish writes a batch under a temporary name beside out and moves it there. What
// a process that was killed left there is removed first.
func publish(s *source, b *batch, out string, progress func(done, total int)) (err error) {
	out = filepath.Clean(out)
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real
	}
	parent := filepath.Dir(out)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	prefix := "." + filepath.Base(out) + ".import-"
	staging.Sweep(parent, prefix)
	claim, err := staging.New(parent, prefix)
	if err != nil {
		return err
	}
	stage := claim.Folder
	defer func() { err = errors.Join(err, os.RemoveAll(stage), claim.Release()) }()
	if err := errors.Join(os.Mkdir(stage, 0o755), os.Chmod(stage, 0o755)); err != nil {
		return err
	}
	if err := writeAll(s, b, stage, progress); err != nil {
		return err
	}
	return move(stage, out)
}

// options say how an importer records: a missing time stays missing, and what
// looks like a secret is replaced.
func options() record.Options {
	return record.Options{Durability: record.Buffered, Secrets: record.RedactSecrets}
}

func writeAll(s *source, b *batch, stage string, progress func(done, total int)) error {
	for i, r := range b.runs {
		progress(i, len(b.runs))
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := s.write(stage, r); err != nil {
			return err
		}
	}
	progress(len(b.runs), len(b.runs))
	for _, e := range b.experiments {
		if err := s.writeExperiment(stage, e, b.runs); err != nil {
			return err
		}
	}
	s.report.RunsImported = len(b.runs)
	s.report.settle()
	text, err := s.report.encode()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stage, ReconciliationFile), text, 0o666)
}

// write writes one run directory.
func (s *source) write(stage string, r *run) error {
	s.writing = Place{r.manifest.Source.Path.Or(""), int(r.manifest.Source.Line.Or(0))}.String()
	c, err := r.load()
	if err != nil {
		return err
	}
	r.manifest.NotRecorded = c.notRecorded
	w, err := record.Create(stage, r.manifest, options())
	if err != nil {
		return fmt.Errorf("%s: %w", r.manifest.Source.Path.Or(""), err)
	}
	defer w.Close()
	if err := s.writeContent(w, c); err != nil {
		return fmt.Errorf("%s: %w", r.manifest.Source.Path.Or(""), err)
	}
	s.report.Runs = append(s.report.Runs, RunOriginals{w.RunID(), c.originals})
	return nil
}

func (s *source) writeContent(w *record.Writer, c *content) error {
	if err := w.Append(c.started.ts, c.started.payload); err != nil {
		return err
	}
	for _, e := range c.events {
		if err := s.append(w, e); err != nil {
			return err
		}
	}
	if c.tests != nil {
		if err := w.WriteTestResults(*c.tests); err != nil {
			return err
		}
	}
	return w.Finish(c.finished.ts, c.finished.payload)
}

// append writes one event. The arguments of a tool call are the model's own text:
// where the contract cannot hold them they are dropped and counted.
func (s *source) append(w *record.Writer, e event[schema.Payload]) error {
	err := w.Append(e.ts, e.payload)
	call, ok := e.payload.(schema.ToolCall)
	if err != nil && ok && call.Arguments.Has() {
		call.Arguments = schema.None[schema.Object]()
		s.report.count(countArgumentsDropped, 1)
		return w.Append(e.ts, call)
	}
	if ok {
		if text, there := call.Arguments.Get(); there {
			if _, secrets := schema.RedactJSON([]byte(text)); len(secrets) > 0 {
				s.report.count(countSecrets, len(secrets))
			}
		}
	}
	return err
}

// writeExperiment writes the plan and the tasks of an experiment.
func (s *source) writeExperiment(stage string, e *experiment, runs []*run) error {
	n := ExperimentCount{ID: e.id}
	for _, r := range runs {
		if r.manifest.ExperimentID == e.id {
			n.Imported++
		}
	}
	if e.plan != nil {
		planned := int64(len(e.plan.Tasks)) * int64(len(e.plan.Arms)) * e.plan.Repetitions.Or(1)
		n.Planned = &planned
		if err := record.WriteExperiment(stage, *e.plan, options()); err != nil {
			return err
		}
	}
	s.report.Experiments = append(s.report.Experiments, n)
	if len(e.tasks) == 0 {
		return nil
	}
	return record.WriteTasks(stage, e.id, e.tasks, options())
}

// move puts what stands under stage into out. Where a step fails, those before it
// are taken back.
func move(stage, out string) error {
	if _, err := os.Lstat(out); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(stage, out)
	}
	steps, err := moves(stage, out)
	if err != nil {
		return err
	}
	for i, step := range steps {
		if err := os.MkdirAll(filepath.Dir(step.to), 0o777); err != nil {
			return errors.Join(err, undo(steps[:i]))
		}
		if err := os.Rename(step.from, step.to); err != nil {
			return errors.Join(err, undo(steps[:i]))
		}
	}
	return nil
}

type step struct{ from, to string }

func undo(steps []step) error {
	var err error
	for _, s := range steps {
		err = errors.Join(err, os.Rename(s.to, s.from))
	}
	return err
}

// moves lists what has to be moved: whole folders where out has none of the name,
// else what is in them. A file that is already there with the same bytes stays.
func moves(stage, out string) ([]step, error) {
	list, err := os.ReadDir(stage)
	if err != nil {
		return nil, err
	}
	var steps []step
	for _, d := range list {
		from, to := filepath.Join(stage, d.Name()), filepath.Join(out, d.Name())
		info, err := os.Lstat(to)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			steps = append(steps, step{from, to})
		case err != nil:
			return nil, err
		case d.Name() == ReconciliationFile:
			steps = append(steps, step{from, nextFree(to)})
		case d.IsDir() && info.IsDir():
			inner, err := moves(from, to)
			if err != nil {
				return nil, err
			}
			steps = append(steps, inner...)
		default:
			if err := sameFile(from, to); err != nil {
				return nil, err
			}
		}
	}
	return steps, nil
}

func sameFile(from, to string) error {
	a, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	b, err := os.ReadFile(to)
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("%s: have another %s than the runs to import need, want the same: import all of an experiment at once", to, filepath.Base(to))
	}
	return nil
}

func nextFree(path string) string {
	stem := strings.TrimSuffix(path, ".json")
	for n := 2; ; n++ {
		next := stem + "-" + strconv.Itoa(n) + ".json"
		if _, err := os.Lstat(next); errors.Is(err, fs.ErrNotExist) {
			return next
		}
	}
}

// The names of counts.
const (
	countArgumentsDropped = "tool calls whose arguments the contract cannot hold"
	countSecrets          = "secrets replaced in arguments of tool calls"
	countOtherJSON        = "JSON files of another kind"
)

// object is the JSON text of a value that has one.
func object[T any](v T) (schema.Object, error) {
	b, err := json.Marshal(v, json.Deterministic(true))
	return schema.Object(b), err
}
