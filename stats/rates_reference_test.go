package stats_test

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// checkInterval compares both limits with those at a path.
func (c refCase) checkInterval(t *testing.T, path string, got stats.Interval, reason stats.Reason) {
	t.Helper()
	if !reason.OK() {
		t.Errorf("%s: have none (%s)", path, reason)
		return
	}
	c.check(t, path+".lower", got.Low)
	c.check(t, path+".upper", got.High)
}

func TestReferenceOneRate(t *testing.T) {
	eachReferenceCase(t, "rates/one_sample", func(t *testing.T, c refCase) {
		x, n, level := c.inputs.get("successes").float(), c.inputs.get("n").float(), c.inputs.get("confidence").float()
		for key, method := range map[string]func(x, n, level float64) (stats.Interval, stats.Reason){
			"wilson":                      stats.Wilson,
			"wilson_continuity_corrected": stats.WilsonCorrected,
			"clopper_pearson":             stats.ClopperPearson,
			"agresti_coull":               stats.AgrestiCoull,
			"jeffreys":                    stats.Jeffreys,
		} {
			if !c.expected.get(key).present() && n == 0 {
				continue
			}
			got, reason := method(x, n, level)
			if n == 0 {
				if reason != stats.NoData {
					t.Errorf("%s: reason %q without a run, want %q", key, reason, stats.NoData)
				}
				reason = ""
			}
			c.checkInterval(t, key, got, reason)
			if key != "agresti_coull" && (got.Low < 0 || got.High > 1 || x == 0 && got.Low != 0 || x == n && got.High != 1) {
				t.Errorf("%s: limits %g and %g leave [0, 1] or miss an end", key, got.Low, got.High)
			}
		}
	})
}

func TestReferenceClusteredRate(t *testing.T) {
	eachReferenceCase(t, "rates/cluster_rate", func(t *testing.T, c refCase) {
		got := stats.ClusteredRate(c.inputs.get("successes_by_task").ints(), c.inputs.get("runs_by_task").ints(), c.inputs.get("confidence").float())
		if got.Runs != c.expected.get("n").int() || got.Tasks != c.expected.get("tasks").int() {
			t.Errorf("%d runs of %d tasks, want %v of %v", got.Runs, got.Tasks, c.expected.get("n").v, c.expected.get("tasks").v)
		}
		if !c.expected.get("estimate").present() {
			if got.Reason != stats.NoData || got.IntervalReason != stats.NoData {
				t.Errorf("reasons %q and %q, want %q", got.Reason, got.IntervalReason, stats.NoData)
			}
			return
		}
		c.check(t, "estimate", got.Estimate)
		if !c.expected.get("lower").present() {
			if got.IntervalReason != stats.TooFew {
				t.Errorf("interval reason %q, want %q", got.IntervalReason, stats.TooFew)
			}
			return
		}
		c.check(t, "se", got.SE)
		c.check(t, "n_eff", got.EffectiveRuns)
		c.check(t, "df", got.DF)
		c.check(t, "lower", got.Interval.Low)
		c.check(t, "upper", got.Interval.High)
	})
}

func TestReferenceTwoRates(t *testing.T) {
	eachReferenceCase(t, "rates/two_sample", func(t *testing.T, c refCase) {
		in := func(key string) float64 { return c.inputs.get(key).float() }
		two, level := stats.TwoRates{X1: in("x1"), N1: in("n1"), X2: in("x2"), N2: in("n2")}, in("confidence")
		d, _ := two.Difference()
		c.check(t, "risk_difference", d)
		h, _ := two.CohensH()
		c.check(t, "cohens_h", h)
		i, reason := two.Newcombe(level)
		c.checkInterval(t, "newcombe_hybrid_score", i, reason)
		i, reason = two.Wald(level)
		c.checkInterval(t, "wald", i, reason)
		i, reason = two.AgrestiCaffo(level)
		c.checkInterval(t, "agresti_caffo", i, reason)
		checkRatio(t, c, "risk_ratio", "", "risk_ratio_katz", two.RiskRatio(level))
		checkRatio(t, c, "odds_ratio", "se_log_odds_ratio", "odds_ratio_woolf", two.OddsRatio(level))
		checkRatio(t, c, "odds_ratio_haldane_anscombe.estimate", "odds_ratio_haldane_anscombe.se_log", "odds_ratio_haldane_anscombe", two.HaldaneAnscombe(level))
		if z := two.PooledZ(); z.Reason.OK() {
			c.check(t, "pooled_z_test.z", z.Statistic)
			c.checkP(t, "pooled_z_test.p_two_sided", z.P)
		} else if !math.IsNaN(c.expected.at("pooled_z_test.z").float()) {
			t.Errorf("pooled z: have none (%s)", z.Reason)
		}
		if c.expected.get("fisher_exact").present() {
			f := two.Fisher(level)
			c.checkP(t, "fisher_exact.p_two_sided_minlike", f.P)
			c.check(t, "fisher_exact.conditional_mle_odds_ratio", f.OddsRatio)
			c.check(t, "fisher_exact.conf_lower", f.Interval.Low)
			c.check(t, "fisher_exact.conf_upper", f.Interval.High)
			if !near(math.Pow(10, f.Log10P), f.P, 1e-9, 0) {
				t.Errorf("log10 p %g beside p %g", f.Log10P, f.P)
			}
		}
	})
}

// checkRatio compares a ratio; what is NaN or infinite there must be a reason here.
func checkRatio(t *testing.T, c refCase, estimate, se, interval string, got stats.Ratio) {
	t.Helper()
	if want := c.expected.at(estimate).float(); math.IsNaN(want) != !got.Reason.OK() {
		t.Errorf("%s: reason %q where %g is expected", estimate, got.Reason, want)
	} else if got.Reason.OK() {
		c.check(t, estimate, got.Estimate)
	}
	low, high := c.expected.at(interval+".lower").float(), c.expected.at(interval+".upper").float()
	defined := !math.IsNaN(low) && !math.IsNaN(high) && !math.IsInf(high, 1)
	if defined != got.IntervalReason.OK() {
		t.Errorf("%s: reason %q where %g to %g is expected", interval, got.IntervalReason, low, high)
		return
	}
	if defined {
		c.check(t, interval+".lower", got.Interval.Low)
		c.check(t, interval+".upper", got.Interval.High)
		if se != "" {
			c.check(t, se, got.LogSE)
		}
	}
}

func TestReferencePairedRates(t *testing.T) {
	eachReferenceCase(t, "rates/paired", func(t *testing.T, c refCase) {
		in := func(key string) int { return c.inputs.get(key).int() }
		cells := stats.PairedCells{Both: in("a"), FirstOnly: in("b"), SecondOnly: in("c"), Neither: in("d")}
		level := c.inputs.get("confidence").float()
		d, reason := cells.Difference()
		if !reason.OK() {
			t.Fatalf("difference: have none (%s)", reason)
		}
		c.check(t, "difference", d)
		c.check(t, "phi_corrected", cells.Phi(true))
		c.check(t, "phi_uncorrected", cells.Phi(false))
		i, reason := cells.Newcombe(level)
		c.checkInterval(t, "newcombe_method10", i, reason)
		i, reason = cells.NewcombeUncorrected(level)
		c.checkInterval(t, "newcombe_method8_uncorrected_phi", i, reason)
		i, reason = cells.Wald(level)
		c.checkInterval(t, "wald_paired", i, reason)
		odds := cells.ConditionalOddsRatio(level)
		if want := c.expected.get("conditional_odds_ratio").float(); math.IsNaN(want) != !odds.Reason.OK() {
			t.Errorf("conditional odds ratio: reason %q, want %g", odds.Reason, want)
		} else if odds.Reason.OK() {
			c.check(t, "conditional_odds_ratio", odds.Estimate)
		}
		c.checkInterval(t, "conditional_or_exact_ci", odds.Interval, odds.IntervalReason)
	})
}

func TestReferencePairedRecords(t *testing.T) {
	eachReferenceCase(t, "rates/paired_records", func(t *testing.T, c refCase) {
		var records []stats.PairedRecord
		for _, r := range c.inputs.get("task_first_second").items() {
			v := r.items()
			records = append(records, stats.PairedRecord{Task: v[0].str(),
				First: v[1].float() == 1, HasFirst: v[1].present(), Second: v[2].float() == 1, HasSecond: v[2].present()})
		}
		cells := stats.PairRecords(records)
		for key, got := range map[string]int{"a": cells.Both, "b": cells.FirstOnly, "c": cells.SecondOnly, "d": cells.Neither, "pairs": cells.Pairs(), "left_out": cells.LeftOut} {
			c.check(t, key, float64(got))
		}
		i, reason := cells.Newcombe(c.inputs.get("confidence").float())
		if !c.expected.get("difference").present() {
			if reason != stats.NoData || cells.McNemar().Reason != stats.NoData {
				t.Errorf("reasons %q and %q without a pair, want %q", reason, cells.McNemar().Reason, stats.NoData)
			}
			return
		}
		c.checkInterval(t, "newcombe_method10", i, reason)
		c.checkP(t, "mcnemar_exact_p", cells.McNemar().Exact)
	})
}

func TestReferenceWorstCase(t *testing.T) {
	eachReferenceCase(t, "rates/bounds", func(t *testing.T, c refCase) {
		in := func(key string) int { return c.inputs.get(key).int() }
		got, reason := stats.WorstCase(in("numerator"), in("observed"), in("excluded")+in("missing")+in("absent"))
		if !c.expected.get("lower").present() {
			if reason != stats.NoData {
				t.Errorf("reason %q, want %q", reason, stats.NoData)
			}
			return
		}
		c.check(t, "lower", got.Low)
		c.check(t, "upper", got.High)
	})
}

func TestReferenceMcNemar(t *testing.T) {
	eachReferenceCase(t, "mcnemar/mcnemar", func(t *testing.T, c refCase) {
		cells := stats.PairedCells{Both: 1, FirstOnly: c.inputs.get("b").int(), SecondOnly: c.inputs.get("c").int()}
		got := cells.McNemar()
		c.checkP(t, "exact_two_sided", got.Exact)
		c.checkP(t, "exact_one_sided_first_greater", got.ExactGreater)
		c.checkP(t, "mid_p_two_sided", got.MidP)
		c.check(t, "log10_exact_two_sided", got.Log10Exact)
		for _, chi := range []struct {
			statistic, p string
			got          stats.Test
		}{{"chisq_uncorrected", "p_chisq_uncorrected", got.ChiSquared}, {"chisq_corrected", "p_chisq_corrected", got.ChiSquaredCorrected}} {
			if math.IsNaN(c.expected.get(chi.statistic).float()) {
				if chi.got.Reason != stats.Undefined {
					t.Errorf("%s: reason %q, want %q", chi.statistic, chi.got.Reason, stats.Undefined)
				}
				continue
			}
			c.check(t, chi.statistic, chi.got.Statistic)
			c.checkP(t, chi.p, chi.got.P)
		}
	})
}

func TestReferenceAdjust(t *testing.T) {
	eachReferenceCase(t, "multiplicity/p_adjust", func(t *testing.T, c refCase) {
		var p []float64
		var estimable []bool
		want := 0
		for _, v := range c.inputs.get("p").items() {
			p, estimable = append(p, v.float()), append(estimable, v.present())
			if v.present() {
				want++
			}
		}
		for key, a := range map[string]stats.Adjustment{"holm": stats.Holm, "hochberg": stats.Hochberg, "bonferroni": stats.Bonferroni, "bh": stats.BH, "by": stats.BY} {
			got, m := stats.Adjust(p, estimable, a)
			if m != want {
				t.Errorf("%s: family of %d, want %d", a, m, want)
			}
			for i, w := range c.expected.get(key).items() {
				if w.present() {
					c.checkValue(t, key, w, got[i], c.rel, c.abs)
				}
			}
		}
	})
}
