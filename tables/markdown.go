package tables

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown writes a grid as a GitHub table with its head above and its notes
// below. The interval stands behind the value in the same cell; the heading of a
// group stands before each of its columns, as Markdown knows no spanning cells.
func Markdown(g Grid) []byte {
	var blocks []string
	if head := markdownText(g.Head()); head != "" {
		blocks = append(blocks, "**"+head+"**\n")
	}
	for _, text := range []string{g.Caption, g.emptySentence()} {
		blocks = append(blocks, markdownBlock(text))
	}
	blocks = append(blocks, markdownTable(g))
	for _, note := range append(g.notes(), g.Lineage) {
		blocks = append(blocks, markdownBlock(note))
	}
	blocks = slices.DeleteFunc(blocks, func(block string) bool { return block == "" })
	return []byte(strings.Join(blocks, "\n"))
}

// markdownTable is the table alone, its columns padded so that it can be read as
// it is.
func markdownTable(g Grid) string {
	table := [][]string{nil}
	for _, c := range g.Columns {
		table[0] = append(table[0], markdownCell(c.fullHead()))
	}
	for _, r := range g.Rows {
		var row []string
		for i := range r.Cells {
			row = append(row, markdownCell(g.printCell(r, i, minusASCII).line()))
		}
		table = append(table, row)
	}
	widths := make([]int, len(g.Columns))
	for _, row := range table {
		for i, text := range row {
			widths[i] = max(widths[i], width(text), 3)
		}
	}
	var b strings.Builder
	for i, row := range table {
		for j, text := range row {
			b.WriteString("| " + padded(text, widths[j], g.Columns[j].align()) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			for j, c := range g.Columns {
				b.WriteString("|" + delimiter(c.align(), widths[j]))
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}

// delimiter is the cell under a head, which tells the alignment.
func delimiter(align Align, width int) string {
	switch align {
	case Right:
		return " " + strings.Repeat("-", width) + ":"
	case Center:
		return ":" + strings.Repeat("-", width) + ":"
	}
	return " " + strings.Repeat("-", width) + " "
}

// markdownCell is a text in a cell: a line feed is <br>.
func markdownCell(text string) string {
	var escaped []string
	for _, line := range lines(visible(text)) {
		escaped = append(escaped, markdownText(line))
	}
	return strings.Join(escaped, "<br>")
}

// blockStart is what would make a paragraph a head, list, fence, rule or quote
// and is not escaped anyway.
var blockStart = regexp.MustCompile(`^(#|[-+=]|\d+[.)])`)

// markdownBlock is a text as a paragraph; empty if there is none.
func markdownBlock(text string) string {
	escaped := markdownText(text)
	if escaped == "" {
		return ""
	}
	escaped += "\n"
	if m := blockStart.FindString(escaped); m != "" {
		return m[:len(m)-1] + `\` + m[len(m)-1:] + escaped[len(m):]
	}
	return escaped
}

// entity is what Markdown would read as one character.
var entity = regexp.MustCompile(`^&(#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);`)

// markdownText escapes what Markdown, GitHub's tables and HTML would take for
// markup, code spans included, so that the text is read as it was written.
func markdownText(text string) string {
	text = oneLine(text)
	var b strings.Builder
	for i, r := range text {
		switch r {
		case '\\', '|', '*', '`', '~', '$':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '[', ']':
			if opensLink(text[i:]) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case ':', '.':
			if startsAddress(text[:i], text[i:]) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '_':
			if !afterWord(text, i) {
				b.WriteByte('\\')
			}
			b.WriteByte('_')
		case '&':
			b.WriteByte('&')
			if entity.MatchString(text[i:]) {
				b.WriteString("amp;")
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// opensLink reports whether a text that begins with a bracket could be a part of
// a link, image, footnote or definition; the brackets of an interval are not.
func opensLink(text string) bool {
	return len(text) > 1 && (text[0] == '[' && text[1] == '^' || text[0] == ']' && strings.IndexByte("([:", text[1]) >= 0)
}

// startsAddress reports whether a colon or point is that of http:// or www., which
// GitHub makes a link of, entities in it misread.
func startsAddress(before, from string) bool {
	return strings.HasPrefix(from, "://") || from[0] == '.' && strings.HasSuffix(strings.ToLower(before), "www")
}

// afterWord reports whether a letter or digit stands before the byte at i; an
// underscore there cannot open emphasis, and what is not opened needs no closing.
func afterWord(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsLetter(before) || unicode.IsDigit(before)
}
