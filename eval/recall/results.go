package recall

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/schema"
)

// topBodies is how many bodies results.json keeps of a question.
const topBodies = 3

// Results is the shape of results.json. The members that jq lines for such files read, keep their names and
// types; the others are additions.
type Results struct {
	// Counts are the sums over all questions.
	Counts Counts `json:"summary"`
	// Setup is what the run was made with; absent in files of other programs.
	Setup *Setup `json:"setup,omitzero"`
	// Questions has one entry a question, in their order.
	Questions []QuestionResult `json:"questions"`
}

// Counts are the sums over all questions of a run.
type Counts struct {
	// Pass, Fail, Empty and Error are questions by verdict.
	Pass  int `json:"pass"`
	Fail  int `json:"fail"`
	Empty int `json:"empty"`
	Error int `json:"error"`
	// Total is all four together: the number of questions.
	Total int `json:"total"`
	// PassRate is pass / total as a percentage with one decimal, such as "9.0%".
	PassRate string `json:"pass_rate"`
	// AtLeast040 and AtLeast020 are the questions with a score of at least that.
	AtLeast040 int `json:"score_at_least_0_40"`
	AtLeast020 int `json:"score_at_least_0_20"`
	// ZeroHit are the questions with score 0, the empty ones included.
	ZeroHit int `json:"zero_hit"`
	// NoAnswer are the questions that have no answer, and so no score.
	NoAnswer int `json:"no_answer,omitzero"`
	// MeanKeywordRecall is over all questions with a score; null where there is none.
	MeanKeywordRecall *float64 `json:"mean_keyword_recall"`
	// MeanOver is the number of questions with a score.
	MeanOver int `json:"mean_over"`
}

// QuestionResult is one question of a run.
type QuestionResult struct {
	// ID is the question's id.
	ID ID `json:"id"`
	// Query is the question.
	Query string `json:"q"`
	// Verdict is what it came to.
	Verdict Verdict `json:"verdict"`
	// Score is keywords found over keywords, as a double; null where there is none.
	Score *float64 `json:"score"`
	// MatchedKW and MissedKW are the keywords joined by commas.
	MatchedKW string `json:"matched_kw"`
	MissedKW  string `json:"missed_kw"`
	// TopBodies are the first three bodies, with what looks like a secret replaced: such files are committed.
	TopBodies []string `json:"top_bodies"`
	// Matched and Missed are the keywords as lists: a keyword may hold a comma.
	Matched []string `json:"matched"`
	Missed  []string `json:"missed"`
	// Forbidden are the forbidden terms that were found.
	Forbidden []string `json:"forbidden,omitzero"`
	// Reason says why the verdict is an error.
	Reason string `json:"reason,omitzero"`
}

// Counts sums up a run.
func (r Result) Counts() Counts {
	c := Counts{Total: len(r.Outcomes)}
	for _, o := range r.Outcomes {
		switch o.Verdict {
		case Pass:
			c.Pass++
		case Fail:
			c.Fail++
		case Empty:
			c.Empty++
		case Error:
			c.Error++
		}
		if !o.Scored {
			if o.Verdict != Error {
				c.NoAnswer++
			}
			continue
		}
		c.MeanOver++
		if o.Score.Hits == 0 {
			c.ZeroHit++
		}
		if o.Score.AtLeast(2, 5) {
			c.AtLeast040++
		}
		if o.Score.AtLeast(1, 5) {
			c.AtLeast020++
		}
	}
	c.PassRate = percent(c.Pass, c.Total)
	if sum := r.scoreSum(); c.MeanOver > 0 {
		mean, _ := sum.Quo(sum, big.NewRat(int64(c.MeanOver), 1)).Float64()
		c.MeanKeywordRecall = &mean
	}
	return c
}

// scoreSum is the exact sum of all scores.
func (r Result) scoreSum() *big.Rat {
	sum := new(big.Rat)
	for _, o := range r.Outcomes {
		if o.Scored {
			sum.Add(sum, big.NewRat(o.Score.Hits, o.Score.Total))
		}
	}
	return sum
}

// percent is a share with one decimal; over nothing it says so.
func percent(part, whole int) string {
	if whole == 0 {
		return "n/a (0/0)"
	}
	return big.NewRat(100*int64(part), int64(whole)).FloatString(1) + "%"
}

// Results is the run as results.json.
func (r Result) Results() Results {
	setup := r.Setup
	out := Results{Counts: r.Counts(), Setup: &setup}
	for _, o := range r.Outcomes {
		out.Questions = append(out.Questions, o.result())
	}
	return out
}

// result is one outcome as results.json holds it.
func (o Outcome) result() QuestionResult {
	item := QuestionResult{
		ID: o.Question.ID, Query: o.Question.Query, Verdict: o.Verdict,
		MatchedKW: strings.Join(o.Matched, ","), MissedKW: strings.Join(o.Missed, ","),
		TopBodies: o.Answer.top(), Matched: o.Matched, Missed: o.Missed,
		Forbidden: o.Forbidden, Reason: withoutSecrets(o.Answer.Reason),
	}
	if o.Scored {
		value := o.Score.Value()
		item.Score = &value
	}
	return item
}

// top are the first bodies, as they may be kept.
func (a Answer) top() []string {
	bodies := a.bodies()
	bodies = bodies[:min(topBodies, len(bodies))]
	for i := range bodies {
		bodies[i] = withoutSecrets(bodies[i])
	}
	return bodies
}

func withoutSecrets(text string) string {
	clean, _ := schema.Redact(text)
	return clean
}

// WriteResults writes results.json. It holds no time, host or path, so the same answers give the same bytes.
func WriteResults(w io.Writer, results Results) error {
	data, err := json.Marshal(results, jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true), jsontext.EscapeForHTML(false))
	if err != nil {
		return fmt.Errorf("results: %w", err)
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// ReadResults reads a results.json, also one of another program that has the shared members only. name stands
// for it in messages.
func ReadResults(name string, data []byte) (Results, error) {
	var results Results
	if err := json.Unmarshal(data, &results); err != nil {
		return Results{}, fmt.Errorf("%s: %w", name, err)
	}
	if len(results.Questions) == 0 {
		return Results{}, fmt.Errorf("%s: %w", name, ErrNoQuestions)
	}
	seen := map[string]bool{}
	for i, q := range results.Questions {
		if err := q.check(); err != nil {
			return Results{}, fmt.Errorf("%s: question %q at place %d: %w", name, q.ID, i+1, err)
		}
		if seen[q.ID.String()] {
			return Results{}, fmt.Errorf("%s: question %s: have it twice, want each once", name, q.ID)
		}
		seen[q.ID.String()] = true
	}
	return results, nil
}

// check refuses what is not a question's result.
func (q QuestionResult) check() error {
	switch q.Verdict {
	case Pass, Fail, Empty, Error:
	default:
		return fmt.Errorf("verdict: have %q, want PASS, FAIL, EMPTY or ERROR", q.Verdict)
	}
	if q.Score != nil && (*q.Score < 0 || *q.Score > 1) {
		return fmt.Errorf("score: have %s, want 0 to 1", strconv.FormatFloat(*q.Score, 'g', -1, 64))
	}
	if q.ID.String() == "" {
		return errors.New("id: have none, want a whole number or a text")
	}
	return nil
}
