package duck

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

// table makes a table function from its parts.
func table(name, arguments, returns, doc, example string, columns []outColumn, compute func(context.Context, *DB, string, string) ([][]any, error)) Function {
	return Function{Name: name, Kind: "table", Arguments: arguments, Returns: returns, Doc: doc, Example: example,
		register: func(db *DB, conn *sql.Conn) error { return tableFunc{name, columns, compute}.register(db, conn) }}
}

// readArms reads the options and the cells of a function that compares arms.
func readArms(ctx context.Context, db *DB, function, query, text string, known ...string) (*cells, options, error) {
	o, err := parseOptions(function, text, append([]string{"response", "arm", "unit"}, known...)...)
	if err != nil {
		return nil, o, err
	}
	f, err := db.frame(ctx, function, query)
	if err != nil {
		return nil, o, err
	}
	c, err := readCells(f, o)
	return c, o, err
}

var armTestColumns = []outColumn{
	{"statistic", duckdb.TYPE_DOUBLE}, {"df", duckdb.TYPE_DOUBLE}, {"p", duckdb.TYPE_DOUBLE}, {"log10_p", duckdb.TYPE_DOUBLE},
	{"arms", duckdb.TYPE_BIGINT}, {"units", duckdb.TYPE_BIGINT}, {"dropped", duckdb.TYPE_BIGINT}, {"informative", duckdb.TYPE_BIGINT}, {"why", duckdb.TYPE_VARCHAR},
}

var cochranFunction = table("cochran_q", "query, options: response= arm= [unit=task_id]",
	"statistic, df, p, log10_p, arms, units, dropped, informative, why",
	"Whether all arms have the same rate over the same units, one 0/1 run a unit and arm: Cochran's Q with its chi-squared p (Biometrika 37, 1950). Units that lack an arm are dropped and counted; informative are those on which the arms differ.",
	"SELECT * FROM cochran_q('SELECT * FROM included', 'response=resolved_at_1 arm=arm')", armTestColumns,
	func(ctx context.Context, db *DB, query, text string) ([][]any, error) {
		c, _, err := readArms(ctx, db, "cochran_q", query, text)
		if err != nil {
			return nil, err
		}
		for u := range c.units {
			for a, runs := range c.values[u] {
				if len(runs) > 1 {
					return nil, fmt.Errorf("cochran_q: arm %q has %d runs of %q, want one; friedman takes the means of repetitions", c.arms[a], len(runs), c.units[u])
				}
			}
		}
		rows, dropped := c.complete()
		yes := make([][]bool, len(rows))
		for u, row := range rows {
			for _, v := range row {
				if v != 0 && v != 1 {
					return nil, fmt.Errorf("cochran_q: have response %v, want 0, 1 or NULL", v)
				}
				yes[u] = append(yes[u], v == 1)
			}
		}
		q := stats.CochranQ(yes)
		ok := q.Test.Reason.OK()
		return [][]any{{finite(q.Test.Statistic, ok), finite(q.Test.DF, ok), finite(q.Test.P, ok), finite(q.Test.Log10P, ok),
			int64(len(c.arms)), int64(len(rows)), int64(dropped), int64(q.Informative), words(q.Test.Reason)}}, nil
	})

var friedmanFunction = table("friedman", "query, options: response= arm= [unit=task_id]",
	"statistic, df, p, log10_p, arms, units, dropped, kendalls_w, f, df2, p_f, why",
	"Whether all arms have the same distribution over the same units, by ranks within units of the mean over repetitions (Friedman, JASA 32, 1937), corrected for ties; kendalls_w is the agreement of the units, f the form of Iman and Davenport (1980), less conservative for few units. Units that lack an arm are dropped and counted.",
	"SELECT * FROM friedman('SELECT * FROM included', 'response=cost_usd arm=arm')",
	[]outColumn{
		{"statistic", duckdb.TYPE_DOUBLE}, {"df", duckdb.TYPE_DOUBLE}, {"p", duckdb.TYPE_DOUBLE}, {"log10_p", duckdb.TYPE_DOUBLE},
		{"arms", duckdb.TYPE_BIGINT}, {"units", duckdb.TYPE_BIGINT}, {"dropped", duckdb.TYPE_BIGINT},
		{"kendalls_w", duckdb.TYPE_DOUBLE}, {"f", duckdb.TYPE_DOUBLE}, {"df2", duckdb.TYPE_DOUBLE}, {"p_f", duckdb.TYPE_DOUBLE}, {"why", duckdb.TYPE_VARCHAR}},
	func(ctx context.Context, db *DB, query, text string) ([][]any, error) {
		c, _, err := readArms(ctx, db, "friedman", query, text)
		if err != nil {
			return nil, err
		}
		rows, dropped := c.complete()
		r := stats.Friedman(rows)
		ok, f := r.Test.Reason.OK(), r.ImanDavenport.Reason.OK()
		return [][]any{{finite(r.Test.Statistic, ok), finite(r.Test.DF, ok), finite(r.Test.P, ok), finite(r.Test.Log10P, ok),
			int64(len(c.arms)), int64(len(rows)), int64(dropped), finite(r.KendallsW, ok),
			finite(r.ImanDavenport.Statistic, f), finite(r.DF2, f), finite(r.ImanDavenport.P, f), words(r.Test.Reason)}}, nil
	})

var rankingFunction = table("ranking", "query, options: response= arm= [unit=task_id] [cluster=column] [higher=better] [seed=1] [draws=10000]",
	"place, arm, mean, holds, same_order, same_first, draws, undefined, seed, why",
	"How firm the ranking of arms is: tasks, or clusters of them, are resampled, and all arms see the same ones. holds is the share of draws in which the arm is at least as good as the next one, same_order that in which the whole order holds, same_first that in which the first stays first. higher=worse ranks from the lowest mean. The shares are no p-values (Goldstein and Spiegelhalter, JRSS A 159, 1996).",
	"SELECT * FROM ranking('SELECT * FROM included', 'response=resolved_at_1 arm=arm')",
	[]outColumn{{"place", duckdb.TYPE_BIGINT}, {"arm", duckdb.TYPE_VARCHAR}, {"mean", duckdb.TYPE_DOUBLE}, {"holds", duckdb.TYPE_DOUBLE},
		{"same_order", duckdb.TYPE_DOUBLE}, {"same_first", duckdb.TYPE_DOUBLE}, {"draws", duckdb.TYPE_BIGINT}, {"undefined", duckdb.TYPE_BIGINT},
		{"seed", duckdb.TYPE_BIGINT}, {"why", duckdb.TYPE_VARCHAR}}, ranking)

func ranking(ctx context.Context, db *DB, query, text string) ([][]any, error) {
	c, o, err := readArms(ctx, db, "ranking", query, text, "cluster", "higher", "seed", "draws")
	if err != nil {
		return nil, err
	}
	r, err := o.resampling()
	if err != nil {
		return nil, err
	}
	sign := 1.0
	switch h := o.text("higher", "better"); h {
	case "better":
	case "worse":
		sign = -1
	default:
		return nil, fmt.Errorf("ranking: option higher: have %q, want better or worse", h)
	}
	values, has := c.means()
	for a := range values {
		for u := range values[a] {
			values[a][u] *= sign
		}
	}
	if len(values) == 0 {
		return nil, nil
	}
	var s stats.RankingStability
	if c.cluster == nil {
		s = stats.RankArms(values, has, r)
	} else {
		s = stats.RankArmsByCluster(values, has, c.cluster, r)
	}
	if !s.Reason.OK() {
		return [][]any{{nil, nil, nil, nil, nil, nil, int64(s.Draws), int64(s.Undefined), int64(r.Seed), string(s.Reason)}}, nil
	}
	var rows [][]any
	for i, a := range s.Order {
		var holds any
		if i+1 < len(s.Order) {
			holds = s.Above[a][s.Order[i+1]]
		}
		rows = append(rows, []any{int64(i + 1), c.arms[a], sign * meanWhere(values[a], has[a]), holds, s.SameOrder, s.SameFirst,
			int64(s.Draws), int64(s.Undefined), int64(r.Seed), nil})
	}
	return rows, nil
}

// meanWhere is the mean of the values that exist.
func meanWhere(values []float64, has []bool) float64 {
	var some []float64
	for i, v := range values {
		if has[i] {
			some = append(some, v)
		}
	}
	m, _ := stats.Mean(some)
	return m
}

var varianceFunction = table("variance", "query, options: response= arm= [unit=task_id]",
	"source, variance, share, units, dropped, truncated, why",
	"Where the variance of a response comes from: tasks that all arms share, repetitions of one task and arm, and the residual, how far arms differ by task (Searle, Casella and McCulloch, Variance Components, 1992). Arm means are fixed. share is of the sum of the components that are estimated; a component that came out negative is 0 and counted in truncated.",
	"SELECT * FROM variance('SELECT * FROM included', 'response=file_recall_at_10 arm=arm')",
	[]outColumn{{"source", duckdb.TYPE_VARCHAR}, {"variance", duckdb.TYPE_DOUBLE}, {"share", duckdb.TYPE_DOUBLE},
		{"units", duckdb.TYPE_BIGINT}, {"dropped", duckdb.TYPE_BIGINT}, {"truncated", duckdb.TYPE_BIGINT}, {"why", duckdb.TYPE_VARCHAR}},
	func(ctx context.Context, db *DB, query, text string) ([][]any, error) {
		c, _, err := readArms(ctx, db, "variance", query, text)
		if err != nil {
			return nil, err
		}
		v := stats.VarianceSplit(c.values)
		sum := 0.0
		parts := []struct {
			source string
			value  float64
			why    stats.Reason
		}{{"task", v.Task, v.TaskReason}, {"repetition", v.Repetition, v.RepetitionReason}, {"residual", v.Residual, v.ResidualReason}}
		for _, p := range parts {
			if p.why.OK() {
				sum += p.value
			}
		}
		var rows [][]any
		for _, p := range parts {
			rows = append(rows, []any{p.source, finite(p.value, p.why.OK()), finite(p.value/sum, p.why.OK() && v.TaskReason.OK()),
				int64(v.Tasks), int64(v.Dropped), int64(v.Truncated), words(p.why)})
		}
		return rows, nil
	})
