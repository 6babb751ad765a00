package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// A Rederivation is what deriving a dataset again has shown.
type Rederivation struct {
	// Changes are the raw directories that are not those of the lineage.
	Changes []Change
	// Differences are the columns that differ, the dataset's values first.
	Differences []dataset.Difference
	// CodeRevision is the revision that derived again. Where it is not the
	// lineage's, a difference may be a change of the program.
	CodeRevision string
	// Files counts the files with the same bytes.
	Files int
}

// Same reports whether the dataset is what the raw runs give.
func (r *Rederivation) Same() bool { return len(r.Changes) == 0 && len(r.Differences) == 0 }

// Rederive derives a dataset again from its raw runs, with its options, into a
// temporary folder, and compares. Its own CodeRevision stands in the copy, so
// that equal rows are equal bytes.
func Rederive(ctx context.Context, d *dataset.Dataset, roots []string, o Options) (*Rederivation, error) {
	r := &Rederivation{CodeRevision: o.CodeRevision}
	o.Options, o.CodeRevision, o.CreatedAt = d.Lineage.Options, d.Lineage.CodeRevision, d.Lineage.CreatedAt
	out, err := os.MkdirTemp("", "assay-rederive-")
	if err != nil {
		return nil, err
	}
	s, err := Derive(ctx, roots, out, o)
	if err == nil {
		var again *dataset.Dataset
		if again, err = dataset.Open(s.Dir); err == nil {
			err = r.compare(d, again)
		}
	}
	return r, errors.Join(err, os.RemoveAll(out))
}

func (r *Rederivation) compare(d, again *dataset.Dataset) error {
	changes, err := compareInputs(d, again)
	if err != nil {
		return err
	}
	r.Changes = changes
	for _, t := range schema.Tables {
		have, want := filesOf(d, t), filesOf(again, t)
		if len(have) != len(want) {
			r.Differences = append(r.Differences, dataset.Difference{Table: t.Name, Have: fmt.Sprint(len(have), " files"), Want: fmt.Sprint(len(want))})
			continue
		}
		for i := range have {
			if err := r.compareFile(t, d, again, have[i], want[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

func filesOf(d *dataset.Dataset, t *schema.Table) []dataset.File {
	return slices.DeleteFunc(slices.Clone(d.Lineage.Files), func(f dataset.File) bool { return f.Table != t.Name })
}

func (r *Rederivation) compareFile(t *schema.Table, d, again *dataset.Dataset, have, want dataset.File) error {
	x, y := filepath.Join(d.Dir, filepath.FromSlash(have.Path)), filepath.Join(again.Dir, filepath.FromSlash(want.Path))
	sum, _, err := dataset.HashFile(x)
	if err != nil {
		return err
	}
	if sum == want.SHA256 {
		r.Files++
		return nil
	}
	list, err := dataset.Compare(t, x, y)
	if err == nil && len(list) == 0 && d.Lineage.DatasetID == again.Lineage.DatasetID {
		list = []dataset.Difference{{Table: t.Name, Have: "the same rows in other bytes, SHA-256 " + sum, Want: want.SHA256}}
	}
	r.Differences = append(r.Differences, list...)
	return err
}
