package duck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A Study is what an experiment asks of its dataset. The zero Study asks what
// follows from the runs themselves.
type Study struct {
	// Faults says which faults count as failures; empty means agent.
	Faults string
	// Factors are the planned factors.
	Factors []StudyFactor
	// Baseline is the arm that differences are taken to; empty: derived.
	Baseline string
	// Primary is the primary outcome; empty: derived.
	Primary string
	// Strata are the columns of runs that table 5 splits by; empty: scenario and difficulty.
	Strata []string
}

// A StudyFactor is a factor of the plan, by the column that holds its levels.
type StudyFactor struct {
	// Column is the column of runs, such as factor_retriever.
	Column string
	// Reference is the level that others are compared with; empty: the first by name.
	Reference string
	// Role says which tables the factor belongs to.
	Role string
}

// storedSuffix ends the names of the tables as they are stored, where the view of
// the table's own name follows the convention of faults.
const storedSuffix = "_stored"

// OpenStudy opens a dataset with the views and macros that the tables rest on:
// runs under the convention of faults, included, and study_…() for what the
// experiment asks. They can be used in any query.
func OpenStudy(ctx context.Context, src Source, study Study, opts Options) (*DB, error) {
	tables := src.Relations
	src.Relations = nil
	for _, r := range tables {
		if r.Name == schema.TableRuns.Name || r.Name == schema.TableMissing.Name {
			r.Name += storedSuffix
		}
		src.Relations = append(src.Relations, r)
	}
	src.Relations = append(src.Relations, faultViews(study.Faults, columnsOf(tables, schema.TableRuns.Name), columnsOf(tables, schema.TableMissing.Name))...)
	src.Relations = append(src.Relations, eventsView(tables)...)
	return openWith(ctx, src, opts, func(db *DB) error { return db.defineStudy(ctx, study) })
}

// defineStudy asks the data what the plan leaves open, and makes the macros.
func (db *DB) defineStudy(ctx context.Context, study Study) error {
	factors, err := db.factors(ctx, study, ViewIncluded)
	if err != nil {
		return err
	}
	retrieval, err := db.factors(ctx, study, ViewRetrieved)
	if err != nil {
		return err
	}
	baseline, err := db.baseline(ctx, study, factors)
	if err != nil {
		return err
	}
	primary, err := db.primary(ctx, study)
	if err != nil {
		return err
	}
	strata := study.Strata
	if len(strata) == 0 {
		strata = []string{"scenario", "difficulty"}
	}
	faults := study.Faults
	if faults == "" {
		faults = schema.FaultsAgent.Name
	}
	macros := map[string]string{
		"study_baseline": baseline,
		// What the plan names, which may have no included run; empty without a plan.
		"study_planned_baseline": study.Baseline,
		"study_primary":          primary,
		"study_faults":           faults,
		"study_strata":           strings.Join(strata, ","),
		"study_factors":          joinColumns(factors, everyFactor),
		"study_ablations":        joinColumns(factors, ablation(factors)),
		"study_references":       references(factors),
		// The same of the runs in the view retrieved.
		"retrieval_factors":    joinColumns(retrieval, everyFactor),
		"retrieval_ablations":  joinColumns(retrieval, ablation(retrieval)),
		"retrieval_references": references(retrieval),
	}
	for _, name := range sortedNames(macros) {
		if err := db.exec(ctx, "CREATE MACRO "+name+"() AS "+literal(macros[name])); err != nil {
			return err
		}
	}
	if err := db.exec(ctx, "CREATE MACRO study_reference(f) AS "+referenceOf(factors), "CREATE MACRO retrieval_reference(f) AS "+referenceOf(retrieval)); err != nil {
		return err
	}
	// A run outside of the plan may have a fault besides, which then excludes it: excluded_by
	// does not say that it fills no planned cell.
	outside := ""
	for _, reason := range []*schema.FindingCode{&schema.ExclusionExtraRun, &schema.ExclusionUnplanned} {
		outside += " WHEN id IN (SELECT run_id FROM exclusions WHERE class = " + literal(schema.ClassExcluded) + " AND reason = " + literal(reason.Name) + ") THEN " + literal(reason.Name)
	}
	if err := db.exec(ctx, "CREATE MACRO study_outside(id) AS CASE"+outside+" END"); err != nil {
		return err
	}
	return db.exec(ctx, "CREATE MACRO option_text(x) AS '''' || replace(x, '''', '''''') || ''''")
}

func sortedNames(m map[string]string) []string {
	var names []string
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// factors are the columns with two levels or more among the runs of a view: those of
// the treatment, then harness and model where no factor determines them.
func (db *DB) factors(ctx context.Context, study Study, among View) ([]StudyFactor, error) {
	res, err := db.Query(ctx, "SELECT column_name FROM duckdb_columns() WHERE table_name = 'runs' AND starts_with(column_name, 'factor_') ORDER BY column_index")
	if err != nil {
		return nil, err
	}
	var out []StudyFactor
	for _, row := range res.Rows {
		f := StudyFactor{Column: row[0].Text}
		for _, planned := range study.Factors {
			if planned.Column == f.Column {
				f = planned
			}
		}
		n, err := db.count(ctx, "SELECT count(DISTINCT "+identifier(f.Column)+") FROM "+among.Name)
		if err != nil {
			return nil, err
		}
		if n < 2 {
			continue
		}
		// A planned reference level that no run has cannot be compared with.
		at, err := db.count(ctx, "SELECT count(*) FROM "+among.Name+" WHERE "+identifier(f.Column)+" = "+literal(f.Reference))
		if err != nil {
			return nil, err
		}
		if at == 0 {
			f.Reference = ""
		}
		out = append(out, f)
	}
	treatment := out
	for _, column := range []string{"harness_id", "model_key"} {
		varies, err := db.count(ctx, "SELECT count(DISTINCT "+column+") FROM "+among.Name)
		if err != nil {
			return nil, err
		}
		determined := false
		for _, f := range treatment {
			most, err := db.count(ctx, "SELECT coalesce(max(n), 0) FROM (SELECT count(DISTINCT "+column+") AS n FROM "+among.Name+" GROUP BY "+identifier(f.Column)+")")
			if err != nil {
				return nil, err
			}
			determined = determined || most <= 1
		}
		if varies > 1 && !determined {
			out = append(out, StudyFactor{Column: column})
		}
	}
	return out, nil
}

func (db *DB) count(ctx context.Context, query string) (int64, error) {
	res, err := db.Query(ctx, query)
	if err != nil || len(res.Rows) == 0 {
		return 0, err
	}
	return res.Rows[0][0].Int, nil
}

// baseline is the planned one, else the arm at the reference level of every
// factor, else the first by name.
func (db *DB) baseline(ctx context.Context, study Study, factors []StudyFactor) (string, error) {
	order := []string{}
	if study.Baseline != "" {
		order = append(order, "(arm = "+literal(study.Baseline)+") DESC")
	}
	var at []string
	for _, f := range factors {
		if f.Reference != "" {
			at = append(at, identifier(f.Column)+" IS NOT DISTINCT FROM "+literal(f.Reference))
		}
	}
	if len(at) > 0 {
		order = append(order, "("+strings.Join(at, " AND ")+") DESC")
	}
	res, err := db.Query(ctx, "SELECT arm FROM included ORDER BY "+strings.Join(append(order, "arm"), ", ")+" LIMIT 1")
	if err != nil || len(res.Rows) == 0 {
		return study.Baseline, err
	}
	return res.Rows[0][0].Text, nil
}

// primary is the planned outcome, else resolved_at_1, or file_recall_at_10 where
// that applies to no run.
func (db *DB) primary(ctx context.Context, study Study) (string, error) {
	if study.Primary != "" {
		return study.Primary, nil
	}
	n, err := db.count(ctx, "SELECT count(*) FROM included WHERE outcome IS DISTINCT FROM 'not_applicable'")
	if err != nil {
		return "", err
	}
	if n == 0 {
		return schema.FileRecallAt10.Name, nil
	}
	return schema.ResolvedAt1.Name, nil
}

func everyFactor(StudyFactor) bool { return true }

func joinColumns(factors []StudyFactor, keep func(StudyFactor) bool) string {
	var names []string
	for _, f := range factors {
		if keep(f) {
			names = append(names, f.Column)
		}
	}
	return strings.Join(names, ",")
}

// ablation keeps the factors of role query or packing; where no factor has a role, all.
func ablation(factors []StudyFactor) func(StudyFactor) bool {
	roles := false
	for _, f := range factors {
		roles = roles || f.Role != ""
	}
	return func(f StudyFactor) bool {
		return !roles || f.Role == schema.RoleQuery.Name || f.Role == schema.RolePacking.Name
	}
}

// references is the option reference= of factorial and ablations.
func references(factors []StudyFactor) string {
	var parts []string
	for _, f := range factors {
		if f.Reference != "" {
			parts = append(parts, f.Column+":"+f.Reference)
		}
	}
	return strings.Join(parts, ",")
}

// referenceOf is an expression that gives the reference level of the factor f,
// NULL where the plan names none: then it is the first by name.
func referenceOf(factors []StudyFactor) string {
	cases := ""
	for _, f := range factors {
		if f.Reference != "" {
			cases += " WHEN " + literal(f.Column) + " THEN " + literal(f.Reference)
		}
	}
	if cases == "" {
		return "NULL::VARCHAR"
	}
	return "CASE f" + cases + " END"
}

// openWith is Open with a step between making the views and closing the door.
func openWith(ctx context.Context, src Source, opts Options, step func(*DB) error) (*DB, error) {
	db, err := newDB(ctx, src, opts)
	if err != nil {
		return nil, err
	}
	if err := step(db); err != nil {
		db.Close()
		return nil, fmt.Errorf("study: %w", err)
	}
	if err := db.remember(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, db.lock(ctx, src, opts)
}
