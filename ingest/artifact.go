package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/assay-bench/assay/schema"
)

// checkArtifacts compares the files that run_finished lists with those there.
func (r *Reader) checkArtifacts(t *trajectory) error {
	for _, a := range t.artifacts {
		f := finding{file: t.file, line: t.finish.Line, pointer: "/data/artifacts/" + escapePointer(a.Name)}
		if safeArtifact(a.Name) {
			have, found, err := r.artifact(a.Name)
			switch {
			case err != nil:
				return err
			case found == artifactAbsent:
				f.code, f.have, f.want = &schema.ArtifactMissing, "no such file", a.Name
			case found == artifactLink:
				f.code, f.have, f.want = &schema.ArtifactMissing, "a link", a.Name+", a regular file"
			case found == artifactRead && have.SHA256 != a.Value:
				f.code, f.have, f.want = &schema.ArtifactHashMismatch, a.Name+" with "+have.SHA256, a.Value
			}
		} else {
			f.code, f.have, f.want = &schema.UnsafePath, a.Name, "a path inside the run directory"
		}
		if f.code == nil {
			continue
		}
		if at, ok := schema.ValueOffset(r.finish, f.pointer); ok {
			f.column = int64(at) + 1
		}
		r.report(f)
	}
	return nil
}

// safeArtifact reports whether a name leads to a file inside the run directory
// on every system.
func safeArtifact(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name && name != "." &&
		!strings.ContainsAny(name, "\\:\x00")
}

// An artifactState says what stands where run_finished names a file.
type artifactState int

const (
	// artifactRead is a file that was read.
	artifactRead artifactState = iota
	// artifactAbsent is nothing at all.
	artifactAbsent
	// artifactLink is a link, or a file below one, which is not followed.
	artifactLink
	// artifactUnread is a file that could not be read, which is reported as such.
	artifactUnread
)

// artifact returns a file that was read, or reads it for its hash.
func (r *Reader) artifact(name string) (File, artifactState, error) {
	if f, ok := r.run.File(name); ok {
		return f, artifactRead, nil
	}
	if found, err := r.lookup(name); found != artifactRead || err != nil {
		return File{}, found, err
	}
	if isRunFile(name) {
		// It was tried before the trajectory was read.
		return File{}, artifactUnread, nil
	}
	ok, err := r.readFile(name, func() error { return nil })
	if !ok {
		return File{}, artifactUnread, err
	}
	f, _ := r.run.File(name)
	return f, artifactRead, nil
}

// lookup reports whether name is a regular file of the run directory, no link on
// the way to it: then artifactRead. What is neither that nor absent is reported,
// unless it is one of the files that are judged with the directory.
func (r *Reader) lookup(name string) (artifactState, error) {
	at := ""
	for segment := range strings.SplitSeq(name, "/") {
		at = path.Join(at, segment)
		info, err := os.Lstat(r.location(at))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			return artifactAbsent, nil
		}
		if err != nil {
			return artifactUnread, r.unreadable(name, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			if !r.judged(at) {
				r.reportLink(at)
			}
			return artifactLink, nil
		}
		if at == name && !info.Mode().IsRegular() {
			if !r.judged(at) {
				r.report(finding{code: &schema.Unreadable, file: name, have: kindOf(info.Mode().Type()), want: "a regular file"})
			}
			return artifactUnread, nil
		}
	}
	return artifactRead, nil
}

// judged reports whether a file that cannot be read was reported before.
func (r *Reader) judged(name string) bool {
	return slices.ContainsFunc(r.run.Findings, func(f schema.Finding) bool {
		return f.File == name && (f.Code == &schema.Unreadable || f.Code == &schema.UnsafePath || f.Code == &schema.LinkNotFollowed)
	})
}
