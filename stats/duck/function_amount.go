package duck

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

// DefaultSeed is the seed of resampling where a query names none. It is printed.
const DefaultSeed = 1

var amountResult = append(slices.Clone(estimateMembers), member{"q1", duckdb.TYPE_DOUBLE}, member{"q3", duckdb.TYPE_DOUBLE},
	member{"n", duckdb.TYPE_BIGINT}, member{"tasks", duckdb.TYPE_BIGINT}, member{"draws", duckdb.TYPE_BIGINT}, member{"seed", duckdb.TYPE_BIGINT},
	member{"method", duckdb.TYPE_VARCHAR}, member{"why", duckdb.TYPE_VARCHAR})

const amountReturns = "STRUCT(estimate, low, high, q1, q3 DOUBLE, n, tasks, draws, seed BIGINT, method, why VARCHAR)"

var medianFunction = Function{
	Name: "median_ci", Kind: "scalar",
	Arguments: "amounts DOUBLE[], tasks VARCHAR[]",
	Returns:   amountReturns,
	Doc:       "The median over runs (type 7, Hyndman and Fan 1996) with quartiles and a percentile bootstrap interval from resampled tasks, expanded for few of them (Hesterberg, The American Statistician 69, 2015), 10,000 draws, seed 1. NULL amounts are missing.",
	Example:   "SELECT median_ci([1.0, 2.0, 4.0], ['a', 'b', 'c']).estimate",
	register: func(_ *DB, conn *sql.Conn) error {
		return registerScalar(conn, "median_ci", []duckdb.TypeInfo{listOf(duckdb.TYPE_DOUBLE), listOf(duckdb.TYPE_VARCHAR)}, structOf(amountResult...),
			func(args []driver.Value) (any, error) {
				return amount("median_ci", args, quantileAt(0.5))
			})
	},
}

var meanFunction = Function{
	Name: "mean_ci", Kind: "scalar",
	Arguments: "amounts DOUBLE[], tasks VARCHAR[]",
	Returns:   amountReturns,
	Doc:       "The mean over runs with quartiles and a symmetric bootstrap-t interval from resampled tasks (Hall, JRSS B 50, 1988), 10,000 draws, seed 1; values between 0 and 1 with fewer than 12 effective successes or failures have Clopper-Pearson limits at the effective number of runs (Korn and Graubard, Survey Methodology 24, 1998). NULL amounts are missing.",
	Example:   "SELECT mean_ci([1.0, 2.0, 4.0], ['a', 'b', 'c']).low",
	register: func(_ *DB, conn *sql.Conn) error {
		return registerScalar(conn, "mean_ci", []duckdb.TypeInfo{listOf(duckdb.TYPE_DOUBLE), listOf(duckdb.TYPE_VARCHAR)}, structOf(amountResult...),
			func(args []driver.Value) (any, error) { return amount("mean_ci", args, stats.ReportedMean) })
	},
}

var quantileFunction = Function{
	Name: "quantile_ci", Kind: "scalar",
	Arguments: "amounts DOUBLE[], tasks VARCHAR[], p DOUBLE",
	Returns:   amountReturns,
	Doc:       "The quantile p over runs or events (type 7, Hyndman and Fan 1996) with quartiles. A median has the interval of median_ci; any other the order statistics at the limits of the share below it, at the effective number of runs (Woodruff, JASA 47, 1952), and none where the sample does not reach far enough. NULL amounts are missing.",
	Example:   "SELECT quantile_ci([1.0, 2.0, 4.0], ['a', 'b', 'c'], 0.95).estimate",
	register: func(_ *DB, conn *sql.Conn) error {
		inputs := []duckdb.TypeInfo{listOf(duckdb.TYPE_DOUBLE), listOf(duckdb.TYPE_VARCHAR), typeInfo(duckdb.TYPE_DOUBLE)}
		return registerScalar(conn, "quantile_ci", inputs, structOf(amountResult...),
			func(args []driver.Value) (any, error) {
				p := args[2].(float64)
				if !(p >= 0 && p <= 1) {
					return nil, fmt.Errorf("quantile_ci: have p %v, want 0 to 1", p)
				}
				return amount("quantile_ci", args, quantileAt(p))
			})
	},
}

// A reported estimates one amount from the runs of each task.
type reported func(runsByTask [][]float64, level float64, r stats.Resampling) stats.ReportedAmount

func quantileAt(p float64) reported {
	return func(runsByTask [][]float64, level float64, r stats.Resampling) stats.ReportedAmount {
		return stats.ReportedQuantile(runsByTask, p, level, r)
	}
}

func amount(function string, args []driver.Value, estimate reported) (any, error) {
	rows, tasks, err := valuesByTask(function, args[0], args[1])
	if err != nil {
		return nil, err
	}
	var all []float64
	for _, r := range rows {
		all = append(all, r...)
	}
	out := map[string]any{"n": int64(len(all)), "tasks": int64(len(tasks)), "draws": int64(stats.DefaultDraws), "seed": int64(DefaultSeed),
		"estimate": nil, "low": nil, "high": nil, "q1": nil, "q3": nil, "method": nil, "why": nil}
	if len(all) == 0 {
		out["why"] = string(stats.NoData)
		return out, nil
	}
	q1, _ := stats.Quantile(all, 0.25, stats.Type7)
	q3, _ := stats.Quantile(all, 0.75, stats.Type7)
	e := estimate(rows, defaultLevel, stats.Resampling{Seed: DefaultSeed})
	ok := e.IntervalReason.OK()
	out["estimate"], out["q1"], out["q3"] = e.Estimate, q1, q3
	out["low"], out["high"] = finite(e.Interval.Low, ok), finite(e.Interval.High, ok)
	out["why"], out["method"], out["draws"] = words(e.IntervalReason), words(e.Interval.Method), int64(e.Draws)
	return out, nil
}
