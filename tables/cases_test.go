package tables

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caseFile reads a file of the cases, a set of public bug reports that stands
// outside of the project; ASSAY_CASES names its folder.
func caseFile(t *testing.T, name string, into any) {
	t.Helper()
	root := os.Getenv("ASSAY_CASES")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "cases")
	}
	b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		t.Skipf("the cases are not here (%s); set ASSAY_CASES to their folder", root)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func TestCase118LaTeXSpecialCharacters(t *testing.T) {
	var texts []string
	var want struct{ Expect struct{ Expected []string } }
	caseFile(t, "118-latex-special-characters/input/cells.json", &texts)
	caseFile(t, "118-latex-special-characters/expected.json", &want)
	for i, text := range texts {
		if got := latexText(text); got != want.Expect.Expected[i] {
			t.Errorf("%q: have %s, want %s", text, got, want.Expect.Expected[i])
		}
	}
	row := make([]string, len(texts))
	copy(row, texts)
	for _, line := range strings.Split(string(LaTeX(small(texts, row), LaTeXPage{})), "\n") {
		if !strings.HasSuffix(line, `\\`) {
			continue
		}
		if got := len(latexUnescaped(line, '&')); got != len(texts)-1 {
			t.Errorf("have %d unescaped &, want %d: %s", got, len(texts)-1, line)
		}
	}
}

func TestCase120HeadersCaptionsNotes(t *testing.T) {
	var input struct {
		Columns       []string
		Caption, Note string
		Rows          [][]string
	}
	var want struct {
		Expect struct {
			LaTeXContains   []string `json:"latex_contains"`
			MarkdownColumns int      `json:"markdown_columns"`
		}
	}
	caseFile(t, "120-headers-captions-notes/input/table.json", &input)
	caseFile(t, "120-headers-captions-notes/expected.json", &want)
	g := small(input.Columns, input.Rows...)
	g.Name, g.Caption, g.Notes = "study_arm R&D", input.Caption, []string{input.Note}
	latex := string(LaTeXFloat(g, ArticlePage))
	for _, s := range append(want.Expect.LaTeXContains, `\label{tab:study-arm-R-D}`) {
		if !strings.Contains(latex, s) {
			t.Errorf("have no %q in\n%s", s, latex)
		}
	}
	for _, row := range parseMarkdown(t, Markdown(g)) {
		if len(row) != want.Expect.MarkdownColumns {
			t.Errorf("have %d Markdown cells, want %d", len(row), want.Expect.MarkdownColumns)
		}
	}
	head := small([]string{input.Caption})
	markdown := string(Markdown(head))
	for _, s := range []string{`R&D \| study_arm`} {
		if !strings.Contains(markdown, s) {
			t.Errorf("have no %q in\n%s", s, markdown)
		}
	}
	if got := string(Markdown(g)); !strings.Contains(got, "| recall@5_% |") {
		t.Errorf("have no head recall@5_%% in\n%s", got)
	}
}

func TestCase121MarkdownPipesAndLineFeeds(t *testing.T) {
	var texts []string
	var want struct {
		Expect struct {
			Columns int      `json:"columns_per_row"`
			Rows    int      `json:"rows"`
			Inert   []string `json:"html_must_be_inert"`
		}
	}
	caseFile(t, "121-markdown-pipes-and-line-feeds/input/cells.json", &texts)
	caseFile(t, "121-markdown-pipes-and-line-feeds/expected.json", &want)
	var rows [][]string
	for _, text := range texts {
		rows = append(rows, []string{text, "x"})
	}
	markdown := Markdown(small([]string{"first", "second"}, rows...))
	table := parseMarkdown(t, markdown)[1:]
	if len(table) != want.Expect.Rows {
		t.Fatalf("have %d rows, want %d", len(table), want.Expect.Rows)
	}
	for i, row := range table {
		if len(row) != want.Expect.Columns {
			t.Errorf("%q: have %d cells, want %d", texts[i], len(row), want.Expect.Columns)
		} else if row[0] != strings.TrimSpace(texts[i]) {
			t.Errorf("have %q, want %q", row[0], texts[i])
		}
	}
	for _, html := range want.Expect.Inert {
		if strings.Contains(string(markdown), html) {
			t.Errorf("have %q as it is, want it inert", html)
		}
	}
}

// Case 32: a mean over one query, of which another has no gold, prints as a rate
// over what was observed, and nothing that is NaN gets out of a query.
func TestCase032NaNVersusNull(t *testing.T) {
	var want struct {
		Expect struct {
			Mean struct {
				Value                  float64
				Numerator, Denominator int64
				Missing                map[string]int64
			}
		}
	}
	caseFile(t, "032-nan-versus-null-downstream/expected.json", &want)
	m := want.Expect.Mean
	rate := Rate{Numerator: m.Numerator, Denominator: m.Denominator, Missing: m.Missing["no_gold"]}
	if rate.value() != Float(m.Value) {
		t.Errorf("have %s, want %v", rate.value().Exact(), m.Value)
	}
	if got := Show(rate).print(NumberFormat{Digits: 3}, minusASCII).line(); got != "1.000 (1/1, 1 excl.)" {
		t.Errorf("have %q", got)
	}
}
