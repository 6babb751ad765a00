package duck

import (
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

// differenceList is a list of differences, without those that are NULL.
func differenceList(function string, list any) ([]float64, error) {
	in, ok := list.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: have no list, want one", function)
	}
	var out []float64
	for _, v := range in {
		if n, ok := valueOf(v, Type{}).Number(); ok {
			out = append(out, n)
		}
	}
	return out, nil
}

var signTestFunction = Function{
	Name: "sign_test", Kind: "scalar",
	Arguments: "differences DOUBLE[]",
	Returns:   "STRUCT(p DOUBLE, positive, negative, zero BIGINT)",
	Doc:       "Whether a difference is as often positive as negative: the exact two-sided sign test, one difference a task; zeros and NULL do not count. Without a non-zero difference p is 1.",
	Example:   "SELECT sign_test([1.0, 2.0, -1.0, 3.0, 0.0]).p",
	register: func(_ *DB, conn *sql.Conn) error {
		result := structOf(append(doubles("p"), counts("positive", "negative", "zero")...)...)
		return registerScalar(conn, "sign_test", repeat(listOf(duckdb.TYPE_DOUBLE), 1), result, func(args []driver.Value) (any, error) {
			d, err := differenceList("sign_test", args[0])
			if err != nil {
				return nil, err
			}
			s := stats.SignTest(d, 0)
			return map[string]any{"p": s.P, "positive": int64(s.Positive), "negative": int64(s.Negative), "zero": int64(len(d) - s.Positive - s.Negative)}, nil
		})
	},
}

var wilcoxonFunction = Function{
	Name: "wilcoxon", Kind: "scalar",
	Arguments: "differences DOUBLE[]",
	Returns:   "STRUCT(estimate, low, high, v, p, p_normal, p_corrected, p_pratt, rank_biserial DOUBLE, n, zeros BIGINT, ties, exact BOOLEAN, why VARCHAR)",
	Doc:       "Wilcoxon's signed rank test of paired differences, one a task: zeros are dropped before ranking, the two-sided p is exact given the mid-ranks up to 400 differences; beside it the normal p with tie-corrected variance, with and without continuity correction, and Pratt's. estimate is the Hodges-Lehmann median of Walsh averages; its exact interval exists without ties and zeros only.",
	Example:   "SELECT wilcoxon([1.5, 2.0, -1.0, 3.0, 0.5]).p",
	register: func(_ *DB, conn *sql.Conn) error {
		all := doubles("estimate", "low", "high", "v", "p", "p_normal", "p_corrected", "p_pratt", "rank_biserial")
		all = append(append(append(all, counts("n", "zeros")...), members(duckdb.TYPE_BOOLEAN, "ties", "exact")...), texts("why")...)
		return registerScalar(conn, "wilcoxon", repeat(listOf(duckdb.TYPE_DOUBLE), 1), structOf(all...), wilcoxon)
	},
}

func wilcoxon(args []driver.Value) (any, error) {
	d, err := differenceList("wilcoxon", args[0])
	if err != nil {
		return nil, err
	}
	s, h := stats.SignedRank(d, 0), stats.HodgesLehmann(d, 0, defaultLevel)
	some := s.Reason != stats.NoData
	interval := h.Reason.OK() && h.IntervalReason.OK()
	return map[string]any{"estimate": finite(h.Estimate, h.Reason.OK()), "low": finite(h.Interval.Low, interval), "high": finite(h.Interval.High, interval),
		"v": finite(s.V, some), "p": finite(s.P, some), "p_normal": finite(s.Normal.P, s.Reason.OK() && s.Normal.Reason.OK()),
		"p_corrected": finite(s.NormalCorrected.P, s.Reason.OK() && s.NormalCorrected.Reason.OK()), "p_pratt": finite(s.Pratt.P, s.Reason.OK() && s.Pratt.Reason.OK()),
		"rank_biserial": finite(s.RankBiserial, s.Reason.OK()), "n": int64(s.Units), "zeros": int64(s.Zeros), "ties": s.Ties, "exact": s.Exact,
		"why": words(firstReason(s.Reason, h.IntervalReason))}, nil
}
