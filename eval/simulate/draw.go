package simulate

import "github.com/assay-bench/assay/schema"

// A Row is one included run with its outcomes, as a dataset of the same study and
// seed holds them.
type Row struct {
	// Arm is the arm's place in Study.Arms.
	Arm int
	// Task counts from 0.
	Task int
	// Repository counts from 0.
	Repository int
	// Repetition counts from 1.
	Repetition int
	// Scenario is the task's scenario.
	Scenario string
	// Difficulty is the task's difficulty.
	Difficulty string
	// FileRecallAt10 is missing in silent arms, and on tasks without gold.
	FileRecallAt10 schema.Opt[float64]
	// FunctionRecallAt10 is missing where FileRecallAt10 is.
	FunctionRecallAt10 schema.Opt[float64]
	// GoldWithinBudget is missing where FileRecallAt10 is.
	GoldWithinBudget schema.Opt[float64]
	// ResolvedAt1 is 0 or 1; missing where the evaluation failed.
	ResolvedAt1 schema.Opt[float64]
	// InputTokens is log-normal; missing where a call reports no tokens.
	InputTokens schema.Opt[float64]
	// OutputTokens is missing where InputTokens is.
	OutputTokens schema.Opt[float64]
	// WallTimeS is log-normal.
	WallTimeS schema.Opt[float64]
}

// Draw returns the runs that a dataset of the study would include, in the order
// of tasks, repetitions and arms, with tasks and outcomes drawn from the seed;
// the study's own seed is that of Write. Nothing is written.
func Draw(s Study, seed uint64) ([]Row, error) {
	d, err := s.lay(seed)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, 0, d.runs())
	r := newStream(seed, streamOutcome, 0)
	for i := range d.runs() {
		if d.excluded(i) {
			continue
		}
		row := d.row(r, i)
		if f := d.fault(i); f != nil {
			row.miss(f)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// miss takes away what a fault leaves without a value.
func (r *Row) miss(f *Fault) {
	values := map[*schema.Metric]*schema.Opt[float64]{&schema.ResolvedAt1: &r.ResolvedAt1, &schema.InputTokens: &r.InputTokens, &schema.OutputTokens: &r.OutputTokens}
	for _, m := range f.Missing {
		if v, ok := values[m.Metric]; ok {
			*v = schema.None[float64]()
		}
	}
}

func (d *design) row(r *stream, i int) Row {
	c := d.cell(i)
	t := &d.tasks[c.task]
	o := d.outcome(r, i)
	row := Row{Arm: c.arm, Task: c.task, Repository: c.task % d.study.Repositories, Repetition: c.repetition + 1,
		Scenario: t.scenario, Difficulty: t.difficulty, InputTokens: schema.Some(float64(o.input)),
		OutputTokens: schema.Some(float64(o.output)), WallTimeS: schema.Some(float64(o.wallMS) / 1000), ResolvedAt1: schema.Some(0.0)}
	if o.resolved {
		row.ResolvedAt1 = schema.Some(1.0)
	}
	if a := &d.arms[c.arm]; !a.silent && !t.noGold {
		row.FileRecallAt10 = schema.Some(o.within(ranked))
		row.FunctionRecallAt10 = schema.Some(o.functions())
		row.GoldWithinBudget = schema.Some(o.within(a.fits))
	}
	return row
}
