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

// ofPrimary is what a column says that aggregates the study's primary outcome.
const ofPrimary = "study_primary()"

// primaryOutcome is the study's primary outcome, where a column aggregates it.
func primaryOutcome(ctx context.Context, db *duck.DB, s Spec) (string, error) {
	if !slices.ContainsFunc(s.Columns, func(c ColumnSpec) bool { return c.Of == ofPrimary }) {
		return "", nil
	}
	res, err := db.Query(ctx, "SELECT "+ofPrimary)
	if err != nil || len(res.Rows) == 0 {
		return "", err
	}
	return res.Rows[0][0].Text, nil
}

// A behind asks for the runs behind a cell. Cells of one row that ask the same
// have the same runs.
type behind struct {
	table, runsSQL string
	where          string // what makes a row of the query one of the cell's row
	hidden         string // the roles that stand behind other columns alone, quoted
	of             string // the column of runs that the cell aggregates, or empty
	rate           bool
}

// behind asks for the runs behind the cell of a row and a column.
func (o *Opened) behind(row, column int) behind {
	s, c := o.spec, o.spec.Columns[column]
	b := behind{table: s.Name, runsSQL: s.RunsSQL, of: o.of(row, column), rate: c.Kind == KindRate}
	var where, hidden []string
	for i, k := range s.Key {
		where = append(where, fmt.Sprintf("m.%s::VARCHAR IS NOT DISTINCT FROM %s", quoteName(k), quoteText(o.keys[row][i])))
	}
	for _, other := range s.Columns {
		if role := quoteText(other.Against); other.Against != "" && other.Against != c.Against && !slices.Contains(hidden, role) {
			hidden = append(hidden, role)
		}
	}
	b.where, b.hidden = strings.Join(where, " AND "), strings.Join(hidden, ", ")
	return b
}

// of is the column of runs that a cell aggregates, or empty.
func (o *Opened) of(row, column int) string {
	c := o.spec.Columns[column]
	switch name := c.Of; {
	case name == "":
		return c.Key
	case name == "-":
		return ""
	case name == ofPrimary:
		return o.primary
	case strings.HasPrefix(name, "$"):
		if i := slices.Index(o.spec.Key, name[1:]); i >= 0 {
			return o.keys[row][i]
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

// taskColumns are the columns of runs that describe the task.
var taskColumns = []string{"language", "scenario", "difficulty", "statement_tokens", "gold_files", "gold_functions", "fail_to_pass_tests", "pass_to_pass_tests"}

// definition says what a column of runs holds. What describes a task stands in the
// run's first event unless the experiment's file says it.
func definition(of string) string {
	if m, ok := runMetric(of); ok {
		return m.Definition
	}
	for _, c := range schema.TableRuns.Columns() {
		if c.Name == of && slices.Contains(taskColumns, of) {
			return c.Doc + "; as " + schema.DocumentTask.File + " of the experiment says, else the run"
		}
		if c.Name == of {
			return c.Doc
		}
	}
	return ""
}

// runs asks how each run behind the cell stands to the quantity; of one run alone
// where its id is given.
func (b behind) runs(ctx context.Context, db *duck.DB, only string) ([]BackingRun, error) {
	value, by := "NULL", "NULL"
	if b.of != "" {
		value = "r." + quoteName(b.of)
	}
	if m, ok := runMetric(b.of); ok {
		by = decidedBy(m)
	}
	where := b.where
	if b.hidden != "" {
		where += " AND (m.run_id IS NULL OR m.role NOT IN (" + b.hidden + "))"
	}
	if only != "" {
		where += " AND m.run_id = " + quoteText(only)
	}
	q := fmt.Sprintf(`WITH member AS (SELECT DISTINCT * FROM (%s) m WHERE %s)
		SELECT m.run_id, m.role, r.task, r.excluded_by, %s::VARCHAR, %s, x.state, x.reason, r.raw_path, r.trajectory_file,
		       r.started_line, r.finished_line, e.file, e.line, e.have, study_outside(m.run_id)
		FROM member m
		LEFT JOIN runs r ON r.run_id = m.run_id
		LEFT JOIN missing x ON x.run_id = m.run_id AND x.metric = %s
		LEFT JOIN exclusions e ON e.run_id = m.run_id AND e.place = 1 AND e.class = 'excluded'
		ORDER BY m.role, m.run_id`, b.runsSQL, where, value, by, quoteText(b.of))
	res, err := db.Query(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", b.table, err)
	}
	lines, err := eventLines(ctx, db, b.of, only)
	if err != nil {
		return nil, err
	}
	var runs []BackingRun
	for _, row := range res.Rows {
		runs = append(runs, backingRun(row, b.of, b.rate, lines))
	}
	slices.SortStableFunc(runs, func(a, b BackingRun) int {
		return slices.Index(Standings, a.Standing) - slices.Index(Standings, b.Standing)
	})
	return runs, nil
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
		if row[15].Kind != duck.Null {
			b.Standing = StandingOutside
		}
		file, line := text(12), text(13)
		if file == "" {
			file, line = ruledIn(text(14), text(9), text(10))
		}
		b.Evidence = place(path, file, line)
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
	if b.Reason == schema.MissingNotRecorded.Name && asksManifest(of) {
		b.Evidence = place(path, schema.DocumentManifest.File, "")
		return b
	}
	b.Evidence = evidence(of, b.By, path, text(9), text(10), text(11), lines[b.RunID])
	return b
}

// asksManifest says that a metric is not recorded where the manifest says so.
func asksManifest(of string) bool {
	m, ok := runMetric(of)
	return ok && slices.Contains(m.Reads, schema.DocumentManifest.Name)
}

// ruledIn is where the plan found what it leaves a run out for: a rule on the task
// in the run's first event, everything else in the manifest.
func ruledIn(have, trajectory, started string) (file, line string) {
	if strings.HasPrefix(have, "task.") && trajectory != "" {
		return trajectory, started
	}
	return schema.DocumentManifest.File, ""
}

func quoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
