package recall

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/eval/gate"
)

// twelve questions of two keywords each; those before pass are answered in full, the rest in half.
func twelve(pass int) Result {
	result := Result{Setup: Setup{Tool: Identity{Name: "tool", SHA256: "ab"}, Limit: 5, QuestionsSHA256: "cd"}}
	for i := range 12 {
		text := "one"
		if i < pass {
			text = "one two"
		}
		q := Question{ID: Number(int64(i + 1)), Query: "q", Keywords: []string{"one", "two"}}
		result.Outcomes = append(result.Outcomes, score(q, Answer{Results: []Found{{Body: text}}}, Features{}))
	}
	return result
}

func TestBaselineGates(t *testing.T) {
	data, err := twelve(6).Summary("r1").Format()
	if err != nil {
		t.Fatal(err)
	}
	baseline, err := gate.Parse("baseline.json", data)
	if err != nil {
		t.Fatal(err)
	}
	withError := twelve(6)
	withError.Outcomes[11] = score(withError.Outcomes[11].Question, Answer{Reason: "crash"}, Features{})
	withEmpty := twelve(6)
	withEmpty.Outcomes[11] = score(withEmpty.Outcomes[11].Question, Answer{}, Features{})
	reworded := twelve(6)
	reworded.Setup.QuestionsSHA256 = "ef"
	allErrors := twelve(6)
	for i := range allErrors.Outcomes {
		allErrors.Outcomes[i] = score(allErrors.Outcomes[i].Question, Answer{Reason: "crash"}, Features{})
	}
	prepared := twelve(6)
	prepared.Setup.PreparedSHA256 = "aa"
	for _, c := range []struct {
		name    string
		current Result
		want    gate.Verdict
		text    string
	}{
		{"the same", twelve(6), gate.Pass, ""},
		{"better", twelve(7), gate.Pass, "won in pass_rate of tool: 7"},
		{"one lost", twelve(5), gate.Regressed, "lost in pass_rate of tool: 6"},
		{"an error", withError, gate.Regressed, "lost in errors of tool: 12"},
		{"an empty", withEmpty, gate.Regressed, "lost in empty of tool: 12"},
		{"other questions", reworded, gate.CannotDecide, "other tasks"},
		{"errors only", allErrors, gate.CannotDecide, "keyword_recall of tool"},
		{"nothing", Result{Setup: twelve(0).Setup}, gate.CannotDecide, "0 tasks"},
		{"prepared", prepared, gate.Pass, "only the current run was prepared"},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := gate.Compare(baseline, c.current.Summary("r1"), gate.DefaultOptions())
			var out strings.Builder
			if err := report.Text(&out); err != nil {
				t.Fatal(err)
			}
			if report.Verdict != c.want || !strings.Contains(out.String(), c.text) {
				t.Errorf("have %s\nwant %s with %q", out.String(), c.want, c.text)
			}
		})
	}
}
