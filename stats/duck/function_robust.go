package duck

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

// pairingOptions are the options of paired that say what is compared.
var pairingOptions = []string{"response", "arm", "baseline", "unit", "repetition", "match"}

// comparisons reads a pairing and hands each arm's comparison with the baseline on.
func comparisons(ctx context.Context, db *DB, function, query, text string, use func(p *pairing, o options, c comparison) ([][]any, error), known ...string) ([][]any, error) {
	o, err := parseOptions(function, text, append(append([]string{}, pairingOptions...), known...)...)
	if err != nil {
		return nil, err
	}
	f, err := db.frame(ctx, function, query)
	if err != nil || f.rows == 0 {
		return nil, err
	}
	p, arms, err := readPairing(f, o)
	if err != nil {
		return nil, err
	}
	var rows [][]any
	for _, arm := range arms {
		if arm == p.baseline {
			continue
		}
		// Clusters belong to what is done with the comparison, not to it.
		plain := *p
		plain.clusters = nil
		c, err := plain.compare(arm)
		if err != nil {
			return nil, err
		}
		more, err := use(p, o, c)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

var leaveOneOutFunction = table("leave_one_out",
	"query, options: response= arm= baseline= cluster= [unit=task_id] [repetition=repetition] [match=column,…]",
	"arm, baseline, left_out, tasks, difference, all_tasks, lowest, highest, same_sign, why",
	"How far a paired difference rests on single clusters, such as repositories: the mean difference over tasks without each of them, beside that over all tasks, the lowest and the highest, and whether no single one turns its sign. A check of a conclusion, not a test.",
	"SELECT * FROM leave_one_out('SELECT * FROM included', 'response=resolved_at_1 arm=arm baseline=base cluster=repository')",
	[]outColumn{{"arm", duckdb.TYPE_VARCHAR}, {"baseline", duckdb.TYPE_VARCHAR}, {"left_out", duckdb.TYPE_VARCHAR}, {"tasks", duckdb.TYPE_BIGINT},
		{"difference", duckdb.TYPE_DOUBLE}, {"all_tasks", duckdb.TYPE_DOUBLE}, {"lowest", duckdb.TYPE_DOUBLE}, {"highest", duckdb.TYPE_DOUBLE},
		{"same_sign", duckdb.TYPE_BOOLEAN}, {"why", duckdb.TYPE_VARCHAR}},
	func(ctx context.Context, db *DB, query, text string) ([][]any, error) {
		return comparisons(ctx, db, "leave_one_out", query, text, leaveOneOut, "cluster")
	})

func leaveOneOut(p *pairing, o options, c comparison) ([][]any, error) {
	if p.clusters == nil {
		_, err := o.required("cluster")
		return nil, err
	}
	d := c.Differences
	clusters := make([]string, len(d.Tasks))
	for i, t := range d.Tasks {
		clusters[i] = p.clusters[t]
	}
	r := stats.LeaveOneClusterOut(d.ByTask, clusters)
	if !r.Reason.OK() {
		return [][]any{{c.arm, c.baseline, nil, nil, nil, finite(r.Estimate, r.Reason != stats.NoData), nil, nil, nil, string(r.Reason)}}, nil
	}
	var rows [][]any
	for _, w := range r.Without {
		rows = append(rows, []any{c.arm, c.baseline, w.Cluster, int64(w.Tasks), w.Estimate, r.Estimate, r.Lowest, r.Highest, r.SameSign, nil})
	}
	return rows, nil
}

var powerFunction = table("power",
	"query, options: response= arm= baseline= [unit=task_id] [repetition=repetition] [match=column,…] [difference=the observed one] [tasks=the observed ones] [repetitions=] [power=0.8] [alpha=0.05] [seed=1] [draws=10000]",
	"arm, baseline, observed, observed_tasks, discordance, sd, difference, required_tasks, tasks, detectable, power_at_tasks, method, power, alpha, why",
	"Planning from an observed paired comparison: the tasks that a difference needs, the smallest difference that a number of tasks can show, and the power at both. One 0/1 run a task and arm: the exact McNemar test at the observed discordance, by enumeration. Other responses: a paired t over studies drawn from the observed differences; with repetitions=, or beyond 1,000 tasks, over normal ones. The observed spread is taken as true, so a plan from few tasks is itself uncertain.",
	"SELECT * FROM power('SELECT * FROM included', 'response=resolved_at_1 arm=arm baseline=base difference=0.05')",
	[]outColumn{{"arm", duckdb.TYPE_VARCHAR}, {"baseline", duckdb.TYPE_VARCHAR}, {"observed", duckdb.TYPE_DOUBLE}, {"observed_tasks", duckdb.TYPE_BIGINT},
		{"discordance", duckdb.TYPE_DOUBLE}, {"sd", duckdb.TYPE_DOUBLE}, {"difference", duckdb.TYPE_DOUBLE}, {"required_tasks", duckdb.TYPE_BIGINT},
		{"tasks", duckdb.TYPE_BIGINT}, {"detectable", duckdb.TYPE_DOUBLE}, {"power_at_tasks", duckdb.TYPE_DOUBLE}, {"method", duckdb.TYPE_VARCHAR},
		{"power", duckdb.TYPE_DOUBLE}, {"alpha", duckdb.TYPE_DOUBLE}, {"why", duckdb.TYPE_VARCHAR}},
	func(ctx context.Context, db *DB, query, text string) ([][]any, error) {
		return comparisons(ctx, db, "power", query, text, plan, "difference", "tasks", "repetitions", "power", "alpha", "seed", "draws")
	})

func plan(p *pairing, o options, c comparison) ([][]any, error) {
	q, err := readPlan(o, c.Estimate)
	if err != nil {
		return nil, err
	}
	r := stats.PlanComparison(c.PairedComparison, q, p.resampling)
	var required any
	if r.RequiredTasks.Reason.OK() {
		required = int64(r.RequiredTasks.Value)
	}
	number := func(n stats.Number) any { return finite(n.Value, n.Reason.OK()) }
	return [][]any{{c.arm, c.baseline, finite(c.Estimate, c.Reason.OK()), int64(len(c.Differences.Tasks)), number(r.Discordance), number(r.SD),
		finite(r.Difference, r.Difference != 0), required, int64(r.Tasks), number(r.Detectable), number(r.Power), r.Method, q.Planning.Power, q.Planning.Alpha,
		words(firstReason(c.Reason, r.RequiredTasks.Reason, r.Detectable.Reason))}}, nil
}

// readPlan reads what is asked for; without a difference it is the observed one.
func readPlan(o options, observed float64) (q stats.PlanRequest, err error) {
	q.Planning = stats.DefaultPlanning()
	if q.Planning.Power, err = o.share("power", q.Planning.Power); err != nil {
		return q, err
	}
	if q.Planning.Alpha, err = o.share("alpha", q.Planning.Alpha); err != nil {
		return q, err
	}
	if q.Difference, err = o.number("difference", observed); err != nil {
		return q, err
	}
	tasks, err := o.integer("tasks", 0)
	if err != nil {
		return q, err
	}
	repetitions, err := o.integer("repetitions", 0)
	if err != nil {
		return q, err
	}
	if tasks > 1_000_000 || repetitions > 1_000_000 {
		return q, fmt.Errorf("%s: options tasks and repetitions: have %d and %d, want at most 1000000", o.function, tasks, repetitions)
	}
	q.Tasks, q.Repetitions = int(tasks), int(repetitions)
	return q, nil
}

// number is an option that is any finite number.
func (o options) number(key string, otherwise float64) (float64, error) {
	v, ok := o.values[key]
	if !ok {
		return otherwise, nil
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%s: option %s: have %q, want a number", o.function, key, v)
	}
	return f, nil
}

// resampling reads the options seed= and draws=.
func (o options) resampling() (stats.Resampling, error) {
	seed, err := o.integer("seed", DefaultSeed)
	if err != nil {
		return stats.Resampling{}, err
	}
	draws, err := o.integer("draws", stats.DefaultDraws)
	if err != nil {
		return stats.Resampling{}, err
	}
	if draws < 1 || draws > 10_000_000 {
		return stats.Resampling{}, fmt.Errorf("%s: option draws: have %d, want 1 to 10000000", o.function, draws)
	}
	return stats.Resampling{Seed: seed, Draws: int(draws)}, nil
}
