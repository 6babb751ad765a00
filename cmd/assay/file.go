package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// writeFile writes a new version of a file, whole or not at all.
func writeFile(path string, write func(io.Writer) error) error {
	return replaceFile(path, 0o644, write)
}

// replaceFile writes a new version of a file with a mode, whole or not at all.
func replaceFile(path string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s: have a directory, want a file", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".assay-")
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		return fmt.Errorf("%s: have %w, want a folder to write into", filepath.Dir(path), failed.Err)
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
