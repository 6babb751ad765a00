package duck

import (
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

// doubles are members of one type DOUBLE.
func doubles(names ...string) []member { return members(duckdb.TYPE_DOUBLE, names...) }

// counts are members of type BIGINT.
func counts(names ...string) []member { return members(duckdb.TYPE_BIGINT, names...) }

// texts are members of type VARCHAR.
func texts(names ...string) []member { return members(duckdb.TYPE_VARCHAR, names...) }

func members(t duckdb.Type, names ...string) []member {
	out := make([]member, len(names))
	for i, n := range names {
		out[i] = member{n, t}
	}
	return out
}

// repeat is n inputs of one type.
func repeat(t duckdb.TypeInfo, n int) []duckdb.TypeInfo {
	out := make([]duckdb.TypeInfo, n)
	for i := range out {
		out[i] = t
	}
	return out
}

var clopperPearsonFunction = Function{
	Name: "clopper_pearson", Kind: "scalar",
	Arguments: "k DOUBLE, n DOUBLE",
	Returns:   "STRUCT(estimate, low, high DOUBLE)",
	Doc:       "A rate k/n with the exact 95% interval (Clopper and Pearson, Biometrika 26, 1934), which covers at least at its level; NULL where n is 0. One run a task.",
	Example:   "SELECT clopper_pearson(7, 17).high",
	register: func(_ *DB, conn *sql.Conn) error {
		return registerScalar(conn, "clopper_pearson", repeat(typeInfo(duckdb.TYPE_DOUBLE), 2), structOf(estimateMembers...), func(args []driver.Value) (any, error) {
			k, n := args[0].(float64), args[1].(float64)
			ci, why := stats.ClopperPearson(k, n, defaultLevel)
			if !why.OK() {
				return nil, nil
			}
			return map[string]any{"estimate": k / n, "low": ci.Low, "high": ci.High}, nil
		})
	},
}

var worstCaseFunction = Function{
	Name: "worst_case", Kind: "scalar",
	Arguments: "successes, observed, unobserved BIGINT",
	Returns:   "STRUCT(low, high DOUBLE)",
	Doc:       "The bounds of the rate that all planned runs would have shown: the unobserved all failed, or all succeeded (Manski, Partial Identification of Probability Distributions, 2003). No confidence interval. NULL where nothing was planned.",
	Example:   "SELECT worst_case(7, 17, 3).low",
	register: func(_ *DB, conn *sql.Conn) error {
		return registerScalar(conn, "worst_case", repeat(typeInfo(duckdb.TYPE_BIGINT), 3), structOf(doubles("low", "high")...), func(args []driver.Value) (any, error) {
			ci, why := stats.WorstCase(int(args[0].(int64)), int(args[1].(int64)), int(args[2].(int64)))
			if !why.OK() {
				return nil, nil
			}
			return map[string]any{"low": ci.Low, "high": ci.High}, nil
		})
	},
}

var twoRatesFunction = Function{
	Name: "two_rates", Kind: "scalar",
	Arguments: "k1, n1, k2, n2 DOUBLE",
	Returns:   "STRUCT(estimate, low, high, cohens_h, odds_ratio, odds_low, odds_high DOUBLE, why VARCHAR)",
	Doc:       "The difference k1/n1 - k2/n2 of two independent rates with Newcombe's hybrid score interval (method 10; Statistics in Medicine 17, 1998, 873-890), Cohen's h, and the odds ratio with Woolf's interval, NULL where a cell is empty. For arms that share tasks use paired or newcombe.",
	Example:   "SELECT two_rates(56, 70, 48, 80).low",
	register: func(_ *DB, conn *sql.Conn) error {
		result := structOf(append(doubles("estimate", "low", "high", "cohens_h", "odds_ratio", "odds_low", "odds_high"), texts("why")...)...)
		return registerScalar(conn, "two_rates", repeat(typeInfo(duckdb.TYPE_DOUBLE), 4), result, twoRates)
	},
}

func ratesOf(args []driver.Value) stats.TwoRates {
	return stats.TwoRates{X1: args[0].(float64), N1: args[1].(float64), X2: args[2].(float64), N2: args[3].(float64)}
}

func twoRates(args []driver.Value) (any, error) {
	c := ratesOf(args)
	d, why := c.Difference()
	ci, _ := c.Newcombe(defaultLevel)
	h, _ := c.CohensH()
	odds := c.OddsRatio(defaultLevel)
	ok, interval := why.OK(), why.OK() && odds.IntervalReason.OK()
	return map[string]any{"estimate": finite(d, ok), "low": finite(ci.Low, ok), "high": finite(ci.High, ok), "cohens_h": finite(h, ok),
		"odds_ratio": finite(odds.Estimate, ok && odds.Reason.OK()), "odds_low": finite(odds.Interval.Low, interval), "odds_high": finite(odds.Interval.High, interval),
		"why": words(why)}, nil
}

var fisherFunction = Function{
	Name: "fisher", Kind: "scalar",
	Arguments: "k1, n1, k2, n2 DOUBLE",
	Returns:   "STRUCT(p, log10_p, odds_ratio, odds_low, odds_high DOUBLE, why VARCHAR)",
	Doc:       "Fisher's exact test of two independent rates k1/n1 and k2/n2, two-sided, with the conditional odds ratio and its exact interval; NULL where those are infinite.",
	Example:   "SELECT fisher(3, 4, 1, 4).p",
	register: func(_ *DB, conn *sql.Conn) error {
		result := structOf(append(doubles("p", "log10_p", "odds_ratio", "odds_low", "odds_high"), texts("why")...)...)
		return registerScalar(conn, "fisher", repeat(typeInfo(duckdb.TYPE_DOUBLE), 4), result, func(args []driver.Value) (any, error) {
			c := ratesOf(args)
			if _, why := c.Difference(); !why.OK() {
				return map[string]any{"p": nil, "log10_p": nil, "odds_ratio": nil, "odds_low": nil, "odds_high": nil, "why": string(why)}, nil
			}
			f := c.Fisher(defaultLevel)
			ok := f.Reason.OK()
			return map[string]any{"p": finite(f.P, ok), "log10_p": finite(f.Log10P, ok), "odds_ratio": finite(f.OddsRatio, ok),
				"odds_low": finite(f.Interval.Low, ok), "odds_high": finite(f.Interval.High, ok), "why": words(f.Reason)}, nil
		})
	},
}

var mcnemarFunction = Function{
	Name: "mcnemar", Kind: "scalar",
	Arguments: "first_only, second_only BIGINT",
	Returns:   "STRUCT(p, p_mid, log10_p, p_greater, chi_squared, p_chi_squared, odds_ratio, odds_low, odds_high DOUBLE, discordant BIGINT)",
	Doc:       "McNemar's test from the discordant pairs: exact two-sided p, mid-p (Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13, 2013), the one-sided p that the first is better, the chi-squared form, and the conditional odds ratio with its exact interval. Without a discordant pair p is 1.",
	Example:   "SELECT mcnemar(18, 5).p",
	register: func(_ *DB, conn *sql.Conn) error {
		result := structOf(append(doubles("p", "p_mid", "log10_p", "p_greater", "chi_squared", "p_chi_squared", "odds_ratio", "odds_low", "odds_high"), counts("discordant")...)...)
		return registerScalar(conn, "mcnemar", repeat(typeInfo(duckdb.TYPE_BIGINT), 2), result, mcnemar)
	},
}

func mcnemar(args []driver.Value) (any, error) {
	b, c := args[0].(int64), args[1].(int64)
	if b < 0 || c < 0 {
		return nil, fmt.Errorf("mcnemar: have %d and %d, want counts from 0", b, c)
	}
	// A pair without a difference carries nothing; one keeps the counts from being empty.
	cells := stats.PairedCells{FirstOnly: int(b), SecondOnly: int(c), Neither: 1}
	m, odds := cells.McNemar(), cells.ConditionalOddsRatio(defaultLevel)
	chi := m.ChiSquared.Reason.OK()
	return map[string]any{"p": m.Exact, "p_mid": m.MidP, "log10_p": m.Log10Exact, "p_greater": m.ExactGreater,
		"chi_squared": finite(m.ChiSquared.Statistic, chi), "p_chi_squared": finite(m.ChiSquared.P, chi),
		"odds_ratio": finite(odds.Estimate, odds.Reason.OK()), "odds_low": finite(odds.Interval.Low, true), "odds_high": finite(odds.Interval.High, true),
		"discordant": b + c}, nil
}

var breslowDayFunction = Function{
	Name: "breslow_day", Kind: "scalar",
	Arguments: "k1, n1, k2, n2 DOUBLE[], an entry a stratum",
	Returns:   "STRUCT(statistic, df, p, p_uncorrected, odds_ratio DOUBLE, strata BIGINT, why VARCHAR)",
	Doc:       "The test that the odds ratio of two independent samples is the same in all strata (Breslow and Day, Statistical Methods in Cancer Research I, 1980) with Tarone's correction (Biometrika 72, 1985), and the common odds ratio of Mantel and Haenszel. Strata with an empty margin carry nothing.",
	Example:   "SELECT breslow_day([5, 8, 10], [20, 20, 20], [8, 9, 3], [20, 20, 20]).p",
	register: func(_ *DB, conn *sql.Conn) error {
		result := structOf(append(doubles("statistic", "df", "p", "p_uncorrected", "odds_ratio"), append(counts("strata"), texts("why")...)...)...)
		return registerScalar(conn, "breslow_day", repeat(listOf(duckdb.TYPE_DOUBLE), 4), result, breslowDay)
	},
}

func breslowDay(args []driver.Value) (any, error) {
	var columns [4][]float64
	for i := range columns {
		var err error
		if columns[i], err = numberList("breslow_day", args[i]); err != nil {
			return nil, err
		}
		if len(columns[i]) != len(columns[0]) {
			return nil, fmt.Errorf("breslow_day: have lists of %d and %d, want one length", len(columns[0]), len(columns[i]))
		}
	}
	var strata []stats.TwoRates
	for i := range columns[0] {
		strata = append(strata, stats.TwoRates{X1: columns[0][i], N1: columns[1][i], X2: columns[2][i], N2: columns[3][i]})
	}
	h := stats.BreslowDay(strata)
	ok := h.Tarone.Reason.OK()
	return map[string]any{"statistic": finite(h.Tarone.Statistic, ok), "df": finite(h.Tarone.DF, ok), "p": finite(h.Tarone.P, ok),
		"p_uncorrected": finite(h.BreslowDay.P, h.BreslowDay.Reason.OK()), "odds_ratio": finite(h.OddsRatio, h.OddsRatioReason.OK()),
		"strata": int64(h.Strata), "why": words(h.Tarone.Reason)}, nil
}

// numberList is a list without NULL as doubles.
func numberList(function string, list any) ([]float64, error) {
	in, ok := list.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: have no list, want one", function)
	}
	out := make([]float64, len(in))
	for i, v := range in {
		n, ok := valueOf(v, Type{}).Number()
		if !ok {
			return nil, fmt.Errorf("%s: have NULL at %d, want a number", function, i+1)
		}
		out[i] = n
	}
	return out, nil
}
