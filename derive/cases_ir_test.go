package derive

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// caseFolder is the folder of a case of the cases, by its number and name.
func caseFolder(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(outside(t, "ASSAY_CASES", "cases"), name)
}

// expected reads what a case expects into the value.
func expected(t *testing.T, name string, into any) {
	t.Helper()
	readInto(t, filepath.Join(caseFolder(t, name), "expected.json"), into)
}

// input reads an input file of a case.
func input(t *testing.T, name, file string, into any) {
	t.Helper()
	readInto(t, filepath.Join(caseFolder(t, name), "input", file), into)
}

// answerCase is a case that lists candidates and an answer.
type answerCase struct {
	Candidates []string `json:"candidates"`
	Answer     []string `json:"answer"`
	Short      []string `json:"short"`
}

func (c answerCase) derive(candidates []string) *Rows {
	return newTrace(schema.Task{Gold: goldFiles(c.Answer...)}).answers("q", candidates...).
		finish(schema.RunFinished{Outcome: schema.OutcomeNotApplicable.Name}).derive()
}

func near6(t *testing.T, rows *Rows, m *schema.Metric, want float64) {
	t.Helper()
	have, ok := number(rows.Run.Values[schema.ValueIndex(m)])
	if !ok || math.Abs(have-want) > 1e-6 {
		t.Errorf("%s: have %s, want %v", m.Name, show(rows.Run.Values[schema.ValueIndex(m)]), want)
	}
}

func TestCase033DuplicateCandidates(t *testing.T) {
	var want struct {
		Expect struct {
			Recall5    [2]float64 `json:"recall@5"`
			Recall10   [2]float64 `json:"recall@10"`
			Hit10      float64    `json:"hit@10"`
			NDCG10     float64    `json:"ndcg@10"`
			Duplicates float64    `json:"duplicates"`
		} `json:"expect"`
	}
	expected(t, "033-duplicate-candidates", &want)
	var c answerCase
	input(t, "033-duplicate-candidates", "case.json", &c)
	rows := c.derive(c.Candidates)
	near6(t, rows, &schema.FileRecallAt5, want.Expect.Recall5[0]/want.Expect.Recall5[1])
	near6(t, rows, &schema.FileRecallAt10, want.Expect.Recall10[0]/want.Expect.Recall10[1])
	near6(t, rows, &schema.HitAt10, want.Expect.Hit10)
	near6(t, rows, &schema.NDCGAt10, want.Expect.NDCG10)
	near6(t, rows, &schema.DuplicateCandidates, want.Expect.Duplicates)
	if have := codes(rows); !slices.Equal(have, []string{"duplicate_candidate:info:4"}) {
		t.Errorf("findings: have %v, want one duplicate_candidate at its line", have)
	}
}

func TestCase034DuplicateAnswers(t *testing.T) {
	var want struct {
		Expect struct {
			Recall5   [2]float64 `json:"recall@5"`
			Size      int64      `json:"answer_size"`
			NDCG      float64    `json:"ndcg"`
			Duplicate int64      `json:"duplicate_gold"`
		} `json:"expect"`
	}
	expected(t, "034-duplicate-answers", &want)
	var c answerCase
	input(t, "034-duplicate-answers", "case.json", &c)
	rows := c.derive(c.Candidates)
	near6(t, rows, &schema.FileRecallAt5, want.Expect.Recall5[0]/want.Expect.Recall5[1])
	near6(t, rows, &schema.NDCGAt10, want.Expect.NDCG)
	if have := rows.Run.GoldFiles.Or(-1); have != want.Expect.Size {
		t.Errorf("gold_files: have %d, want %d", have, want.Expect.Size)
	}
	if have := codes(rows); !slices.Equal(have, []string{"duplicate_gold:info:1"}) || !strings.HasPrefix(rows.Findings[0].Have, fmt.Sprint(want.Expect.Duplicate)+" ") {
		t.Errorf("findings: have %v, want duplicate_gold with %d", have, want.Expect.Duplicate)
	}
}

func TestCase040NothingRelevant(t *testing.T) {
	folder := filepath.Join(caseFolder(t, "040-nothing-relevant"), "input")
	qrels, run := trecLines(t, filepath.Join(folder, "qrels.txt")), trecLines(t, filepath.Join(folder, "run.trec"))
	wants(t, topicTrace(t, "q1", qrels, run).derive(), map[string]string{"file_recall_at_10": "1"})
	rows := topicTrace(t, "q2", qrels, run).derive()
	wants(t, rows, map[string]string{"file_recall_at_10": "[no_gold]", "mrr": "[no_gold]", "duplicate_candidates": "[no_gold]"})
	if have := rows.Run.GoldDocs.Or(-1); have != 0 {
		t.Errorf("gold_docs: have %d, want 0: judged, and none relevant", have)
	}
}

func TestCase041RecallDenominator(t *testing.T) {
	var c answerCase
	input(t, "041-recall-denominator", "case.json", &c)
	rows := c.derive(c.Candidates)
	// recall at 1, 3 and 5 of the case; 2 and 4 are no columns.
	near6(t, rows, &schema.FileRecallAt1, 0.2)
	near6(t, rows, &schema.FileRecallAt3, 0.4)
	near6(t, rows, &schema.FileRecallAt5, 0.4)
	near6(t, c.derive(c.Short), &schema.FileRecallAt10, 0.4)
}

func TestCase042PathSpelling(t *testing.T) {
	var want struct {
		Expect struct {
			Match  map[string]bool `json:"match"`
			Derive struct {
				Unknown []string `json:"unknown_path"`
			} `json:"derive"`
		} `json:"expect"`
	}
	expected(t, "042-path-spelling", &want)
	var c answerCase
	input(t, "042-path-spelling", "spellings.json", &c)
	for _, spelling := range c.Candidates {
		match, unknown := 0.0, slices.Contains(want.Expect.Derive.Unknown, spelling)
		path := spelling
		if strings.HasPrefix(spelling, "{CHECKOUT}") {
			// Whoever writes the event cuts the root off; left absolute, it is unknown.
			path, unknown = strings.Replace(spelling, "{CHECKOUT}", "/checkout", 1), true
		} else if want.Expect.Match[spelling] {
			match = 1
		}
		rows := c.derive([]string{"other.py", path})
		near6(t, rows, &schema.HitAt10, match)
		if rank := rows.Candidates[1].ListRank.Or(0); rank != 2 {
			t.Errorf("%q: list_rank: have %d, want 2", path, rank)
		}
		have := slices.ContainsFunc(rows.Findings, func(f schema.Finding) bool { return f.Code == &schema.UnknownPath })
		if have != unknown {
			t.Errorf("%q: unknown_path: have %t, want %t", path, have, unknown)
		}
	}
}

func TestCase044LinearGain(t *testing.T) {
	var want struct {
		Expect struct {
			Linear map[string]float64 `json:"linear"`
		} `json:"expect"`
	}
	expected(t, "044-ndcg-gain-and-ideal", &want)
	folder := filepath.Join(caseFolder(t, "044-ndcg-gain-and-ideal"), "input")
	for name, ndcg := range want.Expect.Linear {
		rows := topicTrace(t, "q1", trecLines(t, filepath.Join(folder, "qrels.txt")), trecLines(t, filepath.Join(folder, name+".trec"))).derive()
		near6(t, rows, &schema.NDCGAt10, ndcg)
	}
}

func TestCase045NegativeGrades(t *testing.T) {
	folder := filepath.Join(caseFolder(t, "045-negative-grades"), "input")
	rows := topicTrace(t, "q1", trecLines(t, filepath.Join(folder, "qrels.txt")), trecLines(t, filepath.Join(folder, "run.trec"))).derive()
	near6(t, rows, &schema.FileRecallAt1, 0)
	near6(t, rows, &schema.FileRecallAt5, 1)
	near6(t, rows, &schema.NDCGAt10, 0.63093)
	if have := rows.Run.GoldDocs.Or(-1); have != 1 {
		t.Errorf("relevant documents: have %d, want 1", have)
	}
}

func TestCase038RankColumnIsNoise(t *testing.T) {
	folder := filepath.Join(caseFolder(t, "038-rank-column-is-noise"), "input")
	runs, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	disagree := map[string]string{"contradict.trec": "2 "}
	seen := 0
	for _, f := range runs {
		if filepath.Ext(f.Name()) != ".trec" {
			continue
		}
		seen++
		run := trecLines(t, filepath.Join(folder, f.Name()))
		rows := topicTrace(t, run[0][0], [][]string{{run[0][0], "0", "c", "1"}}, run).derive()
		near6(t, rows, &schema.MRR, 1)
		have := ""
		for _, finding := range rows.Findings {
			if finding.Code == &schema.RankDisagreement {
				have = finding.Have[:2]
			}
		}
		if have != disagree[f.Name()] {
			t.Errorf("%s: rank_disagreement: have %q, want %q", f.Name(), have, disagree[f.Name()])
		}
	}
	if seen != 3 {
		t.Errorf("have %d runs, want 3", seen)
	}
}
