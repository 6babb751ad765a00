package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A Dataset is a derived dataset on disk.
type Dataset struct {
	// Dir is the folder that holds lineage.json.
	Dir string
	// Lineage says what the dataset holds and was made from.
	Lineage *Lineage
}

// Open opens the dataset at path: the dataset itself, or a folder that holds
// exactly one.
func Open(path string) (*Dataset, error) {
	dir, err := find(path)
	if err != nil {
		return nil, err
	}
	l, err := ReadLineage(dir)
	if err != nil {
		return nil, err
	}
	if have, err := schema.ParseSemver(l.SchemaVersion); err != nil {
		return nil, fmt.Errorf("%s: schema_version: %w", filepath.Join(dir, LineageFile), err)
	} else if want, _ := schema.ParseSemver(Version); have.Major != want.Major {
		return nil, fmt.Errorf("%s: schema_version: have %s, want major version %d: derive the dataset again",
			filepath.Join(dir, LineageFile), l.SchemaVersion, want.Major)
	}
	return &Dataset{Dir: dir, Lineage: l}, nil
}

func find(path string) (string, error) {
	if isDataset(path) {
		return path, nil
	}
	list, err := List(path)
	var failed *fs.PathError
	switch {
	case errors.As(err, &failed):
		return "", fmt.Errorf("%s: have %w, want a dataset made by derive", path, failed.Err)
	case err != nil:
		return "", err
	}
	switch len(list) {
	case 1:
		return list[0], nil
	case 0:
		return "", fmt.Errorf("%s: have no dataset, want one made by derive", path)
	}
	return "", fmt.Errorf("%s: have %d datasets (%s), want one: name it", path, len(list), strings.Join(list, ", "))
}

// List names the datasets that a folder holds, in the order of their ids.
func List(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		dir := filepath.Join(folder, e.Name())
		if e.IsDir() && !strings.HasPrefix(e.Name(), stagingPrefix) && isDataset(dir) {
			list = append(list, dir)
		}
	}
	return list, nil
}

func isDataset(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, LineageFile))
	return err == nil && info.Mode().IsRegular()
}

// Files returns the paths of a table's files, in the order of their rows.
func (d *Dataset) Files(t *schema.Table) []string {
	var list []string
	for _, f := range d.Lineage.Files {
		if f.Table == t.Name {
			list = append(list, filepath.Join(d.Dir, filepath.FromSlash(f.Path)))
		}
	}
	return list
}
