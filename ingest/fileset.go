package ingest

import (
	"io/fs"
	"slices"

	"github.com/assay-bench/assay/schema"
)

// runFiles are the names of the files that ReadRun reads and judges itself.
var runFiles = append([]string{schema.DocumentManifest.File, schema.DocumentTestResults.File, schema.DocumentFinalMetrics.File, schema.PatchFile}, trajectoryNames...)

// A fileSet holds which of runFiles are regular files of a directory, a bit each.
type fileSet uint16

// allRegular is the bit of a fileSet that says that what has the name of a run
// file is a regular one: nothing else needs to be judged.
const allRegular fileSet = 1 << 15

func (s fileSet) has(name string) bool { return s&setOf(name) != 0 }

// setOf is the set of one file, or of none where the name is not a run file's.
func setOf(name string) fileSet {
	i := slices.Index(runFiles, name)
	if i < 0 {
		return 0
	}
	return 1 << i
}

// isRunFile reports whether ReadRun reads and judges a file of this name itself.
func isRunFile(name string) bool { return slices.Contains(runFiles, name) }

// listing is the set of a directory whose run files are all regular, or 0.
func listing(entries []fs.DirEntry) fileSet {
	s := allRegular
	for _, e := range entries {
		one := setOf(e.Name())
		if one != 0 && !e.Type().IsRegular() {
			return 0
		}
		s |= one
	}
	return s
}
