package tables

import (
	"fmt"
	"strings"
)

// A LaTeXPage is how much room a float has. The zero LaTeXPage has no limits.
type LaTeXPage struct {
	// Width is how many digits stand side by side.
	Width int
	// Lines is how many lines of a table stand in one float.
	Lines int
}

// ArticlePage is a page of the article class at \footnotesize: 345 pt by 550 pt,
// digits of 4.25 pt, lines of 9.5 pt.
var ArticlePage = LaTeXPage{Width: 81, Lines: 48}

// LaTeX writes the tabular alone, to be put into a float of the author's own. It
// needs the package booktabs and no other.
//
// A cell's interval, coverage or reason stands below its value, as papers print
// it, so that columns stay narrow. A table that is wider than the page becomes
// several tabulars below one another that repeat the stubs: that needs neither
// rotated pages nor packages, and shrinking text to unreadable size is no answer.
// A column of which nothing applies to any row is left out.
func LaTeX(g Grid, page LaTeXPage) []byte {
	var blocks []string
	for _, b := range latexBlocks(g.applying(), LaTeXPage{Width: page.Width}) {
		blocks = append(blocks, b.text)
	}
	return []byte(strings.Join(blocks, latexBetween))
}

// latexBetween separates tabulars that stand below one another.
const latexBetween = "\n\\par\\medskip\n\n"

// LaTeXFloat writes the table as a float with caption, label and notes. Rows or
// panels that do not fit into one float go to further ones under the same number.
func LaTeXFloat(g Grid, page LaTeXPage) []byte {
	g = g.applying()
	blocks := latexBlocks(g, page)
	if text := g.emptySentence(); text != "" {
		blocks = append([]latexBlock{{latexText(text) + "\n", 1}}, blocks...)
	}
	blocks = append(blocks, latexNotes(g, page)...)
	caption := joined(latexText(g.Title+"."), latexText(g.Caption))
	var b strings.Builder
	b.WriteString("% needs \\usepackage{booktabs}\n")
	for i, texts := range latexFloats(blocks, paragraphLines(caption, page)*3/2, page.Lines) {
		if i > 0 && i%latexFloatsHeld == 0 {
			b.WriteString("\\clearpage\n")
		}
		b.WriteString("\\begin{table}[tbp]\n")
		if i == 0 {
			b.WriteString("\\caption{" + caption + "}\n\\label{tab:" + latexLabel(g.Name) + "}\n")
		} else {
			b.WriteString("\\addtocounter{table}{-1}\n\\caption{" + latexText(g.Title+" (continued).") + "}\n")
		}
		b.WriteString("\\smallskip\\centering\n" + strings.Join(texts, latexBetween) + "\\end{table}\n")
	}
	return []byte(b.String())
}

// latexFloatsHeld is how many floats follow one another before they are put out:
// LaTeX holds 18 and stops with an error at the next one.
const latexFloatsHeld = 8

// latexNotes are the notes and the lineage line below a table, in as many blocks
// as it takes for each to fit on a page.
func latexNotes(g Grid, page LaTeXPage) []latexBlock {
	var blocks []latexBlock
	for _, note := range append(g.notes(), g.Lineage) {
		text := latexText(note)
		if text == "" {
			continue
		}
		n := paragraphLines(text[:len(text)*3/4], page) // \scriptsize holds a third more than \footnotesize
		if last := len(blocks) - 1; last < 0 || page.Lines > 0 && blocks[last].lines+n > page.Lines*9/10 {
			blocks = append(blocks, latexBlock{})
		}
		b := &blocks[len(blocks)-1]
		b.text += "\\par " + text + "\n"
		b.lines += n
	}
	for i := range blocks {
		blocks[i].text = "\\noindent\\begin{minipage}{\\linewidth}\\scriptsize\\raggedright\n" + blocks[i].text + "\\end{minipage}\n"
	}
	return blocks
}

// paragraphLines is about how many lines a paragraph takes on a page.
func paragraphLines(text string, page LaTeXPage) int {
	if page.Width == 0 {
		return 1
	}
	return 1 + len(text)/page.Width
}

// A latexBlock is one tabular, or the notes, and the number of its lines.
type latexBlock struct {
	text  string
	lines int
}

// latexFloats distributes blocks over floats of at most the given lines, of which
// the caption has used some in the first.
func latexFloats(blocks []latexBlock, used, limit int) [][]string {
	floats := [][]string{nil}
	for _, b := range blocks {
		if last := len(floats) - 1; limit > 0 && used+b.lines > limit && floats[last] != nil {
			floats, used = append(floats, nil), 1
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
	l := laidOut(g, minusSign, page.Width, columnGap, latexWidth)
	var blocks []latexBlock
	for _, panel := range l.panels {
		for from := 0; from == 0 || from < len(l.body); {
			block, next := latexTabular(l, panel, from, page.Lines)
			blocks = append(blocks, block)
			from = max(next, from+1)
		}
	}
	return blocks
}

// latexTabular makes one tabular of a panel's columns and the rows from a given
// one to as many as fit, and says which row is next. A tenth of the lines is left
// for what is not counted: rules and the caption. Three spaces between rows take
// about a line.
func latexTabular(l layout, panel []int, from, limit int) (latexBlock, int) {
	var b strings.Builder
	b.WriteString("\\noindent{\\footnotesize\\setlength{\\tabcolsep}{4pt}%\n")
	b.WriteString("\\begin{tabular}{@{}" + latexAlign(l.columns, panel) + "@{}}\n\\toprule\n")
	used := latexHead(&b, l, panel)
	b.WriteString("\\midrule\n")
	row, spaces := from, 0
	for ; row < len(l.body); row++ {
		n := max(height(l.body[row], panel), 1)
		section := l.section(row, row == from)
		if section != "" {
			used++
		}
		if limit > 0 && row > from && used+n+spaces/3 > limit*9/10 {
			break
		}
		if l.rules[row] && row > from {
			b.WriteString("\\midrule\n")
		} else if row > from && n > 1 {
			b.WriteString("\\addlinespace\n")
			spaces++
		}
		if section != "" {
			fmt.Fprintf(&b, "\\multicolumn{%d}{@{}l@{}}{\\textit{%s}} \\\\\n", len(panel), latexText(section))
		}
		for line := range n {
			b.WriteString(latexLine(l.body[row], panel, line))
		}
		used += n
	}
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
	return latexBlock{b.String(), used + spaces/3}, row
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
func latexHead(b *strings.Builder, l layout, panel []int) int {
	used := height(l.heads, panel)
	if groups := spans(l.columns, panel); groups != nil {
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
