package ingest

import (
	"bytes"
	"errors"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// An Experiment is what stands in a directory beside its runs.
type Experiment struct {
	// Dir is the directory.
	Dir ExperimentDir
	// Plan is experiment.json, or nil.
	Plan *schema.Plan
	// Tasks are the lines of tasks.jsonl that can be read.
	Tasks []schema.Task
	// Files are the two files, as far as they are there.
	Files []File
	// Findings are the faults. What cannot be read is left out.
	Findings []schema.Finding
	// newer is true where experiment.json is of a newer minor version, and so are
	// the tasks beside it, which carry no version of their own.
	newer bool
}

// ReadExperiment reads the plan and the tasks of a directory. What it returns is
// the caller's to keep.
func ReadExperiment(dir ExperimentDir) (Experiment, error) {
	r := NewReader(Options{})
	run := Run{Dir: RunDir{Root: dir.Root, Path: dir.Path}}
	r.begin(&run)
	e := Experiment{Dir: dir}
	if dir.HasPlan {
		if err := r.readPlan(&e); err != nil {
			return e, err
		}
	}
	if dir.HasTasks {
		if err := r.readTasks(&e); err != nil {
			return e, err
		}
	}
	r.countOmitted()
	e.Files, e.Findings = run.Files, run.Findings
	return e, nil
}

// planCode gives the code of a fault of a plan or of a task, which is left out. Of
// a newer minor version a key that is not known here is only noted.
func planCode(newer bool) func(schema.Violation) *schema.FindingCode {
	return func(v schema.Violation) *schema.FindingCode {
		if newer && v.Code.NewerMinor {
			return v.Code
		}
		return &schema.PlanUnreadable
	}
}

func (r *Reader) readPlan(e *Experiment) error {
	d := newDocument[schema.Plan](&schema.DocumentPlan)
	ok, err := r.readFile(d.kind.File, func() error { return d.text.readFrom(&r.source) })
	if !ok {
		return err
	}
	in := d.decode()
	newer := false
	if in.value != nil {
		readable, isNewer, want := version(in.value.SchemaVersion)
		if !readable {
			r.reportIn(in.text, finding{code: &schema.PlanUnreadable, file: d.kind.File, pointer: "/schema_version", have: in.value.SchemaVersion, want: want})
			return nil
		}
		if newer = isNewer; newer {
			r.reportIn(in.text, newerMinor(d.kind.File, 0, in.value.SchemaVersion))
		}
	}
	reportDocument(r, d.kind, in, newer, planCode(newer))
	e.newer = newer
	if hasFault(in.violations, newer) {
		return nil
	}
	e.Plan = d.redact(in)
	return nil
}

// hasFault reports whether a document breaks the contract; one of a newer minor
// version may hold keys that are not known here.
func hasFault(list []schema.Violation, newer bool) bool {
	return slices.ContainsFunc(list, func(v schema.Violation) bool { return !newer || !v.Code.NewerMinor })
}

func (r *Reader) readTasks(e *Experiment) error {
	name := schema.DocumentTask.File
	_, err := r.readFile(name, func() error {
		r.lines.reset(&r.source)
		for {
			line, p, how, err := r.lines.next()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if how == endTooLong {
				r.report(finding{code: &schema.PlanUnreadable, file: name, line: p.Line, have: "a line beyond 64 MiB", want: "at most 64 MiB"})
				continue
			}
			if p.Line == 1 {
				line = trimBOM(line)
			}
			if !isBlank(line) {
				r.task(e, bytes.Clone(line), p.Line)
			}
		}
	})
	return err
}

// task reads one line with a decoder of its own, so that the task can be kept.
func (r *Reader) task(e *Experiment, line []byte, number int64) {
	d := newDocument[schema.Task](&schema.DocumentTask)
	d.text.bytes = line
	in := d.decode()
	code := planCode(e.newer)
	for _, v := range in.violations {
		f := finding{code: code(v), file: d.kind.File, line: number, column: int64(v.Offset) + 1,
			pointer: v.Pointer, have: haveOf(in.secrets, v), want: v.Want}
		if e.newer && v.Code.NewerMinor {
			f.severity = schema.SeverityInfo
		}
		r.report(f)
	}
	r.reportSecrets(d.kind.File, number, in.secrets)
	if !hasFault(in.violations, e.newer) {
		e.Tasks = append(e.Tasks, *d.redact(in))
	}
}

// A Head is what a manifest says, read before its run to plan the work.
type Head struct {
	// Dir is the directory, with the hash of the manifest.
	Dir RunDir
	// RunID is the run's id, or empty where the directory is unidentified.
	RunID string
	// Findings are the faults of the manifest.
	Findings []schema.Finding
}

// ReadManifest reads the manifest of a run alone, with the same judgement as
// ReadRun. The manifest is nil where it cannot be decoded; like that of a run it
// belongs to the Reader.
func (r *Reader) ReadManifest(dir RunDir) (Head, *schema.Manifest, error) {
	run := Run{Dir: dir}
	r.begin(&run)
	defer r.begin(nil)
	err := r.readManifestFile()
	h := Head{Dir: dir, Findings: run.Findings}
	f, _ := run.File(schema.DocumentManifest.File)
	h.Dir.ManifestSHA256, h.Dir.ManifestFaultless = f.SHA256, len(run.Findings) == 0
	if run.Manifest != nil && !run.Unidentified() {
		h.RunID = strings.Clone(run.Manifest.RunID)
	}
	return h, run.Manifest, err
}

// readManifestFile reads the manifest without a listing of its directory.
func (r *Reader) readManifestFile() error {
	name := schema.DocumentManifest.File
	found, err := r.lookup(name)
	if err != nil {
		return err
	}
	var files fileSet
	if found == artifactRead {
		files = setOf(name)
	}
	return r.readManifest(files)
}

// location is where a file of the run stands.
func (r *Reader) location(name string) string {
	return filepath.Join(r.run.Dir.Root, filepath.FromSlash(path.Join(r.run.Dir.Path, name)))
}
