package tables

import (
	"fmt"
	"strings"
)

// A LaTeXPage is how much room a float has. The zero LaTeXPage has no limits.
type LaTeXPage struct {
	// Width is the width of the text, in digits of the size the table is set in.
	Width int
	// Lines is how many lines of a table stand in one float.
	Lines int
}

// ArticlePage is a column of the article class (345 pt wide), at \footnotesize,
// where a digit is 4.25 pt wide.
var ArticlePage = LaTeXPage{Width: 81, Lines: 44}

// LaTeX writes the tabular alone, to be put into a float of the author's own. It
// needs the package booktabs and no other.
//
// A cell's interval, coverage or reason stands below its value, as papers print
// it, so that columns stay narrow. A table that is wider than the page becomes
// several tabulars below one another that repeat the stubs: that needs neither
// rotated pages nor packages, and shrinking text to unreadable size is no answer.
func LaTeX(g Grid, page LaTeXPage) []byte {
	var blocks []string
	for _, b := range latexBlocks(g, LaTeXPage{Width: page.Width}) {
		blocks = append(blocks, b.text)
	}
	return []byte(strings.Join(blocks, latexBetween))
}

// latexBetween separates tabulars that stand below one another.
const latexBetween = "\n\\par\\medskip\n\n"

// LaTeXFloat writes the table as a float with caption, label and notes. Rows or
// panels that do not fit into one float go to further ones under the same number.
func LaTeXFloat(g Grid, page LaTeXPage) []byte {
	var b strings.Builder
	b.WriteString("% needs \\usepackage{booktabs}\n")
	floats := latexFloats(latexBlocks(g, page), page.Lines)
	for i, blocks := range floats {
		b.WriteString("\\begin{table}[tbp]\n")
		caption := latexText(g.Title + ".")
		if i > 0 {
			b.WriteString("\\addtocounter{table}{-1}\n")
			caption = latexText(g.Title + " (continued).")
		} else if g.Caption != "" {
			caption += " " + latexText(g.Caption)
		}
		b.WriteString("\\caption{" + caption + "}\n")
		if i == 0 {
			b.WriteString("\\label{tab:" + latexLabel(g.Name) + "}\n")
		}
		b.WriteString("\\smallskip\\centering\n")
		if text := g.emptySentence(); text != "" {
			b.WriteString(latexText(text) + "\n\\par\\medskip\n")
		}
		b.WriteString(strings.Join(blocks, latexBetween))
		if i == len(floats)-1 {
			b.WriteString(latexNotes(g))
		}
		b.WriteString("\\end{table}\n")
	}
	return []byte(b.String())
}

// latexNotes are the notes and the lineage line below a table.
func latexNotes(g Grid) string {
	var b strings.Builder
	for _, note := range append(g.notes(), g.Lineage) {
		if note != "" {
			b.WriteString("\\par " + latexText(note) + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\\par\\smallskip\n\\begin{minipage}{\\linewidth}\\scriptsize\\raggedright\n" + b.String() + "\\end{minipage}\n"
}

// A latexBlock is one tabular and the number of its lines.
type latexBlock struct {
	text  string
	lines int
}

// latexFloats distributes tabulars over floats of at most the given lines.
func latexFloats(blocks []latexBlock, limit int) [][]string {
	var floats [][]string
	used := 0
	for _, b := range blocks {
		if len(floats) == 0 || limit > 0 && used+b.lines > limit {
			floats, used = append(floats, nil), 0
		}
		floats[len(floats)-1] = append(floats[len(floats)-1], b.text)
		used += b.lines + 1
	}
	return floats
}

// latexBlocks makes the tabulars of a grid: its panels, each cut at the lines of
// the page.
func latexBlocks(g Grid, page LaTeXPage) []latexBlock {
	const columnGap = 2 // \tabcolsep of 4 pt on both sides, in digits
	l := laidOut(g, minusSign, page.Width/2, latexWidth)
	room := make([]int, len(l.widths))
	for i, w := range l.widths {
		room[i] = w + columnGap
	}
	var blocks []latexBlock
	for _, panel := range panels(g.Columns, room, page.Width) {
		for from := 0; from == 0 || from < len(l.body); {
			block, next := latexTabular(g, l, panel, from, page.Lines)
			blocks = append(blocks, block)
			from = max(next, from+1)
		}
	}
	return blocks
}

// latexTabular makes one tabular of a panel's columns and the rows from a given
// one to as many as fit, and says which row is next.
func latexTabular(g Grid, l layout, panel []int, from, limit int) (latexBlock, int) {
	var b strings.Builder
	b.WriteString("\\noindent{\\footnotesize\\setlength{\\tabcolsep}{4pt}%\n")
	b.WriteString("\\begin{tabular}{@{}" + latexAlign(g.Columns, panel) + "@{}}\n\\toprule\n")
	used := latexHead(&b, g.Columns, l, panel)
	b.WriteString("\\midrule\n")
	row := from
	for ; row < len(l.body); row++ {
		n := max(height(l.body[row], panel), 1)
		if limit > 0 && row > from && used+n > limit {
			break
		}
		if g.Rows[row].Rule && row > from {
			b.WriteString("\\midrule\n")
		} else if row > from && n > 1 {
			b.WriteString("\\addlinespace\n")
		}
		for line := range n {
			b.WriteString(latexLine(l.body[row], panel, line))
		}
		used += n
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
	return latexBlock{b.String(), used}, row
}

// latexAlign is the column specification.
func latexAlign(columns []Column, panel []int) string {
	var b strings.Builder
	for _, i := range panel {
		b.WriteString(map[Align]string{Left: "l", Right: "r", Center: "c"}[columns[i].align()])
	}
	return b.String()
}

// latexHead writes the heads, below those of their groups, and says how many
// lines they take.
func latexHead(b *strings.Builder, columns []Column, l layout, panel []int) int {
	used := height(l.heads, panel)
	if groups := spans(columns, panel); groups != nil {
		var heads []string
		rules := ""
		for _, s := range groups {
			if s.group == "" {
				heads = append(heads, "")
				continue
			}
			heads = append(heads, fmt.Sprintf("\\multicolumn{%d}{c}{%s}", s.last-s.first+1, latexText(s.group)))
			rules += fmt.Sprintf("\\cmidrule(lr){%d-%d}", s.first+1, s.last+1)
		}
		b.WriteString(strings.Join(heads, " & ") + " \\\\\n" + rules + "\n")
		used++
	}
	for line := range height(l.heads, panel) {
		b.WriteString(latexLine(l.heads, panel, line))
	}
	return used
}

// latexLine is one line of the cells of a panel. An empty group keeps a [ or *
// at its beginning from being taken for an argument of the line end before it.
func latexLine(cells [][]string, panel []int, line int) string {
	var texts []string
	for _, i := range panel {
		text := ""
		if line < len(cells[i]) {
			text = latexText(cells[i][line])
		}
		texts = append(texts, text)
	}
	joined := strings.Join(texts, " & ")
	if strings.HasPrefix(joined, "[") || strings.HasPrefix(joined, "*") {
		joined = "{}" + joined
	}
	return joined + " \\\\\n"
}
