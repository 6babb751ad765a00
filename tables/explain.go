package tables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/stats/duck"
)

// A Standing says how a run stands to a cell.
type Standing string

// The standings of runs.
const (
	// StandingNumerator is an observed run that counts for the rate.
	StandingNumerator Standing = "numerator"
	// StandingObserved is an observed run: in the denominator of a rate, or one of
	// the values of an amount.
	StandingObserved Standing = "observed"
	// StandingMissing is an included run without a value.
	StandingMissing Standing = "missing"
	// StandingNotApplicable is an included run to which the quantity does not apply.
	StandingNotApplicable Standing = "not applicable"
	// StandingExcluded is a run that is left out.
	StandingExcluded Standing = "excluded"
	// StandingOutside is an extra run of a cell or a run of no planned cell: left
	// out, and not among the excluded runs that a rate counts.
	StandingOutside Standing = "outside the plan"
	// StandingAbsent is a planned cell without a run, or a directory that is no run.
	StandingAbsent Standing = "absent"
)

// A BackingRun is a run behind a cell, with the raw line that decided its part.
type BackingRun struct {
	// Standing says how the run stands to the cell.
	Standing Standing `json:"standing"`
	// Role tells the sides of a difference apart, such as level and reference.
	Role string `json:"role,omitzero"`
	// RunID is the run; empty for an absent one.
	RunID string `json:"run_id,omitzero"`
	// Task is the task as its source calls it.
	Task string `json:"task,omitzero"`
	// Value is the run's value, unrounded; empty where there is none.
	Value string `json:"value,omitzero"`
	// Reason is why there is no value, or why the run is left out.
	Reason string `json:"reason,omitzero"`
	// By says what decided: tests, outcome, fault, events or totals.
	By string `json:"by,omitzero"`
	// Evidence is the raw file and its line, as file:line or file:first-last.
	Evidence string `json:"evidence,omitzero"`
}

// A BackingGroup counts the runs of one standing and role.
type BackingGroup struct {
	// Standing and Role are those of the runs.
	Standing Standing `json:"standing"`
	Role     string   `json:"role,omitzero"`
	// Runs is the number of runs.
	Runs int `json:"runs"`
	// Tasks is the number of tasks that they are of; 0 where there are no runs but
	// planned cells.
	Tasks int `json:"tasks,omitzero"`
}

// An Explanation opens one cell.
type Explanation struct {
	// Table is the table's name.
	Table string `json:"table"`
	// Row is the row's key.
	Row string `json:"row"`
	// Column is the column's key.
	Column string `json:"column"`
	// Printed is the cell as the table prints it.
	Printed string `json:"printed"`
	// Of is the quantity that the cell aggregates; empty where it counts runs.
	Of string `json:"of,omitzero"`
	// Definition says what the quantity is.
	Definition string `json:"definition,omitzero"`
	// Counted is what the n of the cell counts where it is not runs, such as tasks.
	Counted string `json:"counted,omitzero"`
	// Counts are the numbers of runs by standing.
	Counts map[Standing]int `json:"counts"`
	// Groups are the same numbers by standing and role, with those of the tasks.
	Groups []BackingGroup `json:"groups"`
	// Runs are the runs behind the cell, by standing and id.
	Runs []BackingRun `json:"runs"`
}

// Standings lists the standings, in the order in which runs are listed.
var Standings = []Standing{StandingNumerator, StandingObserved, StandingMissing, StandingNotApplicable, StandingExcluded, StandingOutside, StandingAbsent}

// An Opened table is a drawn table whose cells can be opened.
type Opened struct {
	// Grid is the table.
	Grid    Grid
	spec    Spec
	keys    [][]string
	primary string // the study's primary outcome
	db      *duck.DB
}

// Open draws a table and keeps what opening its cells needs.
func Open(ctx context.Context, db *duck.DB, s Spec) (*Opened, error) {
	if s.RunsSQL == "" {
		return nil, fmt.Errorf("table %s: have no %s%s, want the query that says which runs stand behind each row", s.Name, s.Name, runsExtension)
	}
	if err := checkRunsSQL(ctx, db, s); err != nil {
		return nil, err
	}
	records, err := query(ctx, db, s)
	if err != nil {
		return nil, err
	}
	o := &Opened{spec: s, db: db, keys: make([][]string, len(records))}
	for i, r := range records {
		for _, k := range s.Key {
			o.keys[i] = append(o.keys[i], r[k].Text())
		}
	}
	if o.primary, err = primaryOutcome(ctx, db, s); err != nil {
		return nil, err
	}
	o.Grid, err = s.Draw(records)
	return o, err
}

// checkRunsSQL refuses a query that does not give the columns by which runs are found.
func checkRunsSQL(ctx context.Context, db *duck.DB, s Spec) error {
	have, err := columnsOf(ctx, db, "("+s.RunsSQL+")")
	if err != nil {
		return fmt.Errorf("table %s: %s%s: %w", s.Name, s.Name, runsExtension, err)
	}
	want := append(slices.Clone(s.Key), "run_id", "role")
	for _, name := range want {
		if !slices.Contains(have, name) {
			return fmt.Errorf("table %s: %s%s: have columns %s, want %s", s.Name, s.Name, runsExtension, strings.Join(have, ", "), strings.Join(want, ", "))
		}
	}
	return nil
}

// columnsOf names the columns of a view or of a query in parentheses.
func columnsOf(ctx context.Context, db *duck.DB, relation string) ([]string, error) {
	res, err := db.Query(ctx, "SELECT * FROM "+relation+" LIMIT 0")
	var names []string
	for _, c := range res.Columns {
		names = append(names, c.Name)
	}
	return names, err
}

// Explain opens the cell of a row and a column.
func (o *Opened) Explain(ctx context.Context, row, column string) (Explanation, error) {
	s, g := o.spec, o.Grid
	i := o.row(row)
	if i < 0 {
		return Explanation{}, fmt.Errorf("table %s: have row %q, want one of: %s", s.Name, row, strings.Join(rowKeys(g), ", "))
	}
	j := slices.IndexFunc(s.Columns, func(c ColumnSpec) bool { return c.Key == column })
	if j < 0 {
		return Explanation{}, fmt.Errorf("table %s: have column %q, want one of: %s", s.Name, column, strings.Join(columnKeys(s), ", "))
	}
	e := Explanation{Table: s.Name, Row: g.Rows[i].Key, Column: column, Printed: g.Columns[j].Print(g.Rows[i].Cells[j]), Counted: s.Columns[j].Counted, Counts: map[Standing]int{}}
	asked := o.behind(i, j)
	e.Of = asked.of
	have, err := columnsOf(ctx, o.db, "runs")
	if err != nil {
		return Explanation{}, err
	}
	if asked.of != "" && !slices.Contains(have, asked.of) {
		return Explanation{}, fmt.Errorf("table %s: column %s: have of %q, want a column of the view runs, or - where the cell is of the whole row", s.Name, column, asked.of)
	}
	if e.Runs, err = asked.runs(ctx, o.db, ""); err != nil {
		return Explanation{}, err
	}
	for _, r := range e.Runs {
		e.Counts[r.Standing]++
	}
	e.Groups = backingGroups(e.Runs)
	e.Definition = definition(e.Of)
	return e, nil
}

// row finds a row by its key; by the values of the key as the table prints them; or
// by the first of these, where it names one row alone. -1 is none.
func (o *Opened) row(asked string) int {
	if i := slices.IndexFunc(o.Grid.Rows, func(r Row) bool { return r.Key == asked }); i >= 0 {
		return i
	}
	if i := slices.IndexFunc(o.keys, func(k []string) bool { return strings.Join(k, "::") == asked }); i >= 0 {
		return i
	}
	found := -1
	for i, k := range o.keys {
		switch {
		case k[0] == asked && found >= 0:
			return -1
		case k[0] == asked:
			found = i
		}
	}
	return found
}

func rowKeys(g Grid) []string {
	var keys []string
	for _, r := range g.Rows {
		keys = append(keys, r.Key)
	}
	return keys
}

func columnKeys(s Spec) []string {
	var keys []string
	for _, c := range s.Columns {
		keys = append(keys, c.Key)
	}
	return keys
}
