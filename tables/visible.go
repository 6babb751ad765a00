package tables

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mattn/go-runewidth"
)

// lines splits a text at its line ends, of whichever system.
func lines(text string) []string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Split(strings.ReplaceAll(text, "\r", "\n"), "\n")
}

// visible makes characters that show nothing, or that command the terminal or
// the direction of writing, visible as <U+001B>. What is not UTF-8 becomes
// U+FFFD. A tab becomes a blank; line feeds stay.
func visible(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '\t':
			b.WriteByte(' ')
		case r == '\n' || r == '\r':
			b.WriteRune(r)
		case hidden(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden reports a control or format character. The joiners stay: words of some
// scripts, and pictures, are spelled with them.
func hidden(r rune) bool {
	const zeroWidthNonJoiner, zeroWidthJoiner = 0x200C, 0x200D
	if r == zeroWidthNonJoiner || r == zeroWidthJoiner {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// oneLine is a text on one line, visible and without blanks at its ends, except
// those that join.
func oneLine(text string) string {
	return strings.Trim(strings.Join(lines(visible(text)), " "), " ")
}

// width is the number of terminal columns a text takes by the Unicode tables
// alone, whatever the locale: ambiguous characters are narrow.
func width(text string) int {
	narrow := runewidth.Condition{StrictEmojiNeutral: true}
	return narrow.StringWidth(text)
}

// padded fills a text with blanks to a width.
func padded(text string, to int, align Align) string {
	gap := max(to-width(text), 0)
	switch align {
	case Right:
		return strings.Repeat(" ", gap) + text
	case Center:
		return strings.Repeat(" ", gap/2) + text + strings.Repeat(" ", gap-gap/2)
	}
	return text + strings.Repeat(" ", gap)
}
