package tables

import "strconv"

// Listing is the grid of any query's result: every value unrounded as text, NULL
// as NULL, numbers to the right. It has no title and no notes, so that Markdown,
// LaTeX, HTML and Screen give the table alone.
func Listing(heads []string, rows [][]Scalar) Grid {
	g := Grid{Name: "listing", Empty: "No rows."}
	for i, head := range heads {
		c := Column{Key: "c" + strconv.Itoa(i+1), Heading: head, Kind: KindText, Align: Left}
		if allNumbers(rows, i) {
			c.Align = Right
		}
		g.Columns = append(g.Columns, c)
	}
	for i, row := range rows {
		r := Row{Key: strconv.Itoa(i + 1)}
		for _, s := range row {
			text := s.Text()
			if s.IsNull() {
				text = "NULL"
			}
			r.Cells = append(r.Cells, Show(Text(text)))
		}
		g.Rows = append(g.Rows, r)
	}
	return g
}

// allNumbers reports whether a column holds numbers and NULL alone.
func allNumbers(rows [][]Scalar, column int) bool {
	some := false
	for _, row := range rows {
		switch row[column].kind {
		case scalarNumber, scalarUnusable:
			some = true
		case scalarText, scalarTruth:
			return false
		}
	}
	return some
}
