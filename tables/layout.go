package tables

import "strings"

// A layout is a grid printed into lines of text for formats that set it by
// width: what qualifies a value stands below it, and long texts are wrapped.
type layout struct {
	heads  [][]string   // by column: its lines
	body   [][][]string // by row and column: its lines
	widths []int        // by column
}

// headRoom is the width a heading may take without being wrapped even if the
// column below it is narrower.
const headRoom = 12

// laidOut prints the grid's cells and heads. No text is wider than limit, as
// measured; a limit of 0 is no limit.
func laidOut(g Grid, minus string, limit int, measure func(string) int) layout {
	l := layout{widths: make([]int, len(g.Columns))}
	for _, r := range g.Rows {
		row := make([][]string, len(r.Cells))
		for i, c := range r.Cells {
			p := c.print(g.Columns[i].Format, minus)
			row[i] = append(wrapped(p.main, limit, measure), wrapped(p.detail, limit, measure)...)
			l.widths[i] = max(l.widths[i], widest(row[i], measure))
		}
		l.body = append(l.body, row)
	}
	for i, c := range g.Columns {
		head := wrapped(c.Head(), max(l.widths[i], headRoom), measure)
		l.heads = append(l.heads, head)
		l.widths[i] = max(l.widths[i], widest(head, measure))
	}
	return l
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
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' }) {
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

// cut takes as much from the beginning of a word as fits, at least a character.
func cut(word string, limit int, measure func(string) int) (head, rest string) {
	for i := range word {
		if i > 0 && measure(word[:i]) > limit {
			return cutAt(word, i)
		}
	}
	return word, ""
}

// cutAt cuts a word before the character that ends at byte i, or after the first.
func cutAt(word string, i int) (head, rest string) {
	last := 0
	for j := range word[:i] {
		last = j
	}
	if last == 0 {
		last = i
	}
	return word[:last], word[last:]
}
