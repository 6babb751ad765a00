package recall

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ID is a question's id: a whole number or a text, written back as it was read.
type ID struct {
	text   string
	number bool
}

// Number is a numeric id.
func Number(n int64) ID { return ID{text: strconv.FormatInt(n, 10), number: true} }

// Name is a textual id.
func Name(text string) ID { return ID{text: text} }

// String is the id without quotes.
func (id ID) String() string { return id.text }

// MarshalJSON writes a number or a string.
func (id ID) MarshalJSON() ([]byte, error) {
	if id.number {
		return []byte(id.text), nil
	}
	return json.Marshal(id.text)
}

// UnmarshalJSON reads a whole number or a string that is not blank.
func (id *ID) UnmarshalJSON(data []byte) error {
	if n, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		*id = Number(n)
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil || strings.TrimSpace(text) == "" {
		return fmt.Errorf("id: have %.40s, want a whole number or a text", data)
	}
	*id = Name(text)
	return nil
}

// Question is one question and what its answer should hold.
type Question struct {
	// ID is unique in the file.
	ID ID `json:"id"`
	// Query goes to the tool verbatim.
	Query string `json:"q"`
	// Keywords are the substrings that an ideal answer holds, in any case.
	Keywords []string `json:"kw"`
	// Weights are whole numbers of at least 1, one a keyword; used with Features.Weights.
	Weights []int64 `json:"weights,omitzero"`
	// Forbidden are terms that a right answer does not hold; used with Features.Forbidden.
	Forbidden []string `json:"forbidden,omitzero"`
	// NoAnswer marks a question that has no answer, so that nothing should come back; used with Features.NoAnswer.
	NoAnswer bool `json:"no_answer,omitzero"`
}

// questionKeys are the members of a question; those beginning with x_ are the author's own.
var questionKeys = []string{"id", "q", "kw", "weights", "forbidden", "no_answer"}

// Features are rules beyond the plain rubric. All are off unless asked for, so that figures stay comparable
// with those of the plain rubric, and those that are on stand in the results.
type Features struct {
	// WholeWord counts a keyword only where no letter, digit or underscore stands next to it.
	WholeWord bool
	// Weights scores by the weights of the keywords.
	Weights bool
	// Forbidden fails a question whose bodies hold one of its forbidden terms.
	Forbidden bool
	// NoAnswer passes a question without answer where nothing comes back, and fails it otherwise.
	NoAnswer bool
}

// Names are the features that are on.
func (f Features) Names() []string {
	var names []string
	for _, feature := range []struct {
		name string
		on   bool
	}{{"forbidden", f.Forbidden}, {"no_answer", f.NoAnswer}, {"weights", f.Weights}, {"whole_word", f.WholeWord}} {
		if feature.on {
			names = append(names, feature.name)
		}
	}
	return names
}

// maxWeight bounds a weight, so that sums stay far inside of 64 bits.
const maxWeight = 1_000_000

// ErrNoQuestions is an evaluation of nothing: it cannot be decided (exit 4).
var ErrNoQuestions = errors.New("0 questions")

// Load reads a question file and refuses it as a whole, naming every question at fault: an empty keyword is
// contained in every text, and a question without keywords would be 0/0.
func Load(name string, data []byte, features Features) ([]Question, error) {
	questions, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	if len(questions) == 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNoQuestions)
	}
	var faults []string
	seen := map[string]bool{}
	for _, q := range questions {
		for _, fault := range q.faults(features) {
			faults = append(faults, fmt.Sprintf("%s: question %s: %s", name, q.ID, fault))
		}
		if seen[q.ID.String()] {
			faults = append(faults, fmt.Sprintf("%s: question %s: id stands there twice, want each once", name, q.ID))
		}
		seen[q.ID.String()] = true
	}
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	return questions, nil
}

// parse reads the file as it is, faulty questions included.
func parse(name string, data []byte) ([]Question, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var items []jsontext.Value
	if err := json.Unmarshal(data, &items); err != nil {
		return nil, fmt.Errorf("%s: want a JSON list of questions: %w", name, err)
	}
	questions := make([]Question, len(items))
	for i, item := range items {
		if err := questions[i].decode(item); err != nil {
			return nil, fmt.Errorf("%s: question at place %d: %w", name, i+1, err)
		}
	}
	return questions, nil
}

// decode reads one question; a member it does not know is refused, for it may be a misspelt one that it does.
func (q *Question) decode(item jsontext.Value) error {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(item, &members); err != nil || members == nil {
		return fmt.Errorf("have %.40s, want an object", item)
	}
	for key := range members {
		if !slices.Contains(questionKeys, key) && !strings.HasPrefix(key, "x_") {
			return fmt.Errorf("have member %q, want one of %s, or one beginning with x_", key, strings.Join(questionKeys, ", "))
		}
	}
	if members["id"] == nil {
		return errors.New("id: have none, want a whole number or a text")
	}
	return json.Unmarshal(item, q)
}

// faults are the reasons to refuse a question.
func (q Question) faults(features Features) []string {
	var faults []string
	add := func(bad bool, text string) {
		if bad {
			faults = append(faults, text)
		}
	}
	blank := func(texts []string) bool {
		return slices.ContainsFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" })
	}
	add(strings.TrimSpace(q.Query) == "", "q: have a blank question, want a text")
	add(strings.ContainsRune(q.Query, 0), "q: have a NUL character, which no argument can hold")
	add(len(q.Keywords) == 0 && !(features.NoAnswer && q.NoAnswer), "kw: have no keywords, want at least one keyword")
	add(blank(q.Keywords), "kw: have a blank keyword, want each keyword to hold something: a blank one matches every text")
	add(blank(q.Forbidden), "forbidden: have a blank term, want each to hold something")
	badWeight := slices.ContainsFunc(q.Weights, func(w int64) bool { return w < 1 || w > maxWeight })
	add(badWeight, fmt.Sprintf("weights: want whole numbers from 1 to %d", maxWeight))
	add(q.Weights != nil && len(q.Weights) != len(q.Keywords), fmt.Sprintf("weights: have %d, want %d, one a keyword", len(q.Weights), len(q.Keywords)))
	return faults
}
