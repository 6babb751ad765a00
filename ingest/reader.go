package ingest

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// Options say how runs are read.
type Options struct {
	// StrictSecrets makes text that looks like a secret an error of its run.
	StrictSecrets bool
	// MetricNames are the names that final_metrics.json may hold beside those
	// beginning with x_. Nil allows any.
	MetricNames map[string]bool
	// MaxFindings is how many findings of one code and run are kept; the rest is
	// counted. 0 means 10,000.
	MaxFindings int
}

// A Reader reads run directories one after the other and keeps its buffers
// between them. It is not safe for concurrent use; make one a worker.
type Reader struct {
	options    Options
	source     source
	lines      lines
	compressed decompressor
	scratch    []byte
	events     *schema.EventDecoder
	manifest   document[schema.Manifest]
	results    document[schema.TestResults]
	metrics    document[schema.FinalMetrics]
	patch      whole
	// finish is the line of run_finished.
	finish []byte
	run    *Run
	// excluding is the finding that excludes the run so far, and dropped is set
	// by one that leaves it no event rows.
	excluding *schema.Finding
	dropped   bool
	// reported counts the findings of the run by code.
	reported map[*schema.FindingCode]int
}

// NewReader returns a reader.
func NewReader(o Options) *Reader {
	if o.MaxFindings == 0 {
		o.MaxFindings = 10_000
	}
	return &Reader{
		options: o, reported: map[*schema.FindingCode]int{}, scratch: make([]byte, 64<<10), events: schema.NewEventDecoder(),
		manifest: newDocument[schema.Manifest](&schema.DocumentManifest),
		results:  newDocument[schema.TestResults](&schema.DocumentTestResults),
		metrics:  newDocument[schema.FinalMetrics](&schema.DocumentFinalMetrics),
	}
}

// ReadRun reads a run directory and calls visit for each event that has no
// fault, in the order of the lines. Faults may show only later: the events count
// when the returned run says EventsKept. The event, and what the run points to,
// are overwritten by the next event and the next run. Only a fault of the
// environment is an error.
func (r *Reader) ReadRun(dir RunDir, visit func(*schema.Event, schema.Position)) (Run, error) {
	run := Run{Dir: dir}
	r.begin(&run)
	defer r.begin(nil)
	if dir.Superseded() {
		r.report(finding{code: &schema.Superseded, have: "an unfinished attempt set aside"})
	}
	files := dir.listed
	if files == 0 {
		entries, err := os.ReadDir(dir.Location())
		if err != nil {
			if isEnvironment(err) {
				return run, err
			}
			r.report(finding{code: &schema.Unreadable, have: reason(err), want: "a directory that can be read"})
			return run, nil
		}
		files = r.files(entries)
	}
	if err := r.readFiles(files, visit); err != nil {
		return run, err
	}
	r.countOmitted()
	slices.SortFunc(run.Files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	if run.Manifest != nil && !run.Unidentified() {
		for i := range run.Findings {
			run.Findings[i].RunID = strings.Clone(run.Manifest.RunID)
		}
	}
	return run, nil
}

func (r *Reader) begin(run *Run) {
	r.run, r.excluding, r.dropped = run, nil, false
	clear(r.reported)
	if cap(r.finish) > keepBytes {
		r.finish = nil
	}
}

// readFiles reads the files in the order in which they are judged.
func (r *Reader) readFiles(files fileSet, visit func(*schema.Event, schema.Position)) error {
	if err := r.readManifest(files); err != nil {
		return err
	}
	t := newTrajectory(r, visit)
	if err := r.readTrajectory(files, t); err != nil {
		return err
	}
	if err := r.readPatch(files); err != nil {
		return err
	}
	if err := r.readResults(files); err != nil {
		return err
	}
	if err := r.readMetrics(files); err != nil {
		return err
	}
	return r.checkArtifacts(t)
}

// files names the regular files of the directory that have a meaning, and
// reports those that are something else.
func (r *Reader) files(entries []fs.DirEntry) (files fileSet) {
	for _, e := range entries {
		name := e.Name()
		if !isRunFile(name) {
			continue
		}
		switch {
		case e.Type().IsRegular():
			files |= setOf(name)
		case e.Type()&fs.ModeSymlink != 0:
			r.reportLink(name)
		default:
			r.report(finding{code: &schema.Unreadable, file: name, have: kindOf(e.Type()), want: "a regular file"})
		}
	}
	return files
}

// kindOf says what stands where a file should.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return mode.String()
}

// reportLink judges a link among the files of a run: one that leads out of the
// directory is unsafe, and none is followed.
func (r *Reader) reportLink(name string) {
	target, err := os.Readlink(r.location(name))
	code, have := &schema.LinkNotFollowed, "a link"
	if err != nil || filepath.IsAbs(target) || !filepath.IsLocal(filepath.Join(filepath.Dir(name), target)) {
		code, have = &schema.UnsafePath, "a link that leads out of the directory"
	}
	r.report(finding{code: code, file: name, have: have, want: "a regular file: links are not followed"})
}

// readFile opens a file, lets read take its text, and notes size and hash.
func (r *Reader) readFile(name string, read func() error) (ok bool, err error) {
	err = r.source.open(r.location(name))
	if err != nil {
		return false, r.unreadable(name, err)
	}
	readErr := read()
	var fault damage
	if errors.As(readErr, &fault) {
		have, want := fault.words()
		r.report(finding{code: &schema.CompressionDamaged, file: name, have: have, want: want})
		readErr = nil
	}
	if readErr != nil {
		r.source.file.Close()
		return false, r.unreadable(name, readErr)
	}
	file, changed, err := r.source.close(r.scratch)
	if err != nil {
		return false, r.unreadable(name, err)
	}
	file.Name = name
	r.run.Files = append(r.run.Files, file)
	if changed {
		r.report(finding{code: &schema.ChangedWhileReading, file: name, have: "another size or time after the read", want: "a file at rest"})
	}
	return true, nil
}

// unreadable turns an error of opening or reading into a finding, unless the
// environment is at fault.
func (r *Reader) unreadable(name string, err error) error {
	if isEnvironment(err) {
		return err
	}
	f := finding{code: &schema.Unreadable, file: name, have: reason(err), want: "a file that can be read"}
	switch name {
	case schema.DocumentManifest.File:
		f.code = &schema.ManifestUnreadable
	case schema.DocumentPlan.File, schema.DocumentTask.File:
		f.code = &schema.PlanUnreadable
	}
	if errors.Is(err, errTooLarge) {
		f.want = "at most 64 MiB"
	}
	r.report(f)
	return nil
}
