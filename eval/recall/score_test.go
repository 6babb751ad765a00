package recall

import (
	"slices"
	"strings"
	"testing"
)

func TestScoreFeatures(t *testing.T) {
	body := func(texts ...string) Answer {
		var a Answer
		for _, text := range texts {
			a.Results = append(a.Results, Found{Body: text})
		}
		return a
	}
	for _, c := range []struct {
		name     string
		q        Question
		answer   Answer
		features Features
		want     Verdict
		score    string
	}{
		{"any case", Question{Keywords: []string{"Leiden", "ÉCOLE"}}, body("LEIDEN école"), Features{}, Pass, "1.000"},
		{"substring", Question{Keywords: []string{"ppr", "tx"}}, body("apprentice text"), Features{}, Fail, "0.500"},
		{"over the joint of two bodies", Question{Keywords: []string{"one\ntwo"}}, body("one", "two"), Features{}, Pass, "1.000"},
		{"keywords with blanks are verbatim", Question{Keywords: []string{" op "}}, body("opera"), Features{}, Fail, "0.000"},
		{"whole word off", Question{Keywords: []string{"ppr"}}, body("apprentice"), Features{}, Pass, "1.000"},
		{"whole word", Question{Keywords: []string{"ppr"}}, body("apprentice"), Features{WholeWord: true}, Fail, "0.000"},
		{"whole word at the ends", Question{Keywords: []string{"ppr"}}, body("ppr"), Features{WholeWord: true}, Pass, "1.000"},
		{"whole word later on", Question{Keywords: []string{"ppr"}}, body("pprof (ppr)"), Features{WholeWord: true}, Pass, "1.000"},
		{"whole word, overlapping", Question{Keywords: []string{"a.a"}}, body("xa.a.a"), Features{WholeWord: true}, Pass, "1.000"},
		{"whole word, end of a word", Question{Keywords: []string{"ppr"}}, body("xppr"), Features{WholeWord: true}, Fail, "0.000"},
		{"whole word, start of a word", Question{Keywords: []string{"ppr"}}, body("pprx"), Features{WholeWord: true}, Fail, "0.000"},
		{"whole word, underscore", Question{Keywords: []string{"ppr"}}, body("ppr_x é_ppr"), Features{WholeWord: true}, Fail, "0.000"},
		{"whole word of signs", Question{Keywords: []string{"0.85"}}, body("=0.85;"), Features{WholeWord: true}, Pass, "1.000"},
		{"weights off", Question{Keywords: []string{"a", "b"}, Weights: []int64{3, 2}}, body("a"), Features{}, Fail, "0.500"},
		{"weights", Question{Keywords: []string{"a", "b"}, Weights: []int64{3, 2}}, body("a"), Features{Weights: true}, Pass, "0.600"},
		{"weights absent", Question{Keywords: []string{"a", "b"}}, body("a"), Features{Weights: true}, Fail, "0.500"},
		{"forbidden off", Question{Keywords: []string{"a"}, Forbidden: []string{"b"}}, body("ab"), Features{}, Pass, "1.000"},
		{"forbidden", Question{Keywords: []string{"a"}, Forbidden: []string{"B"}}, body("ab"), Features{Forbidden: true}, Fail, "1.000"},
		{"forbidden absent", Question{Keywords: []string{"a"}, Forbidden: []string{"b"}}, body("a"), Features{Forbidden: true}, Pass, "1.000"},
		{"no answer, nothing", Question{NoAnswer: true}, body(" "), Features{NoAnswer: true}, Pass, "-"},
		{"no answer, something", Question{NoAnswer: true}, body("x"), Features{NoAnswer: true}, Fail, "-"},
		{"no answer, error", Question{NoAnswer: true}, Answer{Reason: "crash"}, Features{NoAnswer: true}, Error, "-"},
		{"no answer off", Question{NoAnswer: true, Keywords: []string{"a"}}, body(), Features{}, Empty, "0.000"},
		{"blank keyword of white space matched nowhere", Question{Keywords: []string{"a"}}, body("", "\t\n"), Features{}, Empty, "0.000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			have := score(c.q, c.answer, c.features)
			text := "-"
			if have.Scored {
				text = have.Score.Text()
			}
			if have.Verdict != c.want || text != c.score {
				t.Errorf("have %s %s, want %s %s", have.Verdict, text, c.want, c.score)
			}
		})
	}
}

func TestScoreText(t *testing.T) {
	for _, c := range []struct {
		score Score
		want  string
	}{
		{Score{119, 200}, "0.595"}, {Score{2, 3}, "0.667"}, {Score{3, 5}, "0.600"}, {Score{0, 5}, "0.000"},
		{Score{5999, 10000}, "0.5999"}, // three digits would say 0.600
		{Score{59_999_999, 100_000_000}, "0.59999999"},
	} {
		if have := c.score.Text(); have != c.want {
			t.Errorf("%v: have %s, want %s", c.score, have, c.want)
		}
	}
}

func TestDiff(t *testing.T) {
	run := func(scores ...float64) Results {
		var r Results
		r.Setup = &Setup{Limit: 5}
		for i, s := range scores {
			q := QuestionResult{ID: Number(int64(i + 1)), Query: "q", Verdict: Fail}
			switch {
			case s < 0:
				q.Verdict = Error
			case s >= 0.6:
				q.Verdict = Pass
			}
			if s >= 0 {
				q.Score = &s
			}
			r.Questions = append(r.Questions, q)
		}
		return r
	}
	before := run(0.6, 0.8, 0.8, 0.2, 0.4, -1, 0.6)
	after := run(0.6, 0.4, 0.6, 0.4, 0.4, 0.6, -1)
	after.Setup.PreparedSHA256 = "ab"
	after.Questions = append(after.Questions, QuestionResult{ID: Name("new"), Verdict: Fail})
	d := Diff(before, after)
	var out strings.Builder
	if err := d.Text(&out); err != nil {
		t.Fatal(err)
	}
	// By hand: one against two is 2 * (1 + 3) / 8 = 1.
	const want = `2  PASS 0.800 -> FAIL 0.400  q
3  PASS 0.800 -> PASS 0.600  q
4  FAIL 0.200 -> FAIL 0.400  q
6  ERROR - -> PASS 0.600  q
7  PASS 0.600 -> ERROR -  q
5 of 7 questions changed
passes: 1 won, 2 lost, p = 1.000
scores: 1 better, 2 worse, p = 1.000
only after: new
warning: only the run after was prepared
`
	if out.String() != want {
		t.Errorf("have\n%s\nwant\n%s", out.String(), want)
	}
	if d.Same() || !Diff(before, before).Same() {
		t.Error("Same: have it the wrong way round")
	}
}

func TestSettings(t *testing.T) {
	environment := func(pairs ...string) func(string) (string, bool) {
		return func(name string) (string, bool) {
			i := slices.Index(pairs, name)
			if i < 0 {
				return "", false
			}
			return pairs[i+1], true
		}
	}
	for _, c := range []struct {
		limit, out string
		baseline   int
		lookup     func(string) (string, bool)
		want       Settings
	}{
		{"", "", 0, environment(), Settings{Limit: 5, Out: "results.json"}},
		{"", "", 8, environment(), Settings{Limit: 8, Out: "results.json"}},
		{"", "", 8, environment(LimitVariable, "10", OutVariable, "x.json"), Settings{Limit: 10, Out: "x.json", From: []string{"limit 10 (LIMIT)", "results to x.json (JSON_OUT)"}}},
		{"7", "y.json", 8, environment(LimitVariable, "10", OutVariable, "x.json"), Settings{Limit: 7, Out: "y.json"}},
		{"", "", 0, environment(LimitVariable, "", OutVariable, ""), Settings{Limit: 5, Out: "results.json"}},
	} {
		have, err := SettingsFrom(c.limit, c.out, c.baseline, c.lookup)
		if err != nil || have.Limit != c.want.Limit || have.Out != c.want.Out || !slices.Equal(have.From, c.want.From) {
			t.Errorf("have %+v, %v, want %+v", have, err, c.want)
		}
	}
	for _, text := range []string{"0", "-1", "x", "1.5"} {
		if have, err := SettingsFrom("", "", 0, environment(LimitVariable, text)); err == nil || !strings.Contains(err.Error(), LimitVariable) {
			t.Errorf("LIMIT=%s: have %+v, %v, want an error naming it", text, have, err)
		}
	}
}
