package tables

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// parseMarkdown reads the one table of a Markdown text back with a parser of
// GitHub's dialect: its rows, the head first, as the texts of their cells. It
// fails if there is anything but the table and paragraphs.
func parseMarkdown(t *testing.T, source []byte) [][]string {
	t.Helper()
	document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	var table [][]string
	for block := document.FirstChild(); block != nil; block = block.NextSibling() {
		switch block.Kind() {
		case ast.KindParagraph:
			inlineText(t, block, source)
		case east.KindTable:
			if table != nil {
				t.Fatalf("have a second table in\n%s", source)
			}
			for row := block.FirstChild(); row != nil; row = row.NextSibling() {
				cells := []string{}
				for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
					cells = append(cells, inlineText(t, cell, source))
				}
				table = append(table, cells)
			}
		default:
			t.Fatalf("have a block of kind %s in\n%s", block.Kind(), source)
		}
	}
	return table
}

// inlineText is the text of a block as a reader sees it. Only the title may be
// bold; an address may become a link, as it reads the same.
func inlineText(t *testing.T, block ast.Node, source []byte) string {
	t.Helper()
	var b strings.Builder
	err := ast.Walk(block, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(n.Segment.Value(source)))))
			if n.SoftLineBreak() {
				b.WriteByte('\n')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.RawHTML:
			if tag := string(n.Segments.Value(source)); tag != "<br>" {
				t.Errorf("have the tag %q in\n%s", tag, source)
			}
			b.WriteByte('\n')
		case *ast.AutoLink:
			b.Write(n.Label(source))
		case *ast.Emphasis:
			if n.Level != 2 || n.PreviousSibling() != nil {
				t.Errorf("have emphasis in\n%s", source)
			}
		default:
			if n != block {
				t.Errorf("have %s in\n%s", n.Kind(), source)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// latexUnescaped finds where a character stands that no backslash precedes.
func latexUnescaped(s string, special byte) []int {
	var at []int
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case special:
			at = append(at, i)
		}
	}
	return at
}

// checkLaTeX fails unless every brace is closed, every line is ASCII, every row
// has a cell a column (of which 0 is any number), and no character means more than latex.go gives it.
func checkLaTeX(t *testing.T, source string, columns int) {
	t.Helper()
	depth := 0
	for _, line := range strings.Split(source, "\n") {
		if strings.HasPrefix(line, "% ") || line == "" {
			continue
		}
		for _, r := range line {
			if r > '~' || r < ' ' {
				t.Fatalf("have %q in %s", r, line)
			}
		}
		opened, closed := len(latexUnescaped(line, '{')), len(latexUnescaped(line, '}'))
		if depth += opened - closed; depth < 0 {
			t.Fatalf("have more } than {: %s", line)
		}
		row := strings.HasSuffix(line, ` \\`)
		if amps := len(latexUnescaped(line, '&')); columns > 0 && row && amps != columns-1 || !row && amps > 0 {
			t.Fatalf("have %d unescaped &, want %d: %s", amps, columns-1, line)
		}
		body := strings.ReplaceAll(strings.TrimSuffix(line, "%"), `\ensuremath{^`, "")
		for _, special := range []byte("%#$_^~") {
			if at := latexUnescaped(body, special); len(at) > 0 && special != '~' {
				t.Fatalf("have an unescaped %c: %s", special, line)
			}
		}
		if row && (strings.HasPrefix(line, "[") || strings.HasPrefix(line, "*")) {
			t.Fatalf("have an argument of the line end before: %s", line)
		}
	}
	if depth != 0 {
		t.Fatalf("have %d braces open at the end", depth)
	}
}

// checkFormats fails if a text, put everywhere a text can stand, breaks a format.
func checkFormats(t *testing.T, s string) {
	t.Helper()
	g := small([]string{s, "b"}, []string{s, "x"}, []string{"y", s})
	g.Title, g.Caption, g.Notes, g.Lineage = s, s, []string{s}, s
	g.Columns[1].Unit, g.Columns[1].Group = s, s
	g.Rows[1].Cells[0] = NotEstimable(s + "?")
	valid := strings.ToValidUTF8(s, "\uFFFD")

	fields, err := csv.NewReader(bytes.NewReader(CSV(g))).ReadAll()
	if err != nil || len(fields) != 3 {
		t.Fatalf("csv: have %d records, %v", len(fields), err)
	}
	// The reader of the standard library turns CR LF inside quotes into LF.
	if got, want := strings.TrimPrefix(fields[1][1], "'"), strings.ReplaceAll(strings.TrimPrefix(inert(s), "'"), "\r\n", "\n"); got != want {
		t.Fatalf("csv: have %q, want %q", got, want)
	}
	if f := fields[1][1]; f != "" && strings.ContainsRune("=+-@\t\r", rune(f[0])) {
		t.Fatalf("csv: have a formula in %q", f)
	}

	var doc struct {
		Title string
		Rows  []struct {
			Cells map[string]struct{ Value, Why *string }
		}
	}
	if err := json.Unmarshal(JSON(g), &doc); err != nil {
		t.Fatalf("json: %v", err)
	}
	if doc.Title != valid || *doc.Rows[0].Cells["ca"].Value != valid || *doc.Rows[1].Cells["ca"].Why != valid+"?" {
		t.Fatalf("json: have %+v, want %q", doc, valid)
	}

	table := parseMarkdown(t, Markdown(g))
	if len(table) != 3 || slices.ContainsFunc(table, func(row []string) bool { return len(row) != 2 }) {
		t.Fatalf("markdown: have %q", table)
	}
	want := strings.ReplaceAll(strings.ReplaceAll(visible(s), "\r\n", "\n"), "\r", "\n")
	if got := flat(table[1][0]); got != flat(want) {
		t.Fatalf("markdown: have %q, want %q", got, flat(want))
	}

	checkLaTeX(t, string(LaTeXFloat(g, LaTeXPage{})), 2)
	checkLaTeX(t, string(LaTeXFloat(g, LaTeXPage{Width: 30, Lines: 8})), 0)
	for _, r := range string(Screen(g, Terminal{Width: 30})) {
		if r != '\n' && hidden(r) {
			t.Fatalf("screen: have %q", r)
		}
	}
	checkHTML(t, HTML(g))
}

// flat is a text with the blanks around its lines taken off, as Markdown does.
func flat(s string) string {
	all := lines(s)
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

// checkHTML fails unless the fragment is balanced and has no element but its own.
func checkHTML(t *testing.T, source []byte) {
	t.Helper()
	own := strings.Fields("figure table caption strong thead tbody tr th td small br figcaption p")
	d := xml.NewDecoder(bytes.NewReader(bytes.ReplaceAll(source, []byte("<br>"), []byte("<br/>"))))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("html: %v in\n%s", err, source)
		}
		if e, ok := token.(xml.StartElement); ok && !slices.Contains(own, e.Name.Local) {
			t.Fatalf("html: have <%s> in\n%s", e.Name.Local, source)
		}
	}
}

// hostile are texts that broke table writers, or could.
var hostile = []string{
	"", " ", "a|b", `a\|b`, `\`, `\\`, `a\`, "`x|y`", "``", "a`b", "***", "_a_", "__a__ _b", "~~x~~", "$x$", "[a](b)", "![a](b)", "[^1]",
	"[a]: b", "# h", "- x", "+ x", "1. x", "1) x", "> x", "---", "===", "```", "~~~", "<b>", "&amp;", "&#124;", "&lt", "a&b;", "a\nb", "a\r\nb",
	"a\rb", "\n", "|", "||", "| --- |", "=1+1", "+1", "-1", "@x", "\tx", "'x", "''x", "=cmd|'/c calc'!A0", `\input{/etc/hostname}`, "50%", "{", "}", "}{",
	"[0.1]", "*", "--flag", "''", ",,", "ä", "ą", "中文", "é", "\u202eabc", "\x1b[31m", "\x00", "\xff", "😀", "a\u0301\u0302", "http://a.b/c_d_e", "www.x.y", "x@y.z",
	"<br>", "<script>alert(1)</script>", "-->", "]]>", "Total_%", "\u2028", "ﬀ", "\u200d", "^^M", "a\u00a0b", "\\char`\\%", "&copy;", "\\_", "_\\_", "C #", "\u0085",
}

func TestAnyTextLeavesEveryFormatWellFormed(t *testing.T) {
	for _, s := range hostile {
		t.Run("", func(t *testing.T) { checkFormats(t, s) })
	}
}

func FuzzFormats(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if utf8.RuneCountInString(s) < 200 {
			checkFormats(t, s)
		}
	})
}

// Every number comes back from CSV and JSON with the value it went in with.
func FuzzNumbers(f *testing.F) {
	f.Add(0.1, 0.2, int64(3))
	f.Fuzz(func(t *testing.T, a, b float64, n int64) {
		g := Grid{Name: "n", Columns: []Column{{Key: "x", Kind: KindInterval}, {Key: "y", Kind: KindNumber}}}
		if !(a <= b) || a-a != 0 || b-b != 0 {
			return
		}
		g.Rows = []Row{{Key: "r", Cells: []Cell{Show(Interval{Float(a), Float(b)}), Show(Int(n))}}}
		if err := g.Validate(); err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Rows []struct {
				Cells struct {
					X struct{ Low, High float64 }
					Y struct{ Value int64 }
				}
			}
		}
		if err := json.Unmarshal(JSON(g), &doc); err != nil {
			t.Fatal(err)
		}
		want := []string{"r", Float(a).Exact(), Float(b).Exact(), "value", "", Int(n).Exact(), "value", ""}
		if fields, err := csv.NewReader(bytes.NewReader(CSV(g))).ReadAll(); err != nil || !slices.Equal(fields[1], want) {
			t.Fatalf("csv: have %q, %v, want %q", fields, err, want)
		}
		if c := doc.Rows[0].Cells; c.X.Low != a || c.X.High != b || c.Y.Value != n {
			t.Fatalf("have %+v, want %v %v %d", c, a, b, n)
		}
	})
}
