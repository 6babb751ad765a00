package recall

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Verdict is what one question comes to.
type Verdict string

// The four verdicts.
const (
	// Pass: at least 0.60 of the keywords, decided in whole numbers.
	Pass Verdict = "PASS"
	// Fail: results came back, with fewer keywords.
	Fail Verdict = "FAIL"
	// Empty: no result, or only blank bodies. The score is 0.
	Empty Verdict = "EMPTY"
	// Error: the tool failed, hung or printed nonsense. There is no score.
	Error Verdict = "ERROR"
)

// Score is keywords found over keywords, each counted by its weight, 1 where there are none.
type Score struct {
	// Hits and Total are whole numbers: no rounding moves the pass mark.
	Hits, Total int64
}

// AtLeast compares the score with a fraction exactly.
func (s Score) AtLeast(num, den int64) bool { return s.Total > 0 && s.Hits*den >= s.Total*num }

// Value is the score as the nearest double.
func (s Score) Value() float64 { return float64(s.Hits) / float64(s.Total) }

// Text prints three digits, and more where three would round a score below the pass mark up to it.
func (s Score) Text() string {
	value := big.NewRat(s.Hits, s.Total)
	for decimals := 3; ; decimals++ {
		text := value.FloatString(decimals)
		if printed, _ := new(big.Rat).SetString(text); s.AtLeast(3, 5) || printed.Cmp(passMark) < 0 {
			return text
		}
	}
}

// passMark is 0.60.
var passMark = big.NewRat(3, 5)

// Outcome is one question with what became of it.
type Outcome struct {
	// Question is what was asked.
	Question Question
	// Verdict is what it came to.
	Verdict Verdict
	// Score is set unless Scored is false.
	Score Score
	// Scored is false for an error and for a question without answer.
	Scored bool
	// Matched and Missed are its keywords, in the question's order and spelling.
	Matched, Missed []string
	// Forbidden are the forbidden terms that were found.
	Forbidden []string
	// Answer is what the tool returned.
	Answer Answer

	// earlier says that it was taken from an interrupted run.
	earlier bool
}

// weight is what a keyword counts.
func (q Question) weight(i int, features Features) int64 {
	if features.Weights && q.Weights != nil {
		return q.Weights[i]
	}
	return 1
}

// score judges one answer.
func score(q Question, answer Answer, features Features) Outcome {
	out := Outcome{Question: q, Answer: answer}
	if answer.Reason != "" {
		out.Verdict, out.Missed = Error, q.Keywords
		return out
	}
	blank := answer.blank()
	if features.NoAnswer && q.NoAnswer {
		out.Verdict = map[bool]Verdict{true: Pass, false: Fail}[blank]
		return out
	}
	text := strings.ToLower(strings.Join(answer.bodies(), "\n"))
	found := func(term string) bool { return len(places(text, strings.ToLower(term), features.WholeWord)) > 0 }
	for i, keyword := range q.Keywords {
		weight := q.weight(i, features)
		out.Score.Total += weight
		if found(keyword) {
			out.Score.Hits += weight
			out.Matched = append(out.Matched, keyword)
		} else {
			out.Missed = append(out.Missed, keyword)
		}
	}
	out.Scored = true
	if features.Forbidden {
		for _, term := range q.Forbidden {
			if found(term) {
				out.Forbidden = append(out.Forbidden, term)
			}
		}
	}
	switch {
	case blank:
		out.Verdict = Empty
	case len(out.Forbidden) == 0 && out.Score.AtLeast(3, 5):
		out.Verdict = Pass
	default:
		out.Verdict = Fail
	}
	return out
}

// places are the byte offsets at which a lower-cased term stands in a lower-cased text; where whole words are
// asked for, only those without a letter, digit or underscore on either side.
func places(text, term string, wholeWord bool) []int {
	var offsets []int
	for from := 0; from <= len(text)-len(term); {
		at := strings.Index(text[from:], term)
		if at < 0 {
			break
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(term):])
		if !wholeWord || (!wordRune(before) && !wordRune(after)) {
			offsets = append(offsets, at)
		}
		from = at + 1
	}
	return offsets
}

// wordRune is true for what words are made of; the replacement character that stands for an end of text is not.
func wordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
