package schema

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// CleanPath brings a path of a repository into the form in which paths are
// compared: empty and "." segments are dropped, ".." is resolved, and the text is
// put into NFC. Nothing else is done: no case folding, no "\" to "/", no
// trimming, no suffix match, for each of these makes some wrong answer right.
//
// It returns false for a path that can name no file below the root: an absolute
// one, one that leaves the root, one that ends in "/", one that holds a NUL, or one
// with a line number behind it, such as a.go:12-40.
func CleanPath(path string) (clean string, ok bool) {
	if path == "" || path[0] == '/' || path[len(path)-1] == '/' || strings.IndexByte(path, 0) >= 0 || hasLineSuffix(path) {
		return "", false
	}
	if !isClean(path) {
		if path, ok = resolve(path); !ok {
			return "", false
		}
	}
	return norm.NFC.String(path), true
}

// isClean reports whether no segment of the path is empty, "." or "..".
func isClean(path string) bool {
	start := 0
	for i := 0; i <= len(path); i++ {
		if i < len(path) && path[i] != '/' {
			continue
		}
		switch path[start:i] {
		case "", ".", "..":
			return false
		}
		start = i + 1
	}
	return true
}

func resolve(path string) (string, bool) {
	var kept []string
	for _, segment := range strings.Split(path, "/") {
		switch segment {
		case "", ".":
		case "..":
			if len(kept) == 0 {
				return "", false
			}
			kept = kept[:len(kept)-1]
		default:
			kept = append(kept, segment)
		}
	}
	return strings.Join(kept, "/"), len(kept) > 0
}

// hasLineSuffix reports whether the path ends in :12 or :12-40.
func hasLineSuffix(path string) bool {
	rest := strings.TrimRight(path, "0123456789")
	if len(rest) == len(path) {
		return false
	}
	if strings.HasSuffix(rest, "-") {
		from := strings.TrimRight(rest[:len(rest)-1], "0123456789")
		return len(from) < len(rest)-1 && strings.HasSuffix(from, ":")
	}
	return strings.HasSuffix(rest, ":")
}
