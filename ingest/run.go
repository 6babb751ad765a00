package ingest

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A RunDir is a directory that was taken as a run directory.
type RunDir struct {
	// Root is the path that the user gave.
	Root string
	// Path is relative to Root, with slashes; "." is the root itself.
	Path string
	// ManifestSHA256 is what ReadManifest saw, or empty. ReadRun compares it with
	// what it reads: a manifest that changed in between is changed_while_reading.
	ManifestSHA256 string
	// ManifestFaultless says that ReadManifest found no fault in that manifest:
	// ReadRun does not compute its ids and hashes again.
	ManifestFaultless bool
	// listed are the files that Discover saw; 0: ReadRun lists the directory itself.
	listed fileSet
}

// Location is the directory in the form of the file system.
func (d RunDir) Location() string { return filepath.Join(d.Root, filepath.FromSlash(d.Path)) }

// Superseded reports whether the directory is an unfinished attempt that was set
// aside when its run was repeated.
func (d RunDir) Superseded() bool {
	_, n, ok := strings.Cut(path.Base(d.Path), schema.UnfinishedSuffix)
	return ok && n != "" && strings.Trim(n, "0123456789") == ""
}

// A File is one input file as its bytes were read.
type File struct {
	// Name is relative to the run directory, with slashes.
	Name string
	// Bytes is the size of the file as stored.
	Bytes int64
	// SHA256 is the hash of the file as stored.
	SHA256 string
}

// A Run is everything read from one run directory but its events. What it points
// to belongs to the Reader and is overwritten by its next ReadRun.
type Run struct {
	// Dir is the directory.
	Dir RunDir
	// Manifest is the manifest, with secrets redacted, or nil where there is none
	// that can be decoded.
	Manifest *schema.Manifest
	// Files are the input files in byte order of their names.
	Files []File
	// Trajectory is the name of the trajectory file, or empty.
	Trajectory string
	// Events counts the events that were read without fault.
	Events int64
	// Finished reports whether run_finished was read.
	Finished bool
	// TestResults is test_results.json, or nil.
	TestResults *schema.TestResults
	// FinalMetrics is final_metrics.json, or nil.
	FinalMetrics *schema.FinalMetrics
	// Patch is the text of patch.diff, up to 64 MiB of it.
	Patch []byte
	// Findings are all faults, in the order in which the files are read. Of each
	// code Options.MaxFindings are listed, and findings_omitted counts the rest.
	Findings []schema.Finding
}

// File finds an input file by name.
func (r *Run) File(name string) (File, bool) {
	i := slices.IndexFunc(r.Files, func(f File) bool { return f.Name == name })
	if i < 0 {
		return File{}, false
	}
	return r.Files[i], true
}

// TrajectorySHA256 is the hash of the trajectory as stored, or empty.
func (r *Run) TrajectorySHA256() string {
	f, _ := r.File(r.Trajectory)
	return f.SHA256
}

// ExcludedBy is the one reason that excludes the run: the first of its error
// codes in the order of schema.FindingCodes. It is nil for an included run.
func (r *Run) ExcludedBy() *schema.FindingCode {
	f := r.excluding()
	if f == nil {
		return nil
	}
	return f.Code
}

func (r *Run) excluding() *schema.Finding {
	var first *schema.Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Severity == schema.SeverityError && (first == nil || CompareExcluding(f, first) < 0) {
			first = f
		}
	}
	return first
}

// CompareExcluding orders findings of severity error: by the order of the codes,
// then by file and line.
func CompareExcluding(a, b *schema.Finding) int {
	return cmp.Or(
		cmp.Compare(slices.Index(schema.FindingCodes, a.Code), slices.Index(schema.FindingCodes, b.Code)),
		strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

// EventsKept reports whether the run's event rows are written: it has no error,
// or only such as leave its bytes to be believed.
func (r *Run) EventsKept() bool {
	return !slices.ContainsFunc(r.Findings, func(f schema.Finding) bool {
		return f.Severity == schema.SeverityError && !f.Code.EventsKept
	})
}

// Unidentified reports whether the directory cannot be believed to be the run
// that it says it is. It has no row in runs; it is counted by its path.
func (r *Run) Unidentified() bool {
	if r.Manifest == nil {
		return true
	}
	return slices.ContainsFunc(r.Findings, func(f schema.Finding) bool {
		// A file that cannot be opened, or a name that leads out, leaves the manifest believable.
		ofFile := f.File != "" && (f.Code == &schema.Unreadable || f.Code == &schema.UnsafePath)
		return f.Severity == schema.SeverityError && f.Code.Unidentified && !ofFile
	})
}
