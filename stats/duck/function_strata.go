package duck

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

var strataColumns = []outColumn{
	{"field", duckdb.TYPE_VARCHAR}, {"stratum", duckdb.TYPE_VARCHAR}, {"by", duckdb.TYPE_VARCHAR},
	{"estimate", duckdb.TYPE_DOUBLE}, {"rest", duckdb.TYPE_DOUBLE}, {"difference", duckdb.TYPE_DOUBLE}, {"low", duckdb.TYPE_DOUBLE}, {"high", duckdb.TYPE_DOUBLE},
	{"difference_why", duckdb.TYPE_VARCHAR}, {"method", duckdb.TYPE_VARCHAR},
	{"statistic", duckdb.TYPE_DOUBLE}, {"df1", duckdb.TYPE_DOUBLE}, {"df2", duckdb.TYPE_DOUBLE},
	{"p", duckdb.TYPE_DOUBLE}, {"p_holm", duckdb.TYPE_DOUBLE}, {"holm_tests", duckdb.TYPE_BIGINT}, {"why", duckdb.TYPE_VARCHAR},
	{"test", duckdb.TYPE_VARCHAR}, {"seed", duckdb.TYPE_BIGINT}, {"draws", duckdb.TYPE_BIGINT}, {"runs", duckdb.TYPE_BIGINT}, {"tasks", duckdb.TYPE_BIGINT},
}

var strataFunction = Function{
	Name: "strata", Kind: "table",
	Arguments: "query, options: response= strata=column,… by=column [cluster=task_id] [level=0.95] [seed=1]",
	Returns:   "field, stratum, by, estimate, rest, difference, low, high, difference_why, method, statistic, df1, df2, p, p_holm, holm_tests, why, test, seed, draws, runs, tasks",
	Doc:       "For each value of by and each strata column: the mean response of each stratum, that of all other strata, their difference, and the test that the strata do not differ. A response between 0 and 1 has the hybrid score interval of the two clustered means and a permutation of tasks between strata (10,000 draws), where every cluster lies in one stratum; other data a linear model with CR2 errors by cluster, Satterthwaite t and HTZ F (Pustejovsky and Tipton, JBES 36, 2018). A NULL stratum is called unknown. Holm over all heterogeneity tests of the call.",
	Example:   "SELECT * FROM strata('SELECT * FROM included', 'response=resolved_at_1 strata=difficulty by=harness_id')",
	register: func(db *DB, conn *sql.Conn) error {
		return tableFunc{"strata", strataColumns, strata}.register(db, conn)
	},
}

// A stratification is one strata column within one value of by.
type stratification struct {
	field, by string
	levels    []string
	values    []string
	response  []float64
	cluster   []int
	factor    stats.Factor
	test      stats.StrataTest
}

func strata(ctx context.Context, db *DB, query, text string) ([][]any, error) {
	o, err := parseOptions("strata", text, "response", "strata", "by", "cluster", "level", "seed")
	if err != nil {
		return nil, err
	}
	f, err := db.frame(ctx, "strata", query)
	if err != nil {
		return nil, err
	}
	level, err := o.share("level", defaultLevel)
	if err != nil {
		return nil, err
	}
	seed, err := o.integer("seed", DefaultSeed)
	if err != nil {
		return nil, err
	}
	r := stats.Resampling{Seed: seed}
	list, err := stratifications(f, o)
	if err != nil {
		return nil, err
	}
	for i := range list {
		s := &list[i]
		s.factor = stats.NewFactor(s.field, s.values, s.levels)
		s.test = stats.ReportedStrata(s.response, s.factor, s.cluster, level, r)
	}
	return strataRows(list, level)
}

func stratifications(f *frame, o options) ([]stratification, error) {
	responseName, err := o.required("response")
	if err != nil {
		return nil, err
	}
	response, err := f.numbers(responseName)
	if err != nil {
		return nil, err
	}
	byName, err := o.required("by")
	if err != nil {
		return nil, err
	}
	by, null, err := f.texts(byName)
	if err != nil {
		return nil, err
	}
	units, unitNull, err := f.texts(o.text("cluster", "task_id"))
	if err != nil {
		return nil, err
	}
	cluster := codes(units, unitNull)
	var list []stratification
	for _, field := range o.list("strata") {
		values, absent, err := f.texts(field)
		if err != nil {
			return nil, err
		}
		for _, group := range distinct(by, null) {
			s := stratification{field: field, by: group}
			for i := range values {
				if by[i] != group || null[i] {
					continue
				}
				if absent[i] {
					values[i] = "unknown"
				}
				s.values, s.response, s.cluster = append(s.values, values[i]), append(s.response, response[i]), append(s.cluster, cluster[i])
			}
			s.levels = distinct(s.values, make([]bool, len(s.values)))
			list = append(list, s)
		}
	}
	return list, nil
}

func strataRows(list []stratification, level float64) ([][]any, error) {
	p, known := make([]float64, len(list)), make([]bool, len(list))
	for i, s := range list {
		p[i], known[i] = s.test.P, s.test.Reason.OK()
	}
	holm, m := stats.Adjust(p, known, stats.Holm)
	var rows [][]any
	for i, s := range list {
		t := s.test
		for _, stratum := range s.levels {
			c, err := stats.StratumAgainstRest(s.response, s.factor, stratum, s.cluster, level)
			if err != nil {
				return nil, fmt.Errorf("strata: %w", err)
			}
			ok := c.Reason.OK() && c.IntervalReason.OK()
			mean, rest := s.means(stratum)
			rows = append(rows, []any{s.field, stratum, s.by, mean, rest,
				finite(c.Estimate, c.Reason.OK()), finite(c.Interval.Low, ok), finite(c.Interval.High, ok), words(firstReason(c.Reason, c.IntervalReason)), words(c.Interval.Method),
				finite(t.Statistic.Value, t.Statistic.Reason.OK()), finite(t.DF1.Value, t.DF1.Reason.OK()), finite(t.DF2.Value, t.DF2.Reason.OK()),
				finite(p[i], known[i]), finite(holm[i], known[i]), int64(m), words(t.Reason),
				words(t.Test), int64(t.Seed), int64(t.Draws), int64(t.Runs), int64(t.Clusters)})
		}
	}
	return rows, nil
}

// means are the mean response of a stratum and of all others, or NULL.
func (s *stratification) means(stratum string) (mean, rest any) {
	var in, out []float64
	for i, v := range s.values {
		switch {
		case s.response[i] != s.response[i]:
		case v == stratum:
			in = append(in, s.response[i])
		default:
			out = append(out, s.response[i])
		}
	}
	a, why := stats.Mean(in)
	b, otherWhy := stats.Mean(out)
	return finite(a, why.OK()), finite(b, otherWhy.OK())
}
