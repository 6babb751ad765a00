package recall

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/eval/command"
	"github.com/assay-bench/assay/schema"
)

// DefaultLimit is how many results are scored.
const DefaultLimit = 5

// prepareTimeout bounds a preparation, such as ingesting a repository anew.
const prepareTimeout = 6 * time.Hour

// Options say what is asked of whom, and how it is scored.
type Options struct {
	// Questions are asked in this order, as Load returned them.
	Questions []Question
	// Target is the tool.
	Target Target
	// Form says how bodies are found in an answer; its zero value is UsualForm.
	Form Form
	// FormText is what Form was made of, for the record; empty is the usual shapes.
	FormText string
	// Limit is how many results are scored; zero is DefaultLimit.
	Limit int
	// Features are the rules beyond the plain rubric that Load was given.
	Features Features
	// Prepare is a command that runs once before the first question; optional.
	Prepare string
	// Jobs is how many questions are asked at a time; zero is 1. It never changes the order of anything.
	Jobs int
	// Only, where it is set, asks the one question of this id.
	Only string
	// Raw, where it is set, says where run directories go.
	Raw *Raw
}

// Setup is what a run was made with: figures of different setups are not comparable.
type Setup struct {
	// Tool is the tool that was asked.
	Tool Identity `json:"tool"`
	// Limit is how many results were scored.
	Limit int `json:"limit"`
	// Bodies is the jq path to the bodies; empty is the usual shapes.
	Bodies string `json:"bodies,omitzero"`
	// Features are the rules beyond the plain rubric, by name.
	Features []string `json:"features,omitzero"`
	// QuestionsSHA256 is over the questions in canonical form.
	QuestionsSHA256 string `json:"questions_sha256"`
	// PreparedSHA256 is over what the preparation printed; empty where there was none.
	PreparedSHA256 string `json:"prepared_sha256,omitzero"`
}

// Result is a finished run, in the order of the questions.
type Result struct {
	// Setup is what it was made with.
	Setup Setup
	// Outcomes has one entry a question.
	Outcomes []Outcome
}

// Run prepares, checks that the tool starts, asks every question and scores every answer. progress is called
// once a question, in their order, as soon as it and all before it are done. An error means that nothing was
// evaluated, because the tool cannot be started or the preparation failed, or that it was not finished, because ctx was
// cancelled or a run directory could not be written; whole run directories stay.
func Run(ctx context.Context, opts Options, progress func(Outcome)) (Result, error) {
	questions, err := opts.selected()
	if err != nil {
		return Result{}, err
	}
	limit := opts.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	result := Result{Setup: Setup{
		Limit: limit, Bodies: opts.FormText, Features: opts.Features.Names(), QuestionsSHA256: questionsHash(questions),
	}}
	earlier, err := opts.earlier()
	if err != nil {
		return Result{}, err
	}
	result.Setup.PreparedSHA256 = earlier.head.Config.Setup.PreparedSHA256
	if opts.Prepare != "" && !opts.resuming() {
		if result.Setup.PreparedSHA256, err = prepare(ctx, opts.Prepare); err != nil {
			return Result{}, err
		}
	}
	tool, err := opts.Target.call(ctx, limit)
	if err != nil {
		return Result{}, err
	}
	defer tool.close()
	result.Setup.Tool = tool.identity
	report, err := opts.reporter(result.Setup, earlier, questions)
	if err != nil {
		return Result{}, err
	}
	report.progress = progress
	ask := func(ctx context.Context, q Question) Outcome {
		if o, ok := report.earlier[q.ID.String()]; ok {
			return o
		}
		return opts.outcome(ctx, tool, q, limit)
	}
	result.Outcomes, err = inOrder(ctx, questions, max(opts.Jobs, 1), ask, report.done)
	if err := errors.Join(err, report.close(err == nil)); err != nil {
		return Result{}, err
	}
	return result, nil
}

// resuming says that this run goes on with an interrupted one.
func (o Options) resuming() bool { return o.Raw != nil && o.Raw.Resume }

// earlier is what the interrupted run left; empty where this is none.
func (o Options) earlier() (journal, error) {
	if !o.resuming() {
		return journal{}, nil
	}
	return readJournal(o.Raw.journal())
}

// outcome asks one question and scores what comes back.
func (o Options) outcome(ctx context.Context, tool caller, q Question, limit int) Outcome {
	asked := o.now()
	answer := tool.ask(ctx, q.Query)
	answer.asked, answer.answered = asked, o.now()
	if answer.Reason == "" {
		found, err := o.Form.Results(answer.Raw, limit)
		answer.Results = found
		if err != nil {
			answer.Reason = err.Error()
		}
	}
	return score(q, answer, o.Features)
}

// now is the time, where there is a clock.
func (o Options) now() schema.Opt[schema.Time] {
	if o.Raw == nil || o.Raw.Clock == nil {
		return schema.None[schema.Time]()
	}
	return schema.Some(o.Raw.Clock())
}

// selected are the questions to ask.
func (o Options) selected() ([]Question, error) {
	if len(o.Questions) == 0 {
		return nil, ErrNoQuestions
	}
	if o.Only == "" {
		return o.Questions, nil
	}
	var ids []string
	for _, q := range o.Questions {
		if q.ID.String() == o.Only {
			return []Question{q}, nil
		}
		ids = append(ids, q.ID.String())
	}
	return nil, fmt.Errorf("question %q: not in the file; it has %s", o.Only, strings.Join(ids, ", "))
}

// inOrder asks so many questions at a time and hands on the outcomes in the order of the questions. The first is
// asked alone: whether the command starts at all shows there, and a tool that has to wake up does it once. After
// an error no further question is asked.
func inOrder(ctx context.Context, questions []Question, jobs int, ask func(context.Context, Question) Outcome, done func(Outcome, int) error) ([]Outcome, error) {
	first := ask(ctx, questions[0])
	if first.Answer.unstarted && ctx.Err() == nil {
		return nil, fmt.Errorf("the command cannot be started: %s", first.Answer.Reason)
	}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	answers := make([]chan Outcome, len(questions))
	for i := range answers {
		answers[i] = make(chan Outcome, 1)
	}
	answers[0] <- first
	go func() {
		slots := make(chan struct{}, jobs)
		for i := 1; i < len(questions); i++ {
			slots <- struct{}{}
			go func() {
				answers[i] <- ask(asking, questions[i])
				<-slots
			}()
		}
	}()
	outcomes := make([]Outcome, len(questions))
	var failed error
	for i := range questions { // all are waited for, so that nothing runs on after the return
		outcomes[i] = <-answers[i]
		if failed == nil && ctx.Err() == nil {
			if failed = done(outcomes[i], i+1); failed != nil {
				stop()
			}
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return outcomes, failed
}

// prepare runs the preparation and returns the hash of what it printed.
func prepare(ctx context.Context, line string) (string, error) {
	template, err := command.Parse(line)
	if err != nil {
		return "", fmt.Errorf("preparation: %w", err)
	}
	sum := sha256.New()
	result := command.Run(ctx, command.Options{Args: template.Fill(), Timeout: prepareTimeout, Stdout: sum})
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if result.Status != command.OK {
		return "", fmt.Errorf("preparation %q: %s", line, result.Reason)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// questionsHash is over the questions as read, so that white space and members of the author's own do not count.
func questionsHash(questions []Question) string {
	canonical, err := json.Marshal(questions, json.Deterministic(true))
	if err != nil {
		panic(err) // questions hold nothing but texts and numbers
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
