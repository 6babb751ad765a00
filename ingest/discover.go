package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/assay-bench/assay/schema"
)

// A Discovery is what was found under the roots.
type Discovery struct {
	// Runs are the run directories, in byte order of path, then root.
	Runs []RunDir
	// Experiments are the directories that hold a plan or tasks, in the same order.
	Experiments []ExperimentDir
	// Findings are directories that cannot be read or named, and links, which are not followed.
	Findings []schema.Finding
}

// An ExperimentDir holds experiment.json, tasks.jsonl or both.
type ExperimentDir struct {
	// Root is the path that the user gave.
	Root string
	// Path is relative to Root, with slashes.
	Path string
	// HasPlan reports whether there is an experiment.json.
	HasPlan bool
	// HasTasks reports whether there is a tasks.jsonl.
	HasTasks bool
}

// Location is the directory in the form of the file system.
func (d ExperimentDir) Location() string { return filepath.Join(d.Root, filepath.FromSlash(d.Path)) }

// trajectoryNames are the names that a trajectory may have.
var trajectoryNames = []string{schema.TrajectoryFile, schema.TrajectoryFile + ".gz", schema.TrajectoryFile + ".zst"}

// Discover finds the run directories under roots: every directory that holds a
// manifest or a trajectory. Links are not followed but reported. A root inside
// another one is read once. Only a root that cannot be opened is an error.
func Discover(roots []string) (Discovery, error) {
	w := walker{free: make(chan struct{}, runtime.GOMAXPROCS(0))}
	for _, root := range outermost(roots) {
		info, err := os.Stat(root)
		if err != nil {
			return Discovery{}, fmt.Errorf("%s: have %s, want a directory that holds run directories", root, reason(err))
		}
		if !info.IsDir() {
			return Discovery{}, fmt.Errorf("%s: have a file, want a directory that holds run directories", root)
		}
		w.free <- struct{}{}
		w.walk(root, ".")
		<-w.free
		w.others.Wait()
	}
	if w.err != nil {
		return Discovery{}, w.err
	}
	d := w.found
	slices.SortFunc(d.Runs, func(a, b RunDir) int {
		return cmpPair(a.Path, a.Root, b.Path, b.Root)
	})
	slices.SortFunc(d.Experiments, func(a, b ExperimentDir) int {
		return cmpPair(a.Path, a.Root, b.Path, b.Root)
	})
	slices.SortFunc(d.Findings, func(a, b schema.Finding) int {
		return cmp.Or(cmpPair(a.RunPath, a.File, b.RunPath, b.File), strings.Compare(a.Have, b.Have))
	})
	return d, nil
}

func cmpPair(a1, a2, b1, b2 string) int {
	if c := strings.Compare(a1, b1); c != 0 {
		return c
	}
	return strings.Compare(a2, b2)
}

// outermost drops the roots that lie in others, or are others under another name.
func outermost(roots []string) []string {
	type place struct{ given, real string }
	var places []place
	for _, root := range roots {
		real, err := filepath.Abs(root)
		if err == nil {
			if resolved, err := filepath.EvalSymlinks(real); err == nil {
				real = resolved
			}
		}
		places = append(places, place{root, real})
	}
	slices.SortFunc(places, func(a, b place) int { return cmpPair(a.real, a.given, b.real, b.given) })
	var out []string
	var kept []string
	for _, p := range places {
		inside := slices.ContainsFunc(kept, func(k string) bool {
			rel, err := filepath.Rel(k, p.real)
			return err == nil && filepath.IsLocal(rel)
		})
		if !inside {
			out, kept = append(out, p.given), append(kept, p.real)
		}
	}
	return out
}

// A walker reads directories, several at once where processors are free. What it
// finds is sorted afterwards.
type walker struct {
	free   chan struct{} // a place for each goroutine that walks
	others sync.WaitGroup

	mu    sync.Mutex
	found Discovery
	err   error // the first one
}

// walk reads one directory and those below it, and leaves some of these to others.
func (w *walker) walk(root, dir string) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
	if !w.note(root, dir, entries, err) {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || e.Name() == schema.ContextFolder || !utf8.ValidString(e.Name()) {
			continue
		}
		name := path.Join(dir, e.Name())
		select {
		case w.free <- struct{}{}:
			w.others.Go(func() {
				w.walk(root, name)
				<-w.free
			})
		default:
			w.walk(root, name)
		}
	}
}

// note keeps what a directory says, and reports whether to go on below it.
func (w *walker) note(root, dir string, entries []fs.DirEntry, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := &w.found
	switch {
	case w.err != nil:
		return false
	case err != nil && dir == "." && !isEnvironment(err):
		w.err = fmt.Errorf("%s: have %s, want a directory that can be read", root, reason(err))
		return false
	case err != nil && isEnvironment(err):
		w.err = err
		return false
	case err != nil:
		d.Findings = append(d.Findings, schema.Finding{Code: &schema.Unreadable, Severity: schema.Unreadable.Severity,
			RunPath: dir, Have: reason(err), Want: "a directory that can be read"})
		return false
	}
	d.take(root, dir, entries)
	for _, e := range entries {
		switch {
		case e.IsDir() && !utf8.ValidString(e.Name()):
			// No row of the dataset could lead back to it: Parquet and JSON hold UTF-8.
			d.Findings = append(d.Findings, schema.Finding{Code: &schema.UnsafePath, Severity: schema.UnsafePath.Severity,
				RunPath: path.Join(dir, printable(e.Name())), Have: "a name that is not UTF-8", Want: "a name in UTF-8: what is below is not read"})
		case isPlanFile(e.Name()) && !e.Type().IsRegular():
			d.Findings = append(d.Findings, schema.Finding{Code: &schema.PlanUnreadable, Severity: schema.PlanUnreadable.Severity,
				RunPath: dir, File: e.Name(), Have: kindOf(e.Type()), Want: "a regular file"})
		case e.Type()&fs.ModeSymlink != 0 && !isRunFile(e.Name()):
			d.Findings = append(d.Findings, schema.Finding{Code: &schema.LinkNotFollowed, Severity: schema.LinkNotFollowed.Severity,
				RunPath: dir, File: strings.ToValidUTF8(e.Name(), "\ufffd"), Have: "a link", Want: "a directory or file: links are not followed"})
		}
	}
	return true
}

// isPlanFile reports whether a file of this name says what was planned.
func isPlanFile(name string) bool {
	return name == schema.DocumentPlan.File || name == schema.DocumentTask.File
}

// take notes whether a directory is one of a run or of an experiment.
func (d *Discovery) take(root, dir string, entries []fs.DirEntry) {
	experiment := ExperimentDir{Root: root, Path: dir}
	run := false
	for _, e := range entries {
		switch name := e.Name(); {
		case name == schema.DocumentPlan.File:
			experiment.HasPlan = e.Type().IsRegular()
		case name == schema.DocumentTask.File:
			experiment.HasTasks = e.Type().IsRegular()
		case name == schema.DocumentManifest.File || slices.Contains(trajectoryNames, name):
			run = true
		}
	}
	if run {
		d.Runs = append(d.Runs, RunDir{Root: root, Path: dir, listed: listing(entries)})
	}
	if experiment.HasPlan || experiment.HasTasks {
		d.Experiments = append(d.Experiments, experiment)
	}
}

// reason says in few words why a file cannot be read, without its path.
func reason(err error) string {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err.Error()
	}
	return err.Error()
}
