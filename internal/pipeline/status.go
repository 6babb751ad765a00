package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
)

// A Change is a raw directory, or one of its files, that is not as the lineage
// says.
type Change struct {
	// Path is the directory, relative to its root.
	Path string
	// File is the file, or empty where the directory is meant.
	File string
	// Have is what stands there.
	Have string
	// Want is what the lineage says.
	Want string
}

// String prints the change on one line.
func (c Change) String() string {
	name := c.Path
	if c.File != "" {
		name = path.Join(name, c.File)
	}
	return fmt.Sprintf("%s: have %s, want %s", name, c.Have, c.Want)
}

// A State says whether a dataset is up to date.
type State struct {
	// Changes are what is new, gone or changed among the raw directories.
	Changes []Change
	// CodeRevision is the program's revision, where it is not the lineage's.
	CodeRevision string
	// Directories counts the raw directories that were looked at.
	Directories int64
}

// UpToDate reports whether deriving again would give the same dataset.
func (s *State) UpToDate() bool { return len(s.Changes) == 0 && s.CodeRevision == "" }

// Status says whether a dataset is what its raw runs and this program would give,
// and why not. It hashes the files that the lineage names, and judges none.
func Status(ctx context.Context, d *dataset.Dataset, roots []string, o Options) (*State, error) {
	found, err := ingest.Discover(roots)
	if err != nil {
		return nil, err
	}
	s := &State{Directories: int64(len(found.Runs))}
	if o.CodeRevision != d.Lineage.CodeRevision {
		s.CodeRevision = o.CodeRevision
	}
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
		s.Changes = append(s.Changes, changes...)
		known[inputs[i].Path] = true
		return nil
	})
	for at := range places {
		if !known[at] {
			s.Changes = append(s.Changes, Change{Path: at, Have: "new", Want: "nothing there"})
		}
	}
	slices.SortFunc(s.Changes, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.File, b.File), strings.Compare(a.Have, b.Have))
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
		return []Change{{Path: in.Path, Have: "nothing there", Want: "a directory or link"}}, nil
	}
	var changes []Change
	for _, at := range places {
		changes = nil
		for _, f := range in.Files {
			sum, _, err := dataset.HashFile(filepath.Join(at, filepath.FromSlash(f.Name)))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				changes = append(changes, Change{in.Path, f.Name, "no file", "SHA-256 " + f.SHA256})
			case err != nil:
				return nil, err
			case sum != f.SHA256:
				changes = append(changes, Change{in.Path, f.Name, "SHA-256 " + sum, f.SHA256})
			}
		}
		if changes == nil {
			return nil, nil
		}
	}
	return changes, nil
}

// compareInputs compares the inputs of two lineages.
func compareInputs(d, again *dataset.Dataset) ([]Change, error) {
	want, err := inputsOf(d)
	if err != nil {
		return nil, err
	}
	have, err := inputsOf(again)
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, e := range experimentInputs(d, again) {
		changes = append(changes, compareFiles(e[0], e[1])...)
	}
	byPath := map[string]dataset.Input{}
	for _, in := range have {
		byPath[in.Path] = in
	}
	for _, w := range want {
		h, ok := byPath[w.Path]
		if !ok {
			changes = append(changes, Change{Path: w.Path, Have: "nothing there", Want: "a directory or link"})
			continue
		}
		changes = append(changes, compareFiles(h, w)...)
		delete(byPath, w.Path)
	}
	for _, in := range have {
		if _, ok := byPath[in.Path]; ok {
			changes = append(changes, Change{Path: in.Path, Have: "new", Want: "nothing there"})
		}
	}
	return changes, nil
}

// experimentInputs pairs the experiments of two lineages, those again first.
func experimentInputs(d, again *dataset.Dataset) [][2]dataset.Input {
	var list [][2]dataset.Input
	for _, w := range d.Lineage.Experiments {
		pair := [2]dataset.Input{{Path: w.Path}, {Path: w.Path, Files: w.Files}}
		for _, h := range again.Lineage.Experiments {
			if h.ExperimentID == w.ExperimentID && h.Path == w.Path {
				pair[0].Files = h.Files
			}
		}
		list = append(list, pair)
	}
	return list
}

func compareFiles(have, want dataset.Input) []Change {
	var changes []Change
	for _, w := range want.Files {
		i := slices.IndexFunc(have.Files, func(h dataset.InputFile) bool { return h.Name == w.Name })
		switch {
		case i < 0:
			changes = append(changes, Change{want.Path, w.Name, "no file", "SHA-256 " + w.SHA256})
		case have.Files[i].SHA256 != w.SHA256:
			changes = append(changes, Change{want.Path, w.Name, "SHA-256 " + have.Files[i].SHA256, w.SHA256})
		}
	}
	for _, h := range have.Files {
		if !slices.ContainsFunc(want.Files, func(w dataset.InputFile) bool { return h.Name == w.Name }) {
			changes = append(changes, Change{want.Path, h.Name, "a new file", "none"})
		}
	}
	return changes
}
