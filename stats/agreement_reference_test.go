package stats_test

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
)

func TestReferenceAgreement(t *testing.T) {
	eachReferenceCase(t, "agreement/agreement", func(t *testing.T, c refCase) {
		switch {
		case c.inputs.get("raters_by_units").present():
			checkKrippendorff(t, c)
		case c.inputs.get("subjects_by_raters").present():
			checkICC(t, c)
		case c.inputs.get("subjects_by_categories_counts").present():
			var counts [][]int
			for _, row := range c.inputs.get("subjects_by_categories_counts").items() {
				counts = append(counts, row.ints())
			}
			got := stats.FleissKappa(counts)
			c.check(t, "p_bar", got.Observed)
			c.check(t, "p_e", got.Expected)
			c.check(t, "kappa", got.Kappa)
		default:
			got := stats.CohenKappa(c.inputs.get("a").ints(), c.inputs.get("b").ints())
			c.check(t, "observed_agreement", got.Observed)
			c.check(t, "expected_agreement", got.Expected)
			c.check(t, "kappa", got.Kappa)
			c.check(t, "se_fleiss_cohen_everitt", got.SE)
			c.check(t, "kappa_linear", got.Linear)
			c.check(t, "kappa_quadratic", got.Quadratic)
		}
	})
}

func checkKrippendorff(t *testing.T, c refCase) {
	t.Helper()
	var units [][]float64
	for _, rater := range c.inputs.get("raters_by_units").items() {
		for u, v := range rater.items() {
			if u == len(units) {
				units = append(units, nil)
			}
			if v.present() {
				units[u] = append(units[u], v.float())
			}
		}
	}
	for key, metric := range map[string]stats.DisagreementMetric{"nominal": stats.NominalMetric, "ordinal": stats.OrdinalMetric,
		"interval": stats.IntervalMetric, "ratio": stats.RatioMetric} {
		got := stats.KrippendorffAlpha(units, metric)
		c.check(t, key+".observed_disagreement", got.Observed)
		c.check(t, key+".expected_disagreement", got.Expected)
		c.check(t, key+".n_pairable", got.Pairable)
		if math.IsNaN(c.expected.at(key + ".alpha").float()) {
			if got.Reason != stats.Undefined {
				t.Errorf("%s: reason %q, want %q", key, got.Reason, stats.Undefined)
			}
			continue
		}
		c.check(t, key+".alpha", got.Alpha)
	}
}

func checkICC(t *testing.T, c refCase) {
	t.Helper()
	var rows [][]float64
	for _, row := range c.inputs.get("subjects_by_raters").items() {
		rows = append(rows, row.floats())
	}
	var value, f, df1, df2, p, low, high []float64
	for i, icc := range stats.IntraclassCorrelations(rows, 0.95) {
		if icc.Name != c.expected.get("type").strs()[i] || !icc.Reason.OK() {
			t.Errorf("%s: reason %q", icc.Name, icc.Reason)
		}
		value, f, df1, df2 = append(value, icc.Value), append(f, icc.F.Statistic), append(df1, icc.F.DF), append(df2, icc.DF2)
		p, low, high = append(p, icc.F.P), append(low, icc.Interval.Low), append(high, icc.Interval.High)
	}
	c.checkAll(t, "icc", value)
	c.checkAll(t, "f", f)
	c.checkAll(t, "df1", df1)
	c.checkAll(t, "df2", df2)
	c.checkAll(t, "p", p)
	c.checkAll(t, "lower95", low)
	c.checkAll(t, "upper95", high)
}
