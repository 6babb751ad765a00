package githistory

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParseCommit(t *testing.T) {
	head := "tree 1\nauthor A <a@example.invalid> 1 +0000\n"
	for _, c := range []struct{ name, raw, subject, body string }{
		{"plain", head + "\nSubject\n\nBody\nmore\n", "Subject", "Body\nmore"},
		{"folded, blanks at line ends go", head + "\nFirst \t\n second\r\n\nBody\n", "First  second", "Body"},
		{"blank lines before", head + "\n\n \n  Indented\n", "  Indented", ""},
		{"empty", head + "\n", "", ""},
		{"no message at all", head, "", ""},
		{"latin-1", head + "encoding ISO-8859-1\n\nCorrige l'\xe9t\xe9\n", "Corrige l'été", ""},
		{"windows-1251", head + "encoding windows-1251\n\n\xcf\xf0\xe8\xe2\xe5\xf2\n", "Привет", ""},
		{"shift_jis", head + "encoding Shift_JIS\n\n\x93\xfa\x96\x7b\n", "日本", ""},
		{"unknown encoding", head + "encoding nonsense\n\nabc \xff\n", "abc \uFFFD", ""},
		{"a header that only looks like one in the message", head + "\nSubject\n\nencoding ISO-8859-1\n", "Subject", "encoding ISO-8859-1"},
		{"ends at NUL as git has it", head + "\nSub\x00ject\n", "Sub", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parseCommit([]byte(c.raw))
			if m.subject != c.subject || m.body != c.body {
				t.Errorf("have %q, %q; want %q, %q", m.subject, m.body, c.subject, c.body)
			}
		})
	}
}

func FuzzParseCommit(f *testing.F) {
	f.Add([]byte("tree 1\nencoding ISO-8859-1\n\nl'\xe9t\xe9\n\nBody"))
	f.Add([]byte("\n\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := parseCommit(raw)
		if !utf8.ValidString(m.subject) || !utf8.ValidString(m.body) || strings.Contains(m.subject, "\n") {
			t.Errorf("have %q, %q; want UTF-8 and a subject of one line", m.subject, m.body)
		}
	})
}

func FuzzParseChanges(f *testing.F) {
	f.Add([]byte("c1\x00:100644 100644 a b M\x00path\nwith feed\x00:100644 000000 a b D\x00:looks like a record\x00c2\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		changes, err := parseChanges(out)
		if err != nil && changes != nil {
			t.Error("have changes and an error, want one of the two")
		}
	})
}

func FuzzParseTree(f *testing.F) {
	f.Add([]byte("100644 blob 1\ta b\x00120000 blob 2\tln\x00160000 commit 3\tsub\x00"))
	f.Fuzz(func(t *testing.T, out []byte) {
		entries, err := parseTree(out)
		if err != nil && entries != nil {
			t.Error("have entries and an error, want one of the two")
		}
	})
}

func FuzzParseCases(f *testing.F) {
	f.Add([]byte(`{"id":"a","prompt":"p","commit":"1111111111111111111111111111111111111111","files":["a"],"created":0}` + "\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		cases, err := ParseCases("cases", text)
		if err != nil && cases != nil {
			t.Error("have cases and an error, want one of the two")
		}
	})
}

func TestParseChangesWithARecordAsPath(t *testing.T) {
	changes, err := parseChanges([]byte("c1\x00:100644 100644 a b M\x00:100644 100644 a b M\x00c2\x00"))
	if err != nil {
		t.Fatal(err)
	}
	if len(changes["c1"]) != 1 || changes["c1"][0].path != ":100644 100644 a b M" || changes["c2"] == nil {
		t.Errorf("have %v, want one change with that path, and c2 without any", changes)
	}
}

// TestOldestFirst: a diamond whose clocks lie, given in every rotation.
func TestOldestFirst(t *testing.T) {
	nodes := []node{
		{"m", 50, []string{"b", "c"}}, {"b", 90, []string{"a"}}, {"c", 20, []string{"a"}}, {"a", 100, nil}, {"z", 20, []string{"outside"}}, {"y", 20, nil},
	}
	for range nodes {
		var have []string
		for _, n := range oldestFirst(nodes) {
			have = append(have, n.id)
		}
		// y and z are older than a, equal in time; a must stand before its children; m comes last
		if diff := cmp.Diff([]string{"y", "z", "a", "c", "b", "m"}, have); diff != "" {
			t.Error(diff)
		}
		nodes = append(slices.Clone(nodes[1:]), nodes[0])
	}
}

func TestSkipRules(t *testing.T) {
	rules, err := newSkipRules([]string{`^build\(deps\)`}, 25)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		subject, body string
		touched, gold int
		want          Reason
	}{
		{"Fix it", "", 1, 1, ""},
		{"chore(deps): bump", "", 99, 0, Dependency}, // the first reason that holds counts
		{"build(deps): bump", "", 1, 1, Dependency},
		{"Revert \"x\"", "", 99, 0, Revert},
		{"revert!: x", "", 1, 1, Revert},
		{"Undo", "Text\nThis reverts commit 0123abcd.\n", 1, 1, Revert},
		{"Undo", "We say: This reverts commit 0123abcd", 1, 1, ""},
		{"Undo", "This reverts commit policies", 1, 1, ""},
		{"Large", "", 26, 1, TooLarge},
		{"Just fits", "", 25, 1, ""},
		{" ", "", 1, 1, EmptySubject},
		{"Adds", "", 1, 0, NoGold},
	} {
		if have := rules.reason(message{c.subject, c.body}, c.touched, c.gold); have != c.want {
			t.Errorf("%q %q: have %q, want %q", c.subject, c.body, have, c.want)
		}
	}
	if _, err := newSkipRules([]string{"("}, 25); err == nil {
		t.Error("a pattern that is none: have no error, want one")
	}
}
