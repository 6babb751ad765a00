package derive

import (
	"bytes"
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// A Patch is what a patch.diff changes.
type Patch struct {
	// State is empty, no_line_changes or real.
	State *schema.Word
	// Files counts the files that it changes.
	Files int64
	// Hunks counts its hunks.
	Hunks int64
	// Added counts the lines that it adds.
	Added int64
	// Removed counts the lines that it removes.
	Removed int64
}

// ReadPatch counts what a unified diff changes. Lines are counted inside hunks,
// by the lengths that the hunk's head gives, so that a removed line "-- x" is not
// taken for the head of a file.
func ReadPatch(text []byte) Patch {
	var p patchReader
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		p.line(bytes.TrimSuffix(line, []byte{'\r'}))
		text = rest
	}
	switch {
	case p.blank():
		p.State = &schema.PatchStateEmpty
	case p.Added+p.Removed == 0:
		p.State = &schema.PatchStateNoLines
	default:
		p.State = &schema.PatchStateReal
	}
	return p.Patch
}

type patchReader struct {
	Patch
	// old and new are the lines of the hunk still to come.
	old, new int64
	// head is true between "diff --git" and the first hunk: the file is counted.
	head bool
	// from is true after a "--- " line outside a hunk.
	from bool
	// open is true between "+++ " and the first hunk: a changed line there belongs
	// to a diff without hunk heads, which is malformed but changes something.
	open bool
	text bool
}

func (p *patchReader) blank() bool { return !p.text }

func (p *patchReader) line(line []byte) {
	if len(bytes.TrimSpace(line)) > 0 {
		p.text = true
	}
	if p.old > 0 || p.new > 0 {
		p.inHunk(line)
		return
	}
	switch {
	case len(line) == 0:
	case bytes.HasPrefix(line, []byte("diff --git ")):
		p.Files++
		p.head, p.from, p.open = true, false, false
	case bytes.HasPrefix(line, []byte("--- ")):
		p.from = true
	case bytes.HasPrefix(line, []byte("+++ ")) && p.from:
		if !p.head {
			p.Files++
		}
		p.from, p.open = false, true
	case bytes.HasPrefix(line, []byte("@@ ")):
		if old, new, ok := hunkHead(line); ok {
			p.Hunks++
			p.old, p.new, p.head, p.open = old, new, false, false
		}
	case p.open && line[0] == '+':
		p.Added++
	case p.open && line[0] == '-':
		p.Removed++
	}
}

func (p *patchReader) inHunk(line []byte) {
	mark := byte(' ')
	if len(line) > 0 {
		mark = line[0]
	}
	switch mark {
	case '+':
		p.Added++
		p.new--
	case '-':
		p.Removed++
		p.old--
	case '\\':
	default:
		p.old--
		p.new--
	}
}

// hunkHead reads the lengths of "@@ -1,2 +3,4 @@"; a length left out is 1.
func hunkHead(line []byte) (old, new int64, ok bool) {
	fields := bytes.Fields(line)
	if len(fields) < 4 || len(fields[1]) == 0 || fields[1][0] != '-' || len(fields[2]) == 0 || fields[2][0] != '+' {
		return 0, 0, false
	}
	old, okOld := hunkLength(fields[1][1:])
	new, okNew := hunkLength(fields[2][1:])
	return old, new, okOld && okNew
}

func hunkLength(b []byte) (int64, bool) {
	_, length, found := bytes.Cut(b, []byte{','})
	if !found {
		return 1, true
	}
	n, err := strconv.ParseInt(string(length), 10, 64)
	return n, err == nil && n >= 0
}

// patchState is what became of the run's patch, where it was recorded.
func (r *Run) patchState() schema.Opt[string] {
	switch {
	case r.end.Patch != nil:
		return schema.Some(r.end.Patch.State.Name)
	case r.finish.patch.Or("") == schema.PatchNone.Name:
		return schema.Some(schema.PatchStateMissing.Name)
	case r.finish.patch.Or("") == schema.PatchEmpty.Name:
		return schema.Some(schema.PatchStateEmpty.Name)
	}
	return schema.None[string]()
}
