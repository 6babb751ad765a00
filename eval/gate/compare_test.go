package gate

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// summary is one of eval git with one tool: recalls and hits out of the tasks, all tokens together, errors.
func summary(tasks, recall5, recall10, hit10, tokens, errors int64) Summary {
	return Summary{
		SchemaVersion: SummaryVersion, Evaluator: GitHistory.Name, EvaluatorVersion: GitHistory.Version,
		Repo: "r", Base: "aaaa", Head: "bbbb", Limit: 10, Budget: 1500, Tasks: int(tasks),
		Tools: []Tool{{Name: "bm25", Revision: "1", Metrics: map[string]Figure{
			RecallAt5.Name: Fraction(recall5, tasks), RecallAt10.Name: Fraction(recall10, tasks),
			HitAt10.Name: Fraction(hit10, tasks), MeanTokens.Name: Fraction(tokens, tasks), Errors.Name: Fraction(errors, 1),
		}}},
	}
}

// The limits are those of the published convention: a fall of more than 0.02 in a rate, more than 2% more tokens, any
// more errors. The rows at the limit are where a comparison of doubles decides by accident: 0.30-0.28 > 0.02 in binary.
func TestCompareAtTheLimits(t *testing.T) {
	base := summary(50, 15, 20, 25, 50_000, 2)
	for _, c := range []struct {
		name    string
		current Summary
		want    Verdict
		measure string
	}{
		{"the same", base, Pass, ""},
		{"recall@5 down by 0.02", summary(50, 14, 20, 25, 50_000, 2), Pass, ""},
		{"recall@5 down by 0.04", summary(50, 13, 20, 25, 50_000, 2), Regressed, "recall@5"},
		{"recall@10 down by 0.02", summary(50, 15, 19, 25, 50_000, 2), Pass, ""},
		{"recall@10 down by 0.04", summary(50, 15, 18, 25, 50_000, 2), Regressed, "recall@10"},
		{"hit@10 down by 0.02", summary(50, 15, 20, 24, 50_000, 2), Pass, ""},
		{"hit@10 down by 0.04", summary(50, 15, 20, 23, 50_000, 2), Regressed, "hit@10"},
		{"tokens up by 2%", summary(50, 15, 20, 25, 51_000, 2), Pass, ""},
		{"tokens up by a token more", summary(50, 15, 20, 25, 51_001, 2), Regressed, "tokens"},
		{"one more error", summary(50, 15, 20, 25, 50_000, 3), Regressed, "errors"},
		{"everything better", summary(50, 50, 50, 50, 1, 0), Pass, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := Compare(base, c.current, DefaultOptions())
			if report.Verdict != c.want {
				t.Fatalf("have %s %q, want %s", report.Verdict, report.Undecided, c.want)
			}
			for _, comparison := range report.Comparisons {
				if want := comparison.Measure.Name == c.measure; want != (comparison.Verdict == Regressed) {
					t.Errorf("%s: have %s", comparison.Measure.Name, comparison.Verdict)
				}
			}
		})
	}
}

// A fall past the limit by less than a double can hold is still past it.
func TestCompareIsExact(t *testing.T) {
	huge := new(big.Int).Exp(big.NewInt(10), big.NewInt(60), nil)
	at := func(offset int64) Figure { // 0.28 + offset/10^60
		num := new(big.Int).Mul(big.NewInt(28), new(big.Int).Quo(huge, big.NewInt(100)))
		return fraction(num.Add(num, big.NewInt(offset)), huge)
	}
	for offset, want := range map[int64]Verdict{-1: Regressed, 0: Pass, 1: Pass} {
		change := Change{Baseline: Fraction(30, 100), Current: at(offset)}
		if have := Decide(RecallAt5, change, DefaultOptions()); have != want {
			t.Errorf("offset %d: have %s, want %s", offset, have, want)
		}
	}
}

func TestCompareNeverPassesOnLess(t *testing.T) {
	base := summary(50, 15, 20, 25, 50_000, 2)
	edit := func(change func(*Summary)) Summary {
		s := summary(50, 15, 20, 25, 50_000, 2)
		change(&s)
		return s
	}
	for _, c := range []struct {
		name    string
		current Summary
		want    string
	}{
		{"no tools", edit(func(s *Summary) { s.Tools = nil }), "tool bm25: in the baseline, not in the current run"},
		{"a figure absent", edit(func(s *Summary) { delete(s.Tools[0].Metrics, RecallAt5.Name) }), "recall@5 of bm25"},
		{"a figure null", edit(func(s *Summary) { s.Tools[0].Metrics[Errors.Name] = Figure{} }), "errors of bm25"},
		{"other base", edit(func(s *Summary) { s.Base = "cccc" }), "other commits (base): baseline of aaaa, current run of cccc"},
		{"other head", edit(func(s *Summary) { s.Head = "cccc" }), "other commits (head)"},
		{"other repository", edit(func(s *Summary) { s.Repo = "q" }), "other repository"},
		{"other limit", edit(func(s *Summary) { s.Limit = 5 }), "other limit: baseline of 10, current run of 5"},
		{"other budget", edit(func(s *Summary) { s.Budget = 1 }), "other budget"},
		{"other scoring", edit(func(s *Summary) { s.EvaluatorVersion = "0" }), "other tool version"},
		{"other evaluator", edit(func(s *Summary) { s.Evaluator = Questions.Name }), "other evaluator"},
		{"other settings", edit(func(s *Summary) { s.Settings = []string{"query=keywords"} }), "other settings"},
		{"other tasks", edit(func(s *Summary) { s.TasksSHA256 = "ff" }), "other tasks"},
		{"fewer tasks", edit(func(s *Summary) { s.Tasks = 49 }), "other number of tasks"},
		{"too few tasks", edit(func(s *Summary) { s.Tasks = 9 }), "too few tasks: current run has 9, want at least 10"},
		{"empty", Summary{}, "current run has 0 tasks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, report := range []Report{Compare(base, c.current, DefaultOptions()), Compare(c.current, base, DefaultOptions())} {
				if report.Verdict != CannotDecide {
					t.Errorf("have %s, want %s on either side", report.Verdict, CannotDecide)
				}
			}
			if text := strings.Join(Compare(base, c.current, DefaultOptions()).Undecided, "\n"); !strings.Contains(text, c.want) {
				t.Errorf("have %q, want %q in it", text, c.want)
			}
		})
	}
	bare := Summary{SchemaVersion: SummaryVersion, Tasks: 50, Tools: []Tool{{Name: "x"}}}
	if report := Compare(bare, bare, DefaultOptions()); report.Verdict != CannotDecide {
		t.Errorf("no figure at all: have %s, want %s", report.Verdict, CannotDecide)
	}
}

func TestCompareToolRevision(t *testing.T) {
	base, current := summary(50, 15, 20, 25, 50_000, 2), summary(50, 15, 20, 25, 50_000, 2)
	current.Tools[0].Revision = "2"
	report := Compare(base, current, DefaultOptions())
	if report.Verdict != Pass || len(report.Notes) != 1 {
		t.Errorf("have %s, notes %q, want a pass with a note", report.Verdict, report.Notes)
	}
	opts := DefaultOptions()
	opts.SameTool = true
	if report := Compare(base, current, opts); report.Verdict != CannotDecide || !strings.Contains(report.Undecided[0], "other tool version") {
		t.Errorf("have %s %q, want %s naming the version", report.Verdict, report.Undecided, CannotDecide)
	}
}

func TestComparePrepared(t *testing.T) {
	base, current := summary(50, 15, 20, 25, 50_000, 2), summary(50, 15, 20, 25, 50_000, 2)
	current.Prepared = "ab"
	if report := Compare(base, current, DefaultOptions()); !slices.Contains(report.Notes, "warning: only the current run was prepared") {
		t.Errorf("have %q, want a warning", report.Notes)
	}
}

// paired is a summary whose hits by task are given: the first hits tasks of the tasks, minus the lost, plus the won.
func paired(tasks int, hit func(i int) bool) Summary {
	s := Summary{SchemaVersion: SummaryVersion, Tasks: tasks, Tools: []Tool{{Name: "bm25"}}}
	var hits []Figure
	for i := range tasks {
		value := Fraction(0, 1)
		if hit(i) {
			value = Fraction(1, 1)
		}
		hits = append(hits, value)
		s.Tools[0].ByTask = append(s.Tools[0].ByTask, Task{ID: fmt.Sprintf("t%03d", i), Metrics: map[string]Figure{HitAt10.Name: value}})
	}
	s.Tools[0].Metrics = map[string]Figure{HitAt10.Name: Mean(hits)}
	return s
}

// The p values are 2 * sum of C(n,k) to the lesser count / 2^n, computed apart in exact integers.
func TestCompareNamesTasksAndNoise(t *testing.T) {
	base := paired(100, func(i int) bool { return i < 50 })
	for _, c := range []struct {
		name        string
		lost, won   int
		p           string
		want, noise Verdict
	}{
		{"three lost", 3, 0, "0.250", Regressed, Pass},
		{"five lost", 5, 0, "0.063", Regressed, Pass},
		{"six lost", 6, 0, "0.031", Regressed, Regressed},
		{"ten lost, two won", 10, 2, "0.039", Regressed, Regressed},
		{"ten lost, seven won", 10, 7, "0.629", Regressed, Pass},
		{"two lost", 2, 0, "0.500", Pass, Pass},
		{"two lost, thirty won", 2, 30, "2.5e-07", Pass, Pass},
		{"nothing moved", 0, 0, "1.000", Pass, Pass},
	} {
		t.Run(c.name, func(t *testing.T) {
			current := paired(100, func(i int) bool { return i >= c.lost && i < 50+c.won })
			report := Compare(base, current, DefaultOptions())
			have := report.Comparisons[0]
			if report.Verdict != c.want || len(have.Lost) != c.lost || len(have.Won) != c.won || probabilityText(have.P) != c.p {
				t.Errorf("have %s, %d lost, %d won, p %s; want %s, p %s", report.Verdict, len(have.Lost), len(have.Won), probabilityText(have.P), c.want, c.p)
			}
			if c.lost > 0 && have.Lost[0] != "t000" {
				t.Errorf("lost: have %q first, want t000", have.Lost[0])
			}
			opts := DefaultOptions()
			opts.Significant = true
			if have := Compare(base, current, opts).Verdict; have != c.noise {
				t.Errorf("significant: have %s, want %s", have, c.noise)
			}
		})
	}
}

// Two tasks lose all and twelve gain a hundredth: the mean falls past the limit (by 1.88/50), while nearly all tasks that
// changed got better (p = 0.013). That is no loss beyond noise.
func TestSignificantLooksAtTheDirection(t *testing.T) {
	change := Change{Baseline: Fraction(1, 2), Current: Fraction(50*50-188, 50*100), Paired: true, Lost: 2, Won: 12}
	opts := DefaultOptions()
	if have := Decide(RecallAt5, change, opts); have != Regressed {
		t.Errorf("default: have %s, want %s", have, Regressed)
	}
	opts.Significant = true
	if have := Decide(RecallAt5, change, opts); have != Pass {
		t.Errorf("significant: have %s, want %s", have, Pass)
	}
}

func TestSignificantNeedsTasks(t *testing.T) {
	opts := DefaultOptions()
	opts.Significant = true
	if have := Compare(summary(50, 15, 20, 25, 50_000, 2), summary(50, 15, 20, 20, 50_000, 2), opts).Verdict; have != CannotDecide {
		t.Errorf("have %s, want %s", have, CannotDecide)
	}
}

func TestCompareOtherTaskIDs(t *testing.T) {
	base := paired(20, func(int) bool { return true })
	current := paired(20, func(int) bool { return true })
	current.Tools[0].ByTask[19].ID = "t999"
	report := Compare(base, current, DefaultOptions())
	if report.Verdict != CannotDecide || !strings.Contains(report.Undecided[0], "t019") {
		t.Errorf("have %s %q, want %s naming t019", report.Verdict, report.Undecided, CannotDecide)
	}
}

// A figure that its own tasks do not bear out decides nothing, in any measure and on either side. Only a question that
// failed may lack keyword recall.
func TestTotalsAreThoseOfTheTasks(t *testing.T) {
	made := func(evaluator Evaluator, edit func(*Tool)) Summary {
		tool := Tool{Name: "x", Metrics: map[string]Figure{}}
		for i := range 20 {
			task := Task{ID: fmt.Sprintf("t%02d", i), Metrics: map[string]Figure{}}
			for _, m := range evaluator.Measures {
				task.Metrics[m.Name] = Fraction(1, 1)
			}
			task.Metrics[Errors.Name] = Fraction(0, 1)
			tool.ByTask = append(tool.ByTask, task)
		}
		for _, m := range evaluator.Measures {
			tool.Metrics[m.Name] = Fraction(20, 20)
		}
		tool.Metrics[Empty.Name], tool.Metrics[Errors.Name] = Fraction(20, 1), Fraction(0, 1)
		if edit != nil {
			edit(&tool)
		}
		return Summary{SchemaVersion: SummaryVersion, Evaluator: evaluator.Name, EvaluatorVersion: evaluator.Version, Tasks: 20, Tools: []Tool{tool}}
	}
	for _, c := range []struct {
		name      string
		evaluator Evaluator
		edit      func(*Tool)
		want      Verdict
		reason    string
	}{
		{"whole", GitHistory, nil, Pass, ""},
		{"totals alone", GitHistory, func(t *Tool) { t.ByTask = nil }, Pass, ""},
		{"no task has tokens", GitHistory, func(t *Tool) {
			for _, task := range t.ByTask {
				delete(task.Metrics, MeanTokens.Name)
			}
		}, CannotDecide, "cannot compare tokens of x: the SIDE has a figure, but none of task t00"},
		{"one task has no tokens", GitHistory, func(t *Tool) { t.ByTask[7].Metrics[MeanTokens.Name] = Figure{} },
			CannotDecide, "cannot compare tokens of x: the SIDE has a figure, but none of task t07"},
		{"one task has no hit", GitHistory, func(t *Tool) { delete(t.ByTask[0].Metrics, HitAt10.Name) },
			CannotDecide, "cannot compare hit@10 of x: the SIDE has a figure, but none of task t00"},
		{"another mean", GitHistory, func(t *Tool) { t.Metrics[MeanTokens.Name] = Fraction(1999, 2000) },
			CannotDecide, "cannot compare tokens of x: the SIDE has 1999/2000, but its tasks give 1"},
		{"another count", Questions, func(t *Tool) { t.Metrics[Empty.Name] = Fraction(19, 1) },
			CannotDecide, "cannot compare empty of x: the SIDE has 19, but its tasks give 20"},
		{"whole, of questions", Questions, nil, Pass, ""},
		{"a score lacks", Questions, func(t *Tool) { delete(t.ByTask[3].Metrics, KeywordRecall.Name) },
			CannotDecide, "cannot compare keyword_recall of x: the SIDE has a figure, but none of task t03"},
		{"a question failed on both sides", Questions, nil, Pass, ""},
	} {
		failedOnce := func(t *Tool) {
			delete(t.ByTask[3].Metrics, KeywordRecall.Name)
			t.ByTask[3].Metrics[Errors.Name], t.Metrics[Errors.Name] = Fraction(1, 1), Fraction(1, 1)
		}
		whole := made(c.evaluator, nil)
		changed := made(c.evaluator, c.edit)
		if strings.Contains(c.name, "on both sides") {
			whole, changed = made(c.evaluator, failedOnce), made(c.evaluator, failedOnce)
		}
		for side, report := range map[string]Report{
			"current run": Compare(whole, changed, DefaultOptions()), "baseline": Compare(changed, whole, DefaultOptions()),
		} {
			if report.Verdict != c.want {
				t.Errorf("%s, %s: have %s %q, want %s", c.name, side, report.Verdict, report.Undecided, c.want)
			}
			want := strings.Replace(c.reason, "SIDE", side, 1)
			if want != "" && !slices.ContainsFunc(report.Comparisons, func(c Comparison) bool { return c.Reason == want }) {
				t.Errorf("%s, %s: have %+v, want %q", c.name, side, report.Comparisons, want)
			}
		}
	}
}
