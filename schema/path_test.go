package schema

import (
	"strings"
	"testing"
)

func TestCleanPath(t *testing.T) {
	for path, want := range map[string]string{
		"a.go": "a.go", "./a.go": "a.go", "d//a.go": "d/a.go", "d/./a.go": "d/a.go", "x/../d/a.go": "d/a.go",
		"a\\b.go": "a\\b.go", " a.go": " a.go", "a.go\n": "a.go\n", "A.go": "A.go", "d/...": "d/...", "..a": "..a",
		// Precomposed and decomposed spellings are one name (NFC).
		"caf\u0065\u0301": "caf\u00e9",
		// A number behind a colon is a line only at the end.
		"a:12/b": "a:12/b", "a-40": "a-40", "a:": "a:", "a:x-40": "a:x-40", "12": "12",
	} {
		if have, ok := CleanPath(path); !ok || have != want {
			t.Errorf("CleanPath(%q): have %q, %t, want %q", path, have, ok, want)
		}
	}
	for _, path := range []string{"", "/a", "a/", "../a", "a/../../b", ".", "..", "./", "a/..", "a.go:12", "a.go:12-40", "a\x00b"} {
		if have, ok := CleanPath(path); ok {
			t.Errorf("CleanPath(%q): have %q, want no path", path, have)
		}
	}
}

// What was cleaned is clean, and stays below the root.
func FuzzCleanPath(f *testing.F) {
	for _, s := range []string{"a/../b", "./x//y", "a:1-2", "caf\u0065\u0301/..", "a/\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		clean, ok := CleanPath(path)
		if !ok {
			return
		}
		if again, ok := CleanPath(clean); !ok || again != clean {
			t.Errorf("%q: cleaned %q, cleaned again %q, %t", path, clean, again, ok)
		}
		for _, segment := range strings.Split(clean, "/") {
			if segment == "" || segment == "." || segment == ".." {
				t.Errorf("%q: cleaned %q", path, clean)
			}
		}
	})
}
