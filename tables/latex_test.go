package tables

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// wide is a table of the width of the fourth paper table: three stubs and twenty
// columns, with long names.
func wide(rows int) Grid {
	g := Grid{Number: 4, Name: "wide", Title: "A wide table", Caption: "Panels repeat the stubs.", Lineage: "dataset 0123abcd"}
	for _, key := range []string{"harness", "model", "treatment"} {
		g.Columns = append(g.Columns, Column{Key: key, Heading: key, Kind: KindText, Stub: true})
	}
	three := NumberFormat{Digits: 3}
	g.Columns = append(g.Columns,
		Column{Key: "resolved_at_1", Heading: "resolved@1", Group: "correctness", Kind: KindRate, Format: three},
		Column{Key: "difference", Heading: "difference to the baseline", Group: "correctness", Kind: KindEstimate, Format: NumberFormat{Digits: 3, Signed: true}},
		Column{Key: "p", Heading: "Holm p", Group: "correctness", Kind: KindPValue},
		Column{Key: "regressions", Heading: "regressions", Group: "correctness", Kind: KindRate, Format: three},
		Column{Key: "patch_applied", Heading: "patch applied", Group: "correctness", Kind: KindRate, Format: three})
	for i := range 15 {
		g.Columns = append(g.Columns, Column{Key: fmt.Sprintf("amount_%d", i), Heading: fmt.Sprintf("amount %d", i), Unit: "10³",
			Group: fmt.Sprintf("group %d", i/4), Kind: KindQuartiles, Format: NumberFormat{Digits: 1, Shift: 3, Thousands: true}})
	}
	for r := range rows {
		rate := Show(Rate{Numerator: 120, Denominator: 291, Excluded: 6, Absent: 3, Interval: Limits{Low: Float(0.2), High: Float(0.6)}})
		cells := []Cell{Show(Text("mini-swe-agent")), Show(Text("claude-opus-4-20250514")), Show(Text(fmt.Sprintf("retriever=bm25+dense,packing=signature,k=%d", r))),
			rate, Show(Estimate{Value: Float(-0.1), Interval: Limits{Low: Float(-0.3), High: Float(0.1)}}), Show(PValue{P: Float(1e-5)}), rate, rate}
		for range 15 {
			cells = append(cells, Show(Quartiles{Median: Int(1234567), Q1: Int(234567), Q3: Int(34567890), Coverage: Coverage{33, 56, true}}))
		}
		g.Rows = append(g.Rows, Row{Key: RowKey("r", fmt.Sprint(r)), Cells: cells})
	}
	return g
}

// Every table compiles with pdflatex and booktabs alone, and nothing sticks out
// into the margin of an article.
func TestLaTeXCompiles(t *testing.T) {
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed")
	}
	var rows [][]string
	for _, s := range hostile {
		rows = append(rows, []string{s, strings.Repeat(s, 30)})
	}
	for _, r := range []rune{0x20, 0x60, 0xA0, 0xE0, 0x120, 0x160, 0x1E00, 0x391, 0x3B1, 0x2010, 0x2190, 0x2200, 0x2240, 0x4E00} {
		var all strings.Builder
		for i := range rune(64) {
			all.WriteRune(r + i)
		}
		rows = append(rows, []string{fmt.Sprintf("U+%04X", r), all.String()})
	}
	all := small([]string{`\head_%`, "text"}, rows...)
	all.Title, all.Caption, all.Notes = "R&D | 50% _ #", strings.Join(hostile, " "), hostile[:20]
	talkative := small([]string{"text"}, []string{"a"})
	talkative.Name, talkative.Title = "talkative", "A table of many notes"
	for range 70 { // two pages
		talkative.Notes = append(talkative.Notes, strings.Repeat("What a referee wants to know. ", 6))
	}
	folder := t.TempDir()
	document := "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
	for _, g := range []Grid{sample(), all, talkative, wide(8), {Name: "none", Columns: wide(0).Columns}} {
		for _, f := range FormatLaTeX.Files(g) {
			name := g.Name + "-" + f.Name
			if err := os.WriteFile(filepath.Join(folder, name), f.Bytes, 0o644); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(name, ".float.") || len(g.Rows) < 10 {
				document += "\\input{" + name + "}\n\\clearpage\n"
			}
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "all.tex"), []byte(document+"\\end{document}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all.tex")
	command.Dir = folder
	command.Env = append(os.Environ(), "TEXMFVAR="+filepath.Join(folder, "var"), "TEXMFCACHE="+filepath.Join(folder, "var")) // fonts are made there
	out, err := command.CombinedOutput()
	if lacks := regexp.MustCompile(`(?m)^! LaTeX Error: File .* not found|Font \S+ at \d+ not`).Find(out); err != nil && lacks != nil {
		t.Skipf("pdflatex lacks a part: %s", lacks)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, complaint := range regexp.MustCompile(`(?m)^(!|Overfull|LaTeX Warning: Float too|Missing character).*$`).FindAllString(string(out), -1) {
		t.Error(complaint)
	}
	if keep := os.Getenv("ASSAY_KEEP_PDF"); keep != "" {
		if b, err := os.ReadFile(filepath.Join(folder, "all.pdf")); err == nil {
			os.WriteFile(keep, b, 0o644)
		}
	}
}

func TestPanels(t *testing.T) {
	columns := []Column{{Key: "s", Stub: true}, {Group: "g"}, {Group: "g"}, {}, {Group: "h"}, {Group: "h"}, {Group: "h"}}
	widths := []int{10, 20, 20, 20, 30, 30, 30}
	for _, c := range []struct {
		limit int
		want  string
	}{
		{0, "[[0 1 2 3 4 5 6]]"},
		{200, "[[0 1 2 3 4 5 6]]"},
		{70, "[[0 1 2 3] [0 4 5] [0 6]]"}, // the group h is wider than any panel: as many of it as fit
		{110, "[[0 1 2 3] [0 4 5 6]]"},
		{15, "[[0 1] [0 2] [0 3] [0 4] [0 5] [0 6]]"}, // nothing fits: a column each
	} {
		if got := fmt.Sprint(panels(columns, widths, c.limit)); got != c.want {
			t.Errorf("limit %d: have %s, want %s", c.limit, got, c.want)
		}
	}
}

// TestColumnsThatApplyToNothing: a column without a cell that applies is left out of
// a page and named in a note; one that is missing everywhere stays, and so does a
// column of the file for programs.
func TestColumnsThatApplyToNothing(t *testing.T) {
	g := Grid{Name: "arms", Title: "Arms", Columns: []Column{{Key: "arm", Heading: "arm", Kind: KindText, Stub: true},
		{Key: "rate", Heading: "rate", Kind: KindRate}, {Key: "cost", Heading: "cost", Unit: "USD", Group: "money", Kind: KindNumber}, {Key: "calls", Heading: "calls", Kind: KindNumber}},
		Rows: []Row{{Key: "a", Cells: []Cell{Show(Text("a")), {State: StateNotApplicable}, {State: StateNotApplicable}, {State: StateMissing}}},
			{Key: "b", Cells: []Cell{Show(Text("b")), {State: StateNotApplicable}, {State: StateNotApplicable}, {State: StateMissing}}}}}
	float := string(LaTeXFloat(g, ArticlePage))
	for _, want := range []string{"arm & calls \\\\\n", "Left out, as nothing in them applies to any row: rate, money: cost (USD).", "missing (not observed"} {
		if !strings.Contains(float, want) {
			t.Errorf("have\n%s\nwant %q in it", float, want)
		}
	}
	if strings.Contains(float, "not applicable") {
		t.Errorf("have\n%s\nwant no legend of a mark that does not stand there", float)
	}
	if text := string(LaTeX(g, ArticlePage)); strings.Contains(text, "rate") {
		t.Errorf("have\n%s\nwant no column of which nothing applies", text)
	}
	if text := string(Markdown(g)); !strings.Contains(text, "rate") {
		t.Errorf("have\n%s\nwant every column", text)
	}
}
