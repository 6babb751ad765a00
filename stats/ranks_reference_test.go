package stats_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/assay-bench/assay/stats"
)

func TestReferenceSignedRank(t *testing.T) {
	eachReferenceCase(t, "nonparametric/signed_rank", func(t *testing.T, c refCase) {
		d, scale := c.inputs.get("x").floats(), 0.0
		for i, y := range c.inputs.get("y").floats() {
			scale = max(scale, math.Abs(d[i]), math.Abs(y))
			d[i] -= y
		}
		got := stats.SignedRank(d, scale)
		c.check(t, "n", float64(got.Units))
		c.check(t, "n_zero", float64(got.Zeros))
		c.check(t, "has_ties", map[bool]float64{true: 1}[got.Ties])
		if c.expected.at("exact_conditional_with_ties.p").present() {
			c.checkP(t, "exact_conditional_with_ties.p", got.P)
			if got.Reason != stats.NoVariation {
				t.Errorf("reason %q, want %q", got.Reason, stats.NoVariation)
			}
		} else {
			const exact = "exact_conditional_with_ties."
			c.check(t, exact+"v", got.V)
			c.checkP(t, exact+"p_two_sided", got.P)
			c.checkP(t, exact+"p_greater", got.PGreater)
			c.checkP(t, exact+"p_less", got.PLess)
			for key, test := range map[string]stats.TailTest{"normal_no_continuity": got.Normal, "normal_continuity": got.NormalCorrected, "pratt_normal": got.Pratt} {
				c.check(t, key+".v", test.V)
				c.check(t, key+".z", test.Z)
				c.checkP(t, key+".p_two_sided", test.P)
				if key != "pratt_normal" {
					c.checkP(t, key+".p_greater", test.PGreater)
					c.checkP(t, key+".p_less", test.PLess)
				}
			}
			c.check(t, "rank_biserial", got.RankBiserial)
		}
		hl := stats.HodgesLehmann(d, scale, 0.95)
		c.check(t, "hodges_lehmann.estimate_median_walsh_averages", hl.Estimate)
		c.check(t, "hodges_lehmann.n_walsh", float64(hl.WalshAverages))
		if c.expected.at("hodges_lehmann.exact_ci95").present() {
			c.checkInterval(t, "hodges_lehmann.exact_ci95", hl.Interval, hl.IntervalReason)
			c.check(t, "hodges_lehmann.exact_ci95.achieved", hl.Achieved)
		} else if hl.IntervalReason.OK() {
			t.Errorf("hodges-lehmann interval %v, want none", hl.Interval)
		}
		sign := stats.SignTest(d, scale)
		c.check(t, "sign_test.n_positive", float64(sign.Positive))
		c.check(t, "sign_test.n_negative", float64(sign.Negative))
		c.checkP(t, "sign_test.p_two_sided", sign.P)
	})
}

func TestReferenceMannWhitney(t *testing.T) {
	eachReferenceCase(t, "nonparametric/mann_whitney", func(t *testing.T, c refCase) {
		got := stats.MannWhitney(c.inputs.get("x").floats(), c.inputs.get("y").floats())
		c.check(t, "u_first", got.U)
		c.checkP(t, "p_exact_conditional", got.P)
		c.check(t, "vargha_delaney_a", got.A)
		c.check(t, "cliffs_delta", got.CliffsDelta)
		c.check(t, "hodges_lehmann_shift_median_of_differences", got.Shift)
		for key, test := range map[string]stats.TailTest{"p_normal": got.Normal, "p_normal_continuity": got.NormalCorrected} {
			if math.IsNaN(c.expected.get(key).float()) {
				if test.Reason != stats.NoVariation {
					t.Errorf("%s: reason %q, want %q", key, test.Reason, stats.NoVariation)
				}
				continue
			}
			c.checkP(t, key, test.P)
		}
	})
}

func TestReferenceKendall(t *testing.T) {
	eachReferenceCase(t, "nonparametric/kendall", func(t *testing.T, c refCase) {
		var x, y []float64
		ys := c.inputs.get("y").items()
		for i, v := range c.inputs.get("x").items() {
			if v.present() && ys[i].present() {
				x, y = append(x, v.float()), append(y, ys[i].float())
			}
		}
		got := stats.Kendall(x, y)
		if math.IsNaN(c.expected.get("tau_a").float()) {
			if got.Reason != stats.TooFew {
				t.Errorf("reason %q, want %q", got.Reason, stats.TooFew)
			}
			return
		}
		c.check(t, "s", got.S)
		c.check(t, "tau_a", got.TauA)
		if math.IsNaN(c.expected.get("tau_b").float()) {
			spearman, pearson := stats.Spearman(x, y), stats.Pearson(x, y, 0.95)
			for _, reason := range []stats.Reason{got.TauBReason, got.Normal.Reason, spearman.Reason, pearson.Reason, pearson.Test.Reason, pearson.IntervalReason} {
				if reason != stats.Undefined {
					t.Errorf("reason %q, want %q", reason, stats.Undefined)
				}
			}
			return
		}
		c.check(t, "tau_b", got.TauB)
		c.check(t, "z_normal_r", got.Normal.Statistic)
		c.checkP(t, "p_normal_r", got.Normal.P)
		if c.expected.get("p_exact").present() {
			c.checkP(t, "p_exact", got.PExact)
		} else if got.PExactReason.OK() {
			t.Errorf("exact p %g, want none", got.PExact)
		}
		spearman := stats.Spearman(x, y)
		c.check(t, "spearman.rho", spearman.R)
		c.checkP(t, "spearman.p_t_approx", spearman.Test.P)
		pearson := stats.Pearson(x, y, 0.95)
		c.check(t, "pearson.r", pearson.R)
		c.check(t, "pearson.t", pearson.Test.Statistic)
		c.checkP(t, "pearson.p", pearson.Test.P)
		if len(x) > 3 {
			c.checkAll(t, "pearson.ci95", []float64{pearson.Interval.Low, pearson.Interval.High})
		}
	})
}

func TestReferenceCochranQ(t *testing.T) {
	eachReferenceCase(t, "nonparametric/cochran_q", func(t *testing.T, c refCase) {
		var rows [][]bool
		for _, row := range c.inputs.get("blocks_by_treatments").items() {
			var outcomes []bool
			for _, v := range row.floats() {
				outcomes = append(outcomes, v == 1)
			}
			rows = append(rows, outcomes)
		}
		got := stats.CochranQ(rows)
		if !slices.Equal(got.Successes, c.expected.get("column_totals").ints()) {
			t.Errorf("successes %v", got.Successes)
		}
		c.check(t, "n_blocks", float64(got.Tasks))
		c.check(t, "n_informative_blocks", float64(got.Informative))
		if math.IsNaN(c.expected.get("q").float()) {
			if got.Test.Reason != stats.Undefined {
				t.Errorf("reason %q, want %q", got.Test.Reason, stats.Undefined)
			}
			return
		}
		c.check(t, "q", got.Test.Statistic)
		c.check(t, "df", got.Test.DF)
		c.checkP(t, "p_chisq", got.Test.P)
	})
}

func TestReferenceFriedman(t *testing.T) {
	eachReferenceCase(t, "nonparametric/friedman", func(t *testing.T, c refCase) {
		var rows [][]float64
		for _, row := range c.inputs.get("blocks_by_treatments").items() {
			rows = append(rows, row.floats())
		}
		got := stats.Friedman(rows)
		c.checkAll(t, "mean_ranks", got.MeanRanks)
		if math.IsNaN(c.expected.get("chisq").float()) {
			if got.Test.Reason != stats.Undefined || got.ImanDavenport.Reason != stats.Undefined {
				t.Errorf("reasons %q and %q, want %q", got.Test.Reason, got.ImanDavenport.Reason, stats.Undefined)
			}
			return
		}
		c.check(t, "chisq", got.Test.Statistic)
		c.check(t, "df", got.Test.DF)
		c.checkP(t, "p", got.Test.P)
		c.check(t, "kendalls_w", got.KendallsW)
		c.check(t, "iman_davenport_f", got.ImanDavenport.Statistic)
		c.checkP(t, "iman_davenport_p", got.ImanDavenport.P)
	})
}

func TestReferenceBreslowDay(t *testing.T) {
	eachReferenceCase(t, "rates/breslow_day", func(t *testing.T, c refCase) {
		var strata []stats.TwoRates
		for _, s := range c.inputs.get("strata_a_b_c_d").items() {
			v := s.floats()
			strata = append(strata, stats.TwoRates{X1: v[0], N1: v[0] + v[1], X2: v[2], N2: v[2] + v[3]})
		}
		got := stats.BreslowDay(strata)
		c.check(t, "strata_used", float64(got.Strata))
		c.check(t, "mantel_haenszel_odds_ratio", got.OddsRatio)
		c.check(t, "breslow_day", got.BreslowDay.Statistic)
		c.check(t, "breslow_day_tarone", got.Tarone.Statistic)
		c.check(t, "df", got.Tarone.DF)
		c.checkP(t, "p", got.BreslowDay.P)
		c.checkP(t, "p_tarone", got.Tarone.P)
	})
}

func TestReferencePassK(t *testing.T) {
	eachReferenceCase(t, "passk/passk", func(t *testing.T, c refCase) {
		in := func(key string) int { return c.inputs.get(key).int() }
		if !c.inputs.get("tasks").present() {
			at, reason := stats.PassAtK(in("n"), in("c"), in("k"))
			power, other := stats.PassPowerK(in("n"), in("c"), in("k"))
			if !c.expected.get("pass_at_k").present() {
				if reason != stats.TooFew || other != stats.TooFew {
					t.Errorf("reasons %q and %q, want %q", reason, other, stats.TooFew)
				}
				return
			}
			c.check(t, "pass_at_k", at)
			c.check(t, "pass_pow_k", power)
			return
		}
		var runs, successes []int
		for _, task := range c.inputs.get("tasks").items() {
			runs, successes = append(runs, task.get("n").int()), append(successes, task.get("c").int())
		}
		for _, k := range c.inputs.get("k").ints() {
			path := strconv.Itoa(k) + "."
			at, power := stats.MeanPassAtK(runs, successes, k), stats.MeanPassPowerK(runs, successes, k)
			c.check(t, path+"tasks_with_n_ge_k", float64(at.Tasks))
			c.check(t, path+"tasks_dropped", float64(at.Dropped))
			c.check(t, path+"mean_pass_at_k", at.Mean)
			c.check(t, path+"mean_pass_pow_k", power.Mean)
			if !c.expected.at(path + "se_between_tasks_pass_at_k").present() {
				if at.SEReason != stats.TooFew {
					t.Errorf("standard error: reason %q, want %q", at.SEReason, stats.TooFew)
				}
				continue
			}
			c.check(t, path+"se_between_tasks_pass_at_k", at.SE)
			c.check(t, path+"se_between_tasks_pass_pow_k", power.SE)
		}
	})
}
