package derive

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

// testManifest is the manifest of the runs of these tests.
func testManifest() *schema.Manifest {
	hash := "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	return &schema.Manifest{SchemaVersion: schema.Version, RunID: "0123456789abcdef0123456789abcdef",
		ExperimentID: "e", HarnessID: "h", TaskID: "t", HarnessConfigSHA256: hash, ModelConfigSHA256: hash,
		ModelKey: schema.Some("m"), Repetition: schema.Some[int64](1), ContextBudget: schema.Some[int64](100)}
}

// A trace is the events of one run, and what is beside them.
type trace struct {
	manifest *schema.Manifest
	task     *schema.Task
	events   []schema.Event
	end      Closing
}

// newTrace returns a run that started; at is the time in ms after the hour.
func newTrace(task schema.Task) *trace {
	t := &trace{manifest: testManifest(), end: Closing{TrajectoryFile: schema.TrajectoryFile}}
	task.ID = "t"
	return t.add(schema.Event{Type: &schema.EventRunStarted, RunStarted: &schema.RunStarted{Task: task}})
}

// hour is 2026-01-02T03:00:00Z.
const hour = schema.Time(1767322800_000000)

// add appends an event a second after the one before.
func (t *trace) add(ev schema.Event) *trace {
	return t.addAt(ev, schema.Some(hour+schema.Time(len(t.events))*1e6))
}

func (t *trace) addAt(ev schema.Event, ts schema.Opt[schema.Time]) *trace {
	ev.SchemaVersion, ev.RunID, ev.Seq, ev.TS = schema.Version, t.manifest.RunID, int64(len(t.events)+1), ts
	t.events = append(t.events, ev)
	return t
}

func (t *trace) model(c schema.ModelCall) *trace {
	return t.add(schema.Event{Type: &schema.EventModelCall, ModelCall: &c})
}

func (t *trace) tool(c schema.ToolCall) *trace {
	return t.add(schema.Event{Type: &schema.EventToolCall, ToolCall: &c})
}

func (t *trace) query(q schema.RetrievalQuery) *trace {
	return t.add(schema.Event{Type: &schema.EventRetrievalQuery, RetrievalQuery: &q})
}

func (t *trace) candidate(c schema.RetrievalCandidate) *trace {
	return t.add(schema.Event{Type: &schema.EventRetrievalCandidate, RetrievalCandidate: &c})
}

// answers adds a query and its files as candidates, ranked as they stand.
func (t *trace) answers(id string, files ...string) *trace {
	t.query(schema.RetrievalQuery{QueryID: id, Results: int64(len(files)), Status: schema.StatusOK.Name})
	for i, f := range files {
		t.candidate(schema.RetrievalCandidate{QueryID: id, Rank: int64(i + 1), File: schema.Some(f)})
	}
	return t
}

func (t *trace) read(path string) *trace {
	return t.add(schema.Event{Type: &schema.EventFileRead, FileRead: &schema.FileRead{Path: path}})
}

func (t *trace) edit(e schema.Edit) *trace {
	return t.add(schema.Event{Type: &schema.EventEdit, Edit: &e})
}

func (t *trace) check(c schema.TestRun) *trace {
	return t.add(schema.Event{Type: &schema.EventTestRun, TestRun: &c})
}

func (t *trace) finish(f schema.RunFinished) *trace {
	if f.Ending == "" {
		f.Ending = schema.EndingCompleted.Name
	}
	if f.Outcome == "" {
		f.Outcome = schema.OutcomeNotEvaluated.Name
	}
	return t.add(schema.Event{Type: &schema.EventRunFinished, RunFinished: &f})
}

// derive runs the trace, each event on its own line of 100 bytes.
func (t *trace) derive() *Rows { return t.deriveWith(New()) }

func (t *trace) deriveWith(r *Run) *Rows {
	r.Start(Input{Manifest: t.manifest, Task: t.task, RawPath: "e/h/t/r", ManifestSHA256: "m"})
	for i := range t.events {
		r.Event(&t.events[i], schema.Position{Line: int64(i + 1), Offset: int64(i) * 100, Length: 99})
	}
	return r.Finish(t.end)
}

// valueOf returns a run-level value or companion by its column.
func valueOf(t *testing.T, rows *Rows, column string) schema.Value {
	t.Helper()
	for i, c := range schema.ValueColumns(schema.LevelRun) {
		if c.Name == column {
			return rows.Run.Values[i]
		}
	}
	t.Fatalf("no column %s", column)
	return schema.Value{}
}

// queryValueOf returns a query-level value of the query at a place.
func queryValueOf(t *testing.T, rows *Rows, query int, m *schema.Metric) schema.Value {
	t.Helper()
	return rows.Queries[query].Values[schema.ValueIndex(m)]
}

// show prints a value as tests compare it: the value, or its reason in brackets.
func show(v schema.Value) string {
	if why := v.Why(); why != nil {
		return "[" + why.Name + "]"
	}
	if u, ok := v.Amount(); ok {
		return u.String()
	}
	if s, ok := v.Text(); ok {
		return s
	}
	if f, ok := number(v); ok {
		return plain(f)
	}
	return "null"
}

// wants compares columns of the run's row with their printed values.
func wants(t *testing.T, rows *Rows, want map[string]string) {
	t.Helper()
	for column, w := range want {
		if have := show(valueOf(t, rows, column)); have != w {
			t.Errorf("%s: have %s, want %s", column, have, w)
		}
	}
}

// codes lists the findings as code:severity:line.
func codes(rows *Rows) []string {
	out := []string{}
	for _, f := range rows.Findings {
		out = append(out, f.Code.Name+":"+string(f.Severity)+":"+strconvLine(f.Line))
	}
	return out
}

func strconvLine(n int64) string { return plain(float64(n)) }

func goldFiles(paths ...string) *schema.Gold {
	g := &schema.Gold{Files: []schema.GoldFile{}}
	for _, p := range paths {
		g.Files = append(g.Files, schema.GoldFile{Path: p})
	}
	return g
}
