package tables

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
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
	// Role tells the sides of a difference apart: level and reference, or what an absent run was.
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
	Grid Grid
	spec Spec
	keys [][]string
	db   *duck.DB
}

// Open draws a table and keeps what opening its cells needs.
func Open(ctx context.Context, db *duck.DB, s Spec) (*Opened, error) {
	if s.RunsSQL == "" {
		return nil, fmt.Errorf("table %s: have no %s%s, want the query that says which runs stand behind each row", s.Name, s.Name, runsExtension)
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
	o.Grid, err = s.Draw(records)
	return o, err
}

// Explain opens the cell of a row and a column.
func (o *Opened) Explain(ctx context.Context, row, column string) (Explanation, error) {
	s, g := o.spec, o.Grid
	i := slices.IndexFunc(g.Rows, func(r Row) bool { return r.Key == row })
	if i < 0 {
		return Explanation{}, fmt.Errorf("table %s: have row %q, want one of: %s", s.Name, row, strings.Join(rowKeys(g), ", "))
	}
	j := slices.IndexFunc(s.Columns, func(c ColumnSpec) bool { return c.Key == column })
	if j < 0 {
		return Explanation{}, fmt.Errorf("table %s: have column %q, want one of: %s", s.Name, column, strings.Join(columnKeys(s), ", "))
	}
	e := Explanation{Table: s.Name, Row: row, Column: column, Printed: g.Columns[j].Print(g.Rows[i].Cells[j]), Counted: s.Columns[j].Counted, Counts: map[Standing]int{}}
	e.Of = of(s, j, o.keys[i])
	var err error
	if e.Runs, err = backing(ctx, o.db, s, o.keys[i], e.Of, s.Columns[j].Kind == KindRate); err != nil {
		return Explanation{}, err
	}
	for _, r := range e.Runs {
		e.Counts[r.Standing]++
	}
	e.Groups = backingGroups(e.Runs)
	if m, ok := runMetric(e.Of); ok {
		e.Definition = m.Definition
	}
	return e, nil
}

// backingGroups counts runs that are sorted by standing.
func backingGroups(runs []BackingRun) []BackingGroup {
	groups := []BackingGroup{}
	tasks := map[string]bool{}
	for _, r := range runs {
		i := slices.IndexFunc(groups, func(g BackingGroup) bool { return g.Standing == r.Standing && g.Role == r.Role })
		if i < 0 {
			i = len(groups)
			groups = append(groups, BackingGroup{Standing: r.Standing, Role: r.Role})
		}
		groups[i].Runs++
		if key := strconv.Itoa(i) + " " + r.Task; r.Task != "" && !tasks[key] {
			tasks[key] = true
			groups[i].Tasks++
		}
	}
	slices.SortStableFunc(groups, func(a, b BackingGroup) int {
		return cmp.Or(slices.Index(Standings, a.Standing)-slices.Index(Standings, b.Standing), strings.Compare(a.Role, b.Role))
	})
	return groups
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

// of is the column of runs that a cell aggregates, or empty.
func of(s Spec, column int, key []string) string {
	c := s.Columns[column]
	switch name := c.Of; {
	case name == "":
		return c.Key
	case name == "-":
		return ""
	case strings.HasPrefix(name, "$"):
		if i := slices.Index(s.Key, name[1:]); i >= 0 {
			return key[i]
		}
		return ""
	default:
		return name
	}
}

func runMetric(name string) (*schema.Metric, bool) {
	for _, m := range schema.Metrics {
		if m.Name == name && m.Level == schema.LevelRun {
			return m, true
		}
	}
	return nil, false
}

// backing asks for the runs of a row and how each stands to the quantity.
func backing(ctx context.Context, db *duck.DB, s Spec, key []string, of string, rate bool) ([]BackingRun, error) {
	var where []string
	for i, k := range s.Key {
		where = append(where, fmt.Sprintf("m.%s::VARCHAR IS NOT DISTINCT FROM %s", quoteName(k), quoteText(key[i])))
	}
	value, by := "NULL", "NULL"
	if of != "" {
		value = "r." + quoteName(of)
	}
	if m, ok := runMetric(of); ok {
		by = decidedBy(m)
	}
	q := fmt.Sprintf(`WITH member AS (SELECT DISTINCT * FROM (%s) m WHERE %s)
		SELECT m.run_id, m.role, r.task, r.excluded_by, %s::VARCHAR, %s, x.state, x.reason, r.raw_path, r.trajectory_file,
		       r.started_line, r.finished_line, e.file, e.line, e.have
		FROM member m
		LEFT JOIN runs r ON r.run_id = m.run_id
		LEFT JOIN missing x ON x.run_id = m.run_id AND x.metric = %s
		LEFT JOIN exclusions e ON e.run_id = m.run_id AND e.place = 1 AND e.class = 'excluded'
		ORDER BY m.run_id, m.role`, s.RunsSQL, strings.Join(where, " AND "), value, by, quoteText(of))
	res, err := db.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", s.Name, err)
	}
	lines, err := eventLines(ctx, db, of)
	if err != nil {
		return nil, err
	}
	var runs []BackingRun
	for _, row := range res.Rows {
		runs = append(runs, backingRun(row, of, rate, lines))
	}
	slices.SortStableFunc(runs, func(a, b BackingRun) int {
		return slices.Index(Standings, a.Standing) - slices.Index(Standings, b.Standing)
	})
	return runs, nil
}

// decidedBy is the companion that says where a metric's value comes from.
func decidedBy(m *schema.Metric) string {
	for _, c := range m.Companions {
		if strings.HasSuffix(c.Name, "_from") || c.Name == "resolved_by" {
			return "r." + quoteName(c.Name)
		}
	}
	return "NULL"
}

// backingRun reads one row of the query of backing.
func backingRun(row []duck.Value, of string, rate bool, lines map[string]string) BackingRun {
	text := func(i int) string { return row[i].String() }
	b := BackingRun{RunID: text(0), Role: text(1), Task: text(2), By: text(5)}
	path := text(8)
	switch {
	case row[0].Kind == duck.Null:
		b.Standing, b.Reason, b.Role = StandingAbsent, text(1), ""
		return b
	case row[3].Kind != duck.Null:
		b.Standing, b.Reason = StandingExcluded, text(3)
		if b.Reason == schema.ExclusionExtraRun.Name || b.Reason == schema.ExclusionUnplanned.Name {
			b.Standing = StandingOutside
		}
		b.Evidence = place(path, orElse(text(12), text(9)), text(13))
		if have := text(14); have != "" {
			b.Reason += ": " + have
		}
		return b
	case of != "" && row[4].Kind == duck.Null:
		b.Standing, b.Reason = StandingMissing, text(7)
		if text(6) == "not_applicable" {
			b.Standing = StandingNotApplicable
		}
	default:
		b.Standing, b.Value = StandingObserved, text(4)
		if rate && b.Value == "1" {
			b.Standing = StandingNumerator
		}
	}
	b.Evidence = evidence(of, b.By, path, text(9), text(10), text(11), lines[b.RunID])
	return b
}

func orElse(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
