package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// caseQuestion is a question of the cases, a set of small inputs from public bug reports with their right answers: what
// the tool returned stands beside it.
type caseQuestion struct {
	ID       string   `json:"id"`
	Keywords []string `json:"keywords"`
	Bodies   []string `json:"bodies"`
	Error    string   `json:"error"`
}

func caseFile(t *testing.T, name string, into any) {
	t.Helper()
	folder := os.Getenv("ASSAY_CASES")
	if folder == "" {
		root, err := os.Getwd()
		for ; err == nil; root = filepath.Dir(root) {
			if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil || root == filepath.Dir(root) {
				break
			}
		}
		folder = filepath.Join(root, "..", "shared", "cases")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the cases are not here; set ASSAY_CASES to their folder")
	}
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// loadCase gives the questions of a case in the form of a question file to Load.
func loadCase(t *testing.T, cases []caseQuestion) ([]Question, error) {
	t.Helper()
	var file []Question
	for _, c := range cases {
		file = append(file, Question{ID: Name(c.ID), Query: "question " + c.ID, Keywords: c.Keywords})
	}
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	return Load("questions.json", data, Features{})
}

// scoreCase scores what stands beside the questions of a case.
func scoreCase(t *testing.T, cases []caseQuestion) Result {
	t.Helper()
	questions, err := loadCase(t, cases)
	if err != nil {
		t.Fatal(err)
	}
	var result Result
	for i, c := range cases {
		answer := Answer{Reason: c.Error}
		for _, body := range c.Bodies {
			answer.Results = append(answer.Results, Found{Body: body})
		}
		result.Outcomes = append(result.Outcomes, score(questions[i], answer, Features{}))
	}
	return result
}

func verdicts(r Result) []Verdict {
	var out []Verdict
	for _, o := range r.Outcomes {
		out = append(out, o.Verdict)
	}
	return out
}

// Case 130: comparing rounded or accumulated doubles moves the pass mark.
func TestCasePassMark(t *testing.T) {
	var cases []caseQuestion
	caseFile(t, "130-pass-mark-is-exactly-0-60/input/questions.json", &cases)
	var expected struct {
		Expect struct {
			Status []Verdict      `json:"status"`
			Totals map[string]int `json:"totals"`
		} `json:"expect"`
	}
	caseFile(t, "130-pass-mark-is-exactly-0-60/expected.json", &expected)
	result := scoreCase(t, cases)
	if have, want := fmt.Sprint(verdicts(result)), fmt.Sprint(expected.Expect.Status); have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	counts := result.Counts()
	have := map[string]int{"PASS": counts.Pass, "FAIL": counts.Fail, "EMPTY": counts.Empty, "questions": counts.Total}
	for name, want := range expected.Expect.Totals {
		if have[name] != want {
			t.Errorf("%s: have %d, want %d", name, have[name], want)
		}
	}
	if have := result.Outcomes[3].Score.Text(); have != "0.595" {
		t.Errorf("119 of 200: have %s, want 0.595", have)
	}
}

// Case 132: no keywords means 0/0, and an empty keyword is contained in everything.
func TestCaseEmptyKeywordLists(t *testing.T) {
	var cases []caseQuestion
	caseFile(t, "132-empty-keyword-lists/input/questions.json", &cases)
	var expected struct {
		Expect struct {
			Contains []string `json:"error_contains_all"`
		} `json:"expect"`
	}
	caseFile(t, "132-empty-keyword-lists/expected.json", &expected)
	_, err := loadCase(t, cases)
	if err == nil {
		t.Fatal("have no error, want a refusal")
	}
	for _, want := range expected.Expect.Contains {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want %q in it", err, want)
		}
	}
}

// Case 133: no result, blank results, a miss and an error are four different things.
func TestCaseWhatCountsAsEmpty(t *testing.T) {
	var cases []caseQuestion
	caseFile(t, "133-what-counts-as-empty/input/questions.json", &cases)
	var expected struct {
		Expect struct {
			Status []Verdict `json:"status"`
			Passed [2]int    `json:"passed"`
			Mean   struct {
				Sum         float64 `json:"sum"`
				Denominator int     `json:"denominator"`
				Excluded    int     `json:"excluded_error"`
			} `json:"mean_keyword_recall"`
		} `json:"expect"`
	}
	caseFile(t, "133-what-counts-as-empty/expected.json", &expected)
	want := expected.Expect
	result := scoreCase(t, cases)
	if have := fmt.Sprint(verdicts(result)); have != fmt.Sprint(want.Status) {
		t.Errorf("have %s, want %s", have, want.Status)
	}
	c := result.Counts()
	if c.Pass != want.Passed[0] || c.Total != want.Passed[1] || c.MeanOver != want.Mean.Denominator || c.Error != want.Mean.Excluded ||
		*c.MeanKeywordRecall != want.Mean.Sum/float64(want.Mean.Denominator) {
		t.Errorf("have %+v, mean %v, want %+v", c, *c.MeanKeywordRecall, want)
	}
}
