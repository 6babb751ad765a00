package duck

import (
	"database/sql"
	"database/sql/driver"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

// defaultLevel is the nominal coverage of intervals.
const defaultLevel = 0.95

var wilsonFunction = Function{
	Name: "wilson", Kind: "scalar",
	Arguments: "k DOUBLE, n DOUBLE",
	Returns:   "STRUCT(estimate DOUBLE, low DOUBLE, high DOUBLE)",
	Doc:       "A rate k/n with Wilson's 95% interval (Wilson, JASA 22, 1927); NULL where n is 0. One run a task: for repetitions use rate.",
	Example:   "SELECT wilson(7, 17).low",
	register: func(_ *DB, conn *sql.Conn) error {
		double := typeInfo(duckdb.TYPE_DOUBLE)
		return duckdb.RegisterScalarUDF(conn, "wilson", &scalar{
			inputs: []duckdb.TypeInfo{double, double},
			result: structOf(member{"estimate", duckdb.TYPE_DOUBLE}, member{"low", duckdb.TYPE_DOUBLE}, member{"high", duckdb.TYPE_DOUBLE}),
			compute: func(args []driver.Value) (any, error) {
				k, n := args[0].(float64), args[1].(float64)
				ci, reason := stats.Wilson(k, n, defaultLevel)
				if !reason.OK() {
					return nil, nil
				}
				return map[string]any{"estimate": k / n, "low": ci.Low, "high": ci.High}, nil
			},
		})
	},
}
