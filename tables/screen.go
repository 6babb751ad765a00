package tables

import "strings"

// A Terminal is what a terminal can show. The zero Terminal is as wide as needed
// and has no colours.
type Terminal struct {
	// Width is the number of columns; a wider table is continued below with its
	// stubs repeated. 0 is no limit.
	Width int
	// Color sets heads in bold and marks in grey. It never carries meaning alone.
	Color bool
}

// Screen writes a grid for reading in a terminal.
func Screen(g Grid, t Terminal) []byte {
	var b strings.Builder
	for i, text := range []string{g.Head(), g.Caption, g.emptySentence()} {
		if text = wrap(text, t.Width); text == "" {
			continue
		}
		if i == 0 {
			text = t.paint(bold, text)
		}
		b.WriteString(text + "\n")
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	l := laidOut(g, minusASCII, t.Width, len(textGap), width)
	for i, panel := range l.panels {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(l.textPanel(panel, t))
	}
	for i, note := range append(g.notes(), g.Lineage) {
		if i == 0 && note != "" {
			b.WriteString("\n")
		}
		if note != "" {
			b.WriteString(wrap(note, t.Width) + "\n")
		}
	}
	return []byte(b.String())
}

// textGap separates columns.
const textGap = "  "

// textPanel is a head and rows between rules.
func (l layout) textPanel(panel []int, t Terminal) string {
	var b strings.Builder
	total := -len(textGap)
	for _, i := range panel {
		total += l.widths[i] + len(textGap)
	}
	rule := func(line string) { b.WriteString(strings.Repeat(line, total) + "\n") }
	rule("━")
	if groups := spans(l.columns, panel); groups != nil {
		b.WriteString(textGroups(l, panel, groups, t))
	}
	for line := range height(l.heads, panel) {
		b.WriteString(l.textLine(l.heads, panel, line, func(int) string { return bold }, t))
	}
	rule("─")
	for row := range l.body {
		if l.rules[row] && row > 0 {
			rule("─")
		}
		if section := l.section(row, row == 0); section != "" {
			b.WriteString(t.paint(bold, section) + "\n")
		}
		style := func(i int) string {
			if l.marked[row][i] {
				return dim
			}
			return ""
		}
		for line := range max(height(l.body[row], panel), 1) {
			b.WriteString(l.textLine(l.body[row], panel, line, style, t))
		}
	}
	rule("━")
	return b.String()
}

// textGroups is the line of group headings, each over a rule of its own.
func textGroups(l layout, panel []int, groups []span, t Terminal) string {
	var heads, rules []string
	for _, s := range groups {
		w := -len(textGap)
		for _, i := range panel[s.first : s.last+1] {
			w += l.widths[i] + len(textGap)
		}
		head, line := "", " "
		if s.group != "" {
			head, line = oneLine(s.group), "─"
		}
		if width(head) > w {
			head, _ = cut(head, w, width)
		}
		heads = append(heads, t.paint(bold, padded(head, w, Center)))
		rules = append(rules, strings.Repeat(line, w))
	}
	return trimmed(strings.Join(heads, textGap)) + trimmed(strings.Join(rules, textGap))
}

// textLine is one line of the cells of a panel.
func (l layout) textLine(cells [][]string, panel []int, line int, style func(int) string, t Terminal) string {
	var texts []string
	for _, i := range panel {
		text := ""
		if line < len(cells[i]) {
			text = cells[i][line]
		}
		texts = append(texts, t.paint(style(i), padded(text, l.widths[i], l.columns[i].align())))
	}
	return trimmed(strings.Join(texts, textGap))
}

// trimmed is a line without blanks at its end.
func trimmed(line string) string { return strings.TrimRight(line, " ") + "\n" }

// wrap breaks a paragraph at a width.
func wrap(text string, limit int) string {
	return strings.Join(wrapped(oneLine(text), limit, width), "\n")
}

// The terminal's styles.
const (
	bold = "\x1b[1m"
	dim  = "\x1b[2m"
)

// paint sets a text in a style if colours are on.
func (t Terminal) paint(style, text string) string {
	if !t.Color || style == "" || strings.TrimSpace(text) == "" {
		return text
	}
	return style + text + "\x1b[0m"
}
