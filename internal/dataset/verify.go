package dataset

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// A Problem is one way in which a dataset is not what it says.
type Problem struct {
	// File is the file, relative to the dataset.
	File string
	// Have is what was found.
	Have string
	// Want is what SHA256SUMS or the lineage says.
	Want string
}

// String prints the problem on one line.
func (p Problem) String() string { return fmt.Sprintf("%s: have %s, want %s", p.File, p.Have, p.Want) }

// Verify hashes every file of the dataset and holds it against SHA256SUMS and
// the lineage, and recomputes the dataset's id from what the lineage names. It
// does not look at the raw runs.
func (d *Dataset) Verify() ([]Problem, error) {
	sums, problems, err := readSums(filepath.Join(d.Dir, SumsFile))
	if err != nil {
		return nil, err
	}
	more, have, err := d.verifySums(sums)
	if err != nil {
		return nil, err
	}
	problems = append(problems, more...)
	if more, err = d.verifyFiles(have); err != nil {
		return nil, err
	}
	problems = append(problems, more...)
	more, err = d.verifyIdentity()
	return append(problems, more...), err
}

// verifySums hashes what is there, and returns the hashes. Without a list of sums
// only the lineage says what should be there.
func (d *Dataset) verifySums(sums map[string]string) (problems []Problem, have map[string]string, err error) {
	names, err := filesBelow(d.Dir)
	if err != nil {
		return nil, nil, err
	}
	have = map[string]string{}
	for _, name := range names {
		if name == SumsFile {
			continue
		}
		path := filepath.Join(d.Dir, filepath.FromSlash(name))
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			problems = append(problems, Problem{name, "a link, or another thing that is no file", "a regular file"})
			// A pipe would be waited for.
			if info, err = os.Stat(path); err != nil || !info.Mode().IsRegular() {
				continue
			}
		}
		if have[name], _, err = HashFile(path); err != nil {
			return nil, nil, err
		}
		switch want, listed := sums[name]; {
		case sums == nil:
		case !listed:
			problems = append(problems, Problem{name, "a file that is not listed", "only the files of " + SumsFile})
		case want != have[name]:
			problems = append(problems, Problem{name, "SHA-256 " + have[name], want})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if _, ok := have[name]; !ok {
			problems = append(problems, Problem{name, "no file", "SHA-256 " + sums[name]})
		}
	}
	return problems, have, nil
}

// verifyFiles holds the Parquet files against the lineage.
func (d *Dataset) verifyFiles(have map[string]string) ([]Problem, error) {
	var problems []Problem
	for _, f := range d.Lineage.Files {
		sum, ok := have[f.Path]
		if !ok {
			problems = append(problems, Problem{f.Path, "no file", "SHA-256 " + f.SHA256 + " (" + LineageFile + ")"})
			continue
		}
		if sum != f.SHA256 {
			problems = append(problems, Problem{f.Path, "SHA-256 " + sum, f.SHA256 + " (" + LineageFile + ")"})
			continue
		}
		foot, err := ReadFooter(filepath.Join(d.Dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return nil, err
		}
		if foot.Rows != f.Rows {
			problems = append(problems, Problem{f.Path, fmt.Sprint(foot.Rows, " rows"), fmt.Sprint(f.Rows)})
		}
		metadata := d.Lineage.Metadata(f.Table)
		for _, key := range slices.Sorted(maps.Keys(metadata)) {
			want := metadata[key]
			if got := foot.Metadata[key]; got != want {
				problems = append(problems, Problem{f.Path, fmt.Sprintf("%s %q", key, got), fmt.Sprintf("%q", want)})
			}
		}
	}
	return problems, nil
}

// verifyIdentity recomputes the digest of the inputs and the id.
func (d *Dataset) verifyIdentity() ([]Problem, error) {
	l := d.Lineage
	digest := NewInputDigest(l.Experiments)
	if err := ReadInputs(d.Dir, func(in Input) error { digest.Add(in); return nil }); err != nil {
		return nil, err
	}
	var problems []Problem
	if sum := digest.Sum(); sum != l.InputRunsSHA256 {
		problems = append(problems, Problem{LineageFile, "inputs with the digest " + sum, l.InputRunsSHA256})
	}
	if id := ID(l.SchemaVersion, l.CodeRevision, l.Options, l.InputRunsSHA256); id != l.DatasetID {
		problems = append(problems, Problem{LineageFile, "dataset_id " + l.DatasetID, id})
	}
	if err := l.Counts.Check(); err != nil {
		problems = append(problems, Problem{LineageFile, err.Error(), "counts that add up"})
	}
	return problems, nil
}
