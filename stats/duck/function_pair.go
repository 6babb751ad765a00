package duck

import (
	"database/sql"
	"database/sql/driver"
	"slices"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

var newcombeFunction = Function{
	Name: "newcombe", Kind: "scalar",
	Arguments: "both, first_only, second_only, neither BIGINT",
	Returns:   "STRUCT(estimate, low, high, p, p_mid, log10_p DOUBLE, why VARCHAR)",
	Doc:       "The difference of two paired rates, first minus second, with Newcombe's hybrid score interval for paired data (method 10; Statistics in Medicine 17, 1998) and McNemar's exact and mid-p.",
	Example:   "SELECT newcombe(32, 18, 5, 34).p",
	register: func(_ *DB, conn *sql.Conn) error {
		n := typeInfo(duckdb.TYPE_BIGINT)
		return registerScalar(conn, "newcombe", []duckdb.TypeInfo{n, n, n, n},
			structOf(append(slices.Clone(estimateMembers), member{"p", duckdb.TYPE_DOUBLE}, member{"p_mid", duckdb.TYPE_DOUBLE},
				member{"log10_p", duckdb.TYPE_DOUBLE}, member{"why", duckdb.TYPE_VARCHAR})...), newcombe)
	},
}

func newcombe(args []driver.Value) (any, error) {
	var n [4]int
	for i := range n {
		n[i] = int(args[i].(int64))
	}
	c := stats.PairedCells{Both: n[0], FirstOnly: n[1], SecondOnly: n[2], Neither: n[3]}
	d, reason := c.Difference()
	ci, _ := c.Newcombe(defaultLevel)
	m := c.McNemar()
	ok := reason.OK()
	return map[string]any{"estimate": finite(d, ok), "low": finite(ci.Low, ok), "high": finite(ci.High, ok),
		"p": finite(m.Exact, ok), "p_mid": finite(m.MidP, ok), "log10_p": finite(m.Log10Exact, ok), "why": words(reason)}, nil
}

var holmFunction = adjustment("holm", stats.Holm,
	"Holm's step-down adjustment of a family of p-values (Scandinavian Journal of Statistics 6, 1979); NULL stays NULL and does not count.")

var bhFunction = adjustment("benjamini_hochberg", stats.BH,
	"Benjamini and Hochberg's adjustment of a family of p-values (JRSS B 57, 1995), which bounds the false discovery rate; NULL stays NULL and does not count.")

func adjustment(name string, kind stats.Adjustment, doc string) Function {
	return Function{
		Name: name, Kind: "scalar", Arguments: "p DOUBLE[]", Returns: "DOUBLE[], in the same order", Doc: doc,
		Example: "SELECT " + name + "([0.01, 0.04, NULL])",
		register: func(_ *DB, conn *sql.Conn) error {
			list := listOf(duckdb.TYPE_DOUBLE)
			return registerScalar(conn, name, []duckdb.TypeInfo{list}, list, func(args []driver.Value) (any, error) {
				in := args[0].([]any)
				p, known := make([]float64, len(in)), make([]bool, len(in))
				for i, v := range in {
					p[i], known[i] = v.(float64)
				}
				adjusted, _ := stats.Adjust(p, known, kind)
				out := make([]any, len(in))
				for i := range out {
					out[i] = finite(adjusted[i], known[i])
				}
				return out, nil
			})
		},
	}
}
