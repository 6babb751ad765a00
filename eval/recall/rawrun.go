package recall

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/eval/gate"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// Raw says where a run leaves its run directories: one a question, written as soon as the question and all before
// it are done, so that an interrupted run leaves whole ones.
type Raw struct {
	// Root is the folder of raw results.
	Root string
	// ExperimentID names the experiment; each evaluation is a new one.
	ExperimentID string
	// CodeRevision is that of assay.
	CodeRevision string
	// Clock gives events their times; nil leaves them null.
	Clock func() schema.Time
	// Resume goes on with the interrupted experiment of this id: what it has asked is not asked again, and the
	// preparation is not repeated. It is refused where tool, questions or rules differ.
	Resume bool
}

// keywordRecall is the score of a run: keywords found over keywords.
const keywordRecall = "keyword_recall"

// toolFactor is the factor whose level is the tool.
const toolFactor = "tool"

// queryID is the id of the only query of a run.
const queryID = "q1"

// harnessConfig is everything that the answers and their scores depend on.
type harnessConfig struct {
	Evaluator        string `json:"evaluator"`
	EvaluatorVersion string `json:"evaluator_version"`
	Setup            Setup  `json:"setup"`
	TimeoutMS        int64  `json:"timeout_ms"`
	MaxBytes         int    `json:"max_bytes"`
}

// rawRuns writes the run directories of one evaluation.
type rawRuns struct {
	raw      Raw
	options  record.Options
	manifest schema.Manifest
	head     journalHead
	journal  *os.File
}

// runs prepares the writing of run directories; nothing is written yet.
func (raw Raw) runs(setup Setup, target Target) (*rawRuns, error) {
	head := journalHead{CodeRevision: raw.CodeRevision, Config: harnessConfig{
		Evaluator: gate.Questions.Name, EvaluatorVersion: gate.Questions.Version, Setup: setup,
		TimeoutMS: target.timeout().Milliseconds(), MaxBytes: target.maxBytes(),
	}}
	config, err := json.Marshal(head.Config)
	if err != nil {
		return nil, fmt.Errorf("harness config: %w", err)
	}
	treatment := schema.Members[schema.Scalar]{{Name: toolFactor, Value: schema.StringScalar(setup.Tool.Name)}}
	runs := &rawRuns{raw: raw, head: head, options: record.Options{Clock: raw.Clock, Secrets: record.RedactSecrets, Retry: raw.Resume}}
	runs.manifest = schema.Manifest{
		ExperimentID: raw.ExperimentID, HarnessID: schema.PathID(setup.Tool.Name),
		HarnessConfig: schema.Object(config), ModelConfig: "{}", Treatment: treatment,
		Repetition: schema.Some[int64](1), CodeRevision: present(raw.CodeRevision), HarnessVersion: present(setup.Tool.Revision()),
		NotRecorded: schema.NothingButRetrieval(),
	}
	return runs, nil
}

// begin opens the journal and writes the plan and the tasks, so that a question that was never asked is counted too.
func (r *rawRuns) begin(questions []Question) error {
	if err := r.openJournal(); err != nil {
		return err
	}
	plan := schema.Plan{
		ExperimentID: r.raw.ExperimentID, Title: schema.Some(gate.Questions.Name + " of " + r.head.Config.Setup.Tool.Name),
		Arms:        []schema.Arm{{Name: r.head.Config.Setup.Tool.Name, HarnessID: r.manifest.HarnessID, Treatment: r.manifest.Treatment}},
		Repetitions: schema.Some[int64](1),
	}
	tasks := make([]schema.Task, len(questions))
	for i, q := range questions {
		tasks[i] = q.rawTask()
		plan.Tasks = append(plan.Tasks, tasks[i].ID)
	}
	if !r.has(schema.DocumentPlan.File) {
		if err := record.WriteExperiment(r.raw.Root, plan, r.options); err != nil {
			return err
		}
	}
	if r.has(schema.DocumentTask.File) {
		return nil
	}
	return record.WriteTasks(r.raw.Root, r.raw.ExperimentID, tasks, r.options)
}

// end removes the journal: results are complete.
func (r *rawRuns) end() error {
	if err := r.journal.Close(); err != nil {
		return err
	}
	return os.Remove(r.raw.journal())
}

// has says that the folder of the experiment holds a file.
func (r *rawRuns) has(file string) bool {
	_, err := os.Stat(filepath.Join(r.raw.Root, r.raw.ExperimentID, file))
	return err == nil
}

// manifestOf is the manifest of a question's run.
func (r *rawRuns) manifestOf(q Question) schema.Manifest {
	manifest, task := r.manifest, q.rawTask()
	manifest.TaskID, manifest.TaskSHA256 = task.ID, task.StatementSHA256
	if original := q.ID.String(); original != task.ID {
		manifest.Source = &schema.Source{Format: schema.Some(gate.Questions.Name), Task: schema.Some(original)}
	}
	return manifest
}

// rawTask is the question as a task: its text stays in the query, here is its hash.
func (q Question) rawTask() schema.Task {
	return schema.Task{ID: schema.PathID(q.ID.String()), StatementSHA256: schema.Some(textHash(q.Query))}
}

// write notes an outcome in the journal, then leaves its run directory: what has a whole run directory is in the
// journal, whenever the program is killed. place is the question's place in the run, from 1.
func (r *rawRuns) write(o Outcome, place int) error {
	line, err := json.Marshal(o.result())
	if err != nil {
		return err
	}
	if err := appendLine(r.journal, line); err != nil {
		return err
	}
	task := o.Question.rawTask()
	w, err := record.Create(r.raw.Root, r.manifestOf(o.Question), r.options)
	if err != nil {
		return err
	}
	defer w.Close()
	started := schema.RunStarted{ExecutionOrder: schema.Some(int64(place)), Task: task}
	if err := w.Append(o.Answer.asked, started); err != nil {
		return err
	}
	if err := w.Append(o.Answer.answered, r.query(o)); err != nil {
		return err
	}
	for i, found := range o.Answer.Results {
		candidate := schema.RetrievalCandidate{
			QueryID: queryID, Rank: int64(i + 1), DocID: schema.Some(found.ID), Tokens: schema.Some(tokens(len(found.Body))),
		}
		if err := w.Append(o.Answer.answered, candidate); err != nil {
			return err
		}
	}
	if err := w.WriteTestResults(r.scores(o)); err != nil {
		return err
	}
	return w.Finish(o.Answer.answered, schema.RunFinished{Ending: o.Answer.ending().Name, Outcome: schema.OutcomeNotApplicable.Name})
}

// query is the event of the question.
func (r *rawRuns) query(o Outcome) schema.RetrievalQuery {
	size := len(o.Answer.Raw)
	return schema.RetrievalQuery{
		QueryID: queryID, Results: int64(len(o.Answer.Results)), Status: o.Answer.status().Name,
		Query: schema.Some(o.Question.Query), Source: schema.Some(r.head.Config.Setup.Tool.Name), Limit: schema.Some(int64(r.head.Config.Setup.Limit)),
		LatencyMS:   schema.Some(float64(o.Answer.Elapsed.Microseconds()) / 1000),
		ResultBytes: schema.Some(int64(size)), ResultTokens: schema.Some(tokens(size)),
	}
}

// scores are the evaluation of one outcome; an error has no value, which is not 0.
func (r *rawRuns) scores(o Outcome) schema.TestResults {
	score := schema.Score{Name: keywordRecall, Min: schema.Some(0.0), Max: schema.Some(1.0)}
	if o.Scored {
		score.Value = schema.Some(o.Score.Value())
	}
	return schema.TestResults{
		Evaluator: &schema.Evaluator{Name: schema.Some(gate.Questions.Name), Version: schema.Some(gate.Questions.Version)},
		Scores:    []schema.Score{score},
	}
}

// ending says how the run of this answer ended.
func (a Answer) ending() schema.Word {
	switch {
	case a.TimedOut:
		return schema.EndingTimeout
	case a.Reason != "":
		return schema.EndingError
	default:
		return schema.EndingCompleted
	}
}

// status says whether the tool answered.
func (a Answer) status() schema.Word {
	switch {
	case a.TimedOut:
		return schema.StatusTimeout
	case a.Reason != "":
		return schema.StatusError
	default:
		return schema.StatusOK
	}
}

// tokens is the size of an answer: serialised bytes / 4, rounded up.
func tokens(size int) int64 { return int64(size+3) / 4 }

// present is a text that may be absent.
func present(text string) schema.Opt[string] {
	if text == "" {
		return schema.None[string]()
	}
	return schema.Some(text)
}

func textHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
