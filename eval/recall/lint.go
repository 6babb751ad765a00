package recall

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Fault is one reason why a question measures less than it seems to.
type Fault struct {
	// ID is the question; its place in the file is in Message where the id is not unique.
	ID ID
	// Rule is what it breaks.
	Rule Rule
	// Message says where and what.
	Message string
}

// Rule is one check of questions.
type Rule string

// The rules.
const (
	// DuplicateID: two questions with one id cannot be told apart in any comparison.
	DuplicateID Rule = "duplicate_id"
	// Refused: the file would not be loaded.
	Refused Rule = "refused"
	// RepeatedKeyword: a keyword that is there twice, in any case, counts twice.
	RepeatedKeyword Rule = "repeated_keyword"
	// KeywordCount: fewer than 4 keywords make a coarse score, more than 6 a blurred one.
	KeywordCount Rule = "keyword_count"
	// GenericKeyword: a stop word or generic English stands in almost any text.
	GenericKeyword Rule = "generic_keyword"
	// KeywordInQuestion: a body that only repeats the question scores.
	KeywordInQuestion Rule = "keyword_in_question"
	// KeywordInKeyword: a keyword contained in another one is found whenever that is.
	KeywordInKeyword Rule = "keyword_in_keyword"
	// UnspecificKeyword: measured, the keyword stands in nearly every other question's bodies.
	UnspecificKeyword Rule = "unspecific_keyword"
)

// Rules is the list of all of them.
var Rules = []Rule{
	DuplicateID, Refused, RepeatedKeyword, KeywordCount, GenericKeyword, KeywordInQuestion, KeywordInKeyword, UnspecificKeyword,
}

// The number of keywords that a question should have.
const (
	fewestKeywords = 4
	mostKeywords   = 6
)

// A keyword is unspecific where it stands in at least this share of other questions' bodies, given enough of them.
const (
	unspecificNum, unspecificDen = 4, 5
	unspecificOthers             = 10
)

// Lint checks a question file. With the results of a run it also measures how specific the keywords are; nil
// leaves that out. An error means that the file is no list of questions at all.
func Lint(name string, data []byte, results *Results) ([]Fault, error) {
	questions, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	if len(questions) == 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNoQuestions)
	}
	var faults []Fault
	place := map[string]int{}
	for i, q := range questions {
		if first, seen := place[q.ID.String()]; seen {
			faults = append(faults, Fault{q.ID, DuplicateID, fmt.Sprintf("question at place %d has the id of that at place %d", i+1, first)})
		} else {
			place[q.ID.String()] = i + 1
		}
		faults = append(faults, lintQuestion(q)...)
		if results != nil {
			faults = append(faults, measureKeywords(q, *results)...)
		}
	}
	return faults, nil
}

// lintQuestion checks one question by itself.
func lintQuestion(q Question) []Fault {
	var faults []Fault
	add := func(rule Rule, format string, args ...any) {
		faults = append(faults, Fault{q.ID, rule, fmt.Sprintf(format, args...)})
	}
	for _, text := range q.faults(Features{NoAnswer: q.NoAnswer, Weights: true, Forbidden: true}) {
		add(Refused, "%s", text)
	}
	if n := len(q.Keywords); !q.NoAnswer && (n < fewestKeywords || n > mostKeywords) {
		add(KeywordCount, "have %d keywords, want %d to %d", n, fewestKeywords, mostKeywords)
	}
	question := strings.ToLower(q.Query)
	lower := make([]string, len(q.Keywords))
	for i, keyword := range q.Keywords {
		lower[i] = strings.ToLower(keyword)
	}
	for i, keyword := range lower {
		if strings.TrimSpace(keyword) == "" {
			continue
		}
		if slices.Contains(lower[:i], keyword) {
			add(RepeatedKeyword, "keyword %q is there before", q.Keywords[i])
			continue
		}
		if generic(keyword) {
			add(GenericKeyword, "keyword %q is generic English: it matches nearly any text", q.Keywords[i])
		}
		if strings.Contains(question, keyword) {
			add(KeywordInQuestion, "keyword %q stands in the question itself", q.Keywords[i])
		}
		for j, other := range lower {
			if other != keyword && strings.Contains(other, keyword) {
				add(KeywordInKeyword, "keyword %q is contained in keyword %q", q.Keywords[i], q.Keywords[j])
			}
		}
	}
	return faults
}

// measureKeywords looks for the question's keywords in the bodies that came back for all other questions.
func measureKeywords(q Question, results Results) []Fault {
	var bodies []string
	for _, other := range results.Questions {
		if text := strings.ToLower(strings.Join(other.TopBodies, "\n")); other.ID != q.ID && strings.TrimSpace(text) != "" {
			bodies = append(bodies, text)
		}
	}
	if len(bodies) < unspecificOthers {
		return nil
	}
	var faults []Fault
	for _, keyword := range q.Keywords {
		term, found := strings.ToLower(keyword), 0
		for _, body := range bodies {
			if strings.Contains(body, term) {
				found++
			}
		}
		if strings.TrimSpace(term) != "" && found*unspecificDen >= len(bodies)*unspecificNum {
			faults = append(faults, Fault{q.ID, UnspecificKeyword, fmt.Sprintf("keyword %q stands in the bodies of %d of %d other questions", keyword, found, len(bodies))})
		}
	}
	return faults
}

// WriteFaults prints one fault a line and their number.
func WriteFaults(w io.Writer, faults []Fault) error {
	var out strings.Builder
	for _, f := range faults {
		fmt.Fprintf(&out, "question %s: %s: %s\n", f.ID, f.Rule, oneLine(f.Message))
	}
	fmt.Fprintf(&out, "%d faults\n", len(faults))
	_, err := io.WriteString(w, out.String())
	return err
}
