package importer

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ReconciliationFile is where the reconciliation stands, in the folder that the
// runs were imported into. A second import into it takes the next free number.
const ReconciliationFile = "reconciliation.json"

// A Reconciliation accounts for an import: what was read, what became of it, and
// what the source could not say.
type Reconciliation struct {
	// Format is the importer's name.
	Format string `json:"format"`
	// ImporterVersion is the importer's version.
	ImporterVersion string `json:"importer_version"`
	// OnConflict is the policy that took one of two contents; empty: refused.
	OnConflict ConflictPolicy `json:"on_conflict,omitzero"`
	// Paths are the last elements of the paths given.
	Paths []string `json:"paths"`
	// FilesFound counts the files under the paths, hidden ones too.
	FilesFound int `json:"files_found"`
	// FilesRead counts those that were opened; the format has no use for the others.
	FilesRead int `json:"files_read"`
	// RunsRead counts the runs found, repeats included.
	RunsRead int `json:"runs_read"`
	// RunsImported counts the run directories written.
	RunsImported int `json:"runs_imported"`
	// Experiments are the experiments written to.
	Experiments []ExperimentCount `json:"experiments"`
	// Counts are numbers of things that were met, by name.
	Counts []Count `json:"counts,omitempty"`
	// LeftOut are files that should have been read and were not.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// Conflicts are the ids with two contents of which one was taken.
	Conflicts []Conflict `json:"conflicts,omitempty"`
	// Checks compare what the source declares with what was found.
	Checks []Check `json:"checks,omitempty"`
	// Missing are files that others refer to and that are not there.
	Missing []MissingFile `json:"missing_files,omitempty"`
	// Notes are inferences and limits of this import, in words.
	Notes []string `json:"notes,omitempty"`
	// Cannot lists what the format cannot supply.
	Cannot []string `json:"cannot_supply"`
	// Runs lists each run with its original files.
	Runs []RunOriginals `json:"runs"`
}

// ExperimentCount counts the runs of one experiment.
type ExperimentCount struct {
	// ID is the experiment's id.
	ID string `json:"experiment_id"`
	// Planned counts the planned runs; absent where the source has no list.
	Planned *int64 `json:"planned,omitzero"`
	// Imported counts the runs written.
	Imported int `json:"imported"`
}

// A Count is how often something was met.
type Count struct {
	// Name says what was counted.
	Name string `json:"name"`
	// N is how often.
	N int `json:"n"`
}

// LeftOut is a file that should have been read and was not.
type LeftOut struct {
	Place
	// Reason says why.
	Reason string `json:"reason"`
}

// A Conflict is an id with two contents.
type Conflict struct {
	// What is the kind of id.
	What string `json:"what"`
	// ID is the id.
	ID string `json:"id"`
	// Kept and Dropped say where the contents stand.
	Kept    Place `json:"kept"`
	Dropped Place `json:"dropped"`
}

// A Check compares a declared number with the one found.
type Check struct {
	// Name is the source's own name of the number.
	Name string `json:"name"`
	// Path is the file that declares it.
	Path string `json:"path"`
	// Declared and Found are the two numbers; "-" where there is none.
	Declared string `json:"declared"`
	Found    string `json:"found"`
	// OK says whether they agree.
	OK bool `json:"ok"`
}

// MissingFile is a file that another refers to and that is not there.
type MissingFile struct {
	// Path refers to it.
	Path string `json:"path"`
	// Name is the name that it is referred to by.
	Name string `json:"name"`
}

// RunOriginals are the original files of one run.
type RunOriginals struct {
	// RunID is the run.
	RunID string `json:"run_id"`
	// Files are the originals.
	Files []Original `json:"files"`
}

// An Original is a file that a run was made from.
type Original struct {
	// Path is relative to the path given.
	Path string `json:"path"`
	// SHA256 is the hash of its bytes.
	SHA256 string `json:"sha256"`
}

func newReconciliation(imp *Importer, o Options) *Reconciliation {
	return &Reconciliation{Format: imp.Name, ImporterVersion: imp.Version, OnConflict: o.OnConflict, Cannot: imp.Cannot}
}

// Clean reports whether nothing that should have been read was left out.
func (r *Reconciliation) Clean() bool { return len(r.LeftOut) == 0 }

// Count returns how often something was met.
func (r *Reconciliation) Count(name string) int {
	for _, c := range r.Counts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// count adds to a named count.
func (r *Reconciliation) count(name string, n int) {
	for i := range r.Counts {
		if r.Counts[i].Name == name {
			r.Counts[i].N += n
			return
		}
	}
	r.Counts = append(r.Counts, Count{name, n})
}

func (r *Reconciliation) leaveOut(p Place, reason string) {
	l := LeftOut{p, reason}
	if !slices.Contains(r.LeftOut, l) {
		r.LeftOut = append(r.LeftOut, l)
	}
}

func (r *Reconciliation) check(name, path, declared, found string) {
	r.Checks = append(r.Checks, Check{name, path, declared, found, declared == found})
}

func (r *Reconciliation) note(n string) {
	if !slices.Contains(r.Notes, n) {
		r.Notes = append(r.Notes, n)
	}
}

// settle brings the lists into a total order.
func (r *Reconciliation) settle() {
	slices.Sort(r.Paths)
	slices.SortFunc(r.Counts, func(a, b Count) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(r.LeftOut, func(a, b LeftOut) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(r.Experiments, func(a, b ExperimentCount) int { return strings.Compare(a.ID, b.ID) })
}

// encode is the JSON form, which is written beside the runs.
func (r *Reconciliation) encode() ([]byte, error) {
	b, err := json.Marshal(r, jsontext.WithIndent("  "))
	b, _ = schema.RedactJSON(b)
	return append(b, '\n'), err
}

// longest is how many lines of one kind the text form prints.
const longest = 20

// WriteText writes the form for people: everything but the list of runs, checks
// only where they fail, and at most twenty lines of a kind.
func (r *Reconciliation) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d files found, %d read; %d runs found, %d imported\n", r.Format, r.FilesFound, r.FilesRead, r.RunsRead, r.RunsImported)
	for _, e := range r.Experiments {
		planned := "no list of what was planned"
		if e.Planned != nil {
			planned = fmt.Sprintf("%d planned", *e.Planned)
		}
		fmt.Fprintf(&b, "  experiment %s: %s, %d imported\n", e.ID, planned, e.Imported)
	}
	for _, c := range r.Counts {
		fmt.Fprintf(&b, "  %s: %d\n", c.Name, c.N)
	}
	list(&b, "left out", r.LeftOut, func(l LeftOut) string { return l.Place.String() + ": " + l.Reason })
	list(&b, "one of two contents taken", r.Conflicts, func(c Conflict) string {
		return fmt.Sprintf("%s %q: %s, not %s", c.What, c.ID, c.Kept, c.Dropped)
	})
	failed := slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return c.OK })
	fmt.Fprintf(&b, "  cross-checks: %d, %d agree\n", len(r.Checks), len(r.Checks)-len(failed))
	list(&b, "cross-checks that differ", failed, func(c Check) string {
		return fmt.Sprintf("%s: %s: declared %s, found %s", c.Path, c.Name, c.Declared, c.Found)
	})
	list(&b, "referred to and not there", r.Missing, func(m MissingFile) string { return m.Path + ": " + m.Name })
	list(&b, "notes", r.Notes, func(n string) string { return n })
	list(&b, "what the format cannot supply", r.Cannot, func(n string) string { return n })
	_, err := io.WriteString(w, redacted(b.String()))
	return err
}

func list[T any](b *strings.Builder, title string, items []T, line func(T) string) {
	if len(items) == 0 {
		return
	}
	fmt.Fprintf(b, "  %s:\n", title)
	for i, item := range items {
		if i == longest {
			fmt.Fprintf(b, "    … and %d more\n", len(items)-i)
			return
		}
		fmt.Fprintf(b, "    %s\n", line(item))
	}
}

func (r *Reconciliation) conflict(c Conflict) {
	if !slices.Contains(r.Conflicts, c) {
		r.Conflicts = append(r.Conflicts, c)
	}
}

func (r *Reconciliation) missing(path, name string) {
	m := MissingFile{path, redacted(name)}
	if !slices.Contains(r.Missing, m) {
		r.Missing = append(r.Missing, m)
	}
}
