package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// caseFile reads a file of the cases, a set of small inputs from public bug reports with their right answers.
func caseFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(setFolder(t, "ASSAY_CASES", "cases"), name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func caseSummary(t *testing.T, name string) Summary {
	t.Helper()
	s, err := Parse(filepath.Base(name), caseFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func caseExpect(t *testing.T, name string, expect any) {
	t.Helper()
	var file struct {
		Expect jsontext.Value `json:"expect"`
	}
	if err := json.Unmarshal(caseFile(t, name+"/expected.json"), &file); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file.Expect, expect); err != nil {
		t.Fatal(err)
	}
}

// Case 136: every comparison with NaN is false, so a missing figure or a NaN tolerance must not let the gate pass.
func TestCaseNaNDisarmsTheGate(t *testing.T) {
	const name = "136-nan-disarms-the-gate"
	var expect struct {
		Null struct {
			Exit     int      `json:"exit"`
			Contains []string `json:"error_contains_all"`
		} `json:"current-null.json"`
		Tolerance map[string]jsontext.Value `json:"tolerance"`
	}
	caseExpect(t, name, &expect)
	good, null := caseSummary(t, name+"/input/baseline.json"), caseSummary(t, name+"/input/current-null.json")

	for side, report := range map[string]Report{
		"current": Compare(good, null, DefaultOptions()), "baseline": Compare(null, good, DefaultOptions()),
	} {
		if have := report.Verdict.ExitCode(); have != expect.Null.Exit {
			t.Errorf("null in the %s: have exit %d, want %d", side, have, expect.Null.Exit)
		}
		text := strings.Join(report.Undecided, "\n")
		for _, want := range append(expect.Null.Contains, "cannot compare recall@10") {
			if !strings.Contains(text, want) {
				t.Errorf("null in the %s: have %q, want %q in it", side, text, want)
			}
		}
	}
	ok := caseSummary(t, name+"/input/current-ok.json")
	if report := Compare(good, ok, DefaultOptions()); report.Verdict != Pass {
		t.Errorf("current-ok.json: have %s %q, want pass", report.Verdict, report.Undecided)
	}
	for text, want := range expect.Tolerance {
		_, err := ParseLimit("max-rate-drop", text, Rate)
		if refused := string(want) == "2"; refused != (err != nil) {
			t.Errorf("tolerance %q: have %v, want refused %v", text, err, refused)
		}
	}
}

// Case 139: an evaluation of nothing, and a baseline of nothing, never pass.
func TestCaseNothingMeasured(t *testing.T) {
	const name = "139-nothing-measured"
	var expect struct {
		Exit     int      `json:"exit"`
		Contains []string `json:"error_contains_all"`
		Rates    string   `json:"rates"`
		Skips    int      `json:"skips_sum"`
		Gate     struct {
			Exit     int      `json:"exit"`
			Contains []string `json:"error_contains_all"`
		} `json:"gate_with_empty_baseline"`
	}
	caseExpect(t, name, &expect)
	nothing, noBaseline := caseSummary(t, name+"/input/empty-report.json"), caseSummary(t, name+"/input/empty-baseline.json")
	sum := 0
	for _, n := range nothing.Skipped {
		sum += n
	}
	if sum != expect.Skips || sum+nothing.Tasks != nothing.CommitsSeen {
		t.Errorf("skips: have %d, want %d, and with the tasks all commits seen", sum, expect.Skips)
	}
	if have := Fraction(0, int64(nothing.Tasks)).Text(3); have != expect.Rates {
		t.Errorf("rate over nothing: have %q, want %q", have, expect.Rates)
	}
	good := summary(20, 16, 16, 16, 20_000, 0)
	for _, c := range []struct {
		name              string
		baseline, current Summary
		exit              int
		contains          []string
	}{
		{"nothing evaluated", good, nothing, expect.Exit, append(expect.Contains, "0 tasks from 12 commits", "7 dependency", "3 no_answer")},
		{"empty baseline", noBaseline, good, expect.Gate.Exit, append(expect.Gate.Contains, "baseline has no tasks")},
		{"both", noBaseline, nothing, 4, []string{"baseline has no tasks", "0 tasks"}},
	} {
		report := Compare(c.baseline, c.current, DefaultOptions())
		if have := report.Verdict.ExitCode(); have != c.exit {
			t.Errorf("%s: have exit %d, want %d", c.name, have, c.exit)
		}
		for _, want := range c.contains {
			if text := strings.Join(report.Undecided, "\n"); !strings.Contains(text, want) {
				t.Errorf("%s: have %q, want %q in it", c.name, text, want)
			}
		}
	}
}
