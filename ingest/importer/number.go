package importer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// countHeld is the name of a count.
const countHeld = "runs that stand there already, not imported again"

// number gives each run its repetition: 1, 2, … within (experiment, harness,
// model, treatment, task), by the source's start time, then its path. Runs that
// out already holds take part and keep their numbers, or the import is refused.
// A run that out already holds is not imported again, and counted.
func (b *batch) number(out string, report *Reconciliation) error {
	cells := map[string][]*numbered{}
	for _, e := range b.experiments {
		if err := existing(out, e.id, cells); err != nil {
			return err
		}
	}
	var fresh []*run
	for _, r := range b.runs {
		key := cellKey(&r.manifest)
		held, err := holds(cells[key], r)
		if err != nil {
			return err
		}
		if held {
			report.count(countHeld, 1)
			continue
		}
		fresh = append(fresh, r)
		cells[key] = append(cells[key], &numbered{manifest: &r.manifest, fresh: true})
	}
	if len(fresh) == 0 {
		return fmt.Errorf("%s: have all %d runs already, want new ones", out, len(b.runs))
	}
	b.runs = fresh
	for _, list := range cells {
		if err := renumber(list); err != nil {
			return err
		}
	}
	slices.SortFunc(b.runs, func(x, y *run) int {
		return cmp.Or(strings.Compare(cellKey(&x.manifest), cellKey(&y.manifest)),
			cmp.Compare(x.manifest.Repetition.Or(0), y.manifest.Repetition.Or(0)))
	})
	return nil
}

// numbered is a run of a cell, to be written or already there.
type numbered struct {
	manifest *schema.Manifest
	fresh    bool
}

// cellKey names what repetitions are counted within.
func cellKey(m *schema.Manifest) string {
	return m.ExperimentID + "\x00" + schema.ArmName(m.HarnessID, m.ModelKey, m.Treatment) + "\x00" + m.TaskID
}

// renumber sets the repetitions of a cell.
func renumber(list []*numbered) error {
	slices.SortStableFunc(list, func(a, b *numbered) int { return compareSource(a.manifest.Source, b.manifest.Source) })
	for i, n := range list {
		want := int64(i + 1)
		if n.fresh {
			n.manifest.Repetition = schema.Some(want)
			continue
		}
		if have, ok := n.manifest.Repetition.Get(); !ok || have != want {
			return fmt.Errorf("%s: task %s: run %s: have repetition %d, want %d beside the runs to import: import all of an experiment at once",
				n.manifest.ExperimentID, n.manifest.TaskID, n.manifest.RunID, have, want)
		}
	}
	return nil
}

// compareSource orders runs by start time, missing ones last, then by place.
func compareSource(a, b *schema.Source) int {
	x, ok := a.StartedAt.Get()
	y, ok2 := b.StartedAt.Get()
	switch {
	case ok && ok2 && x != y:
		return cmp.Compare(x, y)
	case ok && !ok2:
		return -1
	case ok2 && !ok:
		return 1
	}
	return cmp.Or(strings.Compare(a.Path.Or(""), b.Path.Or("")), cmp.Compare(a.Line.Or(0), b.Line.Or(0)),
		strings.Compare(a.SHA256.Or(""), b.SHA256.Or("")))
}

// holds reports whether a run is among those that are already there. One trial
// with two contents is a contradiction.
func holds(list []*numbered, r *run) (bool, error) {
	s := r.manifest.Source
	for _, n := range list {
		o := n.manifest.Source
		if n.fresh || o == nil {
			continue
		}
		same := o.SHA256 == s.SHA256 && o.Line.Or(0) == s.Line.Or(0)
		trial, ok := s.Trial.Get()
		switch {
		case same && o.Trial == s.Trial:
			return true, nil
		case ok && o.Trial.Or("") == trial && !same:
			return false, &ContradictionError{"trial", trial, Place{Path: n.manifest.RunID}, Place{Path: s.Path.Or("")}}
		}
	}
	return false, nil
}

// existing reads the manifests of the runs of an experiment that out holds.
func existing(out, experiment string, cells map[string][]*numbered) error {
	root := filepath.Join(out, experiment)
	if _, err := os.Lstat(root); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != schema.DocumentManifest.File {
			return err
		}
		b, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		m, violations := schema.NewDocumentDecoder[schema.Manifest](&schema.DocumentManifest).Decode(b)
		if m == nil || len(violations) > 0 {
			return fmt.Errorf("%s: have a damaged manifest, want none before runs are added", p)
		}
		if m.Source == nil {
			return fmt.Errorf("%s: have a run that was not imported, want only imported ones where runs are added", p)
		}
		key := cellKey(m)
		cells[key] = append(cells[key], &numbered{manifest: m})
		return nil
	})
}
