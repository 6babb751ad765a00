package derive

import (
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/assay-bench/assay/schema"
)

type irReference struct {
	Cases []struct {
		ID     string `json:"id"`
		Inputs struct {
			Qrels string `json:"qrels"`
			Run   string `json:"run"`
			Level int    `json:"relevance_level"`
		} `json:"inputs"`
		Expected struct {
			PerQuery map[string]map[string]float64 `json:"per_query"`
		} `json:"expected"`
		Tolerance struct {
			Rel float64 `json:"rel"`
			Abs float64 `json:"abs"`
		} `json:"tolerance"`
	} `json:"cases"`
}

// trecMeasures names, for each metric of a list, trec_eval's measure.
var trecMeasures = map[string]string{
	"file_recall_at_1": "recall_1", "file_recall_at_3": "recall_3", "file_recall_at_5": "recall_5",
	"file_recall_at_10": "recall_10", "file_recall_at_20": "recall_20",
	"hit_at_1": "success_1", "hit_at_3": "success_3", "hit_at_5": "success_5", "hit_at_10": "success_10", "hit_at_20": "success_20",
	"mrr": "recip_rank", "ndcg_at_10": "ndcg_cut_10", "ap": "map",
}

// The metrics of ranked lists are trec_eval's, at both levels. The reference set
// says where its numbers come from: trec_eval 10.0-rc3 and a second, independent
// implementation. A topic is a run with one query; trec_eval gives 0 where nothing
// is relevant, here the value is missing.
func TestListsAgainstTrecEval(t *testing.T) {
	folder := filepath.Join(outside(t, "ASSAY_REFERENCE", "reference"), "ir")
	var ref irReference
	readInto(t, filepath.Join(folder, "ir.json"), &ref)
	if len(ref.Cases) == 0 {
		t.Fatal("the reference set has no case")
	}
	r := New()
	for _, c := range ref.Cases {
		qrels, run := trecLines(t, filepath.Join(folder, c.Inputs.Qrels)), trecLines(t, filepath.Join(folder, c.Inputs.Run))
		for topic, want := range c.Expected.PerQuery {
			rows := topicTrace(t, topic, qrels, run).deriveWith(r)
			for name, measure := range trecMeasures {
				// Relevance above grade 1 is a setting of an import; gains do not depend on it.
				if c.Inputs.Level != 1 && name != "ndcg_at_10" {
					continue
				}
				have := []schema.Value{}
				if m, ok := schema.MetricByName(schema.LevelQuery, name); ok {
					have = append(have, queryValueOf(t, rows, 0, m))
				}
				if m, ok := schema.MetricByName(schema.LevelRun, name); ok {
					have = append(have, rows.Run.Values[schema.ValueIndex(m)])
				}
				for _, v := range have {
					if c.Inputs.Level == 1 && want["num_rel"] == 0 {
						if v.Why() != &schema.MissingNoGold {
							t.Errorf("%s %s %s: have %s, want it missing: nothing is relevant", c.ID, topic, name, show(v))
						}
						continue
					}
					f, ok := number(v)
					if v.Why() == &schema.MissingNoGold && want[measure] == 0 {
						continue
					}
					if !ok || math.Abs(f-want[measure]) > c.Tolerance.Abs+c.Tolerance.Rel*math.Abs(want[measure]) {
						t.Errorf("%s %s %s: have %s, want %v", c.ID, topic, name, show(v), want[measure])
					}
				}
			}
		}
	}
}

// topicTrace is the run of one topic, as an import makes it.
func topicTrace(t testing.TB, topic string, qrels, run [][]string) *trace {
	t.Helper()
	gold := &schema.Gold{Docs: []schema.GoldDoc{}}
	for _, f := range qrels {
		if f[0] == topic {
			gold.Docs = append(gold.Docs, schema.GoldDoc{DocID: f[2], Grade: schema.Some(decimal(t, f[3]))})
		}
	}
	var lines [][]string
	for _, f := range run {
		if f[0] == topic {
			lines = append(lines, f)
		}
	}
	tr := newTrace(schema.Task{Gold: gold})
	tr.manifest.Source = &schema.Source{Format: schema.Some(trecFormat)}
	tr.query(schema.RetrievalQuery{QueryID: topic, Results: int64(len(lines)), Status: schema.StatusOK.Name})
	for _, f := range lines {
		rank := int64(decimal(t, f[3]))
		tr.candidate(schema.RetrievalCandidate{QueryID: topic, Rank: max(rank, 1), DocID: schema.Some(f[2]), Score: schema.Some(decimal(t, f[4]))})
	}
	return tr.finish(schema.RunFinished{Outcome: schema.OutcomeNotApplicable.Name})
}

func decimal(t testing.TB, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Quantiles of type 7, by hand: the place is (n-1)p, between neighbours linear.
func TestQuantileType7(t *testing.T) {
	for _, c := range []struct {
		list []float64
		p    float64
		want float64
	}{
		{[]float64{5}, 0.5, 5},
		{[]float64{1, 2}, 0.5, 1.5},
		{[]float64{1, 2, 3, 4}, 0.25, 1.75},
		{[]float64{1, 2, 3, 4}, 0.95, 3.85},
		{[]float64{1, 2, 3, 4}, 1, 4},
		{[]float64{0, 0, 10}, 0.5, 0},
	} {
		if have := quantile(c.list, c.p); math.Abs(have-c.want) > 1e-13 {
			t.Errorf("quantile(%v, %v): have %v, want %v", c.list, c.p, have, c.want)
		}
	}
}
