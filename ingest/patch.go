package ingest

import (
	"bytes"
	"errors"

	"github.com/assay-bench/assay/schema"
)

// A PatchState says what a patch file holds.
type PatchState string

// The states of a patch file. What a run without the file means stands in its
// run_finished event.
const (
	// PatchNoFile means that there is no patch.diff.
	PatchNoFile PatchState = ""
	// PatchBlank is a file of nothing but white space.
	PatchBlank PatchState = "empty"
	// PatchNoLineChanges is a diff without a line added or removed.
	PatchNoLineChanges PatchState = "no_line_changes"
	// PatchReal is a diff that adds or removes lines.
	PatchReal PatchState = "real"
)

// A Patch is what is known of patch.diff.
type Patch struct {
	// State says what the file holds.
	State PatchState
	// AddedLines counts the lines that begin with +, file headers apart.
	AddedLines int64
	// RemovedLines counts the lines that begin with -, file headers apart.
	RemovedLines int64
	// Text is the file, up to 64 MiB; it belongs to the Reader.
	Text []byte
}

// readPatch reads patch.diff.
func (r *Reader) readPatch(files map[string]bool) error {
	if !files[schema.PatchFile] {
		return nil
	}
	ok, err := r.readFile(schema.PatchFile, func() error {
		err := r.patch.readFrom(&r.source)
		if errors.Is(err, errTooLarge) {
			return nil
		}
		return err
	})
	if ok {
		r.run.Patch = judgePatch(r.patch.bytes)
	}
	return err
}

// judgePatch counts the changed lines of a unified diff. Hunk headers say how
// many lines follow, so that a removed line "-- x" is no file header.
func judgePatch(text []byte) Patch {
	p := Patch{State: PatchBlank, Text: text}
	if len(bytes.TrimSpace(text)) == 0 {
		return p
	}
	p.State = PatchNoLineChanges
	var oldLeft, newLeft int64
	for line := range bytes.Lines(text) {
		if oldLeft <= 0 && newLeft <= 0 {
			oldLeft, newLeft = hunk(line)
			if oldLeft == 0 && newLeft == 0 {
				p.headless(line)
			}
			continue
		}
		switch line[0] {
		case '+':
			p.AddedLines++
			newLeft--
		case '-':
			p.RemovedLines++
			oldLeft--
		case '\\':
		default:
			oldLeft--
			newLeft--
		}
	}
	if p.AddedLines+p.RemovedLines > 0 {
		p.State = PatchReal
	}
	return p
}

// headless counts a changed line outside of a hunk: a diff without hunk headers
// is malformed, but not one without changes.
func (p *Patch) headless(line []byte) {
	switch {
	case bytes.HasPrefix(line, []byte("+++")), bytes.HasPrefix(line, []byte("---")):
	case line[0] == '+':
		p.AddedLines++
	case line[0] == '-':
		p.RemovedLines++
	}
}

// hunk reads the lengths of "@@ -a,b +c,d @@". A length that is absent is 1.
func hunk(line []byte) (oldLines, newLines int64) {
	rest, ok := bytes.CutPrefix(line, []byte("@@ -"))
	if !ok {
		return 0, 0
	}
	oldLines, rest = hunkLength(rest)
	if rest, ok = bytes.CutPrefix(rest, []byte(" +")); !ok {
		return 0, 0
	}
	newLines, _ = hunkLength(rest)
	return oldLines, newLines
}

func hunkLength(b []byte) (int64, []byte) {
	_, b = leadingNumber(b)
	if len(b) > 0 && b[0] == ',' {
		return leadingNumber(b[1:])
	}
	return 1, b
}

func leadingNumber(b []byte) (int64, []byte) {
	var n int64
	for len(b) > 0 && b[0] >= '0' && b[0] <= '9' {
		if n < 1<<50 {
			n = n*10 + int64(b[0]-'0')
		}
		b = b[1:]
	}
	return n, b
}
