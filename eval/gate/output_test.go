package gate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// sample has one comparison of each verdict.
func sample() Report {
	base := paired(100, func(i int) bool { return i < 50 })
	current := paired(100, func(i int) bool { return i >= 12 && i < 51 })
	for _, side := range []struct {
		tool Tool
		mean int64
	}{{base.Tools[0], 1000}, {current.Tools[0], 1010}} {
		side.tool.Metrics[MeanTokens.Name] = Fraction(100*side.mean, 100)
		for _, task := range side.tool.ByTask {
			task.Metrics[MeanTokens.Name] = Fraction(side.mean, 1)
		}
	}
	base.Tools[0].Metrics[Errors.Name] = Fraction(0, 1)
	return Compare(base, current, DefaultOptions())
}

func TestOutputsAgree(t *testing.T) {
	report := sample()
	if report.Verdict != CannotDecide {
		t.Errorf("a regression and a missing figure: have %s, want %s", report.Verdict, CannotDecide)
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"text":     func(b *bytes.Buffer) error { return report.Text(b) },
		"markdown": func(b *bytes.Buffer) error { return report.Markdown(b) },
		"json":     func(b *bytes.Buffer) error { return report.JSON(b) },
		"junit":    func(b *bytes.Buffer) error { return report.JUnit(b) },
	} {
		var first, second bytes.Buffer
		if err := write(&first); err != nil {
			t.Fatal(err)
		}
		if err := write(&second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: have other bytes the second time, %v", name, err)
		}
		for _, want := range []string{"hit@10", "errors", "cannot"} {
			if !strings.Contains(first.String(), want) {
				t.Errorf("%s: have %s, want %q in it", name, first.String(), want)
			}
		}
		switch name {
		case "json":
			if !jsontext.Value(first.Bytes()).IsValid() {
				t.Errorf("have %s, want JSON", first.String())
			}
		case "junit":
			var suites junitSuites
			if err := xml.Unmarshal(first.Bytes(), &suites); err != nil {
				t.Fatal(err)
			}
			have := fmt.Sprint(suites.Suite.Tests, suites.Suite.Failures, suites.Suite.Errors)
			if want := "3 1 1"; have != want {
				t.Errorf("junit: have %s tests, failures, errors, want %s", have, want)
			}
		}
	}
}

// A test viewer shows a suite without tests as green: a failure and an undecided report are each a test in error.
func TestJUnitIsNeverEmpty(t *testing.T) {
	for _, report := range []Report{Failure(errors.New("git: not a repository")), Compare(Summary{}, Summary{}, DefaultOptions())} {
		var out bytes.Buffer
		if err := report.JUnit(&out); err != nil {
			t.Fatal(err)
		}
		var suites junitSuites
		if err := xml.Unmarshal(out.Bytes(), &suites); err != nil || suites.Suite.Errors == 0 {
			t.Errorf("have %s, want an error in it", out.String())
		}
	}
}

func TestNoFigurePastItsLimitLooksEqualToIt(t *testing.T) {
	c := Comparison{Measure: RecallAt5, Baseline: Fraction(300_000, 1_000_000), Current: Fraction(279_999, 1_000_000)}.compare(DefaultOptions())
	if have, want := c.worseText(), "0.020001"; have != want || c.Verdict != Regressed {
		t.Errorf("have %s, %s, want %s, %s", have, c.Verdict, want, Regressed)
	}
}

func TestMarkdownKeepsNamesApart(t *testing.T) {
	c := Comparison{Tool: "a|b\n<script>", Measure: HitAt10, Baseline: Fraction(1, 2), Current: Fraction(1, 2)}
	report := Report{Verdict: Pass, Comparisons: []Comparison{c.compare(DefaultOptions())}}
	var out bytes.Buffer
	if err := report.Markdown(&out); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); !strings.Contains(text, `a\|b &lt;script&gt;`) || strings.Contains(text, "<script>") {
		t.Errorf("have %s, want the name escaped", text)
	}
}

func TestExampleNames(t *testing.T) {
	text, err := Example("github")
	if err != nil || !strings.Contains(text, "assay gate") || !strings.Contains(text, "fetch-depth: 0") {
		t.Errorf("have %q, %v", text, err)
	}
	if _, err := Example("other"); err == nil || !strings.Contains(err.Error(), "github") {
		t.Errorf("have %v, want an error with the known names", err)
	}
}

func TestExitCodes(t *testing.T) {
	for verdict, want := range map[Verdict]int{Pass: 0, Failed: 1, Regressed: 3, CannotDecide: 4} {
		if have := verdict.ExitCode(); have != want {
			t.Errorf("%s: have %d, want %d", verdict, have, want)
		}
	}
}

func ExampleReport_Text() {
	base := paired(50, func(i int) bool { return i < 25 })
	current := paired(50, func(i int) bool { return i >= 4 && i < 26 })
	Compare(base, current, DefaultOptions()).Text(os.Stdout)
	// Output:
	// gate: regressed
	// 50 tasks
	//
	// tool  measure  baseline  now    worse by  limit  won  lost  p      verdict
	// bm25  hit@10   0.500     0.440  0.060     0.02   1    4     0.375  regressed
	//
	// regressed: hit@10 of bm25 is worse by 0.060, past the limit of 0.02
	// lost in hit@10 of bm25: t000, t001, t002, t003
	// won in hit@10 of bm25: t025
}
