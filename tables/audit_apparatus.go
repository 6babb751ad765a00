package tables

import (
	"context"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// An Apparatus is what the plans of a dataset say of how it was made, beyond
// what stands in its tables.
type Apparatus struct {
	// Factors are the dataset's factors, planned or seen.
	Factors []ApparatusFactor
	// Comparable are the settings that must be equal across arms, by the names of the plan.
	Comparable []string
}

// An ApparatusFactor is one factor with the way in which it shows that it acted.
type ApparatusFactor struct {
	// Name is the factor's name in the plan.
	Name string
	// Column is the column of runs that holds its levels.
	Column string
	// Reference is the level that others are compared with; empty where no plan names one.
	Reference string
	// ActsThrough are the tools or event types by which a level shows that it acted.
	ActsThrough []string
}

// Define makes the views that checks share, in a dataset opened with
// duck.OpenStudy, so that a check can be run as any other query:
//
//	treatment(run_id, factor, level)                 a row an included run and factor
//	plan_factors(factor, reference, acts_through)    a row a factor and thing that it acts through; NULL where none is named
//	plan_comparable(setting)                         a row a setting that the plan wants equal
//	outcome(run_id, arm, task_id, repetition, pairing, value)   the primary outcome of included runs
//	measured(run_id, arm, metric, observed)          a row an included run and run-level metric, observed 0 or 1
//
// They are views, not tables: nothing is held twice.
func (a Apparatus) Define(ctx context.Context, db *duck.DB) error {
	res, err := db.Query(ctx, "SELECT study_primary()")
	if err != nil {
		return err
	}
	for _, view := range []string{
		"treatment AS " + a.treatment(),
		"plan_factors AS " + a.planFactors(),
		"plan_comparable AS " + a.planComparable(),
		`outcome AS SELECT run_id, arm, task_id, repetition, pairing, "` + strings.ReplaceAll(res.Rows[0][0].String(), `"`, `""`) + `"::DOUBLE AS value FROM included`,
		"measured AS " + measured(),
	} {
		if _, err := db.Query(ctx, "CREATE VIEW "+view); err != nil {
			return err
		}
	}
	return nil
}

func (a Apparatus) treatment() string {
	parts := []string{"SELECT run_id, NULL::VARCHAR AS factor, NULL::VARCHAR AS level FROM included WHERE false"}
	for _, f := range a.Factors {
		parts = append(parts, "SELECT run_id, "+quoted(f.Name)+`, "`+f.Column+`" FROM included`)
	}
	return strings.Join(parts, " UNION ALL ")
}

func (a Apparatus) planFactors() string {
	rows := []string{"SELECT NULL::VARCHAR AS factor, NULL::VARCHAR AS reference, NULL::VARCHAR AS acts_through WHERE false"}
	for _, f := range a.Factors {
		through := []string{"NULL"}
		if len(f.ActsThrough) > 0 {
			through = nil
		}
		for _, name := range f.ActsThrough {
			through = append(through, quoted(name))
		}
		for _, name := range through {
			rows = append(rows, "SELECT "+quoted(f.Name)+", nullif("+quoted(f.Reference)+", ''), "+name)
		}
	}
	return strings.Join(rows, " UNION ALL ")
}

func (a Apparatus) planComparable() string {
	rows := []string{"SELECT NULL::VARCHAR AS setting WHERE false"}
	for _, s := range a.Comparable {
		rows = append(rows, "SELECT "+quoted(s))
	}
	return strings.Join(rows, " UNION ")
}

func measured() string {
	var columns []string
	for _, m := range schema.Metrics {
		if m.Level == schema.LevelRun {
			columns = append(columns, "("+m.Name+" IS NOT NULL)::BIGINT AS "+m.Name)
		}
	}
	return "SELECT * FROM (SELECT run_id, arm, " + strings.Join(columns, ", ") + " FROM included) UNPIVOT (observed FOR metric IN (* EXCLUDE (run_id, arm)))"
}

// quoted is a text as a literal of SQL.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
