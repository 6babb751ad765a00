package stats_test

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/stats"
	"github.com/assay-bench/assay/stats/dist"
)

// The values of this file were published, or are of R 4.2.2; they stand in where
// the reference set is absent.

// published compares a number with what was printed.
func published(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s: %.10g, published %.10g", what, got, want)
	}
}

func publishedInterval(t *testing.T, what string, got stats.Interval, low, high, tolerance float64) {
	t.Helper()
	published(t, what+", lower", got.Low, low, tolerance)
	published(t, what+", upper", got.High, high, tolerance)
}

// Newcombe, Statistics in Medicine 17 (1998) 857-872, table I.
func TestPublishedIntervalsOfOneRate(t *testing.T) {
	for _, c := range []struct {
		x, n                     float64
		wilson, corrected, exact [2]float64
	}{
		{81, 263, [2]float64{0.2553, 0.3662}, [2]float64{0.2535, 0.3682}, [2]float64{0.2527, 0.3676}},
		{15, 148, [2]float64{0.0624, 0.1605}, [2]float64{0.0598, 0.1644}, [2]float64{0.0578, 0.1617}},
		{0, 20, [2]float64{0, 0.1611}, [2]float64{0, 0.2005}, [2]float64{0, 0.1684}},
		{1, 29, [2]float64{0.0061, 0.1718}, [2]float64{0.0018, 0.1963}, [2]float64{0.0009, 0.1776}},
	} {
		i, _ := stats.Wilson(c.x, c.n, 0.95)
		publishedInterval(t, "wilson", i, c.wilson[0], c.wilson[1], 6e-5)
		i, _ = stats.WilsonCorrected(c.x, c.n, 0.95)
		publishedInterval(t, "wilson corrected", i, c.corrected[0], c.corrected[1], 6e-5)
		i, _ = stats.ClopperPearson(c.x, c.n, 0.95)
		publishedInterval(t, "clopper-pearson", i, c.exact[0], c.exact[1], 6e-5)
	}
}

// By hand: p = 1/2, residuals 1, 0, -1, 0, so SE^2 = (4/3)(2/64) = 1/24 and
// n_eff = (1/4)(24) = 6; Wilson's limits at 3 of 6 with t(3) = 3.18244630528.
func TestClusteredRateByHand(t *testing.T) {
	got := stats.Rate([]int{2, 1, 0, 1}, []int{2, 2, 2, 2}, 0.95)
	published(t, "n_eff", got.EffectiveRuns, 6, 1e-12)
	t3 := 3.18244630528371
	half := t3 / (1 + t3*t3/6) * math.Sqrt(0.25/6+t3*t3/(4*36))
	publishedInterval(t, "clustered rate", got.Interval, 0.5-half, 0.5+half, 1e-12)
	// By hand: 6 (1.959963985/3.182446305)^2 = 2.275754 runs, so that the lower
	// limit solves I_p(1.137877, 2.137877) = 0.025.
	exact := stats.KornGraubard([]int{2, 1, 0, 1}, []int{2, 2, 2, 2}, 0.95)
	published(t, "korn-graubard, tail at the lower limit", dist.BetaCDF(exact.Interval.Low, 2.2757537/2, 2.2757537/2+1), 0.025, 1e-7)
	published(t, "korn-graubard, symmetry", exact.Interval.Low+exact.Interval.High, 1, 1e-12)
	if plain := stats.Rate([]int{1, 0, 1, 1}, []int{1, 1, 1, 1}, 0.95); plain.Interval.Method != stats.MethodWilson {
		t.Errorf("one run a task: method %q", plain.Interval.Method)
	}
}

// Newcombe, Statistics in Medicine 17 (1998) 873-890, table II, method 10.
func TestPublishedDifferencesOfTwoRates(t *testing.T) {
	for _, c := range []struct{ x1, n1, x2, n2, low, high float64 }{
		{56, 70, 48, 80, 0.0524, 0.3339},
		{9, 10, 3, 10, 0.1705, 0.8090},
		{10, 10, 0, 10, 0.6075, 1},
		{0, 10, 0, 10, -0.2775, 0.2775},
	} {
		i, _ := stats.TwoRates{X1: c.x1, N1: c.n1, X2: c.x2, N2: c.n2}.Newcombe(0.95)
		publishedInterval(t, "newcombe", i, c.low, c.high, 6e-5)
	}
}

// The lady tasting tea (Fisher, The Design of Experiments, 1935, section 5): 3 of 4
// cups right. By hand: the tables have 1, 16, 36, 16 and 1 ways, so p is 34/70;
// the conditional odds ratio w solves w^4 = 36w^2 + 32w + 3 (6.408309 in R's
// help, whose root finder stops early), and the limits cut off 2.5%.
func TestFisherByHand(t *testing.T) {
	f := stats.TwoRates{X1: 3, N1: 4, X2: 1, N2: 4}.Fisher(0.95)
	published(t, "p", f.P, 34.0/70, 1e-14)
	w := f.OddsRatio
	published(t, "odds ratio", math.Pow(w, 4)/(36*w*w+32*w+3), 1, 1e-12)
	published(t, "odds ratio", w, 6.408309, 2e-5)
	share := func(w float64, from, to int) float64 {
		var all, part float64
		for s, ways := range []float64{1, 16, 36, 16, 1} {
			term := ways * math.Pow(w, float64(s))
			all += term
			if s >= from && s <= to {
				part += term
			}
		}
		return part / all
	}
	published(t, "upper tail at the lower limit", share(f.Interval.Low, 3, 4), 0.025, 1e-12)
	published(t, "lower tail at the upper limit", share(f.Interval.High, 0, 3), 0.025, 1e-12)
}

// Newcombe, Statistics in Medicine 17 (1998) 2635-2650, table II, methods 8 and 10.
func TestPublishedPairedRates(t *testing.T) {
	for _, c := range []struct {
		cells       stats.PairedCells
		low, high   float64
		low8, high8 float64
	}{
		{stats.PairedCells{Both: 36, FirstOnly: 12, SecondOnly: 2}, 0.0569, 0.3404, 0.0569, 0.3404},
		{stats.PairedCells{Both: 36, FirstOnly: 14}, 0.1528, 0.4167, 0.1528, 0.4167},
		{stats.PairedCells{Both: 14, Neither: 36}, -0.0491, 0.0491, -0.0314, 0.0314},
	} {
		i, _ := c.cells.Newcombe(0.95)
		publishedInterval(t, "method 10", i, c.low, c.high, 6e-5)
		i, _ = c.cells.NewcombeUncorrected(0.95)
		publishedInterval(t, "method 8", i, c.low8, c.high8, 6e-5)
	}
}

// Exact binomial sums, by hand; the last cannot be held by a float64 and was
// summed in whole numbers: 2 (1 + 2000) / 2^2000.
func TestMcNemarByHand(t *testing.T) {
	for _, c := range []struct {
		b, c       int
		exact, mid float64
		log10      float64
	}{
		{0, 0, 1, 1, 0},
		{5, 5, 1, 1, 0},
		{1, 6, 16.0 / 128, 16.0/128 - 7.0/128, math.Log10(16.0 / 128)},
		{0, 6, 2.0 / 64, 1.0 / 64, math.Log10(2.0 / 64)},
		{1999, 1, 0, 0, math.Log10(2*2001) - 2000*math.Log10(2)},
	} {
		got := stats.PairedCells{Both: 3, FirstOnly: c.b, SecondOnly: c.c}.McNemar()
		published(t, "exact", got.Exact, c.exact, 1e-13)
		published(t, "mid-p", got.MidP, c.mid, 1e-13)
		published(t, "log10", got.Log10Exact, c.log10, 1e-9)
	}
}

// Benjamini and Hochberg (1995), section 3.2: at 0.05 their procedure rejects
// four of the fifteen, Bonferroni's three.
func TestPublishedMultiplicity(t *testing.T) {
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1}
	for a, want := range map[stats.Adjustment]int{stats.BH: 4, stats.Bonferroni: 3, stats.Holm: 3, stats.Hochberg: 3} {
		adjusted, m := stats.Adjust(p, nil, a)
		rejected := 0
		for _, q := range adjusted {
			if q <= 0.05 {
				rejected++
			}
		}
		if rejected != want || m != 15 {
			t.Errorf("%s: %d of %d rejected, want %d", a, rejected, m, want)
		}
	}
	got, m := stats.Adjust([]float64{0.01, 9, 0.03, 0.002}, []bool{true, false, true, true}, stats.Holm)
	if m != 3 || got[0] != 0.02 || got[2] != 0.03 || got[3] != 0.006 {
		t.Errorf("with one not estimable: %v of %d", got, m)
	}
}

// Fisher (1935), section 21: 863 of 32768 sign vectors on Darwin's maize.
func TestPublishedSignFlip(t *testing.T) {
	darwin := []float64{6.125, -8.375, 1, 2, 0.75, 2.875, 3.5, 5.125, 1.75, 3.625, 7, 3, 9.375, 7.5, -6}
	got := stats.SignFlip(darwin, stats.Resampling{})
	if got.AtLeast != 2*863 || got.P != 2*863.0/32768 {
		t.Errorf("%g of 32768, p %g, want 1726", got.AtLeast, got.P)
	}
	// Sums of .1, .2 and .3 tie exactly only with a tolerance: 2 of 4096.
	decimal := []float64{0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3}
	if got := stats.SignFlip(decimal, stats.Resampling{}); got.AtLeast != 2 {
		t.Errorf("%g sign vectors, want 2", got.AtLeast)
	}
}

// All 5^5 resamples: the standard deviation of the mean is the population's
// over the root of five, 1.2219983633 by hand, and the 2.5% quantile (type 1)
// of the reference set is 1.04.
func TestIdealBootstrap(t *testing.T) {
	x := []float64{1.2, 3.4, 2.2, 8.1, 0.3}
	var draws [][]int32
	for code := range 5 * 5 * 5 * 5 * 5 {
		var draw []int32
		for range x {
			draw = append(draw, int32(code%5))
			code /= 5
		}
		draws = append(draws, draw)
	}
	b := stats.GivenBootstrap(len(x), draws, stats.MeanOf(x))
	se, _ := b.SE()
	published(t, "se", se*math.Sqrt(3124.0/3125), 1.2219983633376927, 1e-12)
	q, _ := stats.Quantile(b.Replicates, 0.025, stats.Type1)
	published(t, "2.5% quantile", q, 1.04, 1e-12)
	bca := b.BCa(0.95)
	// z0 = qnorm(0.51776 + 0.0384/2), from the enumerated shares.
	published(t, "z0", bca.Z0, 0.0928, 5e-5)
	if bca.Interval.Low <= q || bca.Interval.High <= bca.Interval.Low {
		t.Errorf("bca %v beside a percentile limit %g: the skew must move it up", bca.Interval, q)
	}
}

// R: quantile(1:10, c(.1, .25), type = 1..9).
func TestPublishedQuantiles(t *testing.T) {
	x := []float64{10, 1, 9, 2, 8, 3, 7, 4, 6, 5}
	for i, want := range [][2]float64{{1, 3}, {1.5, 3}, {1, 2}, {1, 2.5}, {1.5, 3}, {1.1, 2.75}, {1.9, 3.25}, {41.0 / 30, 35.0 / 12}, {1.4, 2.9375}} {
		for j, p := range []float64{0.1, 0.25} {
			got, _ := stats.Quantile(x, p, stats.QuantileType(i+1))
			published(t, "quantile", got, want[j], 1e-14)
		}
	}
	mad, _ := stats.MAD(x)
	published(t, "mad", mad, 3.7065, 1e-12)
	trimmed, _ := stats.TrimmedMean([]float64{1, 2, 3, 4, 100}, 0.2)
	published(t, "trimmed mean", trimmed, 3, 0)
}

// R's help of wilcox.test (V = 40, p = 0.03906; W = 35, p = 0.2544), cor.test
// (T = 26, tau = 0.4444, p = 0.1194) and friedman.test (11.143, p = 0.003805).
func TestPublishedRankTests(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	var d []float64
	for i := range x {
		d = append(d, x[i]-y[i])
	}
	signed := stats.SignedRank(d, 3.14)
	published(t, "V", signed.V, 40, 0)
	published(t, "p", signed.P, 0.0390625, 1e-15)
	hl := stats.HodgesLehmann(d, 3.14, 0.95)
	published(t, "pseudo-median", hl.Estimate, 0.46, 1e-12)
	mw := stats.MannWhitney([]float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, []float64{1.15, 0.88, 0.90, 0.74, 1.21})
	published(t, "W", mw.U, 35, 0)
	published(t, "p", mw.P, 0.2544, 5e-5)
	k := stats.Kendall([]float64{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1}, []float64{2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8})
	published(t, "T", (k.S+36)/2, 26, 0)
	published(t, "tau", k.TauB, 0.4444, 5e-5)
	published(t, "p", k.PExact, 0.1194, 5e-5)
	f := stats.Friedman([][]float64{{5.40, 5.50, 5.55}, {5.85, 5.70, 5.75}, {5.20, 5.60, 5.50}, {5.55, 5.50, 5.40}, {5.90, 5.85, 5.70},
		{5.45, 5.55, 5.60}, {5.40, 5.40, 5.35}, {5.45, 5.50, 5.35}, {5.25, 5.15, 5.00}, {5.85, 5.80, 5.70}, {5.25, 5.20, 5.10},
		{5.65, 5.55, 5.45}, {5.60, 5.35, 5.45}, {5.05, 5.00, 4.95}, {5.50, 5.50, 5.40}, {5.45, 5.55, 5.50}, {5.55, 5.55, 5.35},
		{5.45, 5.50, 5.55}, {5.50, 5.45, 5.25}, {5.65, 5.60, 5.40}, {5.70, 5.65, 5.55}, {6.30, 6.30, 6.25}})
	published(t, "chi-squared", f.Test.Statistic, 11.143, 5e-4)
	published(t, "p", f.Test.P, 0.003805, 5e-7)
}

// With two arms Cochran's Q is McNemar's chi-squared, (5-1)^2/6 by hand; and
// where all arms agree on every task it is undefined.
func TestCochranByHand(t *testing.T) {
	rows := [][]bool{{true, false}, {true, false}, {true, true}, {false, false}, {false, true}, {true, false}, {true, true}, {false, false}, {true, false}, {true, false}}
	q := stats.CochranQ(rows)
	published(t, "q", q.Test.Statistic, 16.0/6, 1e-15)
	if got := stats.CochranQ([][]bool{{true, true}, {false, false}}); got.Test.Reason != stats.Undefined {
		t.Errorf("no informative task: reason %q, want %q", got.Test.Reason, stats.Undefined)
	}
}

// Two strata with the same odds ratio of 4 have nothing to differ in; by
// statsmodels 0.14, StratifiedTable.test_equal_odds of the second: 10.7926.
func TestBreslowDay(t *testing.T) {
	same := stats.BreslowDay([]stats.TwoRates{{X1: 20, N1: 30, X2: 10, N2: 30}, {X1: 10, N1: 15, X2: 5, N2: 15}})
	published(t, "odds ratio", same.OddsRatio, 4, 1e-12)
	published(t, "chi-squared", same.Tarone.Statistic, 0, 1e-12)
	three := stats.BreslowDay([]stats.TwoRates{{X1: 10, N1: 30, X2: 15, N2: 30}, {X1: 25, N1: 35, X2: 12, N2: 30}, {X1: 8, N1: 30, X2: 14, N2: 30}})
	published(t, "breslow-day", three.BreslowDay.Statistic, 10.79262994, 1e-8)
	published(t, "tarone", three.Tarone.Statistic, 10.79257641, 1e-8)
}

// By hand: of 5 runs 3 succeed; both of two fail in 1 of 10 pairs, both succeed in 3.
func TestPassKByHand(t *testing.T) {
	at, _ := stats.PassAtK(5, 3, 2)
	published(t, "pass@2", at, 0.9, 1e-15)
	power, _ := stats.PassPowerK(5, 3, 2)
	published(t, "pass^2", power, 0.3, 1e-15)
	if _, reason := stats.PassAtK(1, 1, 2); reason != stats.TooFew {
		t.Errorf("pass@2 of one run: reason %q, want %q", reason, stats.TooFew)
	}
	rare, _ := stats.PassAtK(1_000_000_000, 1, 1)
	published(t, "pass@1 of one in a billion", rare*1e9, 1, 1e-12)
}

// Wikipedia's example of NDCG, grades 3, 2, 3, 0, 1, 2: DCG 6.861, ideal 7.141
// without the documents that were not returned, so 0.961. The exponential gain gives 0.949.
func TestPublishedNDCG(t *testing.T) {
	judged := stats.Judgements{"a": 3, "b": 2, "c": 3, "d": 0, "e": 1, "f": 2}
	r := stats.NewRanking([]string{"a", "b", "c", "d", "e", "f"}, judged, 1)
	published(t, "dcg", r.DCG(0, stats.LinearGain), 6.861, 5e-4)
	published(t, "ndcg", r.NDCG(6, stats.LinearGain), 0.961, 5e-4)
	published(t, "ndcg, exponential", r.NDCG(6, stats.ExponentialGain), 0.949, 5e-4)
	published(t, "average precision", r.AveragePrecision(0), (1+1+1+4.0/5+5.0/6)/5, 1e-15)
	published(t, "bpref", r.BPref(), 3.0/5, 1e-15)
}

// By hand: recall 1/4 from 500 tokens, 1/2 from 3000, 3/4 from 7000 to 8000.
func TestBudgetCurveByHand(t *testing.T) {
	c := stats.NewBudgetCurve([]stats.ContextItem{{500, "a"}, {1500, ""}, {1000, "b"}, {4000, "c"}, {500, ""}}, 4)
	published(t, "step area", c.StepArea(8000), (2500*0.25+4000*0.5+1000*0.75)/8000, 1e-15)
	published(t, "recall just below", c.Recall(2999), 0.25, 0)
	published(t, "recall at", c.Recall(3000), 0.5, 0)
	if got, reason := c.TokensToRecall(1); reason != stats.NoData {
		t.Errorf("full recall at %g, reason %q, want %q", got, reason, stats.NoData)
	}
}

// Shrout and Fleiss (1979), table 4; Krippendorff's example of four observers
// (Content Analysis, 3rd ed., section 12.3): nominal .743, ordinal .815,
// interval .849, ratio .797; Fleiss' kappa of the usual 10 by 5 table, .210.
func TestPublishedAgreement(t *testing.T) {
	icc := stats.IntraclassCorrelations([][]float64{{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}}, 0.95)
	for i, want := range []float64{0.17, 0.29, 0.71, 0.44, 0.62, 0.91} {
		published(t, icc[i].Name, icc[i].Value, want, 0.005)
	}
	units := [][]float64{{1, 1, 1}, {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2}, {1, 2, 3, 4}, {4, 4, 4, 4}, {1, 1, 2, 1}, {2, 2, 2, 2}, {5, 5, 5}, {1, 1}, {3}}
	for metric, want := range map[stats.DisagreementMetric]float64{stats.NominalMetric: 0.743, stats.OrdinalMetric: 0.815, stats.IntervalMetric: 0.849, stats.RatioMetric: 0.797} {
		published(t, "alpha", stats.KrippendorffAlpha(units, metric).Alpha, want, 5e-4)
	}
	fleiss := stats.FleissKappa([][]int{{0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
		{7, 7, 0, 0, 0}, {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}})
	published(t, "fleiss", fleiss.Kappa, 0.210, 5e-4)
	cohen := stats.CohenKappa([]int{1, 1, 1, 0, 0}, []int{1, 1, 0, 0, 0}) // by hand: (0.8-0.48)/(1-0.48)
	published(t, "cohen", cohen.Kappa, 0.32/0.52, 1e-14)
}

// R: t.test(extra ~ group, data = sleep) gives t = -1.8608, df = 17.776,
// p = 0.07939, -3.3654832 to 0.2054832.
func TestPublishedWelch(t *testing.T) {
	got := stats.MeanDifference([]float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2}, []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}, 0.95)
	published(t, "t", got.Test.Statistic, -1.8608, 5e-5)
	published(t, "df", got.Test.DF, 17.776, 5e-4)
	published(t, "p", got.Test.P, 0.07939, 5e-6)
	publishedInterval(t, "welch", got.Interval, -3.3654832, 0.2054832, 5e-8)
}
