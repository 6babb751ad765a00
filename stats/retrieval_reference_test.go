package stats_test

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// trecFields are the fields of every line of a TREC file.
func trecFields(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]string
	s := bufio.NewScanner(f)
	for s.Scan() {
		if fields := strings.Fields(s.Text()); len(fields) > 0 {
			lines = append(lines, fields)
		}
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return lines
}

// trecQrels reads judgements: query, iteration, document, grade.
func trecQrels(t *testing.T, path string) map[string]stats.Judgements {
	t.Helper()
	out := map[string]stats.Judgements{}
	for _, f := range trecFields(t, path) {
		if out[f[0]] == nil {
			out[f[0]] = stats.Judgements{}
		}
		grade, err := strconv.Atoi(f[3])
		if err != nil {
			t.Fatal(err)
		}
		out[f[0]][f[2]] = grade
	}
	return out
}

// trecRun reads lists: query, Q0, document, rank, score, tag.
func trecRun(t *testing.T, path string) map[string][]string {
	t.Helper()
	documents := map[string][]stats.ScoredDocument{}
	for _, f := range trecFields(t, path) {
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			t.Fatal(err)
		}
		documents[f[0]] = append(documents[f[0]], stats.ScoredDocument{ID: f[2], Score: score})
	}
	out := map[string][]string{}
	for query, d := range documents {
		out[query], _ = stats.RankByScore(d)
	}
	return out
}

var measureName = regexp.MustCompile(`^(.*?)_?(\d+)?(_over_min_R_k|_over_returned)?$`)

// measureNamed is the measure that the reference set calls so.
func measureNamed(name string) (func(stats.Ranking) float64, bool) {
	m := measureName.FindStringSubmatch(name)
	k, _ := strconv.Atoi(m[2])
	f, ok := map[string]func(stats.Ranking) float64{
		"num_ret":                    func(r stats.Ranking) float64 { return float64(r.Returned()) },
		"num_rel":                    func(r stats.Ranking) float64 { return float64(r.Relevant()) },
		"num_rel_ret":                func(r stats.Ranking) float64 { return float64(r.RelevantReturned(0)) },
		"num_unjudged_ret":           func(r stats.Ranking) float64 { return float64(r.UnjudgedReturned()) },
		"map":                        func(r stats.Ranking) float64 { return r.AveragePrecision(0) },
		"map_cut":                    func(r stats.Ranking) float64 { return r.AveragePrecision(k) },
		"recip_rank":                 func(r stats.Ranking) float64 { return r.ReciprocalRank(0) },
		"recip_rank_at":              func(r stats.Ranking) float64 { return r.ReciprocalRank(k) },
		"Rprec":                      stats.Ranking.RPrecision,
		"bpref":                      stats.Ranking.BPref,
		"P":                          func(r stats.Ranking) float64 { return r.Precision(k) },
		"recall":                     func(r stats.Ranking) float64 { return r.Recall(k) },
		"success":                    func(r stats.Ranking) float64 { return r.Success(k) },
		"f1_at":                      func(r stats.Ranking) float64 { return r.F1(k) },
		"ap_at_over_min_R_k":         func(r stats.Ranking) float64 { return r.AveragePrecisionOverReachable(k) },
		"precision_at_over_returned": func(r stats.Ranking) float64 { return r.PrecisionOverReturned(k) },
		"ndcg":                       func(r stats.Ranking) float64 { return r.NDCG(0, stats.LinearGain) },
		"ndcg_cut":                   func(r stats.Ranking) float64 { return r.NDCG(k, stats.LinearGain) },
		"ndcg_exp":                   func(r stats.Ranking) float64 { return r.NDCG(0, stats.ExponentialGain) },
		"ndcg_exp_cut":               func(r stats.Ranking) float64 { return r.NDCG(k, stats.ExponentialGain) },
		"dcg_linear":                 func(r stats.Ranking) float64 { return r.DCG(0, stats.LinearGain) },
		"dcg_linear_cut":             func(r stats.Ranking) float64 { return r.DCG(k, stats.LinearGain) },
		"dcg_exp":                    func(r stats.Ranking) float64 { return r.DCG(0, stats.ExponentialGain) },
		"dcg_exp_cut":                func(r stats.Ranking) float64 { return r.DCG(k, stats.ExponentialGain) },
	}[m[1]+m[3]]
	return f, ok
}

func TestReferenceRetrieval(t *testing.T) {
	eachReferenceCase(t, "ir/ir", func(t *testing.T, c refCase) {
		q := stats.NewQueries(trecQrels(t, filepath.Join(c.folder, c.inputs.get("qrels").str())),
			trecRun(t, filepath.Join(c.folder, c.inputs.get("run").str())), c.inputs.get("relevance_level").int())
		checkQueries(t, c, q)
		compared := 0
		for i, name := range q.Names {
			want := c.expected.get("per_query").get(name)
			for _, key := range want.keys() {
				measure, ok := measureNamed(key)
				if !ok {
					t.Fatalf("measure %q is not known", key)
				}
				c.checkValue(t, name+" "+key, want.get(key), measure(q.Rankings[i]), c.rel, c.abs)
				compared++
			}
		}
		for set, path := range map[stats.QuerySet]string{stats.JudgedQueries: "mean_over_all_qrels_queries",
			stats.AnsweredQueries: "mean_over_queries_in_run_and_qrels", stats.RelevantQueries: "mean_over_queries_with_relevant"} {
			want := c.expected.get(path)
			for _, key := range want.keys() {
				measure, _ := measureNamed(key)
				got, _, reason := q.Mean(set, measure)
				if !want.get(key).present() && !reason.OK() {
					continue
				}
				c.checkValue(t, path+" "+key, want.get(key), got, c.rel, c.abs)
				compared++
			}
		}
		if compared < 50 {
			t.Errorf("only %d values compared", compared)
		}
	})
}

func checkQueries(t *testing.T, c refCase, q stats.Queries) {
	t.Helper()
	want := c.expected.get("queries")
	if !want.present() {
		return
	}
	var missing, without []string
	for i, name := range q.Names {
		if !q.Answered[i] {
			missing = append(missing, name)
		}
		if q.Rankings[i].Reason() == stats.Undefined {
			without = append(without, name)
		}
	}
	for key, got := range map[string][]string{"run_only": q.Unjudged, "qrels_only": missing, "without_relevant": without} {
		if !slices.Equal(got, want.get(key).strs()) {
			t.Errorf("%s: %v, want %v", key, got, want.get(key).strs())
		}
	}
}

func TestReferenceTokenBudget(t *testing.T) {
	eachReferenceCase(t, "token_budget/token_budget", func(t *testing.T, c refCase) {
		var items []stats.ContextItem
		for _, v := range c.inputs.get("items").items() {
			items = append(items, stats.ContextItem{Tokens: v.get("tokens").float(), RelevantID: v.get("relevant_id").str()})
		}
		curve := stats.NewBudgetCurve(items, c.inputs.get("total_relevant").int())
		if !c.expected.get("step_area").present() {
			if curve.Reason() != stats.Undefined {
				t.Errorf("reason %q, want %q", curve.Reason(), stats.Undefined)
			}
			return
		}
		most := c.inputs.get("max_budget").float()
		c.check(t, "step_area", curve.StepArea(most))
		c.check(t, "trapezoid_area", curve.TrapezoidArea(most))
		c.check(t, "log_area", curve.LogArea(c.inputs.get("log_lower").float(), most))
		for _, b := range c.inputs.get("budgets").items() {
			key := strconv.FormatFloat(b.float(), 'f', -1, 64)
			c.check(t, "recall_at_budgets."+key, curve.Recall(b.float()))
			c.check(t, "recall_at_budgets_skip_rule."+key, curve.RecallSkipping(b.float()))
		}
		got, reason := curve.TokensToFirst()
		checkOptional(t, c, "tokens_to_first_relevant", c.expected.get("tokens_to_first_relevant"), got, reason)
		for _, level := range c.expected.get("tokens_to_recall").keys() {
			share, err := strconv.ParseFloat(level, 64)
			if err != nil {
				t.Fatal(err)
			}
			got, reason := curve.TokensToRecall(share)
			checkOptional(t, c, "tokens to recall "+level, c.expected.get("tokens_to_recall").get(level), got, reason)
		}
	})
}

// checkOptional compares a number, or its reason with null.
func checkOptional(t *testing.T, c refCase, path string, want refValue, got float64, reason stats.Reason) {
	t.Helper()
	if want.present() != reason.OK() {
		t.Errorf("%s: %g, reason %q, want %v", path, got, reason, want.v)
	} else if want.present() {
		c.checkValue(t, path, want, got, c.rel, c.abs)
	}
}
