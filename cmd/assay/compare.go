package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/schema"
	"github.com/assay-bench/assay/stats/duck"
)

// compareOptions are the flags of assay compare.
type compareOptions struct {
	arm, against, metric string
	faults               string
	seed                 uint64
	limit                int
}

func compareCommand(a *app) *cobra.Command {
	var o compareOptions
	c := &cobra.Command{
		Use:   "compare DATA --arm A --against B [--metric M]",
		Short: "Is A better than B? Paired difference, interval, p, flips by task, what could have been detected",
		Long: `Compares two arms on the runs of the same task and repetition: the difference with its interval and p,
the tasks that went the other way, the runs without a partner, and the true difference that a study of this size
would have found in 80 of 100 repetitions. Exits 4 where no run has a partner.`,
		Example: `  assay compare data
  assay compare data --arm bm25 --against none
  assay compare data --arm bm25 --against none --metric cost_usd --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return runCompare(c.Context(), a, args[0], o) },
	}
	f := c.Flags()
	f.StringVar(&o.arm, "arm", "", "the arm in question (default: the other one of two)")
	f.StringVar(&o.against, "against", "", "the arm that it is held against (default: the study's baseline)")
	f.StringVar(&o.metric, "metric", "", "a metric of runs (default: the study's primary outcome)")
	f.StringVar(&o.faults, "faults", "", "which faults count as failures: agent, all or none")
	f.Uint64Var(&o.seed, "seed", duck.DefaultSeed, "seed of the resampling")
	f.IntVar(&o.limit, "limit", 40, "flipped tasks to list; 0 lists all")
	return c
}

// A comparedPair is the result of a comparison, as programs read it.
type comparedPair struct {
	// Arm and Against are the two arms; the difference is the first minus the second.
	Arm     string `json:"arm"`
	Against string `json:"against"`
	// Metric is what was compared; Direction says which way is better.
	Metric    string           `json:"metric"`
	Direction schema.Direction `json:"direction"`
	// Pairs and Tasks are what the difference rests on.
	Pairs int64 `json:"pairs"`
	Tasks int64 `json:"tasks"`
	// UnmatchedArm and UnmatchedAgainst count observed runs without a partner.
	UnmatchedArm     int64 `json:"unmatched_arm"`
	UnmatchedAgainst int64 `json:"unmatched_against"`
	// Difference is the estimate; Low and High bound it at 95%; null where IntervalWhy says why.
	Difference *float64 `json:"difference"`
	Low        *float64 `json:"low"`
	High       *float64 `json:"high"`
	// P is two-sided.
	P *float64 `json:"p"`
	// Detectable is the true difference that such a study finds with a probability of 80%.
	Detectable *float64 `json:"detectable"`
	// Method and Test name the interval and the test.
	Method string `json:"method"`
	Test   string `json:"test"`
	// Seed and Draws are those of the resampling; 0 draws where there was none.
	Seed  int64 `json:"seed"`
	Draws int64 `json:"draws"`
	// Why says why there is no estimate or no interval.
	Why string `json:"why,omitzero"`
	// Faults is the convention of faults in use.
	Faults string `json:"faults"`
	// Higher and Lower are the tasks on which the first arm's mean is above or below the second's; Equal counts the others.
	Higher []flippedTask `json:"higher"`
	Lower  []flippedTask `json:"lower"`
	Equal  int           `json:"equal"`
}

// A flippedTask is a task on which the arms differ.
type flippedTask struct {
	// Task is its id.
	Task string `json:"task_id"`
	// Arm and Against are the means of its pairs.
	Arm     float64 `json:"arm"`
	Against float64 `json:"against"`
	// Pairs is their number.
	Pairs int64 `json:"pairs"`
}

func runCompare(ctx context.Context, a *app, data string, o compareOptions) error {
	if err := checkFaults(o.faults); err != nil {
		return err
	}
	_, db, err := openDataset(ctx, data, o.faults, duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	metric, err := o.resolve(ctx, db)
	if err != nil {
		return err
	}
	r, err := comparePair(ctx, db, o, metric)
	if err != nil {
		return err
	}
	if r.Pairs == 0 {
		return &exitError{exitUndecided, fmt.Errorf("cannot decide: no run of %s has a partner in %s with a value of %s (unmatched: %d and %d)",
			r.Arm, r.Against, r.Metric, r.UnmatchedArm, r.UnmatchedAgainst)}
	}
	if a.json {
		return a.printJSON(r)
	}
	a.printCompared(r, o.limit)
	a.next("assay audit " + shellQuote(data) + "      (was the apparatus alike in both?)")
	return nil
}

// resolve fills in what was left out, and refuses arms and metrics that are not there.
func (o *compareOptions) resolve(ctx context.Context, db *duck.DB) (*schema.Metric, error) {
	res, err := db.Query(ctx, "SELECT study_primary(), study_baseline(), coalesce((SELECT list(DISTINCT arm ORDER BY arm) FROM included), [])")
	if err != nil {
		return nil, err
	}
	var arms []string
	for _, v := range res.Rows[0][2].Elems {
		arms = append(arms, v.Text)
	}
	if o.metric == "" {
		o.metric = res.Rows[0][0].Text
	}
	if o.against == "" {
		o.against = res.Rows[0][1].Text
		if len(arms) == 2 && o.arm == o.against {
			o.against = other(arms, o.arm)
		}
	}
	if o.arm == "" && len(arms) == 2 {
		o.arm = other(arms, o.against)
	}
	for _, flag := range [][2]string{{"--arm", o.arm}, {"--against", o.against}} {
		if !slices.Contains(arms, flag[1]) {
			return nil, usageError(fmt.Errorf("%s: have %q, want one of the arms with included runs:\n  %s", flag[0], flag[1], strings.Join(arms, "\n  ")))
		}
	}
	if o.arm == o.against {
		return nil, usageError(fmt.Errorf("--against: have %q twice, want two arms", o.arm))
	}
	return runMetric("--metric", o.metric)
}

func other(arms []string, one string) string {
	if arms[0] == one {
		return arms[1]
	}
	return arms[0]
}

// runMetric finds a metric that has a number for each run.
func runMetric(flag, name string) (*schema.Metric, error) {
	m, ok := schema.MetricByName(schema.LevelRun, name)
	if !ok || m.Kind == schema.KindLabel {
		return nil, usageError(fmt.Errorf("%s: have %q, want a metric that is a number of each run; assay sql DATA \"SELECT name FROM metrics WHERE level = 'run' AND kind <> 'label'\" lists them", flag, name))
	}
	return m, nil
}

// sqlText is a text as a literal of SQL.
func sqlText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func comparePair(ctx context.Context, db *duck.DB, o compareOptions, m *schema.Metric) (comparedPair, error) {
	r := comparedPair{Arm: o.arm, Against: o.against, Metric: m.Name, Direction: m.Direction, Higher: []flippedTask{}, Lower: []flippedTask{}}
	runs := "SELECT * FROM included WHERE arm IN (" + sqlText(o.arm) + ", " + sqlText(o.against) + ")"
	options := fmt.Sprintf("response=%s arm=arm match=pairing baseline=%s seed=%d", m.Name, sqlText(o.against), o.seed)
	res, err := db.Query(ctx, "SELECT *, study_faults() AS faults FROM paired("+sqlText(runs)+", "+sqlText(options)+")")
	if err != nil {
		return r, err
	}
	for _, row := range res.Rows {
		for i, c := range res.Columns {
			r.take(c.Name, row[i])
		}
	}
	return r, r.flips(ctx, db, m)
}

// take reads one column of paired.
func (r *comparedPair) take(column string, v duck.Value) {
	switch column {
	case "difference":
		r.Difference = real(v)
	case "low":
		r.Low = real(v)
	case "high":
		r.High = real(v)
	case "p":
		r.P = real(v)
	case "detectable":
		r.Detectable = real(v)
	case "pairs":
		r.Pairs = v.Int
	case "tasks":
		r.Tasks = v.Int
	case "unmatched_arm":
		r.UnmatchedArm = v.Int
	case "unmatched_baseline":
		r.UnmatchedAgainst = v.Int
	case "method":
		r.Method = v.String()
	case "test":
		r.Test = v.String()
	case "seed":
		r.Seed = v.Int
	case "draws":
		r.Draws = v.Int
	case "faults":
		r.Faults = v.String()
	case "why", "interval_why":
		if r.Why == "" {
			r.Why = v.String()
		}
	}
}

func real(v duck.Value) *float64 {
	n, ok := v.Number()
	if !ok {
		return nil
	}
	return &n
}

// flips lists the tasks on which the means of the pairs differ.
func (r *comparedPair) flips(ctx context.Context, db *duck.DB, m *schema.Metric) error {
	query := fmt.Sprintf(`SELECT a.task_id, avg(a.v ORDER BY a.run_id), avg(b.v ORDER BY b.run_id), count(*)
		FROM (SELECT *, %[1]s::DOUBLE AS v FROM included WHERE arm = %[2]s) a JOIN (SELECT *, %[1]s::DOUBLE AS v FROM included WHERE arm = %[3]s) b
		ON a.task_id = b.task_id AND a.repetition IS NOT DISTINCT FROM b.repetition AND a.pairing = b.pairing
		WHERE a.v IS NOT NULL AND b.v IS NOT NULL GROUP BY a.task_id ORDER BY a.task_id`, m.Name, sqlText(r.Arm), sqlText(r.Against))
	return db.Each(ctx, query, func([]duck.Column) error { return nil }, func(v []duck.Value) error {
		t := flippedTask{Task: v[0].Text, Arm: v[1].Real, Against: v[2].Real, Pairs: v[3].Int}
		switch {
		case t.Arm > t.Against:
			r.Higher = append(r.Higher, t)
		case t.Arm < t.Against:
			r.Lower = append(r.Lower, t)
		default:
			r.Equal++
		}
		return nil
	})
}
