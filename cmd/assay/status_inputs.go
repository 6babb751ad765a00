package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// runFiles are the files of a run directory that a dataset rests on.
var runFiles = []string{
	schema.DocumentManifest.File, schema.DocumentTestResults.File, schema.DocumentFinalMetrics.File, schema.PatchFile,
	schema.TrajectoryFile, schema.TrajectoryFile + ".gz", schema.TrajectoryFile + ".zst",
}

// experimentFiles are those of the folder of an experiment.
var experimentFiles = []string{schema.DocumentPlan.File, schema.DocumentTask.File}

// A tally counts paths and keeps the first.
type tally struct {
	n     int
	first string
}

func (t *tally) add(path string) {
	if t.n++; t.n == 1 || path < t.first {
		t.first = path
	}
}

// An inputCheck holds raw files, as they are now, against the hashes of a lineage.
type inputCheck struct {
	want                 map[string]string
	seen                 map[string]bool
	changed, added, gone tally
}

func (l *statusList) inputs(ctx context.Context, a *app, d *dataset.Dataset, roots []string) error {
	found, err := ingest.Discover(roots)
	if err != nil {
		return err
	}
	c := inputCheck{seen: map[string]bool{}}
	if c.want, err = inputHashes(d); err != nil {
		return err
	}
	p := a.newProgress()
	defer p.end()
	for i, dir := range found.Runs {
		p.at("hashing raw files", int64(i), int64(len(found.Runs)))
		if err := c.hash(ctx, dir.Location(), dir.Path, runFiles); err != nil {
			return err
		}
	}
	for _, dir := range found.Experiments {
		if err := c.hash(ctx, dir.Location(), dir.Path, experimentFiles); err != nil {
			return err
		}
	}
	for key := range c.want {
		if !c.seen[key] {
			c.gone.add(key)
		}
	}
	l.changes(c, len(found.Runs))
	return nil
}

// hash compares the files of one directory.
func (c *inputCheck) hash(ctx context.Context, location, path string, names []string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, name := range names {
		sum, _, err := dataset.HashFile(filepath.Join(location, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		key := path + "/" + name
		c.seen[key] = true
		switch want, known := c.want[key]; {
		case !known:
			c.added.add(key)
		case want != "SHA-256 "+sum:
			c.changed.add(key)
		}
	}
	return nil
}

func (l *statusList) changes(c inputCheck, runs int) {
	current := true
	for _, t := range []struct {
		word string
		tally
	}{{"changed", c.changed}, {"came", c.added}, {"went", c.gone}} {
		if t.n > 0 {
			l.add("raw runs", false, "%d files %s since, the first is %s", t.n, t.word, t.first)
			current = false
		}
	}
	if current {
		l.add("raw runs", true, "%d directories, every file as it was", runs)
	}
}
