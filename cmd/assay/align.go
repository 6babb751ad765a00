package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
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

// visible keeps control characters of raw data off the terminal.
func visible(r rune) rune {
	if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 {
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
