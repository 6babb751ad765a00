package stats_test

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// caseFolder is the folder of one of the cases made from public bug reports, or
// the test is skipped. ASSAY_CASES names the folder of all.
func caseFolder(t *testing.T, slug string) (folder string, expect refValue) {
	t.Helper()
	folder = filepath.Join(outsideFolder(t, "ASSAY_CASES", "cases"), slug)
	return filepath.Join(folder, "input"), readJSON(t, filepath.Join(folder, "expected.json")).get("expect")
}

// equal checks a number to a tolerance.
func equal(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !near(got, want, 0, tolerance) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

func TestCaseNoDiscordantPairs(t *testing.T) {
	folder, expect := caseFolder(t, "082-mcnemar-no-discordant-pairs")
	table := readTable(t, filepath.Join(folder, "pairs.csv"))
	a, b := table.floats(t, "a"), table.floats(t, "b")
	var records []stats.PairedRecord
	for i, task := range table.text["task"] {
		records = append(records, stats.PairedRecord{Task: task, First: a[i] == 1, Second: b[i] == 1, HasFirst: true, HasSecond: true})
	}
	cells := stats.PairRecords(records)
	m := cells.McNemar()
	equal(t, "p", m.Exact, expect.get("p").float(), 0)
	equal(t, "n", float64(cells.Pairs()), expect.get("n").float(), 0)
	if m.Discordant != 0 || m.ChiSquared.Reason != stats.Undefined {
		t.Errorf("discordant %d, chi-squared %+v", m.Discordant, m.ChiSquared)
	}
}

func TestCaseExactSmall(t *testing.T) {
	folder, expect := caseFolder(t, "083-mcnemar-exact-small")
	for i, cell := range readJSON(t, filepath.Join(folder, "cells.json")).items() {
		v := cell.ints()
		want := expect.get("p").floats()[i]
		got := stats.PairedCells{FirstOnly: v[0], SecondOnly: v[1]}.McNemar().Exact
		equal(t, "p", got, want, 1e-12*want)
	}
}

func TestCaseIntervalInsideUnit(t *testing.T) {
	folder, expect := caseFolder(t, "084-interval-inside-0-1")
	for _, cell := range readJSON(t, filepath.Join(folder, "cells.json")).items() {
		v := cell.floats()
		name := strconv.Itoa(int(v[0])) + "/" + strconv.Itoa(int(v[1]))
		got, reason := stats.Wilson(v[0], v[1], 0.95)
		if v[1] == 0 {
			if reason != stats.NoData {
				t.Errorf("%s: reason %q, want %q", name, reason, stats.NoData)
			}
			continue
		}
		want := expect.get("wilson95").get(name).floats()
		equal(t, name+" lower", got.Low, want[0], 5e-6)
		equal(t, name+" upper", got.High, want[1], 5e-6)
		if got.Low < 0 || got.High > 1 || v[0] == 0 && got.Low != 0 || v[0] == v[1] && got.High != 1 {
			t.Errorf("%s: %v leaves [0, 1] or misses its end", name, got)
		}
	}
}

func TestCaseHolmOrder(t *testing.T) {
	folder, expect := caseFolder(t, "088-holm-order-and-monotone")
	for i, family := range readJSON(t, filepath.Join(folder, "p.json")).items() {
		got, _ := stats.Adjust(family.floats(), nil, stats.Holm)
		for j, want := range expect.get("holm").items()[i].floats() {
			equal(t, "holm", got[j], want, 1e-15)
		}
	}
}

func TestCasePermutationPNeverZero(t *testing.T) {
	folder, expect := caseFolder(t, "089-permutation-p-never-zero")
	for i, cell := range readJSON(t, filepath.Join(folder, "cells.json")).items() {
		got := stats.MonteCarloP(cell.get("more").int()+cell.get("equal").int(), cell.get("shuffles").int())
		equal(t, "p", got, expect.get("p").floats()[i], 0)
	}
}

func TestCaseRepeatsAreClusters(t *testing.T) {
	folder, expect := caseFolder(t, "091-repeats-are-clusters")
	table := readTable(t, filepath.Join(folder, "runs.csv"))
	var order []string
	successes, runs := map[string]int{}, map[string]int{}
	for i, task := range table.text["task"] {
		if runs[task] == 0 {
			order = append(order, task)
		}
		runs[task]++
		successes[task] += int(table.floats(t, "pass")[i])
	}
	var x, n []int
	anyOf, allOf := 0, 0
	for _, task := range order {
		x, n = append(x, successes[task]), append(n, runs[task])
		if successes[task] > 0 {
			anyOf++
		}
		if successes[task] == runs[task] {
			allOf++
		}
	}
	got := stats.Rate(x, n, 0.95)
	equal(t, "successes", float64(got.Successes), expect.get("rate").floats()[0], 0)
	equal(t, "runs", float64(got.Runs), expect.get("rate").floats()[1], 0)
	equal(t, "tasks", float64(got.Tasks), expect.get("tasks").float(), 0)
	equal(t, "se", got.SE, expect.get("se").float(), 1e-6)
	equal(t, "any", stats.MeanPassAtK(n, x, 3).Mean, float64(anyOf)/4, 0)
	equal(t, "all", stats.MeanPassPowerK(n, x, 3).Mean, float64(allOf)/4, 0)
	if got.EffectiveRuns >= 12 {
		t.Errorf("%g effective runs of 4 tasks", got.EffectiveRuns)
	}
}

func TestCaseDifferenceIntervalSigns(t *testing.T) {
	folder, expect := caseFolder(t, "094-difference-interval-signs")
	for i, cell := range readJSON(t, filepath.Join(folder, "cells.json")).items() {
		v := cell.floats()
		two := stats.TwoRates{X1: v[0], N1: v[1], X2: v[2], N2: v[3]}
		d, _ := two.Difference()
		got, _ := two.Newcombe(0.95)
		want := expect.get("newcombe_square_and_add").items()[i].floats()
		equal(t, "difference", d, want[0], 1e-6)
		equal(t, "lower", got.Low, want[1], 1e-6)
		equal(t, "upper", got.High, want[2], 1e-6)
		if got.Low > d || got.High < d || got.Low < -1 || got.High > 1 {
			t.Errorf("%v around %g", got, d)
		}
	}
}

func TestCaseOneRunNoSpread(t *testing.T) {
	folder, _ := caseFolder(t, "095-one-run-no-spread")
	table := readTable(t, filepath.Join(folder, "runs.csv"))
	cells := map[string][]float64{}
	for i, c := range table.text["cell"] {
		cells[c] = append(cells[c], table.floats(t, "seconds")[i])
	}
	if sd, reason := stats.SD(cells["A"]); reason != stats.TooFew {
		t.Errorf("A: sd %g, reason %q, want %q", sd, reason, stats.TooFew)
	}
	for _, c := range []string{"B", "C"} {
		if sd, reason := stats.SD(cells[c]); sd != 0 || !reason.OK() {
			t.Errorf("%s: sd %g, reason %q, want 0", c, sd, reason)
		}
	}
	if got := stats.MeanDifference(cells["B"], cells["C"], 0.95).Test.Reason; got != stats.NoVariation {
		t.Errorf("B against C: reason %q, want %q", got, stats.NoVariation)
	}
	if got := stats.MeanDifference(cells["A"], cells["B"], 0.95).Test.Reason; got != stats.TooFew {
		t.Errorf("A against B: reason %q, want %q", got, stats.TooFew)
	}
}

// binary judges the named documents relevant.
func binary(relevant []string) stats.Judgements {
	j := stats.Judgements{}
	for _, id := range relevant {
		j[id] = 1
	}
	return j
}

func TestCaseDuplicateCandidates(t *testing.T) {
	folder, expect := caseFolder(t, "033-duplicate-candidates")
	c := readJSON(t, filepath.Join(folder, "case.json"))
	unique, duplicates := stats.Deduplicate(c.get("candidates").strs())
	r := stats.NewRanking(unique, binary(c.get("answer").strs()), 1)
	equal(t, "duplicates", float64(duplicates), expect.get("duplicates").float(), 0)
	for _, k := range []int{5, 10} {
		want := expect.get("recall@" + strconv.Itoa(k)).floats()
		equal(t, "recall", r.Recall(k), want[0]/want[1], 0)
	}
	equal(t, "hit", r.Success(10), expect.get("hit@10").float(), 0)
	equal(t, "ndcg", r.NDCG(10, stats.LinearGain), expect.get("ndcg@10").float(), 1e-6)
}

func TestCaseDuplicateAnswers(t *testing.T) {
	folder, expect := caseFolder(t, "034-duplicate-answers")
	c := readJSON(t, filepath.Join(folder, "case.json"))
	r := stats.NewRanking(c.get("candidates").strs(), binary(c.get("answer").strs()), 1)
	equal(t, "answer size", float64(r.Relevant()), expect.get("answer_size").float(), 0)
	equal(t, "recall", r.Recall(5), 1, 0)
	equal(t, "ndcg", r.NDCG(0, stats.LinearGain), expect.get("ndcg").float(), 0)
}

func TestCaseNothingRelevant(t *testing.T) {
	folder, expect := caseFolder(t, "040-nothing-relevant")
	lists := trecRun(t, filepath.Join(folder, "run.trec"))
	recall := func(r stats.Ranking) float64 { return r.Recall(10) }
	q := stats.NewQueries(trecQrels(t, filepath.Join(folder, "qrels.txt")), lists, 1)
	want := expect.get("file_recall_at_10")
	got, n, _ := q.Mean(stats.RelevantQueries, recall)
	equal(t, "recall over queries with an answer", got, want.get("value").float(), 0)
	equal(t, "queries with an answer", float64(n), want.get("denominator").float(), 0)
	got, _, _ = q.Mean(stats.JudgedQueries, recall)
	equal(t, "recall as trec_eval has it", got, expect.get("file_recall_at_10_trec").float(), 0)
	equal(t, "unjudged", float64(len(q.Unjudged)), expect.at("left_out.unjudged").float(), 0)
	none := stats.NewQueries(trecQrels(t, filepath.Join(folder, "qrels-none.txt")), lists, 1)
	if _, n, reason := none.Mean(stats.RelevantQueries, recall); n != 0 || reason != stats.NoData {
		t.Errorf("no query with an answer: %d, reason %q", n, reason)
	}
}

func TestCaseRecallDenominator(t *testing.T) {
	folder, expect := caseFolder(t, "041-recall-denominator")
	c := readJSON(t, filepath.Join(folder, "case.json"))
	judged := binary(c.get("answer").strs())
	r := stats.NewRanking(c.get("candidates").strs(), judged, 1)
	for k := 1; k <= 5; k++ {
		equal(t, "recall@"+strconv.Itoa(k), r.Recall(k), expect.get("recall").get(strconv.Itoa(k)).float(), 1e-15)
	}
	short := stats.NewRanking(c.get("short").strs(), judged, 1)
	equal(t, "recall@10 of a short list", short.Recall(10), expect.get("short_recall@10").float(), 1e-15)
}

func TestCaseNDCGGainAndIdeal(t *testing.T) {
	folder, expect := caseFolder(t, "044-ndcg-gain-and-ideal")
	judged := trecQrels(t, filepath.Join(folder, "qrels.txt"))["q1"]
	for _, name := range []string{"full", "only-a"} {
		r := stats.NewRanking(trecRun(t, filepath.Join(folder, name+".trec"))["q1"], judged, 1)
		equal(t, name+" linear", r.NDCG(10, stats.LinearGain), expect.at("linear."+name).float(), 1e-6)
		equal(t, name+" exponential", r.NDCG(10, stats.ExponentialGain), expect.at("never."+name).float(), 1e-6)
	}
}

func TestCaseNegativeGrades(t *testing.T) {
	folder, expect := caseFolder(t, "045-negative-grades")
	r := stats.NewRanking(trecRun(t, filepath.Join(folder, "run.trec"))["q1"], trecQrels(t, filepath.Join(folder, "qrels.txt"))["q1"], 1)
	equal(t, "relevant", float64(r.Relevant()), expect.get("relevant").float(), 0)
	equal(t, "recall@1", r.Recall(1), expect.get("recall@1").float(), 0)
	equal(t, "recall@5", r.Recall(5), expect.get("recall@5").float(), 0)
	if got := r.NDCG(0, stats.LinearGain); math.Abs(got-expect.get("ndcg").float()) > 1e-5 || got < 0 || got > 1 {
		t.Errorf("ndcg %g", got)
	}
}

func TestCaseRankColumnIsNoise(t *testing.T) {
	folder, expect := caseFolder(t, "038-rank-column-is-noise")
	judged := trecQrels(t, filepath.Join(folder, "qrels.txt"))["q1"]
	for _, name := range []string{"zero.trec", "zero-based.trec", "contradict.trec"} {
		list := trecRun(t, filepath.Join(folder, name))["q1"]
		if want := expect.at("each.order").strs(); !slices.Equal(list, want) {
			t.Errorf("%s: order %v, want %v", name, list, want)
		}
		equal(t, name+" reciprocal rank", stats.NewRanking(list, judged, 1).ReciprocalRank(0), expect.at("each.rr").float(), 0)
	}
}

func TestCaseQueriesMissingFromTheRun(t *testing.T) {
	folder, expect := caseFolder(t, "039-queries-missing-from-the-run")
	q := stats.NewQueries(trecQrels(t, filepath.Join(folder, "qrels.txt")), trecRun(t, filepath.Join(folder, "run.trec")), 1)
	got, n, _ := q.Mean(stats.JudgedQueries, func(r stats.Ranking) float64 { return r.Recall(10) })
	equal(t, "mean recall", got, expect.get("mean_recall@10").float(), 1e-15)
	equal(t, "queries", float64(n), expect.get("queries").float(), 0)
	equal(t, "unjudged", float64(len(q.Unjudged)), expect.get("unjudged_run_queries").float(), 0)
}

// TestCaseDuplicateDocuments: the repeat is counted, so that a reader of runs can
// refuse it as trec_eval does; the document keeps its better place.
func TestCaseDuplicateDocuments(t *testing.T) {
	folder, expect := caseFolder(t, "036-duplicate-docs-in-trec-run")
	lines := trecFields(t, filepath.Join(folder, "run.trec"))
	var documents []stats.ScoredDocument
	var repeated []int
	for i, f := range lines {
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, stats.ScoredDocument{ID: f[2], Score: score})
		if f[2] == expect.get("error_contains_all").strs()[2] {
			repeated = append(repeated, i+1)
		}
	}
	if want := expect.get("error_lines").ints(); !slices.Equal(repeated, want) {
		t.Fatalf("lines %v, want %v", repeated, want)
	}
	if unique, duplicates := stats.RankByScore(documents); duplicates != 1 || len(unique) != len(documents)-1 {
		t.Errorf("%d duplicates, %v", duplicates, unique)
	}
}

// TestCaseUndefinedIsNoNumber: a query without a relevant document has a reason,
// and no measure of it is NaN or infinite.
func TestCaseUndefinedIsNoNumber(t *testing.T) {
	folder, expect := caseFolder(t, "032-nan-versus-null-downstream")
	q := stats.NewQueries(trecQrels(t, filepath.Join(folder, "qrels.txt")), trecRun(t, filepath.Join(folder, "run.trec")), 1)
	for i, name := range q.Names {
		if want := expect.get("file_recall_at_10").get(name).present(); q.Rankings[i].Reason().OK() != want {
			t.Errorf("%s: reason %q, want a figure %v", name, q.Rankings[i].Reason(), want)
		}
		for _, key := range []string{"map", "recip_rank", "Rprec", "bpref", "ndcg", "P_5", "recall_10", "success_1", "f1_at_5", "ap_at_5_over_min_R_k", "precision_at_5_over_returned"} {
			measure, ok := measureNamed(key)
			if !ok {
				t.Fatalf("measure %q is not known", key)
			}
			if v := measure(q.Rankings[i]); math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %s is %g", name, key, v)
			}
		}
	}
	recall := func(r stats.Ranking) float64 { return r.Recall(10) }
	got, n, _ := q.Mean(stats.RelevantQueries, recall)
	equal(t, "mean", got, expect.at("mean.value").float(), 0)
	equal(t, "denominator", float64(n), expect.at("mean.denominator").float(), 0)
	got, _, _ = q.Mean(stats.JudgedQueries, recall)
	equal(t, "as trec_eval has it", got, expect.get("file_recall_at_10_trec").float(), 0)
}

// TestCaseFieldSeparators: query ids are text, so that 030 and 30 stay apart.
func TestCaseFieldSeparators(t *testing.T) {
	folder, expect := caseFolder(t, "047-trec-field-separators")
	q := stats.NewQueries(trecQrels(t, filepath.Join(folder, "qrels.txt")), trecRun(t, filepath.Join(folder, "run.trec")), 1)
	if want := expect.get("queries").strs(); !slices.Equal(q.Names, want) {
		t.Fatalf("queries %q, want %q", q.Names, want)
	}
	for i, name := range q.Names {
		equal(t, name, q.Rankings[i].Recall(10), expect.get("recall@10").get(name).float(), 0)
	}
	got, _, _ := q.Mean(stats.JudgedQueries, func(r stats.Ranking) float64 { return r.Recall(10) })
	equal(t, "mean", got, expect.get("mean_recall@10").float(), 0)
}
