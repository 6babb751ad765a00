package githistory

import (
	"strings"
	"testing"
)

func weightless(string) int { return 0 }

// TestInBudget: files of 4 tokens each, named a twice; by hand.
func TestInBudget(t *testing.T) {
	answer := Answer{Status: StatusOK}
	for _, file := range []string{"x", "a", "a", "b"} {
		answer.Hits = append(answer.Hits, Hit{File: file, Known: true})
	}
	four := func(string) int { return 4 }
	for budget, want := range map[int]string{3: "0.0", 7: "0.0", 8: "0.5", 12: "0.5", 15: "0.5", 16: "1.0"} {
		if have := score(answer, []string{"a", "b"}, budget, four).InBudget.Text(1); have != want {
			t.Errorf("budget %d: have %s, want %s", budget, have, want)
		}
	}
}

// Every expectation is counted by hand.
func TestScore(t *testing.T) {
	for _, c := range []struct {
		name, hits, gold   string
		recall5, recall10  string
		hit, rank, unknown string
	}{
		{"all found", "a b", "a b", "1.000", "1.000", "1", "1.000", ""},
		{"one of two, third", "x y b", "a b", "0.500", "0.500", "1", "0.333", ""},
		{"repeats do not take ranks", "x x x x x a", "a", "1.000", "1.000", "1", "0.500", ""},
		{"sixth", "1 2 3 4 5 a", "a", "0.000", "1.000", "1", "0.167", ""},
		{"eleventh", "1 2 3 4 5 6 7 8 9 10 a", "a", "0.000", "0.000", "0", "0.091", ""},
		{"unknown paths keep their ranks", "?1 ?2 ?3 ?4 ?5 a", "a", "0.000", "1.000", "1", "0.167", "5"},
		{"nothing", "", "a b c", "0.000", "0.000", "0", "0.000", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := Answer{Status: StatusOK}
			for file := range strings.FieldsSeq(c.hits) {
				answer.Hits = append(answer.Hits, Hit{File: file, Known: !strings.HasPrefix(file, "?")})
			}
			s := score(answer, strings.Fields(c.gold), 0, weightless)
			have := []string{s.RecallAt5.Text(3), s.RecallAt10.Text(3), s.HitAt10.Text(0), s.ReciprocalRank.Text(3)}
			want := []string{c.recall5, c.recall10, c.hit, c.rank}
			if strings.Join(have, " ") != strings.Join(want, " ") {
				t.Errorf("have %v, want %v", have, want)
			}
			if n := len(c.unknown); (s.Unknown > 0) != (n > 0) {
				t.Errorf("have %d unknown, want %q", s.Unknown, c.unknown)
			}
		})
	}
}

func TestScoreOfAFailedAnswer(t *testing.T) {
	s := score(Answer{Status: StatusTimeout, Hits: []Hit{{File: "a", Known: true}}}, []string{"a"}, 0, weightless)
	if !s.Failed || s.RecallAt10.Text(1) != "0.0" || s.HitAt10.Text(0) != "0" {
		t.Errorf("have %v, want failed with zeros", s)
	}
}

func TestTokens(t *testing.T) {
	for bytes, want := range map[int]int{0: 0, 1: 1, 4: 1, 5: 2, 8: 2} {
		if have := Tokens(bytes); have != want {
			t.Errorf("%d bytes: have %d, want %d", bytes, have, want)
		}
	}
}
