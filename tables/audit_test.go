package tables_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
	"github.com/assay-bench/assay/tables"
)

// soundRuns are two arms on twelve tasks, twice each, in which nothing is amiss:
// the arms differ on some tasks, every run called model and tool and was evaluated.
const soundRuns = `SELECT printf('%032x', t * 10 + r * 2 + f) AS run_id, 'e' AS experiment_id, 'h' AS harness_id, 't' || t AS task_id, 'm' AS model_key,
	CASE f WHEN 0 THEN 'none' ELSE 'bm25' END AS arm, r AS repetition, 'p/' || t AS raw_path, NULL AS excluded_by, 'resolved' AS outcome, 'real' AS patch_state,
	600000 AS max_wall_ms, '1.0' AS harness_version, 'v1' AS benchmark_version, 8000 AS context_budget,
	((t + f) % 3 > 0)::BIGINT AS resolved_at_1, 'tests' AS resolved_by, 3 AS model_calls, 5 AS tool_calls,
	1000 AS input_tokens, 'events' AS input_tokens_from, 3 AS input_tokens_calls, 1000 AS input_tokens_partial, 1000 AS input_tokens_declared, 0.5::DECIMAL(18,9) AS cost_usd, 'events' AS cost_usd_from,
	CASE f WHEN 0 THEN 'none' ELSE 'bm25' END AS factor_retriever
	FROM range(1, 13) a(t), range(1, 3) b(r), range(0, 2) c(f)`

// An auditCase plants one fault in the sound runs.
type auditCase struct {
	check string
	// change is what REPLACE puts into the runs.
	change string
	// where drops runs, so that their cells are absent.
	where string
	// tools are the tool calls; empty: every run searched, but for the arm none.
	tools string
	// plan is the query of the plan; empty: a cell a run of the sound runs.
	plan string
	// found are the subjects that the check must find.
	found []string
}

func openAudit(t *testing.T, c auditCase) *duck.DB {
	t.Helper()
	runs := "SELECT * FROM (" + soundRuns + ")"
	if c.change != "" {
		runs = "SELECT * REPLACE (" + c.change + ") FROM (" + soundRuns + ")"
	}
	if c.where != "" {
		runs += " WHERE " + c.where
	}
	if c.tools == "" {
		c.tools = "SELECT run_id, 1 AS seq, 'search' AS tool, true AS included FROM (" + runs + ") WHERE arm <> 'none'"
	}
	if c.plan == "" {
		c.plan = `SELECT s.experiment_id, s.arm, s.harness_id, s.model_key, s.task_id, s.repetition, r.run_id, false AS inferred
			FROM (` + soundRuns + `) s LEFT JOIN (` + runs + `) r USING (run_id)`
	}
	rows := map[string]string{
		"runs": runs, "plan": c.plan, "tool_calls": c.tools,
		"exclusions": "SELECT run_id, 'excluded' AS class, 1 AS place, excluded_by AS reason, raw_path FROM (" + runs + ") WHERE excluded_by IS NOT NULL",
	}
	relations := relationsOf(rows)
	for i := range relations {
		if relations[i].Name == "missing" {
			relations[i].Query = missingOf(relationsOf(rows)[0].Query)
		}
	}
	db, err := duck.OpenStudy(context.Background(), duck.Source{Relations: relations}, duck.Study{}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// missingOf is a row for each metric that an included run has no value of: missing
// where the run could have it, as the dataset's table is.
func missingOf(runs string) string {
	var columns []string
	for _, m := range schema.Metrics {
		if m.Level == schema.LevelRun {
			columns = append(columns, "("+m.Name+" IS NULL)::BIGINT AS "+m.Name)
		}
	}
	return `SELECT run_id, metric, CASE WHEN metric IN ('resolved_at_1', 'cost_usd') THEN 'missing' ELSE 'not_applicable' END AS state, 'no_usage' AS reason
		FROM (SELECT run_id, ` + strings.Join(columns, ", ") + ` FROM (` + runs + `) WHERE excluded_by IS NULL) UNPIVOT (lacking FOR metric IN (* EXCLUDE (run_id))) WHERE lacking = 1`
}

// retrieverPlan is what the study's plan says of its factor.
var retrieverPlan = tables.Apparatus{
	Factors: []tables.ApparatusFactor{{Name: "retriever", Column: "factor_retriever", Reference: "none", ActsThrough: []string{"search"}}},
}

// TestAuditFindsWhatIsPlanted plants a fault for each check, which finds it in the
// subjects that were changed and in no others.
func TestAuditFindsWhatIsPlanted(t *testing.T) {
	cases := []auditCase{
		{check: "accounting", plan: "SELECT 'e' AS experiment_id, 'none' AS arm, 'h' AS harness_id, 'm' AS model_key, 't1' AS task_id, 1 AS repetition, NULL AS run_id, false AS inferred",
			found: []string{"planned + unplanned = runs + absent - extra", "harnesses = harnesses whose planned + unplanned = runs + absent - extra"}},
		{check: "attrition", where: "NOT (arm = 'bm25' AND task_id IN ('t1', 't2', 't3'))", found: []string{"bm25"}},
		{check: "attrition", change: "'infrastructure' AS excluded_by", found: []string{"bm25", "none"}},
		{check: "no_model_calls", change: "CASE WHEN arm = 'bm25' THEN 0 ELSE model_calls END AS model_calls", found: []string{"bm25"}},
		{check: "no_tool_calls", change: "CASE WHEN arm = 'bm25' THEN 0 ELSE tool_calls END AS tool_calls", found: []string{"bm25"}},
		{check: "empty_patches", change: "CASE WHEN arm = 'bm25' THEN 'empty' ELSE patch_state END AS patch_state", found: []string{"bm25"}},
		{check: "factor_never_acted", tools: "SELECT '0' AS run_id, 1 AS seq, 'search' AS tool, true AS included", found: []string{"retriever=bm25"}},
		{check: "aliased_factors", change: "arm AS model_key, 'h-' || arm AS harness_id", found: []string{"harness_id and model_key"}},
		{check: "confounds", change: "CASE WHEN arm = 'bm25' THEN 900000 ELSE max_wall_ms END AS max_wall_ms", found: []string{"limits_max_wall_ms"}},
		{check: "identical_outcomes", change: "(length(task_id) > 2)::BIGINT AS resolved_at_1", found: []string{"all 2 arms"}},
		{check: "live_tasks", change: "1 AS resolved_at_1", found: []string{"resolved_at_1"}},
		{check: "evaluation", change: "CASE WHEN arm = 'bm25' THEN 'fault' ELSE resolved_by END AS resolved_by", found: []string{"bm25"}},
		{check: "total_mismatch", change: "CASE WHEN task_id = 't1' THEN 999 ELSE input_tokens_declared END AS input_tokens_declared", found: []string{"bm25, input_tokens", "none, input_tokens"}},
		{check: "partial_totals", change: "CASE WHEN arm = 'bm25' THEN 'totals' ELSE input_tokens_from END AS input_tokens_from, 2 AS input_tokens_calls", found: []string{"bm25, input_tokens"}},
		{check: "coverage", change: "CASE WHEN arm = 'bm25' AND repetition = 1 THEN NULL ELSE cost_usd END AS cost_usd", found: []string{"cost_usd in bm25"}},
		{check: "cost_of_failures", change: "CASE WHEN resolved_at_1 = 0 AND arm = 'bm25' AND task_id <> 't2' THEN NULL ELSE cost_usd END AS cost_usd", found: []string{"bm25"}},
		{check: "repetitions"},
	}
	var covered []string
	for _, c := range cases {
		covered = append(covered, c.check)
		t.Run(c.check, func(t *testing.T) {
			found := foundBy(t, openAudit(t, c), retrieverPlan, c.check)
			if !slices.Equal(found[c.check], c.found) {
				t.Errorf("have %v found, want %v", found[c.check], c.found)
			}
		})
	}
	for _, c := range tables.Checks() {
		if !slices.Contains(covered, c.Name) {
			t.Errorf("check %s: have no planted fault, want one", c.Name)
		}
	}
}

// foundBy maps each of some checks, or of all where none is named, to the subjects
// in which it found something.
func foundBy(t *testing.T, db *duck.DB, a tables.Apparatus, names ...string) map[string][]string {
	t.Helper()
	checks := slices.DeleteFunc(tables.Checks(), func(c tables.Check) bool { return len(names) > 0 && !slices.Contains(names, c.Name) })
	seen, err := tables.Audit(context.Background(), db, a, checks)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	for _, o := range seen {
		if o.Found {
			found[o.Check.Name] = append(found[o.Check.Name], o.Subject)
		}
	}
	return found
}

// TestAuditOfASoundStudy: nothing is found where nothing is amiss, nor where there is nothing.
func TestAuditOfASoundStudy(t *testing.T) {
	if found := foundBy(t, openAudit(t, auditCase{}), retrieverPlan); len(found) > 0 {
		t.Errorf("have %v, want nothing found", found)
	}
	if found := foundBy(t, openStudy(t, false, duck.Study{}), tables.Apparatus{}); len(found) > 0 {
		t.Errorf("without runs: have %v, want nothing found", slices.Collect(maps.Keys(found)))
	}
}

// TestAuditOfNothing: a check that has nothing to look at is open, not passed.
func TestAuditOfNothing(t *testing.T) {
	for _, c := range []struct {
		name string
		db   *duck.DB
		open []string
	}{
		{"no run", openStudy(t, false, duck.Study{}), []string{"attrition", "no_model_calls", "no_tool_calls", "empty_patches", "factor_never_acted", "aliased_factors",
			"confounds", "identical_outcomes", "live_tasks", "evaluation", "total_mismatch", "partial_totals", "coverage", "cost_of_failures", "repetitions"}},
		{"nothing amiss", openAudit(t, auditCase{}), []string{"partial_totals"}},
		{"no trajectory", openAudit(t, auditCase{change: "NULL AS model_calls, NULL AS tool_calls, NULL AS input_tokens_declared, NULL AS patch_state"}),
			[]string{"no_model_calls", "no_tool_calls", "empty_patches", "total_mismatch", "partial_totals"}},
		{"one arm", openAudit(t, auditCase{where: "arm = 'bm25'"}), []string{"confounds", "identical_outcomes", "live_tasks", "partial_totals"}},
	} {
		a := retrieverPlan
		if c.name == "no run" {
			a = tables.Apparatus{}
		}
		seen, err := tables.Audit(context.Background(), c.db, a, tables.Checks())
		if err != nil {
			t.Fatal(err)
		}
		var open []string
		for _, o := range seen {
			if o.Open {
				open = append(open, o.Check.Name)
			}
		}
		if !slices.Equal(open, c.open) {
			t.Errorf("%s: have %v open, want %v", c.name, open, c.open)
		}
	}
}

// TestAuditCorrelationOfFewRepetitions: the estimator says nothing of use where one
// task alone was repeated (it gives -1.07 for 14 runs of 13 tasks).
func TestAuditCorrelationOfFewRepetitions(t *testing.T) {
	db := openAudit(t, auditCase{where: "arm = 'bm25' AND (repetition = 1 OR task_id = 't1')",
		change: "CASE WHEN task_id = 't1' THEN repetition - 1 ELSE resolved_at_1 END AS resolved_at_1"})
	seen, err := tables.Audit(context.Background(), db, retrieverPlan, tables.Checks())
	if err != nil {
		t.Fatal(err)
	}
	want := "1 to 2 runs a task; intra-task correlation not estimable: a single task was repeated"
	if last := seen[len(seen)-1]; last.Text != want {
		t.Errorf("have %s, want %s", last.Text, want)
	}
}

// TestAuditOfDeclaredSettings: what the plan wants equal is compared by the plan's
// names, and a name that stands for no setting is said to.
func TestAuditOfDeclaredSettings(t *testing.T) {
	a := retrieverPlan
	a.Comparable = []string{"harness_version", "limits.max_wall_ms", "weather"}
	db := openAudit(t, auditCase{change: "CASE WHEN arm = 'bm25' THEN '2.0' ELSE harness_version END AS harness_version"})
	seen, err := tables.Audit(context.Background(), db, a, tables.Checks())
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, o := range seen {
		if o.Check.Name == "confounds" {
			texts = append(texts, o.Subject+": "+o.Text)
		}
	}
	want := []string{
		"harness_version: differs between arms on 12 of 12 tasks, as 1.0 and 2.0; the plan wants it equal",
		"weather: the plan wants it equal, but no setting of that name stands in the dataset",
	}
	if !slices.Equal(texts, want) {
		t.Errorf("have\n%s\nwant\n%s", strings.Join(texts, "\n"), strings.Join(want, "\n"))
	}
}

// TestAuditCorrelation: four tasks of two runs with outcomes 11 11 00 10. By hand,
// with k = 4 tasks, n0 = 2, task means 1 1 0 1/2 and grand mean 5/8: the mean square
// between tasks is 2 x (9/64 + 9/64 + 25/64 + 1/64) / 3 = 11/24, within tasks
// (1/4 + 1/4) / 4 = 1/8, so that the correlation is (11/24 - 1/8) / (11/24 + 1/8) = 4/7
// = 0.571, and 8 runs are worth 8 / (1 + 4/7) = 5.09.
func TestAuditCorrelation(t *testing.T) {
	db := openAudit(t, auditCase{where: "arm = 'bm25' AND task_id IN ('t1', 't2', 't3', 't4')",
		change: "CASE task_id WHEN 't1' THEN 1 WHEN 't2' THEN 1 WHEN 't3' THEN 0 ELSE repetition - 1 END AS resolved_at_1"})
	seen, err := tables.Audit(context.Background(), db, retrieverPlan, tables.Checks())
	if err != nil {
		t.Fatal(err)
	}
	want := "2 runs a task; intra-task correlation 0.571, 8 runs are worth about 5"
	if last := seen[len(seen)-1]; last.Check.Name != "repetitions" || last.Text != want {
		t.Errorf("have %s: %s, want %s", last.Check.Name, last.Text, want)
	}
}
