package pipeline

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// A ChangeKind says what became of a raw directory or file.
type ChangeKind string

// The kinds of changes.
const (
	// Changed is a file with other bytes.
	Changed ChangeKind = "changed"
	// Came is what the lineage does not name.
	Came ChangeKind = "came"
	// Went is what the lineage names and is not there.
	Went ChangeKind = "went"
)

// A Change is a raw directory, or one of its files, that is not as the lineage
// says.
type Change struct {
	// Kind is what became of it.
	Kind ChangeKind
	// Path is the directory, relative to its root.
	Path string
	// File is the file, or empty where the directory is meant.
	File string
}

// String is the path of what changed.
func (c Change) String() string { return path.Join(c.Path, c.File) }

// A State says whether a dataset is up to date.
type State struct {
	// Changes are what is new, gone or changed among the raw directories.
	Changes []Change
	// Directories counts the run directories that were looked at.
	Directories int64
}

// Status says whether a dataset's raw runs are those that it was made from, and
// why not. It hashes the files that the lineage names, and judges none.
func Status(ctx context.Context, d *dataset.Dataset, roots []string, o Options) (*State, error) {
	found, err := ingest.Discover(roots)
	if err != nil {
		return nil, err
	}
	s := &State{Directories: int64(len(found.Runs))}
	inputs, err := inputsOf(d)
	if err != nil {
		return nil, err
	}
	for _, e := range d.Lineage.Experiments {
		inputs = append(inputs, dataset.Input{Path: experimentPath(e.Path), Files: e.Files})
	}
	places := placesOf(&found)
	known := map[string]bool{}
	err = ordered(ctx, o.workers(), len(inputs), func(i int) ([]Change, error) {
		return changesOf(inputs[i], places[inputs[i].Path])
	}, func(i int, changes []Change) error {
		if o.Progress != nil {
			o.Progress(Progress{"hashing raw files", int64(i + 1), int64(len(inputs))})
		}
		s.Changes = append(s.Changes, changes...)
		known[inputs[i].Path] = true
		return nil
	})
	for at := range places {
		if !known[at] {
			s.Changes = append(s.Changes, Change{Came, at, ""})
		}
	}
	slices.SortFunc(s.Changes, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.File, b.File))
	})
	return s, err
}

// placesOf says where the paths of the raw runs lie on disk: run directories,
// folders of experiments, and what can be named but not entered.
func placesOf(found *ingest.Discovery) map[string][]string {
	places := map[string][]string{}
	for _, r := range found.Runs {
		places[r.Path] = append(places[r.Path], r.Location())
	}
	for _, e := range found.Experiments {
		at := experimentPath(e.Path)
		places[at] = append(places[at], e.Location())
	}
	for _, f := range found.Findings {
		at := path.Join(f.RunPath, f.File)
		places[at] = append(places[at], "")
	}
	return places
}

// experimentPath keeps the folder of an experiment apart from a run directory
// that is the same folder.
func experimentPath(p string) string { return p + "/" }

func inputsOf(d *dataset.Dataset) ([]dataset.Input, error) {
	var list []dataset.Input
	err := dataset.ReadInputs(d.Dir, func(in dataset.Input) error { list = append(list, in); return nil })
	return list, err
}

// changesOf hashes the files of one input. Where several roots have the path, one
// of them must be as the lineage says.
func changesOf(in dataset.Input, places []string) ([]Change, error) {
	if len(places) == 0 {
		return []Change{{Went, in.Path, ""}}, nil
	}
	var changes []Change
	for _, at := range places {
		changes = nil
		for _, f := range in.Files {
			sum, _, err := dataset.HashFile(filepath.Join(at, filepath.FromSlash(f.Name)))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				changes = append(changes, Change{Went, in.Path, f.Name})
			case err != nil:
				return nil, err
			case sum != f.SHA256:
				changes = append(changes, Change{Changed, in.Path, f.Name})
			}
		}
		changes = append(changes, cameTo(in, at)...)
		if changes == nil {
			return nil, nil
		}
	}
	return changes, nil
}

// readFiles are the files that a dataset rests on, where they are there: those of a
// run directory, and of the folder of an experiment.
var (
	readFiles = []string{schema.DocumentManifest.File, schema.DocumentTestResults.File, schema.DocumentFinalMetrics.File, schema.PatchFile,
		schema.TrajectoryFile, schema.TrajectoryFile + ".gz", schema.TrajectoryFile + ".zst"}
	experimentFiles = []string{schema.DocumentPlan.File, schema.DocumentTask.File}
)

// cameTo are the files of an input that the lineage does not name. Only a run's are
// all read: of copies and the like the lineage names no more than tells them apart.
func cameTo(in dataset.Input, at string) []Change {
	names := readFiles
	if strings.HasSuffix(in.Path, "/") {
		names = experimentFiles
	} else if in.State != dataset.StateRun {
		return nil
	}
	var came []Change
	for _, name := range names {
		if slices.ContainsFunc(in.Files, func(f dataset.InputFile) bool { return f.Name == name }) ||
			slices.ContainsFunc(in.Unread, func(u dataset.UnreadFile) bool { return u.Name == name }) {
			continue
		}
		if _, err := os.Lstat(filepath.Join(at, name)); err == nil {
			came = append(came, Change{Came, in.Path, name})
		}
	}
	return came
}
