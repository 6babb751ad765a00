package importer

import (
	"context"
	"fmt"
	"os"

	"github.com/assay-bench/assay/schema"
)

// An Importer reads one format.
type Importer struct {
	// Name is the format's name on the command line and in manifest.source.
	Name string
	// Version changes whenever the same files would give other runs.
	Version string
	// Doc says what the format is and which files are read.
	Doc string
	// Cannot lists what the format cannot supply, one sentence each.
	Cannot []string
	// read finds the runs in the files.
	read func(*source) (*batch, error)
}

// Importers lists every format.
var Importers = []*Importer{&Harbor, &ATIF}

// ByName finds an importer.
func ByName(name string) (*Importer, bool) {
	for _, imp := range Importers {
		if imp.Name == name {
			return imp, true
		}
	}
	return nil, false
}

// Options say how an import is made.
type Options struct {
	// OnConflict says what happens when one id has two contents.
	OnConflict ConflictPolicy
	// Experiment names the experiment of a format that has no name for it; the
	// name of the folder otherwise.
	Experiment string
}

// ConflictPolicy says what happens when one id has two contents.
type ConflictPolicy string

// The policies.
const (
	// ConflictRefuse refuses the whole import: nothing is written.
	ConflictRefuse ConflictPolicy = ""
	// ConflictFirst takes the first content, by path and line.
	ConflictFirst ConflictPolicy = "first"
	// ConflictLast takes the last content, by path and line.
	ConflictLast ConflictPolicy = "last"
)

// ParseConflictPolicy reads the word of --on-conflict.
func ParseConflictPolicy(word string) (ConflictPolicy, error) {
	switch p := ConflictPolicy(word); p {
	case ConflictRefuse, ConflictFirst, ConflictLast:
		return p, nil
	}
	return "", fmt.Errorf("on-conflict: have %q, want first or last", word)
}

// Run imports the files at paths into run directories under out. On an error
// nothing is written. Otherwise what was found is in the reconciliation, which
// also stands beside the runs. progress may be nil; it is told how many of the
// runs are written.
func Run(ctx context.Context, imp *Importer, paths []string, out string, o Options, progress func(done, total int)) (Reconciliation, error) {
	if info, err := os.Stat(out); err == nil && !info.IsDir() {
		return Reconciliation{}, fmt.Errorf("%s: have a file, want a folder or nothing there", out)
	}
	src, err := newSource(ctx, imp, paths, o)
	if err != nil {
		return Reconciliation{}, err
	}
	b, err := imp.read(src)
	if err != nil {
		return Reconciliation{}, err
	}
	if len(b.runs) == 0 {
		return Reconciliation{}, src.nothing()
	}
	if err := b.number(out, src.report); err != nil {
		return Reconciliation{}, err
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	if err := publish(src, b, out, progress); err != nil {
		return Reconciliation{}, err
	}
	return *src.report, nil
}

// A ContradictionError is one id with two contents.
type ContradictionError struct {
	// What is the kind of id, such as step_id.
	What string
	// ID is the id.
	ID string
	// First and Second say where the contents stand.
	First, Second Place
}

// A Place is a line of a file; line 0 is the file as a whole.
type Place struct {
	// Path is relative to the path given to the importer.
	Path string `json:"path"`
	// Line counts from 1.
	Line int `json:"line,omitzero"`
}

// String prints path:line.
func (p Place) String() string {
	if p.Line == 0 {
		return p.Path
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

// Error says where, what, have and want.
func (e *ContradictionError) Error() string {
	id, _ := schema.Redact(e.ID)
	return fmt.Sprintf("%s: %s %q: have other contents than at %s, want one content an id (--on-conflict takes one)",
		e.Second, e.What, id, e.First)
}
