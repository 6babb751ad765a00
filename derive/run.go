package derive

import "github.com/assay-bench/assay/schema"

// An Input is what is known of a run before its events are read.
type Input struct {
	// Manifest says what the run is. Its text must stay valid as long as the rows.
	Manifest *schema.Manifest
	// Task is what tasks.jsonl says of the run's task, or nil.
	Task *schema.Task
	// Arm is the plan's name for the run's arm; empty: made of its parts.
	Arm string
	// RawPath is the run directory, relative to its root.
	RawPath string
	// ManifestSHA256 is the hash of the manifest's file.
	ManifestSHA256 string
}

// A Closing is what is known of a run once its events were read.
type Closing struct {
	// TestResults is what an evaluation found, or nil.
	TestResults *schema.TestResults
	// FinalMetrics is what the harness reported, or nil.
	FinalMetrics *schema.FinalMetrics
	// Patch describes patch.diff, or is nil where there is no such file.
	Patch *Patch
	// Findings are the faults found on reading.
	Findings []schema.Finding
	// Exclusions are the reasons that the plan gives for leaving the run out,
	// in the order in which they count: extra_run, unplanned, rule:<name>.
	Exclusions []Exclusion
	// TrajectoryFile is the trajectory's name in the run directory, or empty.
	TrajectoryFile string
	// TrajectorySHA256 is the hash of the trajectory on disk, or empty.
	TrajectorySHA256 string
	// TrajectoryBytes is its size on disk.
	TrajectoryBytes int64
}

// Rows are the rows of one run. They are valid until the next Start.
type Rows struct {
	// Run is the run's row.
	Run schema.RunRow
	// Queries are its queries, in the order of their first events.
	Queries []schema.QueryRow
	// Candidates are its candidates, in order.
	Candidates []schema.CandidateRow
	// ModelCalls are its model calls, in order.
	ModelCalls []schema.ModelCallRow
	// ToolCalls are its tool calls, in order.
	ToolCalls []schema.ToolCallRow
	// FileReads are its file reads, in order.
	FileReads []schema.FileReadRow
	// Edits are its edits, in order.
	Edits []schema.EditRow
	// TestRuns are its test runs, in order.
	TestRuns []schema.TestRunRow
	// ResourceSamples are its resource samples, in order.
	ResourceSamples []schema.ResourceSampleRow
	// Scores are the scores of its evaluation, in order.
	Scores []schema.ScoreRow
	// Missing are the metrics without a value, by name; none of an excluded run.
	Missing []schema.MissingRow
	// Exclusions are the reasons for leaving the run out, the counting one first.
	Exclusions []schema.ExclusionRow
	// Findings are the faults found on reading and on deriving, by place.
	Findings []schema.Finding
}

// A Run gathers the events of one run. Use New, then Start, Event and Finish.
type Run struct {
	in    Input
	end   Closing
	rows  Rows
	texts texts
	names entities
	docs  entities

	gold      gold
	start     startFacts
	finish    finishFacts
	work      workFacts
	nav       navigationFacts
	usage     usageFacts
	retrieval retrievalFacts
	samples   sampleFacts
	tests     listed
	clock     clockFacts
	unknown   counted
	// overfull counts test runs in which more passed than there are.
	overfull   counted
	values     []schema.Value
	queryCells []schema.Value
	// readFindings is where the findings of reading end in rows.Findings.
	readFindings int
	// number and answers count the runs and the answers seen: what entities say
	// of an earlier one no longer holds.
	number, answers uint32
}

// New returns a Run without events.
func New() *Run {
	return &Run{values: make([]schema.Value, len(schema.ValueColumns(schema.LevelRun)))}
}

// Start begins a run; the rows of the run before become invalid.
func (r *Run) Start(in Input) {
	r.in, r.end = in, Closing{}
	r.number++
	r.answers++
	r.texts.start()
	r.names.start()
	r.docs.start()
	r.rows.reset()
	clear(r.values)
	r.gold.reset()
	r.start, r.finish, r.work, r.clock = startFacts{}, finishFacts{}, workFacts{}, clockFacts{}
	r.usage, r.samples, r.tests, r.unknown, r.overfull = usageFacts{}, sampleFacts{}, listed{}, counted{}, counted{}
	r.nav.reset()
	r.retrieval.reset()
	r.startRow()
	if in.Task != nil {
		r.learnTask(in.Task)
	}
}

// reset empties the rows and keeps their memory.
func (w *Rows) reset() {
	*w = Rows{
		Queries: emptied(w.Queries), Candidates: emptied(w.Candidates), ModelCalls: emptied(w.ModelCalls),
		ToolCalls: emptied(w.ToolCalls), FileReads: emptied(w.FileReads), Edits: emptied(w.Edits), TestRuns: emptied(w.TestRuns),
		ResourceSamples: emptied(w.ResourceSamples), Scores: emptied(w.Scores), Missing: emptied(w.Missing),
		Exclusions: emptied(w.Exclusions), Findings: emptied(w.Findings),
	}
}

// emptied returns the list without its elements. Memory that an unusually large
// run left behind is given back.
func emptied[T any](list []T) []T {
	const most = 1 << 14
	if cap(list) > most {
		return nil
	}
	return list[:0]
}

// Event takes in one event. The event and its text are only looked at during the
// call.
func (r *Run) Event(ev *schema.Event, pos schema.Position) {
	r.rows.Run.Events++
	r.clock.see(ev, pos)
	if ev.Type == nil {
		return
	}
	if ev.Type != &schema.EventRunStarted && ev.Type != &schema.EventRunFinished {
		r.work.activity = true
	}
	switch ev.Type {
	case &schema.EventRunStarted:
		r.started(ev, pos)
	case &schema.EventModelCall:
		r.modelCall(ev, pos)
	case &schema.EventToolCall:
		r.toolCall(ev, pos)
	case &schema.EventRetrievalQuery:
		r.query(ev, pos)
	case &schema.EventRetrievalCandidate:
		r.candidate(ev, pos)
	case &schema.EventFileRead:
		r.fileRead(ev, pos)
	case &schema.EventEdit:
		r.edit(ev, pos)
	case &schema.EventTestRun:
		r.testRun(ev, pos)
	case &schema.EventResourceSample:
		r.sample(ev, pos)
	case &schema.EventRunFinished:
		r.finished(ev, pos)
	}
}

// Finish ends the run and returns its rows.
func (r *Run) Finish(end Closing) *Rows {
	r.end = end
	// What was found on deriving so far stands in the trajectory, whose name is known
	// only now; of what was found on reading, no file means the directory.
	r.nameFile(r.rows.Findings)
	r.readFindings = len(r.rows.Findings) + len(end.Findings)
	r.rows.Findings = append(r.rows.Findings, end.Findings...)
	r.endRow()
	kept := r.exclude()
	if !kept {
		r.dropEvents()
	} else {
		r.list()
		r.count()
	}
	included := !r.rows.Run.ExcludedBy.Has()
	if included {
		r.measure()
	}
	r.rows.Run.Values = r.values
	r.include(included)
	r.sortFindings()
	return &r.rows
}

// dropEvents forgets the rows of events whose bytes cannot be believed.
func (r *Run) dropEvents() {
	w := &r.rows
	w.Queries, w.Candidates, w.ModelCalls, w.ToolCalls = w.Queries[:0], w.Candidates[:0], w.ModelCalls[:0], w.ToolCalls[:0]
	w.FileReads, w.Edits, w.TestRuns, w.ResourceSamples = w.FileReads[:0], w.Edits[:0], w.TestRuns[:0], w.ResourceSamples[:0]
}

// include marks the event rows of an included run.
func (r *Run) include(included bool) {
	if !included {
		return
	}
	w := &r.rows
	for i := range w.Queries {
		w.Queries[i].Included = true
	}
	for i := range w.Candidates {
		w.Candidates[i].Included = true
	}
	for i := range w.ModelCalls {
		w.ModelCalls[i].Included = true
	}
	for i := range w.ToolCalls {
		w.ToolCalls[i].Included = true
	}
	for i := range w.FileReads {
		w.FileReads[i].Included = true
	}
	for i := range w.Edits {
		w.Edits[i].Included = true
	}
	for i := range w.TestRuns {
		w.TestRuns[i].Included = true
	}
	for i := range w.ResourceSamples {
		w.ResourceSamples[i].Included = true
	}
}
