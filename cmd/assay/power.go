package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/stats"
	"github.com/assay-bench/assay/stats/duck"
)

// powerOptions are the flags of assay power.
type powerOptions struct {
	metric, arm, baseline, by, view, unit string
	faults                                string
	discordance, sd, difference           float64
	tasks, repetitions                    int
	power, alpha                          float64
	// repeated says that a file has a column repetition.
	repeated bool
}

func powerCommand(a *app) *cobra.Command {
	o := powerOptions{power: stats.DefaultPlanning().Power, alpha: stats.DefaultPlanning().Alpha}
	c := &cobra.Command{
		Use:   "power [DATA --arm ARM --baseline BASELINE]",
		Short: "How many tasks a difference needs, and what difference a study can show",
		Long: `Plans a comparison of two arms on the same tasks: the tasks that a true difference needs, and the
smallest difference that a number of tasks can show. The discordance or spread comes from a study that
was made (DATA), or is given (--discordance for rates with one run a task and arm, --sd for means: the
standard deviation between tasks of a task's mean difference). Rates are planned by the exact McNemar
test, means by a paired t test. What is observed is taken to be true: a plan from few tasks is itself uncertain.`,
		Example: `  assay power data --metric resolved_at_1 --arm ARM --baseline BASELINE --difference 0.05
  assay power runs.csv --metric ok --by variant --arm new --baseline old
  assay power --discordance 0.2 --difference 0.1
  assay power --discordance 0.2 --tasks 100
  assay power --sd 0.35 --difference 0.1 --power 0.9`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runPower(c.Context(), a, args, o) },
	}
	f := c.Flags()
	f.StringVar(&o.metric, "metric", "resolved_at_1", "the outcome's column")
	f.StringVar(&o.arm, "arm", "", "the arm to compare; empty: every one")
	f.StringVar(&o.baseline, "baseline", "", "the arm to compare with; empty: the study's baseline")
	f.StringVar(&o.by, "by", "arm", "the column that names the arms")
	f.StringVar(&o.view, "view", "", "the view to read; empty: included, or the file's own")
	f.StringVar(&o.unit, "unit", "task_id", "the column that names the task")
	f.StringVar(&o.faults, "faults", "", "which faults count as failures: agent, all or none")
	f.Float64Var(&o.discordance, "discordance", 0, "without DATA: the share of tasks on which the arms differ")
	f.Float64Var(&o.sd, "sd", 0, "without DATA: the standard deviation of a task's mean difference")
	f.Float64Var(&o.difference, "difference", 0, "the true difference to find; with DATA the default is the observed one")
	f.IntVar(&o.tasks, "tasks", 0, "the tasks to judge; with DATA the default is those observed")
	f.IntVar(&o.repetitions, "repetitions", 0, "with DATA: the runs of a task and arm, other than those observed")
	f.Float64Var(&o.power, "power", o.power, "the probability with which the difference shall be found")
	f.Float64Var(&o.alpha, "alpha", o.alpha, "the two-sided level of the test")
	return c
}

func runPower(ctx context.Context, a *app, args []string, o powerOptions) error {
	if err := o.check(len(args) == 1); err != nil {
		return usageError(err)
	}
	var plans []powerPlan
	if len(args) == 0 {
		plans = []powerPlan{o.given()}
	} else {
		var err error
		if plans, err = o.observed(ctx, args[0]); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(plans)
	}
	for i, p := range plans {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.printPlan(p)
	}
	return nil
}

func (o powerOptions) check(data bool) error {
	share := func(flag string, v float64, zero bool) error {
		if !(v > 0 && v < 1) && !(zero && v == 0) {
			return fmt.Errorf("power: --%s: have %v, want a number between 0 and 1", flag, v)
		}
		return nil
	}
	switch {
	case o.tasks < 0 || o.tasks > 1_000_000 || o.repetitions < 0 || o.repetitions > 1_000_000:
		return fmt.Errorf("power: --tasks and --repetitions: have %d and %d, want 0 to 1000000", o.tasks, o.repetitions)
	case !data && (o.discordance > 0) == (o.sd > 0):
		return fmt.Errorf("power: have no DATA, want either --discordance or --sd")
	case !data && o.difference == 0 && o.tasks == 0:
		return fmt.Errorf("power: have neither --difference nor --tasks, want one of them")
	case data && (o.discordance != 0 || o.sd != 0):
		return fmt.Errorf("power: have DATA and --discordance or --sd, want one")
	case o.sd < 0:
		return fmt.Errorf("power: --sd: have %v, want a number above 0", o.sd)
	case o.discordance > 0 && !(o.difference >= -1 && o.difference <= 1):
		return fmt.Errorf("power: --difference: have %v, want a difference of rates, -1 to 1", o.difference)
	}
	for _, err := range []error{share("power", o.power, false), share("alpha", o.alpha, false), share("discordance", o.discordance, true)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// A powerPlan is one plan as JSON prints it; what is not known is left out.
type powerPlan struct {
	Arm           string   `json:"arm,omitzero"`
	Baseline      string   `json:"baseline,omitzero"`
	Metric        string   `json:"metric,omitzero"`
	Observed      *float64 `json:"observed_difference,omitzero"`
	ObservedTasks *int64   `json:"observed_tasks,omitzero"`
	Discordance   *float64 `json:"discordance,omitzero"`
	SD            *float64 `json:"sd,omitzero"`
	Difference    *float64 `json:"difference,omitzero"`
	RequiredTasks *int64   `json:"required_tasks,omitzero"`
	Tasks         *int64   `json:"tasks,omitzero"`
	Detectable    *float64 `json:"detectable,omitzero"`
	PowerAtTasks  *float64 `json:"power_at_tasks,omitzero"`
	Method        string   `json:"method"`
	Power         float64  `json:"power"`
	Alpha         float64  `json:"alpha"`
	Why           string   `json:"why,omitzero"`
}

// given plans from what the flags say.
func (o powerOptions) given() powerPlan {
	q := stats.PlanRequest{Planning: stats.Planning{Alpha: o.alpha, Power: o.power}, Difference: o.difference, Tasks: o.tasks}
	var r stats.ComparisonPlan
	if o.discordance > 0 {
		r = stats.PlanRates(o.discordance, q)
	} else {
		r = stats.PlanMeans(o.sd, q)
	}
	known := func(n stats.Number) *float64 {
		if !n.Reason.OK() {
			return nil
		}
		return &n.Value
	}
	p := powerPlan{Discordance: known(r.Discordance), SD: known(r.SD), Detectable: known(r.Detectable), PowerAtTasks: known(r.Power),
		Method: r.Method, Power: o.power, Alpha: o.alpha}
	if o.difference != 0 {
		p.Difference = &r.Difference
		if r.RequiredTasks.Reason.OK() {
			n := int64(r.RequiredTasks.Value)
			p.RequiredTasks = &n
		} else {
			p.Why = string(r.RequiredTasks.Reason)
		}
	}
	if o.tasks > 0 {
		n := int64(r.Tasks)
		p.Tasks = &n
		if !r.Detectable.Reason.OK() {
			p.Why = string(r.Detectable.Reason)
		}
	}
	return p
}

// observed plans from a dataset, or from a file of data with a row a run.
func (o powerOptions) observed(ctx context.Context, path string) ([]powerPlan, error) {
	if err := checkFaults(o.faults); err != nil {
		return nil, err
	}
	_, db, err := openForSQL(ctx, path, sqlOptions{faults: o.faults}, "")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	file := false
	if info, err := os.Stat(path); err == nil {
		file = !info.IsDir()
	}
	if err := o.complete(ctx, db, file); err != nil {
		return nil, err
	}
	query := "SELECT * FROM " + sqlName(o.view)
	if o.arm != "" {
		query += " WHERE " + sqlName(o.by) + " IN (" + sqlText(o.arm) + ", " + sqlText(o.baseline) + ")"
	}
	res, err := db.Query(ctx, "SELECT * FROM power("+sqlText(query)+", "+sqlText(o.options(file))+")")
	if err != nil {
		return nil, err
	}
	if len(res.Rows) == 0 {
		return nil, fmt.Errorf("%s: have no arm %q beside %q, want two arms of the same tasks", path, o.arm, o.baseline)
	}
	var plans []powerPlan
	for _, row := range res.Rows {
		plans = append(plans, o.read(res.Columns, row))
	}
	return plans, nil
}

// complete fills in the view and the baseline.
func (o *powerOptions) complete(ctx context.Context, db *duck.DB, file bool) error {
	if o.view == "" {
		if o.view = "included"; file {
			res, err := db.Query(ctx, "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY view_name")
			if err != nil || len(res.Rows) == 0 {
				return err
			}
			o.view = res.Rows[0][0].Text
		}
	}
	res, err := db.Query(ctx, "SELECT 1 FROM duckdb_columns() WHERE column_name = 'repetition' AND table_name = "+sqlText(o.view))
	if err != nil {
		return err
	}
	o.repeated = len(res.Rows) > 0
	if o.baseline != "" {
		return nil
	}
	if file {
		return usageError(fmt.Errorf("power: have a file and no --baseline, want the arm to compare with"))
	}
	res, err = db.Query(ctx, "SELECT study_baseline()")
	if err == nil && len(res.Rows) > 0 {
		o.baseline = res.Rows[0][0].Text
	}
	return err
}

// options are those of the function power.
func (o powerOptions) options(file bool) string {
	parts := []string{"response=" + sqlText(o.metric), "arm=" + sqlText(o.by), "baseline=" + sqlText(o.baseline), "unit=" + sqlText(o.unit),
		"power=" + strconv.FormatFloat(o.power, 'g', -1, 64), "alpha=" + strconv.FormatFloat(o.alpha, 'g', -1, 64)}
	if file && !o.repeated {
		parts = append(parts, "repetition=none")
	}
	if !file {
		parts = append(parts, "match=pairing")
	}
	if o.difference != 0 {
		parts = append(parts, "difference="+strconv.FormatFloat(o.difference, 'g', -1, 64))
	}
	if o.tasks > 0 {
		parts = append(parts, "tasks="+strconv.Itoa(o.tasks))
	}
	if o.repetitions > 0 {
		parts = append(parts, "repetitions="+strconv.Itoa(o.repetitions))
	}
	return strings.Join(parts, " ")
}

func sqlName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// read makes a plan of a row.
func (o powerOptions) read(columns []duck.Column, row []duck.Value) powerPlan {
	at := map[string]duck.Value{}
	for i, c := range columns {
		at[c.Name] = row[i]
	}
	number := func(name string) *float64 {
		if f, ok := at[name].Number(); ok {
			return &f
		}
		return nil
	}
	count := func(name string) *int64 {
		if v := at[name]; v.Kind == duck.Integer {
			return &v.Int
		}
		return nil
	}
	return powerPlan{Arm: at["arm"].Text, Baseline: at["baseline"].Text, Metric: o.metric, Observed: number("observed"), ObservedTasks: count("observed_tasks"),
		Discordance: number("discordance"), SD: number("sd"), Difference: number("difference"), RequiredTasks: count("required_tasks"),
		Tasks: count("tasks"), Detectable: number("detectable"), PowerAtTasks: number("power_at_tasks"), Method: at["method"].Text,
		Power: o.power, Alpha: o.alpha, Why: at["why"].Text}
}

// printPlan says a plan in words.
func (a *app) printPlan(p powerPlan) {
	var rows [][]string
	add := func(what, value string) { rows = append(rows, []string{what, value}) }
	figure := func(what string, v *float64) {
		if v != nil {
			add(what, strconv.FormatFloat(*v, 'f', 4, 64))
		}
	}
	if p.Arm != "" {
		add("comparison", p.Arm+" against "+p.Baseline+", "+p.Metric)
	}
	figure("observed difference", p.Observed)
	if p.ObservedTasks != nil {
		add("observed tasks", strconv.FormatInt(*p.ObservedTasks, 10))
	}
	figure("discordance", p.Discordance)
	figure("sd between tasks", p.SD)
	if p.Difference != nil && p.RequiredTasks != nil {
		add(fmt.Sprintf("tasks to find %.4f", *p.Difference), strconv.FormatInt(*p.RequiredTasks, 10))
	}
	if p.Tasks != nil && p.Detectable != nil {
		add(fmt.Sprintf("%d tasks can show", *p.Tasks), strconv.FormatFloat(*p.Detectable, 'f', 4, 64))
	}
	if p.Tasks != nil && p.Difference != nil && p.PowerAtTasks != nil {
		add(fmt.Sprintf("power for %.4f with %d tasks", *p.Difference, *p.Tasks), strconv.FormatFloat(*p.PowerAtTasks, 'f', 3, 64))
	}
	if p.Why != "" {
		add("not found", p.Why)
	}
	add("method", fmt.Sprintf("%s; power %g, two-sided level %g", p.Method, p.Power, p.Alpha))
	a.printAligned(rows)
}
