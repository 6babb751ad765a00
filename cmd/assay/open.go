package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// openDataset opens a dataset with the views and functions that tables rest on.
func openDataset(ctx context.Context, path string, faults string, opts duck.Options) (*dataset.Dataset, *duck.DB, error) {
	d, err := dataset.Open(path)
	if err != nil {
		return nil, nil, err
	}
	db, err := duck.OpenStudy(ctx, source(d), study(d, faults), opts)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", d.Dir, err)
	}
	return d, db, nil
}

// source lists the dataset's tables with their columns for DuckDB.
func source(d *dataset.Dataset) duck.Source {
	src := duck.Source{Dir: d.Dir}
	for _, t := range schema.Tables {
		r := duck.Relation{Name: t.Name, Doc: t.Doc, Columns: tableColumns(t, d.Lineage.Factors), Older: d.Lineage.SchemaVersion != dataset.Version}
		for _, f := range d.Lineage.Files {
			if f.Table == t.Name {
				r.Files = append(r.Files, f.Path)
			}
		}
		src.Relations = append(src.Relations, r)
	}
	return src
}

// tableColumns are the columns of a table: those of its rows, of its metrics, of the factors.
func tableColumns(t *schema.Table, factors []dataset.Factor) []schema.Column {
	columns := t.Columns()
	if t.Values != "" {
		for _, v := range schema.ValueColumns(t.Values) {
			columns = append(columns, v.Column)
		}
	}
	if t.Factors {
		for _, f := range factors {
			columns = append(columns, schema.Column{Name: f.Column, Type: schema.TypeText, Nullable: true, Doc: "the run's level of the factor " + f.Name})
		}
	}
	return columns
}

// study is what the dataset's plan asks. Several experiments with plans of their
// own leave factors and baseline to what the runs show.
func study(d *dataset.Dataset, faults string) duck.Study {
	s := duck.Study{Faults: faults}
	var plans []*schema.Plan
	for _, e := range d.Lineage.Experiments {
		if e.Plan != nil {
			plans = append(plans, e.Plan)
		}
	}
	if len(plans) != 1 {
		return s
	}
	p := plans[0]
	if faults == "" {
		s.Faults = p.Faults.Or("")
	}
	s.Baseline = p.Baseline.Or("")
	if p.Outcomes != nil {
		s.Primary = p.Outcomes.Primary.Or("")
	}
	for _, stratum := range p.Strata {
		s.Strata = append(s.Strata, stratumColumn(stratum))
	}
	for _, f := range p.Factors {
		s.Factors = append(s.Factors, studyFactor(f))
	}
	return s
}

func studyFactor(f schema.Member[schema.Factor]) duck.StudyFactor {
	out := duck.StudyFactor{Column: dataset.FactorColumn(f.Name), Role: f.Value.Role.Or("")}
	if ref, ok := f.Value.Reference.Get(); ok {
		out.Reference = ref.Text()
	} else if len(f.Value.Levels) > 0 {
		out.Reference = f.Value.Levels[0].Text()
	}
	return out
}

// checkFaults refuses a word that is no convention.
func checkFaults(faults string) error {
	set, _ := schema.SetByName("faults")
	if faults != "" && !set.Has(faults) {
		return usageError(fmt.Errorf("--faults: have %q, want agent, all or none", faults))
	}
	return nil
}

// stratumColumn is the column of runs that holds a field of the plan's strata,
// such as difficulty, task.difficulty or repo.name.
func stratumColumn(field string) string {
	return strings.ReplaceAll(strings.TrimPrefix(field, "task."), ".", "_")
}
