package duck

import (
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

func columnsOf(relations []Relation, name string) []schema.Column {
	for _, r := range relations {
		if r.Name == name {
			return r.Columns
		}
	}
	return nil
}

// faultViews are runs, missing, included and retrieved under a convention of faults.
func faultViews(faults string, runColumns, missingColumns []schema.Column) []Relation {
	replace, missing := "", "SELECT * FROM missing_stored"
	infra := literal(schema.ExclusionInfrastructure.Name)
	switch faults {
	case schema.FaultsNone.Name:
		replace = ` REPLACE (CASE WHEN resolved_by = 'fault' THEN NULL ELSE resolved_at_1 END AS resolved_at_1,
			CASE WHEN resolved_by = 'fault' THEN NULL ELSE resolved_by END AS resolved_by)`
		missing += ` UNION ALL SELECT run_id, 'resolved_at_1', 'missing', 'not_evaluated' FROM runs_stored WHERE resolved_by = 'fault'`
	case schema.FaultsAll.Name:
		// One that the plan leaves out as well stays out.
		excluded := `(excluded_by IS NOT DISTINCT FROM ` + infra + ` AND run_id NOT IN (SELECT run_id FROM exclusions WHERE class = ` + literal(schema.ClassExcluded) + ` AND place > 1))`
		failed := `(` + excluded + ` OR (resolved_at_1 IS NULL AND fault IS NOT DISTINCT FROM 'evaluator' AND excluded_by IS NULL))`
		replace = ` REPLACE (CASE WHEN ` + failed + ` THEN 0 ELSE resolved_at_1 END AS resolved_at_1,
			CASE WHEN ` + failed + ` THEN 'fault' ELSE resolved_by END AS resolved_by,
			CASE WHEN ` + failed + ` THEN coalesce(failure_stage, failure_stage_declared, 'unknown') ELSE failure_stage END AS failure_stage,
			CASE WHEN ` + excluded + ` THEN NULL ELSE excluded_by END AS excluded_by)`
		missing = `SELECT * FROM missing_stored WHERE NOT (metric IN (` + literal(schema.ResolvedAt1.Name) + `, ` + literal(schema.FailureStage.Name) + `)
			AND run_id IN (SELECT run_id FROM runs_stored WHERE ` + failed + `))
			UNION ALL SELECT run_id, metric, ` + literal(schema.StateMissing) + `, ` + infra + ` FROM runs_stored, (SELECT unnest([` + otherMetrics() + `]) AS metric) WHERE ` + excluded
	}
	extra := `, coalesce(source_harness, harness_id) AS harness, coalesce(source_task, task_id) AS task, coalesce(repo_name, '(unknown)') AS repository`
	runColumns = append(slices.Clone(runColumns),
		schema.Column{Name: "harness", Doc: "the harness as its source calls it"},
		schema.Column{Name: "task", Doc: "the task as its source calls it"},
		schema.Column{Name: "repository", Doc: "the repository, or (unknown)"})
	includedColumns := append(slices.Clone(runColumns), schema.Column{Name: "pairing",
		Doc: "the number of the run among the arm's runs of one task and repetition, in the order of the experiments: 1 unless several experiments ran the same"})
	return []Relation{
		{Name: schema.TableRuns.Name, Doc: schema.TableRuns.Doc, Query: "SELECT *" + replace + extra + " FROM runs_stored", Columns: runColumns},
		{Name: schema.TableMissing.Name, Doc: schema.TableMissing.Doc, Query: missing, Columns: missingColumns},
		{Name: ViewIncluded.Name, Doc: ViewIncluded.Doc, Columns: includedColumns,
			Query: `SELECT *, row_number() OVER (PARTITION BY arm, task_id, repetition ORDER BY experiment_id, run_id) AS pairing FROM runs WHERE excluded_by IS NULL`},
		{Name: ViewRetrieved.Name, Doc: ViewRetrieved.Doc, Columns: includedColumns,
			Query: `SELECT * FROM included ANTI JOIN (SELECT run_id FROM missing WHERE metric = ` + literal(schema.FileRecallAt10.Name) + ` AND state = ` + literal(schema.StateNotApplicable) + `) USING (run_id)`},
	}
}

// otherMetrics lists the metrics that a run excluded for infrastructure still
// lacks when it counts as a failure.
func otherMetrics() string {
	var names []string
	for _, m := range schema.Metrics {
		if m.Level == schema.LevelRun && m != &schema.ResolvedAt1 && m != &schema.FailureStage {
			names = append(names, literal(m.Name))
		}
	}
	return strings.Join(names, ", ")
}
