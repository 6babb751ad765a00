package githistory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// recorder writes the run directories of an experiment, one a task and arm.
type recorder struct {
	root    string
	id      string
	opts    Options
	set     TaskSet
	arms    []Arm
	configs []schema.Object
	infos   []ToolInfo // by arm
	options record.Options
}

// newRecorder names the experiment and writes its plan, or finds the one to go on with.
func newRecorder(e *evaluation, tools *toolset) (*recorder, error) {
	clock := e.opts.Clock
	if clock == nil {
		clock = record.SystemClock
	}
	r := &recorder{
		root: e.opts.Out, opts: e.opts, set: e.result.Set, arms: e.result.Arms,
		options: record.Options{Clock: clock, Secrets: record.RedactSecrets, Environ: os.Environ(), Retry: e.opts.Resume},
	}
	byName := map[string]ToolInfo{}
	for _, info := range tools.infos {
		byName[info.Name] = info
	}
	for _, arm := range r.arms {
		r.infos = append(r.infos, byName[arm.Tool])
		r.configs = append(r.configs, config(r.opts, r.set.Repo, byName[arm.Tool], arm))
	}
	var err error
	if r.id, err = experimentID(r.set, r.configs, r.opts.CodeRevision); err != nil {
		return nil, err
	}
	file := filepath.Join(r.root, r.id, schema.DocumentPlan.File)
	switch there := exists(file); {
	case r.opts.Resume && !there:
		return nil, r.differs()
	case r.opts.Resume:
		return r, nil
	case there:
		return nil, fmt.Errorf("%s: have this experiment already, want another folder, or resume it", filepath.Dir(file))
	}
	if err := record.WriteExperiment(r.root, plan(r.id, r.set, r.arms, clock), r.options); err != nil {
		return nil, err
	}
	documents := make([]schema.Task, len(r.set.Tasks))
	for i, task := range r.set.Tasks {
		documents[i] = taskDocument(r.set, task, tools.baselines.language)
	}
	return r, record.WriteTasks(r.root, r.id, documents, r.options)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// manifest says what one run is.
func (r *recorder) manifest(task Task, a int, b *baselines) schema.Manifest {
	info := r.infos[a]
	m := schema.Manifest{
		ExperimentID: r.id, TaskID: schema.PathID(task.ID), HarnessID: schema.PathID(r.arms[a].Tool),
		HarnessConfig: r.configs[a], ModelConfig: "{}", Treatment: treatment(r.arms[a]),
		ContextBudget: schema.Some(int64(r.arms[a].Budget)), Repetition: schema.Some[int64](1),
		Repo: &schema.Repo{
			Name: schema.Some(r.set.Repo), Commit: schema.Some(task.Base),
			Files: schema.Some(int64(len(b.files))), Lines: schema.Some(int64(b.lines)),
		},
		Environment: schema.Some(machine()), NotRecorded: schema.NothingButRetrieval(),
	}
	if b.language != "" {
		m.Repo.Language = schema.Some(b.language)
	}
	if r.opts.CodeRevision != "" {
		m.CodeRevision = schema.Some(r.opts.CodeRevision)
	}
	switch {
	case info.Version != "":
		m.HarnessVersion = schema.Some(info.Version)
	case info.Spec == nil && r.opts.CodeRevision != "":
		m.HarnessVersion = schema.Some(r.opts.CodeRevision)
	}
	return m
}

// write writes one run. What a built-in tool answered can be had again at any time, so its runs are not flushed to
// the disk one by one; those of outside tools are.
func (r *recorder) write(task Task, a int, answer Answer, b *baselines) (err error) {
	options := r.options
	if r.infos[a].Spec == nil {
		options.Durability = record.Buffered
	}
	w, err := record.Create(r.root, r.manifest(task, a, b), options)
	if err != nil {
		return err
	}
	defer w.Close()
	asked, answered := r.times(answer)
	if err := w.Append(asked, schema.RunStarted{Task: taskDocument(r.set, task, b.language)}); err != nil {
		return err
	}
	for _, event := range append(r.index(task, a, b), r.events(task, a, answer, b)...) {
		if err := w.Append(answered, event); err != nil {
			return err
		}
	}
	finished := schema.RunFinished{Ending: schema.EndingCompleted.Name, Outcome: schema.OutcomeNotApplicable.Name}
	if answer.Status != StatusOK {
		finished.Ending = schema.EndingError.Name
		if answer.Status == StatusTimeout {
			finished.Ending = schema.EndingTimeout.Name
		}
		finished.FailureStage = schema.Some(schema.StageRetrieve.Name)
		finished.ErrorType = schema.Some(answer.Reason)
	}
	return w.Finish(answered, finished)
}

// times are when a run began and ended: an answer is there when it is written, and
// its calls took what they took. The time of writing alone would be no time of the tool.
func (r *recorder) times(answer Answer) (asked, answered schema.Opt[schema.Time]) {
	end := r.options.Clock()
	start := end
	for _, call := range answer.Calls {
		start -= schema.Time(call.Elapsed.Microseconds())
	}
	return schema.Some(start), schema.Some(end)
}

// index is the measurement of a built-in tool's index, once a run; outside tools do not say what theirs takes.
func (r *recorder) index(task Task, a int, b *baselines) []schema.Payload {
	took, ok := b.build[r.arms[a].Tool]
	if r.infos[a].Spec != nil || !ok {
		return nil
	}
	return []schema.Payload{schema.ResourceSample{
		Scope: schema.ScopeIndex.Name, IndexID: schema.Some(indexID(r.arms[a].Tool, task.Base)),
		Measurements: schema.Members[schema.Quantity]{{Name: schema.IndexBuildMS.Name, Value: schema.NumberQuantity(float64(took.Microseconds()) / 1000)}},
	}}
}

// indexID names the index of a built-in tool over one commit.
func indexID(tool, commit string) string {
	sum := sha256.Sum256([]byte(tool + "\n" + commit))
	return hex.EncodeToString(sum[:8])
}

// finalKind marks the query whose list is the run's ranked list where several were asked.
const finalKind = "final"

// keywordKind marks a query that asks one keyword.
const keywordKind = "keyword"

// events are the queries of an answer, each followed by its candidates.
func (r *recorder) events(task Task, a int, answer Answer, b *baselines) []schema.Payload {
	arm := r.arms[a]
	var events []schema.Payload
	for i, call := range answer.Calls {
		kind := string(arm.Query)
		if answer.Fusion != "" {
			kind = keywordKind
		}
		query := r.query(fmt.Sprintf("q%d", i+1), kind, arm, call.Text, call.Hits, call.Status)
		if r.infos[a].Spec == nil {
			query.IndexID = schema.Some(indexID(arm.Tool, task.Base))
		}
		query.LatencyMS = schema.Some(float64(call.Elapsed.Microseconds()) / 1000)
		query.ResultBytes, query.ResultTokens = schema.Some(int64(call.Bytes)), schema.Some(int64(Tokens(call.Bytes)))
		events = append(append(events, query), r.candidates(query.QueryID, arm, call.Hits, "", b)...)
	}
	if answer.Fusion != "" {
		query := r.query(finalKind, finalKind, arm, "", answer.Hits, answer.Status)
		events = append(append(events, query), r.candidates(finalKind, arm, answer.Hits, answer.Fusion, b)...)
	}
	return events
}

func (r *recorder) query(id, kind string, arm Arm, text string, hits []Hit, status Status) schema.RetrievalQuery {
	query := schema.RetrievalQuery{
		QueryID: id, Results: int64(len(hits)), Status: string(status), QueryKind: schema.Some(kind),
		Source: schema.Some(arm.Tool), Limit: schema.Some(int64(arm.Limit)),
	}
	if text != "" {
		query.Query = schema.Some(text)
	}
	return query
}

// candidates are the results of one query. Tokens is what the file takes under the arm's packing; packed is true
// for the longest prefix that fits into the budget.
func (r *recorder) candidates(queryID string, arm Arm, hits []Hit, fusion string, b *baselines) []schema.Payload {
	var events []schema.Payload
	spent, fits := 0, true
	for i, hit := range hits {
		tokens := b.tokens(hit.File, arm.Packing)
		spent += tokens
		fits = fits && spent <= arm.Budget
		candidate := schema.RetrievalCandidate{
			QueryID: queryID, Rank: int64(i + 1), File: schema.Some(hit.File), Tokens: schema.Some(int64(tokens)), Packed: schema.Some(fits),
		}
		if hit.HasScore {
			candidate.Score = schema.Some(hit.Score)
		}
		if hit.Symbol != "" {
			candidate.Symbol = schema.Some(hit.Symbol)
			candidate.StartLine, candidate.EndLine = schema.Some(int64(hit.StartLine)), schema.Some(int64(hit.EndLine))
		}
		candidate.Fusion = fused(hit, fusion)
		events = append(events, candidate)
	}
	return events
}

// fused is how a result came about, or nil where it was not fused.
func fused(hit Hit, method string) *schema.Fusion {
	if method == "" && len(hit.Sources) > 0 {
		method = "reciprocal_rank"
	}
	if method == "" {
		return nil
	}
	fusion := &schema.Fusion{Method: schema.Some(method)}
	for _, source := range hit.Sources {
		fusion.Sources = append(fusion.Sources, schema.FusionSource{
			Source: schema.Some(source.Name), Rank: schema.Some(int64(source.Rank)), Score: schema.Some(source.Score),
		})
	}
	return fusion
}

// tokens is the size of a file under a packing. A path that base does not have brings nothing into a context.
func (b *baselines) tokens(file string, packing Packing) int {
	if packing == OutlineOnly {
		return Tokens(b.packed[file])
	}
	return Tokens(b.whole[file])
}
