package tables

import (
	"slices"
	"strings"
)

// applying is the grid without the columns of which nothing applies to any row,
// and a note that names them: a study of retrieval alone would fill a page of a
// paper with dots. Columns that are missing everywhere stay, as that says
// something.
func (g Grid) applying() Grid {
	var left []string
	var keep []int
	for i, c := range g.Columns {
		none := !c.Stub && len(g.Rows) > 0 && !slices.ContainsFunc(g.Rows, func(r Row) bool { return r.Cells[i].State != StateNotApplicable })
		if none {
			left = append(left, c.fullHead())
		} else {
			keep = append(keep, i)
		}
	}
	if len(left) == 0 || !slices.ContainsFunc(keep, func(i int) bool { return !g.Columns[i].Stub }) {
		return g
	}
	columns, rows := g.Columns, g.Rows
	g.Columns, g.Rows = nil, nil
	for _, i := range keep {
		g.Columns = append(g.Columns, columns[i])
	}
	for _, r := range rows {
		cells := r.Cells
		r.Cells = nil
		for _, i := range keep {
			r.Cells = append(r.Cells, cells[i])
		}
		g.Rows = append(g.Rows, r)
	}
	g.Notes = append(slices.Clone(g.Notes), "Left out, as nothing in them applies to any row: "+strings.Join(left, ", ")+".")
	return g
}
