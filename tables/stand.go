package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
// run to the numbers that rest on it. The table is asked once for the rows that the
// run stands behind, and once for each quantity, however many cells there are.
func (o *Opened) Stands(ctx context.Context, runID string) ([]Stand, error) {
	s, g := o.spec, o.Grid
	rows, err := o.rolesOfRun(ctx, runID)
	if err != nil {
		return nil, err
	}
	known := map[behind]BackingRun{}
	var out []Stand
	for i, r := range g.Rows {
		for j, c := range s.Columns {
			role, stands := firstShown(rows[r.Key], o.behind(i, j).hidden)
			if c.Stub || !stands {
				continue
			}
			alone := behind{table: s.Name, runsSQL: "SELECT " + quoteText(runID) + " AS run_id, '' AS role", where: "true", of: o.of(i, j), rate: c.Kind == KindRate}
			if _, ok := known[alone]; !ok {
				runs, err := alone.runs(ctx, o.db, runID)
				if err != nil {
					return nil, err
				}
				known[alone] = runs[0]
			}
			run := known[alone]
			run.Role = role
			out = append(out, Stand{s.Name, r.Key, c.Key, g.Columns[j].Print(r.Cells[j]), run})
		}
	}
	return out, nil
}

// firstShown is the first of a run's roles in a row that is none of the hidden ones,
// which are quoted and joined.
func firstShown(roles []string, hidden string) (string, bool) {
	for _, role := range roles {
		if hidden == "" || !slices.Contains(strings.Split(hidden, ", "), quoteText(role)) {
			return role, true
		}
	}
	return "", false
}

// rolesOfRun are the roles, in order, in which a run stands behind each row, by the
// row's key.
func (o *Opened) rolesOfRun(ctx context.Context, runID string) (map[string][]string, error) {
	s := o.spec
	names := ""
	for _, k := range s.Key {
		names += quoteName(k) + "::VARCHAR, "
	}
	res, err := o.db.Query(ctx, "SELECT DISTINCT "+names+"role FROM ("+s.RunsSQL+") WHERE run_id = "+quoteText(runID)+" ORDER BY role")
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", s.Name, err)
	}
	rows := map[string][]string{}
	for _, row := range res.Rows {
		var values []string
		for i := range s.Key {
			values = append(values, row[i].String())
		}
		key := RowKey(values...)
		rows[key] = append(rows[key], row[len(s.Key)].String())
	}
	return rows, nil
}
