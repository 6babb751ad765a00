package duck

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"slices"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

// estimateMembers are the members that every estimate in SQL has first.
var estimateMembers = []member{
	{"estimate", duckdb.TYPE_DOUBLE}, {"low", duckdb.TYPE_DOUBLE}, {"high", duckdb.TYPE_DOUBLE},
}

var rateFunction = Function{
	Name: "rate", Kind: "scalar",
	Arguments: "successes BIGINT[], tasks VARCHAR[]",
	Returns:   "STRUCT(estimate, low, high DOUBLE, numerator, n, tasks BIGINT, method, why VARCHAR)",
	Doc:       "A rate over runs with its 95% interval: Wilson at one run a task, or below 12 such tasks Clopper-Pearson; else Wilson at the effective number of runs with t over tasks, or, below 12 effective successes or failures, Clopper-Pearson there (Korn and Graubard, Survey Methodology 24, 1998). NULL successes are missing and do not count; why says why there is no interval.",
	Example:   "SELECT rate([1, 0, 1], ['a', 'b', 'c']).low",
	register: func(_ *DB, conn *sql.Conn) error {
		return registerScalar(conn, "rate", []duckdb.TypeInfo{listOf(duckdb.TYPE_BIGINT), listOf(duckdb.TYPE_VARCHAR)},
			structOf(append(slices.Clone(estimateMembers), member{"numerator", duckdb.TYPE_BIGINT}, member{"n", duckdb.TYPE_BIGINT},
				member{"tasks", duckdb.TYPE_BIGINT}, member{"method", duckdb.TYPE_VARCHAR}, member{"why", duckdb.TYPE_VARCHAR})...),
			rate)
	},
}

func rate(args []driver.Value) (any, error) {
	successes, runs, err := successesByTask("rate", args[0], args[1])
	if err != nil {
		return nil, err
	}
	e := stats.ReportedRate(successes, runs, defaultLevel)
	ok := e.IntervalReason.OK()
	return map[string]any{
		"estimate": finite(e.Estimate, e.Reason.OK()), "low": finite(e.Interval.Low, ok), "high": finite(e.Interval.High, ok),
		"numerator": int64(e.Successes), "n": int64(e.Runs), "tasks": int64(e.Tasks),
		"method": words(e.Interval.Method), "why": words(firstReason(e.Reason, e.IntervalReason)),
	}, nil
}

func firstReason(reasons ...stats.Reason) stats.Reason {
	for _, r := range reasons {
		if !r.OK() {
			return r
		}
	}
	return ""
}

// valuesByTask groups the values that are not NULL by their task, tasks sorted.
func valuesByTask(function string, values, tasks any) ([][]float64, []string, error) {
	v, ok1 := values.([]any)
	t, ok2 := tasks.([]any)
	if !ok1 || !ok2 || len(v) != len(t) {
		return nil, nil, fmt.Errorf("%s: have lists of %d and %d, want a task a value", function, len(v), len(t))
	}
	rows := map[string][]float64{}
	var names []string
	for i := range v {
		n, ok := valueOf(v[i], Type{}).Number()
		if !ok {
			continue
		}
		name, ok := t[i].(string)
		if !ok {
			return nil, nil, fmt.Errorf("%s: have a value without a task, want one", function)
		}
		if _, seen := rows[name]; !seen {
			names = append(names, name)
		}
		rows[name] = append(rows[name], n)
	}
	slices.Sort(names)
	out := make([][]float64, len(names))
	for i, n := range names {
		out[i] = rows[n]
	}
	return out, names, nil
}

func listOf(t duckdb.Type) duckdb.TypeInfo {
	info, err := duckdb.NewListInfo(typeInfo(t))
	if err != nil {
		panic(err)
	}
	return info
}

func registerScalar(conn *sql.Conn, name string, inputs []duckdb.TypeInfo, result duckdb.TypeInfo, compute func([]driver.Value) (any, error)) error {
	return duckdb.RegisterScalarUDF(conn, name, &scalar{inputs: inputs, result: result, compute: compute})
}
