package tables

import (
	"strings"
	"unicode/utf8"
)

// A layout is a grid printed into lines of text for formats that set it by
// width: what qualifies a value stands below it, and long texts are wrapped.
type layout struct {
	columns []Column
	heads   [][]string   // by column: its lines
	body    [][][]string // by row and column: its lines
	marked  [][]bool     // by row and column: whether it shows a mark, not a value
	rules   []bool       // by row: whether a line stands above it
	names   []string     // by row: the section it belongs to; nil without sections
	widths  []int        // by column
	panels  [][]int      // the columns of each part that fits the page
}

// headRoom is the width a heading may take without being wrapped even if the
// column below it is narrower.
const headRoom = 12

// laidOut prints the grid's cells and heads for a page of the given width, with
// gap between columns. No text is wider than half of the page, as measured; a
// width of 0 is no limit. A table that does not fit is split into panels or
// turned, rows becoming columns, whichever takes fewer lines: a study of three
// arms and twenty metrics is then a table of three columns. A table of more rows
// than columns is never turned.
func laidOut(g Grid, minus string, page, gap int, measure func(string) int) layout {
	// Heads are broken within a word only where the table would be too wide else.
	whole := printedGrid(g, minus, page, true, measure).sectioned().stacked(page, gap, measure).split(page, gap)
	if len(whole.panels) == 1 || len(g.Rows) == 0 {
		return whole
	}
	full := printedGrid(g, minus, page, false, measure)
	plain := full.sectioned()
	upright := plain.stacked(page, gap, measure).split(page, gap)
	if len(upright.panels) == 1 {
		return upright
	}
	room := max(page*3/10, headRoom)
	upright = plain.narrowed(room, measure).stacked(page, gap, measure).split(page, gap)
	if len(g.Rows) > len(g.Columns) { // a long list stays one
		return upright
	}
	turned := full.narrowed(room, measure).turned(page, measure).stacked(page, gap, measure).split(page, gap)
	if turned.lines() < upright.lines() {
		return turned
	}
	return upright
}

// printedGrid prints the grid as it stands, its heads with whole words or not.
func printedGrid(g Grid, minus string, page int, wholeWords bool, measure func(string) int) layout {
	l := layout{columns: g.Columns}
	limit := page / 2
	if page > 0 {
		limit = max(limit, headRoom)
	}
	for _, r := range g.Rows {
		row, marked := make([][]string, len(r.Cells)), make([]bool, len(r.Cells))
		for i, c := range r.Cells {
			p := g.printCell(r, i, minus)
			row[i] = append(wrapped(p.main, limit, measure), wrapped(p.detail, limit, measure)...)
			marked[i] = c.State != StateValue
		}
		l.body, l.marked, l.rules = append(l.body, row), append(l.marked, marked), append(l.rules, r.Rule)
	}
	for i, c := range g.Columns {
		room := headRoom
		if wholeWords {
			room = max(room, widest(strings.Fields(c.Head()), measure))
		}
		for _, row := range l.body {
			room = max(room, widest(row[i], measure))
		}
		l.heads = append(l.heads, wrapped(c.Head(), room, measure))
	}
	return l.measured(measure)
}

// sectioned takes the first column out and keeps it as the rows' sections.
func (l layout) sectioned() layout {
	if len(l.columns) < 2 || !l.columns[0].Section {
		return l
	}
	body, marked := l.body, l.marked
	l.columns, l.heads, l.widths = l.columns[1:], l.heads[1:], l.widths[1:]
	l.body, l.marked = nil, nil
	for i := range body {
		l.names = append(l.names, strings.Join(body[i][0], " "))
		l.body, l.marked = append(l.body, body[i][1:]), append(l.marked, marked[i][1:])
	}
	return l
}

// section is the section that begins with a row, or goes on where a part begins
// with the row; empty if neither.
func (l layout) section(row int, first bool) string {
	if l.names == nil || !first && row > 0 && l.names[row] == l.names[row-1] {
		return ""
	}
	return l.names[row]
}

// narrowed wraps every cell again.
func (l layout) narrowed(room int, measure func(string) int) layout {
	body := l.body
	l.body = nil
	for _, row := range body {
		narrow := make([][]string, len(row))
		for i, cell := range row {
			for _, line := range cell {
				narrow[i] = append(narrow[i], wrapped(line, room, measure)...)
			}
		}
		l.body = append(l.body, narrow)
	}
	return l.measured(measure)
}

// turned makes a column of every row and a row of every column that is not a
// stub. The stubs become the heads, below one another.
func (l layout) turned(page int, measure func(string) int) layout {
	stubs := 0
	for stubs < len(l.columns) && l.columns[stubs].Stub {
		stubs++
	}
	room := max(page*3/10, headRoom)
	stack := func(cells [][]string) []string {
		var one []string
		for _, cell := range cells[:stubs] {
			for _, line := range cell {
				one = append(one, wrapped(line, room, measure)...)
			}
		}
		return one
	}
	t := layout{columns: []Column{{Stub: true, Kind: KindText}}, heads: [][]string{stack(l.heads)}}
	for _, row := range l.body {
		t.columns = append(t.columns, Column{Align: Right})
		t.heads = append(t.heads, stack(row))
	}
	for i, c := range l.columns[stubs:] {
		cells, marked := [][]string{wrapped(c.fullHead(), room, measure)}, []bool{false}
		for r := range l.body {
			cells, marked = append(cells, l.body[r][stubs+i]), append(marked, l.marked[r][stubs+i])
		}
		t.body, t.marked, t.rules = append(t.body, cells), append(t.marked, marked), append(t.rules, false)
	}
	return t.measured(measure)
}

// split finds the panels.
func (l layout) split(page, gap int) layout {
	room := make([]int, len(l.widths))
	for i, w := range l.widths {
		room[i] = w + gap
	}
	l.panels = panels(l.columns, room, page)
	return l
}

// lines is how many lines all panels take.
func (l layout) lines() int {
	n := 0
	for _, panel := range l.panels {
		n += height(l.heads, panel) + 2
		for _, row := range l.body {
			n += height(row, panel)
		}
	}
	return n
}

// measured fills in the widths.
func (l layout) measured(measure func(string) int) layout {
	l.widths = make([]int, len(l.columns))
	for i := range l.columns {
		l.widths[i] = widest(l.heads[i], measure)
		for _, row := range l.body {
			l.widths[i] = max(l.widths[i], widest(row[i], measure))
		}
	}
	return l
}

// stacked puts the stubs below one another in one column if they would take more
// than two fifths of the page, since every panel of a wide table repeats them. A
// table that fits as it is keeps its columns.
func (l layout) stacked(page, gap int, measure func(string) int) layout {
	stubs, total, all := 0, 0, 0
	for i, w := range l.widths {
		all += w + gap
		if i == stubs && l.columns[i].Stub {
			total += w + gap
			stubs++
		}
	}
	if page == 0 || total <= page*2/5 || stubs == len(l.columns) || all <= page {
		return l
	}
	stack := func(cells [][]string) [][]string {
		var one []string
		for _, cell := range cells[:stubs] {
			for _, line := range cell {
				one = append(one, wrapped(line, max(page*3/10, headRoom), measure)...)
			}
		}
		return append([][]string{one}, cells[stubs:]...)
	}
	l.columns, l.heads = l.columns[stubs-1:], stack(l.heads)
	body, marked := l.body, l.marked
	l.body, l.marked = nil, nil
	for i := range body {
		l.body, l.marked = append(l.body, stack(body[i])), append(l.marked, marked[i][stubs-1:])
	}
	return l.measured(measure)
}

// height is the largest number of lines among the cells of the given columns.
func height(cells [][]string, panel []int) int {
	n := 0
	for _, i := range panel {
		n = max(n, len(cells[i]))
	}
	return n
}

// widest is the width of the widest line.
func widest(lines []string, measure func(string) int) int {
	w := 0
	for _, line := range lines {
		w = max(w, measure(line))
	}
	return w
}

// wrapped breaks a text at its line ends and, where a line is wider than limit,
// at blanks, not at those that join; a word that is wider is cut. An empty text has no lines.
func wrapped(text string, limit int, measure func(string) int) []string {
	var all []string
	for _, line := range lines(visible(text)) {
		current := ""
		for _, word := range tokens(line, limit, measure) {
			for limit > 0 && measure(word) > limit && measure(joined(current, word)) > limit {
				head, rest := cut(word, limit, measure)
				if current != "" {
					all, current = append(all, current), ""
				}
				all, word = append(all, head), rest
			}
			if limit > 0 && current != "" && measure(current+" "+word) > limit {
				all, current = append(all, current), ""
			}
			current = joined(current, word)
		}
		if current != "" {
			all = append(all, current)
		}
	}
	return all
}

// tokens are the words of a line; a parenthesis or an interval that fits on a
// line of its own is one word, as a break in it is hard to read.
func tokens(line string, limit int, measure func(string) int) []string {
	var all []string
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' })
	for i := 0; i < len(words); i++ {
		word := words[i]
		if closing, ok := map[byte]string{'(': ")", '[': "]"}[word[0]]; ok {
			for j, whole := i, ""; j < len(words); j++ {
				if whole = joined(whole, words[j]); measure(whole) > limit {
					break
				}
				if strings.HasSuffix(words[j], closing) {
					word, i = whole, j
					break
				}
			}
		}
		all = append(all, word)
	}
	return all
}

// cut takes as much from the beginning of a word as fits, at least a character,
// and rather up to the last mark in it that names are made up with.
func cut(word string, limit int, measure func(string) int) (head, rest string) {
	end, mark := 0, 0
	for i, r := range word {
		next := i + utf8.RuneLen(r)
		if end > 0 && measure(word[:next]) > limit {
			break
		}
		if end = next; strings.ContainsRune(",;/:=+-_.", r) {
			mark = end
		}
	}
	if end < len(word) && mark > end/2 {
		end = mark
	}
	return word[:end], word[end:]
}
