package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// checkArtifacts compares the files that run_finished lists with those there.
func (r *Reader) checkArtifacts(t *trajectory) error {
	for _, a := range t.artifacts {
		f := finding{file: t.file, line: t.finish.Line, pointer: "/data/artifacts/" + escapePointer(a.Name)}
		if !safeArtifact(a.Name) {
			f.code, f.have, f.want = &schema.UnsafePath, a.Name, "a path inside the run directory"
			r.report(f)
			continue
		}
		have, there, err := r.artifact(a.Name)
		if err != nil {
			return err
		}
		switch {
		case !there:
			f.code, f.have, f.want = &schema.ArtifactMissing, "no such file", a.Name
			r.report(f)
		case have.SHA256 != a.Value:
			f.code, f.have, f.want = &schema.ArtifactHashMismatch, a.Name+" with "+have.SHA256, a.Value
			r.report(f)
		}
	}
	return nil
}

// safeArtifact reports whether a name leads to a file inside the run directory
// on every system.
func safeArtifact(name string) bool {
	return filepath.IsLocal(filepath.FromSlash(name)) && path.Clean(name) == name && name != "." &&
		!strings.ContainsAny(name, "\\:\x00")
}

// artifact returns a file that was read, or reads it for its hash. A link, or
// a file below one, is not followed.
func (r *Reader) artifact(name string) (File, bool, error) {
	if f, ok := r.run.File(name); ok {
		return f, true, nil
	}
	if there, err := r.lookup(name); !there {
		return File{}, false, err
	}
	ok, err := r.readFile(name, func() error { return nil })
	if !ok {
		return File{}, false, err
	}
	f, _ := r.run.File(name)
	return f, true, nil
}

// lookup reports whether name is a regular file of the run directory, no link
// on the way to it.
func (r *Reader) lookup(name string) (bool, error) {
	at := ""
	for segment := range strings.SplitSeq(name, "/") {
		at = path.Join(at, segment)
		info, err := os.Lstat(r.location(at))
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		}
		if err != nil {
			return false, r.unreadable(name, err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			r.reportLink(at)
			return false, nil
		}
		if at == name && !info.Mode().IsRegular() {
			r.report(finding{code: &schema.Unreadable, file: name, have: info.Mode().Type().String(), want: "a regular file"})
			return false, nil
		}
	}
	return true, nil
}
