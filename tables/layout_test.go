package tables

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  []string
	}{
		{"", 10, nil},
		{"one two", 0, []string{"one two"}},
		{"one two three", 7, []string{"one two", "three"}},
		{"a\n\nb", 7, []string{"a", "b"}},
		{"0.412 (7/17, 2 excl.)", 16, []string{"0.412", "(7/17, 2 excl.)"}},
		{"[0.2, 0.6] (n = 12)", 12, []string{"[0.2, 0.6]", "(n = 12)"}},
		{"(no end here", 8, []string{"(no end", "here"}},
		{"retriever=bm25,packing=none", 16, []string{"retriever=bm25,", "packing=none"}},
		{"abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"中文中文", 4, []string{"中文", "中文"}},
		{"中文", 1, []string{"中", "文"}},
		{"10\u202f000 20\u202f000", 7, []string{"10\u202f000", "20\u202f000"}},
	} {
		if got := wrapped(c.text, c.limit, width); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q to %d: have %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}

// No line of a table is wider than the terminal, unless a single column and its
// row names are.
func TestScreenFits(t *testing.T) {
	for _, page := range []int{60, 80, 100, 132, 200} {
		for _, g := range []Grid{sample(), wide(3)} {
			for _, line := range lines(string(Screen(g, Terminal{Width: page}))) {
				if width(line) > page {
					t.Errorf("width %d: have %d: %s", page, width(line), line)
				}
			}
		}
	}
}

// Stubs that take much of the page stay side by side where the table fits all the
// same: below one another, each row would take a line a stub.
func TestStubsOfANarrowTable(t *testing.T) {
	g := Grid{Name: "x", Title: "X", Columns: []Column{{Key: "a", Heading: "harness", Kind: KindText, Stub: true},
		{Key: "b", Heading: "what", Kind: KindText, Stub: true}, {Key: "n", Heading: "runs", Kind: KindNumber}}}
	g.Rows = []Row{{Key: "r", Cells: []Cell{Show(Text("(no harness)")), Show(Text("unidentified: manifest_missing")), Show(Int(2))}}}
	if have := string(Screen(g, Terminal{Width: 60})); !strings.Contains(have, "(no harness)  unidentified: manifest_missing     2") {
		t.Errorf("60 columns: have\n%s\nwant one line a row", have)
	}
}

func TestListing(t *testing.T) {
	g := Listing([]string{"task", "n", "ok"}, [][]Scalar{
		{String("a|b"), Real(0.1), Truth(true)}, {Null(), Integer(10), Null()}, {String("c"), Real(math.NaN()), Truth(false)},
	})
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	want := `| task |   n | ok    |
| ---- | ---:| ----- |
| a\\|b | 0.1 | true  |
| NULL |  10 | NULL  |
| c    | NaN | false |
`
	want = strings.ReplaceAll(want, `\\|`, `\|`)
	if got := string(Markdown(g)); got != want {
		t.Errorf("have\n%swant\n%s", got, want)
	}
	want = `
━━━━━━━━━━━━━━━━
task    n  ok
────────────────
a|b   0.1  true
NULL   10  NULL
c     NaN  false
━━━━━━━━━━━━━━━━
`
	if got := string(Screen(g, Terminal{})); got != want[1:] {
		t.Errorf("have\n%swant\n%s", got, want)
	}
}

// TestHeadsKeepTheirWords: a head is broken within a word only where the table is
// too wide otherwise.
func TestHeadsKeepTheirWords(t *testing.T) {
	g := Listing([]string{"resolved_at_1", "first_gold_reached"}, [][]Scalar{{Integer(0), Integer(1)}})
	for _, c := range []struct {
		width int
		want  string
	}{{160, "resolved_at_1  first_gold_reached"}, {0, "resolved_at_1  first_gold_reached"}, {30, "resolved_at_  first_gold_"}} {
		if have := strings.Split(string(Screen(g, Terminal{Width: c.width})), "\n")[1]; have != c.want {
			t.Errorf("width %d: have head %q, want %q", c.width, have, c.want)
		}
	}
}
