package stats_test

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// readDraws reads resample indices, one draw a row.
func readDraws(t *testing.T, path string) [][]int32 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out [][]int32
	for i, row := range rows {
		var draw []int32
		for _, cell := range row {
			v, err := strconv.Atoi(cell)
			if err != nil && i > 0 {
				t.Fatal(err)
			}
			if err == nil {
				draw = append(draw, int32(v))
			}
		}
		if draw != nil {
			out = append(out, draw)
		}
	}
	return out
}

// rowsByCluster reads the differences of a case's table, by task in the given order.
func (c refCase) rowsByCluster(t *testing.T) [][]float64 {
	t.Helper()
	table := c.readTable(t, c.inputs.get("data").str())
	diff, rows := table.floats(t, "diff"), make([][]float64, 0)
	for _, task := range c.inputs.get("cluster_order").strs() {
		var values []float64
		for i, name := range table.text["task"] {
			if name == task {
				values = append(values, diff[i])
			}
		}
		rows = append(rows, values)
	}
	return rows
}

func sums(rows [][]float64) (sum, count []float64) {
	for _, r := range rows {
		var s float64
		for _, v := range r {
			s += v
		}
		sum, count = append(sum, s), append(count, float64(len(r)))
	}
	return sum, count
}

func TestReferenceBootstrap(t *testing.T) {
	eachReferenceCase(t, "bootstrap/bootstrap", func(t *testing.T, c refCase) {
		x := c.inputs.get("x").floats()
		switch {
		case c.expected.get("n_resamples").present():
			checkIdeal(t, c, x)
		case !c.inputs.get("indices_file").present():
			b := stats.NewBootstrap(len(x), stats.Resampling{Draws: 999, Seed: 1}, stats.MeanOf(x))
			c.check(t, "t0", b.Estimate)
			if len(x) == 1 {
				if b.Reason != stats.TooFew {
					t.Errorf("reason %q, want %q", b.Reason, stats.TooFew)
				}
				return
			}
			se, _ := b.SE()
			c.check(t, "se", se)
			for _, f := range []func(float64) (stats.Interval, stats.Reason){b.Percentile, b.Basic, b.Normal,
				func(l float64) (stats.Interval, stats.Reason) { i := b.BCa(l); return i.Interval, i.Reason }} {
				if i, reason := f(0.95); i.Low != 0.5 || i.High != 0.5 || reason != stats.NoVariation {
					t.Errorf("%v, reason %q, want the estimate twice and %q", i, reason, stats.NoVariation)
				}
			}
		default:
			statistic := stats.MeanOf(x)
			if c.inputs.get("statistic").str() == "median" {
				statistic = stats.QuantileOf(single(x), 0.5)
			}
			units := len(x)
			if c.inputs.get("data").present() {
				rows := c.rowsByCluster(t)
				units, statistic = len(rows), stats.RatioOf(sums(rows))
			}
			draws := readDraws(t, filepath.Join(c.folder, c.inputs.get("indices_file").str()))
			b := stats.GivenBootstrap(units, draws, statistic)
			checkBootstrap(t, c, b)
			checkFirst(t, c, draws, statistic)
		}
	})
}

// single puts every value into a unit of its own.
func single(x []float64) [][]float64 {
	var out [][]float64
	for _, v := range x {
		out = append(out, []float64{v})
	}
	return out
}

func checkFirst(t *testing.T, c refCase, draws [][]int32, s stats.Statistic) {
	t.Helper()
	f := s()
	for i, want := range c.expected.get("replicates_first10").items() {
		c.checkValue(t, "replicate "+strconv.Itoa(i), want, f(draws[i]), c.rel, c.abs)
	}
}

func checkBootstrap(t *testing.T, c refCase, b stats.Bootstrap) {
	t.Helper()
	level := c.inputs.get("confidence").float()
	pair := func(path string, i stats.Interval, reason stats.Reason) {
		t.Helper()
		if !reason.OK() {
			t.Errorf("%s: have none (%s)", path, reason)
			return
		}
		c.checkAll(t, path, []float64{i.Low, i.High})
	}
	optional := func(path string, check func()) {
		if c.expected.at(path).present() {
			check()
		}
	}
	c.check(t, "t0", b.Estimate)
	se, _ := b.SE()
	c.check(t, "se", se)
	optional("bias", func() { bias, _ := b.Bias(); c.check(t, "bias", bias) })
	i, reason := b.Percentile(level)
	pair("percentile_type7", i, reason)
	optional("percentile_boot_ci_style", func() {
		i, reason := b.PercentileBy(level, stats.LimitOrderStatistics)
		pair("percentile_boot_ci_style", i, reason)
	})
	optional("basic_type7", func() { i, reason := b.Basic(level); pair("basic_type7", i, reason) })
	optional("normal_bias_corrected", func() { i, reason := b.Normal(level); pair("normal_bias_corrected", i, reason) })
	optional("two_sided_sign_p", func() { p, _ := b.SignP(); c.checkP(t, "two_sided_sign_p", p) })
	for key, ties := range map[string]stats.TieRule{"bca_strict_less": stats.TiesNone, "bca_midrank": stats.TiesHalf} {
		optional(key, func() {
			for name, rule := range map[string]stats.LimitRule{"type7": stats.LimitType7, "boot_ci_style": stats.LimitOrderStatistics} {
				optional(key+"."+name, func() {
					got := b.BCaBy(level, ties, rule)
					pair(key+"."+name, got.Interval, got.Reason)
					c.check(t, key+".z0", got.Z0)
					c.check(t, key+".acceleration", got.Acceleration)
					c.checkAll(t, key+".alpha_adjusted", []float64{got.LowAt, got.HighAt})
				})
			}
		})
	}
}

// checkIdeal holds our own draws to the enumerated distribution, with the
// Monte Carlo rule of the case's note.
func checkIdeal(t *testing.T, c refCase, x []float64) {
	t.Helper()
	const draws = 40000
	b := stats.NewBootstrap(len(x), stats.Resampling{Draws: draws, Seed: 7}, stats.MeanOf(x))
	se, _ := b.SE()
	if want := c.expected.get("se_population").float(); math.Abs(se/want-1) > 4/math.Sqrt(2*draws) {
		t.Errorf("se %g, want %g", se, want)
	}
	below, equal := 0.0, 0.0
	for _, v := range b.Replicates {
		if math.Abs(v-b.Estimate) < 1e-12 {
			equal++
		} else if v < b.Estimate {
			below++
		}
	}
	for key, got := range map[string]float64{"prob_less_than_t0": below / draws, "prob_equal_t0": equal / draws} {
		p := c.expected.get(key).float()
		if math.Abs(got-p) > 4*math.Sqrt(p*(1-p)/draws) {
			t.Errorf("%s: %g, want %g", key, got, p)
		}
	}
	for i, p := range c.expected.get("probs").floats() {
		q := c.expected.get("quantiles_type1_inverse_cdf").floats()[i]
		reached := 0.0
		for _, v := range b.Replicates {
			if v <= q+1e-12 {
				reached++
			}
		}
		if reached/draws < p-4*math.Sqrt(p*(1-p)/draws) {
			t.Errorf("share of replicates up to the %g quantile %g is %g", p, q, reached/draws)
		}
	}
}

func TestReferenceTaskDefaults(t *testing.T) {
	eachReferenceCase(t, "bootstrap/task_defaults", func(t *testing.T, c refCase) {
		if c.inputs.get("differences_by_task").present() {
			var rows [][]float64
			for _, r := range c.inputs.get("differences_by_task").items() {
				rows = append(rows, r.floats())
			}
			got := stats.PairedMean(rows, 0.95, stats.Resampling{Seed: 1, Draws: 500})
			c.check(t, "t0", got.Estimate)
			if got.IntervalReason != stats.NoVariation || got.SignFlip.Reason != stats.NoVariation {
				t.Errorf("reasons %q and %q, want %q", got.IntervalReason, got.SignFlip.Reason, stats.NoVariation)
			}
			return
		}
		rows := c.rowsByCluster(t)
		draws := readDraws(t, filepath.Join(c.folder, c.inputs.get("indices_file").str()))
		statistic := stats.QuantileOf(rows, 0.5)
		if c.expected.get("sign_flip").present() {
			means := stats.TaskMeans(rows)
			statistic = stats.MeanOf(means)
			flip := stats.SignFlip(means, stats.Resampling{})
			c.check(t, "sign_flip.count_abs_ge_observed", flip.AtLeast)
			c.checkP(t, "sign_flip.p_two_sided", flip.P)
		}
		checkBootstrap(t, c, stats.GivenBootstrap(len(rows), draws, statistic))
		checkFirst(t, c, draws, statistic)
	})
}

func TestReferenceSignFlip(t *testing.T) {
	eachReferenceCase(t, "permutation/sign_flip_exact", func(t *testing.T, c refCase) {
		differences := c.inputs.get("differences").floats()
		if c.inputs.get("data").present() {
			c.inputs.v.(map[string]any)["cluster_order"] = c.expected.get("cluster_order").v
			differences, _ = sums(c.rowsByCluster(t))
		}
		got := stats.SignFlip(differences, stats.Resampling{})
		if !got.Exact {
			t.Fatal("not exact")
		}
		c.check(t, "count_abs_ge_observed", got.AtLeast)
		c.checkP(t, "p_two_sided", got.P)
		c.checkP(t, "p_greater", got.PGreater)
		c.checkP(t, "p_less", got.PLess)
		c.checkP(t, "p_two_sided_mid", got.PMid)
	})
}

func TestReferenceQuantiles(t *testing.T) {
	kinds := map[string]stats.QuantileType{"type1": stats.Type1, "type2": stats.Type2, "type3": stats.Type3, "type4": stats.Type4,
		"type5": stats.Type5, "type6": stats.Type6, "type7": stats.Type7, "type8": stats.Type8, "type9": stats.Type9}
	eachReferenceCase(t, "quantiles/quantiles", func(t *testing.T, c refCase) {
		var x []float64
		for _, v := range c.inputs.get("x").items() {
			if v.present() {
				x = append(x, v.float())
			}
		}
		for key, kind := range kinds {
			var got []float64
			for _, p := range c.inputs.get("probs").floats() {
				q, _ := stats.Quantile(x, p, kind)
				got = append(got, q)
			}
			c.checkAll(t, key, got)
		}
		number := func(key string, got float64, reason stats.Reason) {
			t.Helper()
			if math.IsNaN(c.expected.get(key).float()) {
				if reason.OK() {
					t.Errorf("%s: %g, want a reason", key, got)
				}
				return
			}
			c.check(t, key, got)
		}
		for key, f := range map[string]func([]float64) (float64, stats.Reason){"median": stats.Median, "iqr_type7": stats.IQR,
			"mad_scaled_1.4826": stats.MAD, "mean": stats.Mean, "sd": stats.SD, "geometric_mean": stats.GeometricMean} {
			got, reason := f(x)
			number(key, got, reason)
		}
		got, reason := stats.TrimmedMean(x, 0.2)
		number("trimmed_mean_20", got, reason)
	})
}

func TestReferenceNISTUnivariate(t *testing.T) {
	eachReferenceCase(t, "nist/univariate", func(t *testing.T, c refCase) {
		x := c.readTable(t, c.inputs.get("data").str()).floats(t, "y")
		for key, f := range map[string]func([]float64) (float64, stats.Reason){"mean": stats.Mean, "sd": stats.SD, "lag1_autocorrelation": stats.Autocorrelation} {
			got, reason := f(x)
			if !reason.OK() {
				t.Fatalf("%s: have none (%s)", key, reason)
			}
			c.checkValue(t, key, c.expected.at("certified."+key), got, c.rel, c.abs)
			c.checkValue(t, key, c.expected.at("exact_from_binary64_inputs."+key), got, 1e-12, 0)
		}
	})
}

func TestReferenceExperimentCells(t *testing.T) {
	eachReferenceCase(t, "experiment/experiment_a", func(t *testing.T, c refCase) {
		if c.id != "experiment_a_cells" {
			return // a model, tested with the models
		}
		table := c.readTable(t, c.inputs.get("data").str())
		cells := c.expected.get("cells")
		for response, column := range map[string]string{"resolved": "resolved", "recall": "recall_at_10"} {
			values, excluded := table.floats(t, column), table.floats(t, "excluded")
			for i, n := range cells.get("n").ints() {
				var x []float64
				for row := range values {
					if excluded[row] == 0 && table.text["retrieval"][row] == cells.get("retrieval").strs()[i] &&
						table.text["model"][row] == cells.get("model").strs()[i] && table.text["prompt"][row] == cells.get("prompt").strs()[i] {
						x = append(x, values[row])
					}
				}
				m, _ := stats.Mean(x)
				sd, _ := stats.SD(x)
				if len(x) != n {
					t.Errorf("cell %d: %d runs, want %d", i, len(x), n)
				}
				c.checkValue(t, response+"_mean", cells.get(response + "_mean").items()[i], m, c.rel, c.abs)
				c.checkValue(t, response+"_sd", cells.get(response + "_sd").items()[i], sd, c.rel, c.abs)
			}
		}
	})
}
