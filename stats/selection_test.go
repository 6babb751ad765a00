package stats_test

import (
	"math"
	"slices"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// A selection of the reference set, as literals: values of R 4.2.2 unless a line
// says that it was done by hand. They stand in where the set is absent.

// 56 of 70 against 48 of 80: DescTools, epitools and prop.test in R.
func TestSelectionTwoRates(t *testing.T) {
	c := stats.TwoRates{X1: 56, N1: 70, X2: 48, N2: 80}
	i, _ := c.Wald(0.95)
	publishedInterval(t, "wald", i, 0.05750489914903717, 0.34249510085096296, 1e-12)
	i, _ = c.AgrestiCaffo(0.95)
	publishedInterval(t, "agresti-caffo", i, 0.05245292663805373, 0.3357584554757674, 1e-12)
	h, _ := c.CohensH()
	published(t, "h", h, 0.4421431880029534, 1e-12)
	risk := c.RiskRatio(0.95)
	published(t, "risk ratio", risk.Estimate, 4.0/3, 1e-12)
	publishedInterval(t, "risk ratio", risk.Interval, 1.076626422763193, 1.651248511266387, 1e-11)
	odds := c.OddsRatio(0.95)
	published(t, "odds ratio", odds.Estimate, 8.0/3, 1e-12)
	published(t, "log se", odds.LogSE, 0.375990754698899, 1e-12)
	publishedInterval(t, "odds ratio", odds.Interval, 1.2762178705364347, 5.5720196960743795, 1e-11)
	half := c.HaldaneAnscombe(0.95)
	published(t, "odds ratio with halves", half.Estimate, 2.6110913615357276, 1e-12)
	z := c.PooledZ()
	published(t, "z", z.Statistic, 2.6501719512585336, 1e-12)
	published(t, "p", z.P, 0.008045081368196563, 1e-13)
	published(t, "log10 p", z.Log10P, math.Log10(0.008045081368196563), 1e-10)

	// An empty cell: ratios are what the sample says, intervals have a reason.
	all := stats.TwoRates{X1: 10, N1: 10, X2: 0, N2: 10}
	if r := all.OddsRatio(0.95); !math.IsInf(r.Estimate, 1) || r.IntervalReason != stats.Undefined {
		t.Errorf("10/10 against 0/10: odds ratio %+v", r)
	}
	none := stats.TwoRates{N1: 10, N2: 10}
	if r := none.RiskRatio(0.95); r.Reason != stats.Undefined || none.PooledZ().Reason != stats.Undefined {
		t.Errorf("0/10 against 0/10: risk ratio %+v", r)
	}
	empty := stats.TwoRates{X1: 1, N1: 2}
	for name, reason := range map[string]stats.Reason{"risk ratio": empty.RiskRatio(0.95).Reason, "odds ratio": empty.OddsRatio(0.95).Reason,
		"fisher": empty.Fisher(0.95).Reason, "z": empty.PooledZ().Reason, "haldane": empty.HaldaneAnscombe(0.95).Reason} {
		if reason != stats.NoData {
			t.Errorf("%s without a second sample: reason %q, want %q", name, reason, stats.NoData)
		}
	}
}

// The pairing of twelve tasks, three without both sides, by hand; the odds ratio
// of 12 to 2 with its exact interval by R's binom.test.
func TestSelectionPairedRates(t *testing.T) {
	yes := func(first, second bool) stats.PairedRecord {
		return stats.PairedRecord{First: first, Second: second, HasFirst: true, HasSecond: true}
	}
	c := stats.PairRecords([]stats.PairedRecord{yes(true, true), yes(true, false), yes(true, false), yes(false, false), {First: true, HasFirst: true},
		yes(false, true), yes(true, false), {Second: true, HasSecond: true}, yes(true, true), yes(false, false), yes(true, false), {}})
	if want := (stats.PairedCells{Both: 2, FirstOnly: 4, SecondOnly: 1, Neither: 2, LeftOut: 3}); c != want {
		t.Fatalf("%+v, want %+v", c, want)
	}
	i, _ := c.Newcombe(0.95)
	publishedInterval(t, "method 10", i, -0.10855824428941986, 0.6342065827588613, 1e-12)
	published(t, "exact p", c.McNemar().Exact, 0.375, 1e-15)

	d := stats.PairedCells{Both: 36, FirstOnly: 12, SecondOnly: 2}
	i, _ = d.Wald(0.95)
	publishedInterval(t, "wald", i, 0.06420971191085939, 0.3357902880891405, 1e-12)
	odds := d.ConditionalOddsRatio(0.95)
	published(t, "odds ratio", odds.Estimate, 6, 0)
	publishedInterval(t, "odds ratio", odds.Interval, 1.3357437224672493, 55.19709066788505, 1e-10)
	if r := (stats.PairedCells{Both: 3}).ConditionalOddsRatio(0.95); r.Reason != stats.Undefined || r.Interval.Low != 0 || !math.IsInf(r.Interval.High, 1) {
		t.Errorf("no discordant pair: %+v", r)
	}
	if _, reason := (stats.PairedCells{}).Wald(0.95); reason != stats.NoData {
		t.Errorf("no pair: reason %q, want %q", reason, stats.NoData)
	}
}

// One rate: 1 of 10 by R; bounds by hand.
func TestSelectionOneRate(t *testing.T) {
	i, _ := stats.Jeffreys(0, 10, 0.95)
	publishedInterval(t, "jeffreys", i, 0, 0.2171962675092105, 1e-12)
	i, _ = stats.AgrestiCoull(0, 10, 0.95)
	publishedInterval(t, "agresti-coull", i, -0.04335450588765652, 0.3208873057505457, 1e-12)
	i, _ = stats.WorstCase(7, 17, 3)
	publishedInterval(t, "worst case", i, 7.0/20, 10.0/20, 0)
	if _, reason := stats.WorstCase(0, 0, 0); reason != stats.NoData {
		t.Errorf("nothing planned: reason %q, want %q", reason, stats.NoData)
	}
	for name, c := range map[string]struct {
		x, n                 []int
		low, high, effective float64
	}{
		"ragged":       {[]int{3, 0, 2, 1, 3}, []int{3, 2, 3, 1, 4}, 0.29066817655507377, 0.9251175691168644, 9.852631578947369},
		"all fail":     {[]int{0, 0, 0, 0, 0}, []int{3, 3, 3, 3, 3}, 0, 0.6065671008171238, 5},
		"all succeed":  {[]int{2, 2, 2}, []int{2, 2, 2}, 0.1394517282479142, 1, 3},
		"no variation": {[]int{1, 1, 1, 1}, []int{2, 2, 2, 2}, 0.12627119829336703, 0.8737288017066329, 8},
	} {
		got := stats.Rate(c.x, c.n, 0.95)
		publishedInterval(t, name, got.Interval, c.low, c.high, 1e-12)
		published(t, name+" n_eff", got.EffectiveRuns, c.effective, 1e-12)
	}
	if got := stats.Rate([]int{2}, []int{3}, 0.95); got.IntervalReason != stats.TooFew || !got.Reason.OK() {
		t.Errorf("one task: %+v", got)
	}
	if got := stats.Rate(nil, nil, 0.95); got.Reason != stats.NoData || got.IntervalReason != stats.NoData {
		t.Errorf("no task: %+v", got)
	}
}

// Means over ragged tasks, by hand in fractions.
func TestSelectionPassK(t *testing.T) {
	runs, successes := []int{3, 2, 3, 1, 3, 5}, []int{1, 2, 3, 0, 0, 4}
	at, power := stats.MeanPassAtK(runs, successes, 2), stats.MeanPassPowerK(runs, successes, 2)
	published(t, "pass@2", at.Mean, (2.0/3+1+1+0+1)/5, 1e-15)
	published(t, "pass^2", power.Mean, (0+1+1+0+0.6)/5, 1e-15)
	if at.Tasks != 5 || at.Dropped != 1 {
		t.Errorf("%d tasks, %d dropped, want 5 and 1", at.Tasks, at.Dropped)
	}
	if got := stats.MeanPassAtK(runs, successes, 5); got.Tasks != 1 || got.SEReason != stats.TooFew {
		t.Errorf("one task: %+v", got)
	}
}

// NIST's NumAcc1 (mean 10000002, sd 1, autocorrelation -0.5) and R.
func TestSelectionDescription(t *testing.T) {
	numAcc1 := []float64{10000001, 10000003, 10000002}
	m, _ := stats.Mean(numAcc1)
	sd, _ := stats.SD(numAcc1)
	r, _ := stats.Autocorrelation(numAcc1)
	published(t, "mean", m, 10000002, 0)
	published(t, "sd", sd, 1, 0)
	published(t, "autocorrelation", r, -0.5, 0)
	tokens := []float64{812, 1024, 990, 15000, 2048, 731, 120034, 905, 4096, 2222}
	iqr, _ := stats.IQR(tokens)
	geometric, _ := stats.GeometricMean(tokens)
	trimmed, _ := stats.TrimmedMean(tokens, 0.2)
	published(t, "iqr", iqr, 2701.25, 1e-12)
	published(t, "geometric mean", geometric, 2668.0174327991554, 1e-9)
	published(t, "trimmed mean", trimmed, 1880.8333333333333, 1e-9)
	for name, f := range map[string]func([]float64) (float64, stats.Reason){"mean": stats.Mean, "sd": stats.SD, "median": stats.Median, "iqr": stats.IQR,
		"mad": stats.MAD, "geometric mean": stats.GeometricMean} {
		if _, reason := f(nil); reason != stats.NoData {
			t.Errorf("%s of nothing: reason %q, want %q", name, reason, stats.NoData)
		}
	}
	if _, reason := stats.GeometricMean([]float64{1, 0}); reason != stats.Undefined {
		t.Errorf("geometric mean with 0: reason %q, want %q", reason, stats.Undefined)
	}
	if _, reason := stats.Autocorrelation([]float64{2, 2, 2}); reason != stats.Undefined {
		t.Errorf("autocorrelation of a constant: reason %q, want %q", reason, stats.Undefined)
	}
}

// Three units and four draws, by hand: means 1, 2, 3 and 2; the unit values are 1, 2, 3.
func TestSelectionBootstrap(t *testing.T) {
	b := stats.GivenBootstrap(3, [][]int32{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 1, 2}}, stats.MeanOf([]float64{1, 2, 3}))
	bias, _ := b.Bias()
	se, _ := b.SE()
	p, _ := b.SignP()
	published(t, "bias", bias, 0, 0)
	published(t, "se", se, math.Sqrt(2.0/3), 1e-15)
	published(t, "sign p", p, 0, 0)
	i, _ := b.Percentile(0.5)
	publishedInterval(t, "percentile", i, 1.75, 2.25, 1e-15)
	i, _ = b.Basic(0.5)
	publishedInterval(t, "basic", i, 1.75, 2.25, 1e-15)
	i, _ = b.Normal(0.5)
	published(t, "normal", i.High-2, 0.6744897501960817*math.Sqrt(2.0/3), 1e-12)
	i, _ = b.PercentileBy(0.6, stats.LimitOrderStatistics) // ranks 5(0.2) = 1 and 5(0.8) = 4
	publishedInterval(t, "order statistics", i, 1, 3, 1e-12)
	median := stats.GivenBootstrap(2, [][]int32{{0, 0}, {1, 1}, {0, 1}}, stats.QuantileOf([][]float64{{1, 5}, {2, 4, 9}}, 0.5))
	// Rows 1 1 5 5; 2 2 4 4 9 9; 1 2 4 5 9.
	if want := []float64{3, 4, 4}; !slices.Equal(median.Replicates, want) {
		t.Errorf("medians %v, want %v", median.Replicates, want)
	}
	gone := stats.GivenBootstrap(2, [][]int32{{0, 0}, {0, 1}, {1, 1}}, stats.RatioOf([]float64{1, 0}, []float64{2, 0}))
	if gone.Undefined != 1 || len(gone.Replicates) != 2 {
		t.Errorf("a draw without a denominator: %+v", gone)
	}
	if got := gone.BCa(0.95); got.Reason.OK() {
		t.Errorf("bca over an undefined jackknife: %+v", got)
	}
}

// R: cor.test of the tuna data; perfect and constant sides by hand.
func TestSelectionCorrelation(t *testing.T) {
	x := []float64{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1}
	y := []float64{2.6, 3.1, 2.5, 5, 3.6, 4, 5.2, 2.8, 3.8}
	pearson := stats.Pearson(x, y, 0.95)
	published(t, "r", pearson.R, 0.5711815575638287, 1e-12)
	published(t, "p", pearson.Test.P, 0.10817305434949379, 1e-12)
	publishedInterval(t, "r", pearson.Interval, -0.14974263303675717, 0.8955794618387393, 1e-12)
	spearman := stats.Spearman(x, y)
	published(t, "rho", spearman.R, 0.6, 1e-12)
	published(t, "p", spearman.Test.P, 0.08762282904140234, 1e-12)
	perfect := stats.Pearson([]float64{1, 2, 3, 4}, []float64{4, 3, 2, 1}, 0.95)
	if perfect.R != -1 || perfect.IntervalReason != stats.NoVariation || !math.IsInf(perfect.Test.Statistic, -1) {
		t.Errorf("perfect: %+v", perfect)
	}
	if got := stats.Pearson([]float64{1, 1, 1}, y[:3], 0.95); got.Reason != stats.Undefined {
		t.Errorf("constant: reason %q, want %q", got.Reason, stats.Undefined)
	}
	if got := stats.Pearson(x[:2], y[:2], 0.95); got.Test.Reason != stats.TooFew || got.IntervalReason != stats.TooFew {
		t.Errorf("two pairs: %+v", got)
	}
	if got := stats.SignTest([]float64{1, 2, -1, 0, 3, 4, 5}, 0); got.Positive != 5 || got.Negative != 1 || math.Abs(got.P-14.0/64) > 1e-15 {
		t.Errorf("sign test %+v, want 14/64", got)
	}
}

// trec_eval 10.0-rc3 on four queries: a tie that the id decides, none relevant,
// a missing list, unjudged and negative documents above the relevant one.
func TestSelectionRetrieval(t *testing.T) {
	tied, duplicates := stats.RankByScore([]stats.ScoredDocument{{"a", 5}, {"b", 5}, {"a", 4}})
	if !slices.Equal(tied, []string{"b", "a"}) || duplicates != 1 {
		t.Errorf("%v with %d duplicates, want b before a and 1", tied, duplicates)
	}
	q := stats.NewQueries(map[string]stats.Judgements{
		"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "c": 0}, "q4": {"x": 1}, "q6": {"a": 1, "b": -1, "c": 0},
	}, map[string][]string{"q1": tied, "q2": {"a"}, "q6": {"unjudged", "b", "a"}, "q9": {"a"}}, 1)
	for name, c := range map[string]struct {
		measure func(stats.Ranking) float64
		want    [4]float64
	}{
		"recip_rank":  {func(r stats.Ranking) float64 { return r.ReciprocalRank(0) }, [4]float64{0.5, 0, 0, 1.0 / 3}},
		"P_5":         {func(r stats.Ranking) float64 { return r.Precision(5) }, [4]float64{0.2, 0, 0, 0.2}},
		"P over n":    {func(r stats.Ranking) float64 { return r.PrecisionOverReturned(5) }, [4]float64{0.5, 0, 0, 1.0 / 3}},
		"recall_1":    {func(r stats.Ranking) float64 { return r.Recall(1) }, [4]float64{0, 0, 0, 0}},
		"success_3":   {func(r stats.Ranking) float64 { return r.Success(3) }, [4]float64{1, 0, 0, 1}},
		"Rprec":       {stats.Ranking.RPrecision, [4]float64{0, 0, 0, 0}},
		"ndcg":        {func(r stats.Ranking) float64 { return r.NDCG(0, stats.LinearGain) }, [4]float64{0.6309297535714575, 0, 0, 0.5}},
		"bpref":       {stats.Ranking.BPref, [4]float64{0, 0, 0, 1}},
		"f1_5":        {func(r stats.Ranking) float64 { return r.F1(5) }, [4]float64{1.0 / 3, 0, 0, 1.0 / 3}},
		"ap over min": {func(r stats.Ranking) float64 { return r.AveragePrecisionOverReachable(3) }, [4]float64{0.5, 0, 0, 1.0 / 3}},
		"unjudged":    {func(r stats.Ranking) float64 { return float64(r.UnjudgedReturned()) }, [4]float64{0, 0, 0, 2}},
		"returned":    {func(r stats.Ranking) float64 { return float64(r.Returned()) }, [4]float64{2, 1, 0, 3}},
	} {
		for i, want := range c.want {
			published(t, name+" of "+q.Names[i], c.measure(q.Rankings[i]), want, 1e-12)
		}
	}
	recall := func(r stats.Ranking) float64 { return r.Recall(5) }
	for set, want := range map[stats.QuerySet]struct {
		mean float64
		n    int
	}{stats.JudgedQueries: {0.5, 4}, stats.AnsweredQueries: {2.0 / 3, 3}, stats.RelevantQueries: {2.0 / 3, 3}} {
		mean, n, _ := q.Mean(set, recall)
		published(t, "mean recall", mean, want.mean, 1e-15)
		published(t, "queries", float64(n), float64(want.n), 0)
	}
	if !slices.Equal(q.Unjudged, []string{"q9"}) || q.Rankings[1].Reason() != stats.Undefined {
		t.Errorf("unjudged %v, reason of q2 %q", q.Unjudged, q.Rankings[1].Reason())
	}
}

// Exact rational arithmetic; logarithms in double precision.
func TestSelectionBudgetCurve(t *testing.T) {
	c := stats.NewBudgetCurve([]stats.ContextItem{{500, "a"}, {1500, ""}, {1000, "b"}, {4000, "c"}, {500, ""}}, 4)
	published(t, "trapezoid", c.TrapezoidArea(8000), 0.5078125, 1e-15)
	published(t, "log area", c.LogArea(250, 8000), 0.280384128861062, 1e-14)
	first, _ := c.TokensToFirst()
	half, _ := c.TokensToRecall(0.5)
	published(t, "first", first, 500, 0)
	published(t, "half", half, 3000, 0)
	big := stats.NewBudgetCurve([]stats.ContextItem{{5000, "a"}, {200, "b"}, {200, "c"}}, 3)
	published(t, "prefix rule", big.Recall(2000), 0, 0)
	published(t, "skip rule", big.RecallSkipping(2000), 2.0/3, 1e-15)
	nothing := stats.NewBudgetCurve([]stats.ContextItem{{100, ""}}, 0)
	if _, reason := nothing.TokensToFirst(); reason != stats.NoData || nothing.Reason() != stats.Undefined {
		t.Errorf("nothing relevant: reasons %q and %q", reason, nothing.Reason())
	}
}
