package duck

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

var scalingFunction = Function{
	Name: "scaling", Kind: "scalar",
	Arguments: "sizes DOUBLE[], amounts DOUBLE[]",
	Returns:   "STRUCT(estimate, low, high DOUBLE, n BIGINT, why VARCHAR)",
	Doc:       "How an amount grows with a size: the slope of log amount on log size by least squares, with its 95% t interval. 1 is linear growth. Pairs with a NULL, a zero or a negative do not count; fewer than 3 pairs are too few.",
	Example:   "SELECT scaling([10.0, 100.0, 1000.0], [1.0, 11.0, 98.0]).estimate",
	register: func(_ *DB, conn *sql.Conn) error {
		list := listOf(duckdb.TYPE_DOUBLE)
		result := structOf(append(slices.Clone(estimateMembers), member{"n", duckdb.TYPE_BIGINT}, member{"why", duckdb.TYPE_VARCHAR})...)
		return registerScalar(conn, "scaling", []duckdb.TypeInfo{list, list}, result, scaling)
	},
}

func scaling(args []driver.Value) (any, error) {
	sizes, ok1 := args[0].([]any)
	amounts, ok2 := args[1].([]any)
	if !ok1 || !ok2 || len(sizes) != len(amounts) {
		return nil, fmt.Errorf("scaling: have lists of %d and %d, want an amount a size", len(sizes), len(amounts))
	}
	var x, y []float64
	for i := range sizes {
		s, ok1 := sizes[i].(float64)
		a, ok2 := amounts[i].(float64)
		if ok1 && ok2 && s > 0 && a > 0 {
			x, y = append(x, math.Log(s)), append(y, math.Log(a))
		}
	}
	out := map[string]any{"estimate": nil, "low": nil, "high": nil, "n": int64(len(x)), "why": nil}
	if len(x) < 3 {
		out["why"] = string(stats.TooFew)
		return out, nil
	}
	design, err := stats.NewDesign(stats.Frame{Covariates: []stats.Covariate{{Name: "size", Values: x}}}, stats.Model{Terms: []stats.Term{{"size"}}}, nil)
	if err != nil {
		return nil, err
	}
	slope := stats.OLS(design, y, nil, defaultLevel).Coefficients[1]
	ok := slope.Reason.OK()
	out["estimate"] = finite(slope.Estimate, ok)
	out["low"], out["high"] = finite(slope.CI.Low, ok && slope.Uncertain.OK()), finite(slope.CI.High, ok && slope.Uncertain.OK())
	out["why"] = words(firstReason(slope.Reason, slope.Uncertain))
	return out, nil
}
