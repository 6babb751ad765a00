package githistory

import (
	"testing"

	"github.com/assay-bench/assay/eval/gate"
)

// TestSummaryIsABaseline writes a summary, reads it back and gates it against itself: with two tasks there is too
// little to decide, which is not a pass.
func TestSummaryIsABaseline(t *testing.T) {
	s := Summary(evaluate(t, Options{Repo: smallRepo(t), RepoName: "thing"}))
	text, err := s.Format()
	if err != nil {
		t.Fatal(err)
	}
	back, err := gate.Parse("baseline.json", text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Format()
	if err != nil || string(again) != string(text) {
		t.Errorf("have other bytes after reading back (%v)", err)
	}
	report := gate.Compare(back, s, gate.DefaultOptions())
	for _, c := range report.Comparisons {
		if len(c.Lost) > 0 || len(c.Won) > 0 {
			t.Errorf("%s %s: have lost %v, won %v, want none against itself", c.Tool, c.Measure.Name, c.Lost, c.Won)
		}
	}
}
