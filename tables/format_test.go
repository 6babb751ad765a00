package tables

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/internal/golden"
)

func TestGolden(t *testing.T) {
	empty := sample()
	empty.Number, empty.Name, empty.Rows = 0, "empty", nil
	empty.Empty = "No run has an index; index_build events would fill this table."
	for _, g := range []Grid{sample(), empty} {
		if err := g.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats {
			for _, f := range format.Files(g) {
				golden.Compare(t, f.Name, f.Bytes)
			}
		}
	}
	golden.Compare(t, "4.narrow.txt", Screen(sample(), Terminal{Width: 60, Color: true}))
}

func Example() {
	g := Grid{
		Name: "resolved", Title: "Resolved tasks",
		Columns: []Column{
			{Key: "harness", Heading: "harness", Kind: KindText, Stub: true},
			{Key: "resolved_at_1", Heading: "resolved", Kind: KindRate, Format: NumberFormat{Digits: 3}},
		},
		Rows: []Row{
			{Key: RowKey("a"), Cells: []Cell{Show(Text("a")), Show(Rate{Numerator: 7, Denominator: 17, Excluded: 2})}},
			{Key: RowKey("b"), Cells: []Cell{Show(Text("b")), NotApplicable("not planned")}},
		},
	}
	if err := g.Validate(); err != nil {
		fmt.Println(err)
	}
	fmt.Print(string(CSV(g)))
	// Output:
	// row,harness,resolved_at_1,resolved_at_1_numerator,resolved_at_1_denominator,resolved_at_1_excluded,resolved_at_1_missing,resolved_at_1_absent,resolved_at_1_low,resolved_at_1_high,resolved_at_1_interval_why,resolved_at_1_bound_low,resolved_at_1_bound_high,resolved_at_1_state,resolved_at_1_why
	// a,a,0.4117647058823529,7,17,2,0,0,,,,0.3684210526315789,0.47368421052631576,value,
	// b,b,,,,,,,,,,,,not_applicable,not planned
}

// TestHTMLPage: the file can be opened as it is: it says its encoding, without which
// a browser would guess at the minus signs, and holds the fragment.
func TestHTMLPage(t *testing.T) {
	g := sample()
	g.Title = "A < B & “C”"
	page := string(HTMLPage(g))
	for _, want := range []string{"<!doctype html>\n", `<meta charset="utf-8">`, "<title>Table 4. A &lt; B &amp; “C”</title>", string(HTML(g))} {
		if !strings.Contains(page, want) {
			t.Errorf("have\n%s\nwant in it %s", page, want)
		}
	}
}
