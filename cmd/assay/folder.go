package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// writeFolder writes files into a new folder, all of them or none: they are
// written beside it first, and the folder gets its name last.
func writeFolder(out string, files map[string][]byte) error {
	if _, err := os.Lstat(out); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: have something there already, want a new folder", out)
	}
	parent := filepath.Dir(filepath.Clean(out))
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, ".assay-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	// MkdirTemp keeps others out; a published folder does not.
	inner := filepath.Join(temp, "out")
	if err := os.Mkdir(inner, 0o777); err != nil {
		return err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(inner, name), files[name], 0o666); err != nil {
			return err
		}
	}
	return os.Rename(inner, out)
}
