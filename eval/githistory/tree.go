package githistory

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/assay-bench/assay/schema"
)

// Kind is what a tree entry is.
type Kind string

// The kinds of a tree entry.
const (
	// File is a regular file.
	File Kind = "file"
	// Executable is a regular file with the executable bit.
	Executable Kind = "executable"
	// Link is a symbolic link; its content is its target and is never followed.
	Link Kind = "link"
	// Submodule is a commit of another repository: nothing that a tool could retrieve.
	Submodule Kind = "submodule"
)

// Entry is one path of the tree of base.
type Entry struct {
	// Path is relative to the root of the repository, byte for byte as git has it.
	Path string
	// Kind is what stands there.
	Kind Kind
	// ID is the blob, or the commit of a submodule.
	ID string
}

// retrievable is true for what can be an answer.
func (e Entry) retrievable() bool { return e.Kind != Submodule }

// parseTree reads the output of `ls-tree -r -z`, in git's order.
func parseTree(out []byte) ([]Entry, error) {
	var entries []Entry
	for record := range bytes.SplitSeq(out, []byte{0}) {
		if len(record) == 0 {
			continue
		}
		head, path, ok := strings.Cut(string(record), "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("git ls-tree: have %q, want mode, type, id and path", record)
		}
		entry := Entry{Path: path, ID: fields[2]}
		switch fields[0] {
		case "160000":
			entry.Kind = Submodule
		case "120000":
			entry.Kind = Link
		case "100755":
			entry.Kind = Executable
		default:
			entry.Kind = File
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// pathSet is the answerable paths of a tree by their compared form.
type pathSet map[string]string

func newPathSet(entries []Entry) pathSet {
	set := pathSet{}
	for _, e := range entries {
		if e.retrievable() {
			set[compared(e.Path)] = e.Path
		}
	}
	return set
}

// compared is the form in which paths are compared and written down: valid UTF-8 in NFC, nothing else changed.
func compared(path string) string {
	return norm.NFC.String(strings.ToValidUTF8(path, "\uFFFD"))
}

// clean turns an answered path into one relative to the root, or says that it can be none: the root is cut off,
// empty and "." segments are dropped, ".." is resolved. There is no case folding, no trimming, no suffix match.
func (s pathSet) clean(answered string, roots ...string) (path string, known bool) {
	rest := answered
	for _, root := range roots {
		if cut, ok := strings.CutPrefix(answered, strings.TrimSuffix(root, "/")+"/"); ok {
			rest = cut
			break
		}
	}
	if _, ok := s[compared(rest)]; ok {
		return compared(rest), true
	}
	if cleaned, ok := schema.CleanPath(rest); ok {
		if _, ok := s[compared(cleaned)]; ok {
			return compared(cleaned), true
		}
	}
	return compared(rest), false
}
