package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"unicode"
)

// printAligned writes rows in columns; the first row is the head. Empty columns
// are left out.
func (a *app) printAligned(rows [][]string) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		var cells []string
		for i, cell := range row {
			if used(rows, i) {
				cells = append(cells, strings.Map(visible, cell))
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	w.Flush()
}

func used(rows [][]string, column int) bool {
	for _, row := range rows[1:] {
		if row[column] != "" {
			return true
		}
	}
	return false
}

// visible keeps off the terminal what raw data could command it with: control
// characters, and those that show nothing or turn the direction of writing, so
// that a path reads as it is. The joiners stay: some scripts are spelled with them.
func visible(r rune) rune {
	const zeroWidthNonJoiner, zeroWidthJoiner = 0x200C, 0x200D
	if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != zeroWidthNonJoiner && r != zeroWidthJoiner || r == '\u2028' || r == '\u2029' {
		return '\uFFFD'
	}
	return r
}

// visibleLines is visible for a text of several lines.
func visibleLines(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return visible(r)
	}, s)
}
