package tables

import (
	"context"
	"fmt"
)

// A Stand is one cell that a run stands in.
type Stand struct {
	// Table is the table's name.
	Table string `json:"table"`
	// Row is the row's key.
	Row string `json:"row"`
	// Column is the column's key.
	Column string `json:"column"`
	// Printed is the cell as the table prints it.
	Printed string `json:"printed"`
	// Run is how the run stands to the cell.
	Run BackingRun `json:"run"`
}

// Stands lists the cells of a table that a run stands in: the way back from a
// run to the numbers that rest on it.
func (o *Opened) Stands(ctx context.Context, runID string) ([]Stand, error) {
	s, g := o.spec, o.Grid
	rows, err := o.rowsOfRun(ctx, runID)
	if err != nil {
		return nil, err
	}
	var out []Stand
	for i, r := range g.Rows {
		if !rows[r.Key] {
			continue
		}
		known := map[behind][]BackingRun{}
		for j, c := range s.Columns {
			if c.Stub {
				continue
			}
			asked := o.behind(i, j)
			if _, ok := known[asked]; !ok {
				if known[asked], err = asked.runs(ctx, o.db, runID); err != nil {
					return nil, err
				}
			}
			if len(known[asked]) > 0 {
				out = append(out, Stand{s.Name, r.Key, c.Key, g.Columns[j].Print(r.Cells[j]), known[asked][0]})
			}
		}
	}
	return out, nil
}

// rowsOfRun are the keys of the rows that a run stands behind.
func (o *Opened) rowsOfRun(ctx context.Context, runID string) (map[string]bool, error) {
	s := o.spec
	names := ""
	for _, k := range s.Key {
		names += quoteName(k) + "::VARCHAR, "
	}
	res, err := o.db.Query(ctx, "SELECT DISTINCT "+names+"run_id FROM ("+s.RunsSQL+") WHERE run_id = "+quoteText(runID))
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", s.Name, err)
	}
	rows := map[string]bool{}
	for _, row := range res.Rows {
		var values []string
		for i := range s.Key {
			values = append(values, row[i].String())
		}
		rows[RowKey(values...)] = true
	}
	return rows, nil
}
