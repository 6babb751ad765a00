package pipeline

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// checkPlan refuses a plan that contradicts itself or asks for what does not
// exist: a misspelt field in an exclusion would leave nothing out, and nobody
// would see it.
func checkPlan(p *schema.Plan, dir ingest.ExperimentDir) error {
	place := filepath.Join(dir.Location(), schema.DocumentPlan.File)
	if folder := path.Base(dir.Path); folder != "." && folder != p.ExperimentID {
		return fmt.Errorf("%s: experiment_id: have %q, want %q, the name of its folder", place, p.ExperimentID, folder)
	}
	for _, check := range []func(*schema.Plan) error{checkArms, checkReferences, checkOutcomes, checkStrata, checkRules} {
		if err := check(p); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
	}
	return nil
}

// checkArms: every arm is a cell of its own and has a name of its own, for tables
// join by it; the baseline is one of them.
func checkArms(p *schema.Plan) error {
	names := map[string]string{}
	var list []string
	for _, a := range p.Arms {
		key := schema.ArmName(a.HarnessID, a.ModelKey, a.Treatment)
		if other, twice := names[key]; twice {
			return fmt.Errorf("arms: have %q and %q with the same harness, model and treatment, want one of them", other, a.Name)
		}
		if slices.Contains(list, a.Name) {
			return fmt.Errorf("arms: have the name %q twice, want a name for each arm", a.Name)
		}
		names[key] = a.Name
		list = append(list, a.Name)
	}
	if b, ok := p.Baseline.Get(); ok && list != nil && !slices.Contains(list, b) {
		return fmt.Errorf("baseline: have %q, want one of the arms %s", b, strings.Join(list, ", "))
	}
	return nil
}

func checkReferences(p *schema.Plan) error {
	for _, f := range p.Factors {
		var levels []string
		for _, l := range f.Value.Levels {
			levels = append(levels, l.Text())
		}
		if ref, ok := f.Value.Reference.Get(); ok && !slices.Contains(levels, ref.Text()) {
			return fmt.Errorf("factors: %s: reference: have %q, want one of the levels %s", f.Name, ref.Text(), strings.Join(levels, ", "))
		}
	}
	return nil
}

func checkOutcomes(p *schema.Plan) error {
	if p.Outcomes == nil {
		return nil
	}
	if m, ok := p.Outcomes.Primary.Get(); ok && !isRunMetric(m) {
		return fmt.Errorf("outcomes: primary: have %q, want a metric of runs, as assay describe metric lists them", m)
	}
	for _, m := range p.Outcomes.Secondary {
		if !isRunMetric(m) {
			return fmt.Errorf("outcomes: secondary: have %q, want a metric of runs, as assay describe metric lists them", m)
		}
	}
	return nil
}

func isRunMetric(name string) bool {
	_, ok := schema.MetricByName(schema.LevelRun, name)
	return ok
}

// checkStrata: strata are fields of the manifest or the task that stand in runs.
func checkStrata(p *schema.Plan) error {
	for _, s := range p.Strata {
		column := strings.ReplaceAll(strings.TrimPrefix(s, taskPrefix), ".", "_")
		if !slices.ContainsFunc(schema.TableRuns.Columns(), func(c schema.Column) bool { return c.Name == column }) {
			return fmt.Errorf("strata: have %q, want a field of the manifest or the task, such as repo.name or task.difficulty", s)
		}
	}
	return nil
}

// checkRules: a rule looks at what was known before the run.
func checkRules(p *schema.Plan) error {
	manifest := schema.DocumentManifest.Fields()
	task := schema.DocumentTask.Fields()
	for _, r := range p.Exclusions {
		fields, name := manifest, r.Field
		if rest, ok := strings.CutPrefix(r.Field, taskPrefix); ok {
			fields, name = task, rest
		}
		if !hasScalar(fields, strings.Split(name, ".")) {
			return fmt.Errorf("exclusions: %s: field: have %q, want a field of the manifest, such as model_key or treatment.NAME, or of the task, such as task.difficulty", r.Name, r.Field)
		}
		// Against any number the value shows whether the operation can take it.
		if _, err := compare("0", r.Op, r.Value); err != nil {
			return fmt.Errorf("exclusions: %s: %w", r.Name, err)
		}
	}
	return nil
}

// hasScalar reports whether a path of keys can lead to a scalar.
func hasScalar(fields []schema.Field, keys []string) bool {
	i := slices.IndexFunc(fields, func(f schema.Field) bool { return f.Key == keys[0] })
	if i < 0 {
		return false
	}
	switch f := fields[i]; f.Kind {
	case schema.KindOpen, schema.KindMap:
		return len(keys) > 1
	case schema.KindObject:
		return len(keys) > 1 && hasScalar(f.Fields, keys[1:])
	case schema.KindList:
		return false
	}
	return len(keys) == 1
}
