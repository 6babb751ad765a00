package stats_test

import (
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// corpusFolder is a folder of the corpus of public data, or the test is skipped.
// ASSAY_CORPUS names the folder of all.
func corpusFolder(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(outsideFolder(t, "ASSAY_CORPUS", "corpus"), filepath.FromSlash(name))
}

// shortened keeps the first documents of every list, as trec_eval -M does.
func shortened(lists map[string][]string, most int) map[string][]string {
	out := map[string][]string{}
	for query, list := range lists {
		out[query] = list[:min(most, len(list))]
	}
	return out
}

// TestCorpusTrecEval compares every figure that trec_eval's own expected outputs
// print and this package has, a query and over all, to the four digits printed.
// The options are those of the commands in trec_eval's Makefile.
func TestCorpusTrecEval(t *testing.T) {
	folder := corpusFolder(t, "trec/trec-eval-test")
	for _, c := range []struct {
		output, qrels, run string
		level, most        int
		set                stats.QuerySet
		atLeast            int // figures compared
	}{
		{"out.test", "qrels.test", "results.test", 1, 1000, stats.AnsweredQueries, 14},
		{"out.test.a", "qrels.test", "results.test", 1, 1000, stats.AnsweredQueries, 47},
		{"out.test.aq", "qrels.test", "results.test", 1, 1000, stats.AnsweredQueries, 188},
		{"out.test.aqc", "qrels.test", "results.trunc", 1, 1000, stats.JudgedQueries, 188},
		{"out.test.aqcM", "qrels.test", "results.trunc", 1, 100, stats.JudgedQueries, 188},
		{"out.test.aql", "qrels.rel_level", "results.test", 2, 1000, stats.AnsweredQueries, 188},
	} {
		t.Run(c.output, func(t *testing.T) {
			lists := shortened(trecRun(t, filepath.Join(folder, c.run)), c.most)
			q := stats.NewQueries(trecQrels(t, filepath.Join(folder, c.qrels)), lists, c.level)
			compared := 0
			for _, f := range trecFields(t, filepath.Join(folder, c.output)) {
				measure, ok := measureNamed(f[0])
				if !ok {
					continue
				}
				want, err := strconv.ParseFloat(f[2], 64)
				if err != nil {
					t.Fatal(err)
				}
				if got, ok := trecFigure(q, f[0], f[1], c.set, measure); ok {
					equal(t, f[0]+" "+f[1], got, want, 5.0001e-5)
					compared++
				}
			}
			if compared < c.atLeast {
				t.Errorf("only %d figures compared, want %d", compared, c.atLeast)
			}
		})
	}
}

// trecFigure is a measure of one query, its sum over all for the counts, and its
// mean over a set for the others.
func trecFigure(q stats.Queries, name, query string, set stats.QuerySet, measure func(stats.Ranking) float64) (float64, bool) {
	mean, n, _ := q.Mean(set, measure)
	if query == "all" {
		if strings.HasPrefix(name, "num_") {
			mean *= float64(n)
		}
		return mean, true
	}
	for i, have := range q.Names {
		if have == query {
			return measure(q.Rankings[i]), true
		}
	}
	return 0, false
}

// TestCorpusLevelOfRelevance: with documents relevant from grade 1, the graded
// judgements of trec_eval's test give the figures of the corpus's own key.
func TestCorpusLevelOfRelevance(t *testing.T) {
	folder := corpusFolder(t, "trec/trec-eval-test")
	q := stats.NewQueries(trecQrels(t, filepath.Join(folder, "qrels.rel_level")), trecRun(t, filepath.Join(folder, "results.test")), 1)
	want := readJSON(t, filepath.Join(folder, "EXPECTED.json")).get("by_our_rules").get("qrels.rel_level_with_grade_above_0")
	if len(want.keys()) == 0 {
		t.Fatal("no figures in the key")
	}
	for _, name := range want.keys() {
		measure, ok := measureNamed(name)
		if !ok {
			t.Fatalf("measure %q is not known", name)
		}
		got, _, _ := q.Mean(stats.JudgedQueries, measure)
		equal(t, name, got, want.get(name).float(), 5.0001e-5)
	}
}

// TestCorpusForms reads the same judgements and lists as JSON, TREC and
// compressed TREC: they are the same, and the best possible order.
func TestCorpusForms(t *testing.T) {
	folder := filepath.Join(corpusFolder(t, "trec/ranx-fixtures"), "tests", "unit", "ranx", "test_data")
	judged := trecQrels(t, filepath.Join(folder, "qrels.trec"))
	lists := trecRun(t, filepath.Join(folder, "run.trec"))
	if got := trecQrels(t, unzipped(t, filepath.Join(folder, "qrels.trec.gz"))); !reflect.DeepEqual(got, judged) {
		t.Errorf("qrels.trec.gz: %v, want %v", got, judged)
	}
	if got := trecRun(t, unzipped(t, filepath.Join(folder, "run.trec.gz"))); !reflect.DeepEqual(got, lists) {
		t.Errorf("run.trec.gz: %v, want %v", got, lists)
	}
	fromJSON, jsonLists := map[string]stats.Judgements{}, map[string][]string{}
	grades, scores := readJSON(t, filepath.Join(folder, "qrels.json")), readJSON(t, filepath.Join(folder, "run.json"))
	for _, query := range grades.keys() {
		fromJSON[query] = stats.Judgements{}
		for _, id := range grades.get(query).keys() {
			fromJSON[query][id] = grades.get(query).get(id).int()
		}
	}
	for _, query := range scores.keys() {
		var documents []stats.ScoredDocument
		for _, id := range scores.get(query).keys() {
			documents = append(documents, stats.ScoredDocument{ID: id, Score: scores.get(query).get(id).float()})
		}
		jsonLists[query], _ = stats.RankByScore(documents)
	}
	if !reflect.DeepEqual(fromJSON, judged) || !reflect.DeepEqual(jsonLists, lists) {
		t.Errorf("JSON: %v and %v, want %v and %v", fromJSON, jsonLists, judged, lists)
	}
	got, n, _ := stats.NewQueries(judged, lists, 1).Mean(stats.JudgedQueries, func(r stats.Ranking) float64 { return r.NDCG(0, stats.LinearGain) })
	if n != 2 || math.Abs(got-1) > 1e-15 {
		t.Errorf("ndcg %g over %d queries, want 1 over 2", got, n)
	}
}

// unzipped is the content of a compressed file, in a file of its own.
func unzipped(t *testing.T, path string) string {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(out, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return out
}
