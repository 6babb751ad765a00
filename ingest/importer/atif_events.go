package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// The names of counts.
const (
	countZeros       = "zeros_read_as_missing"
	countStepRepeats = "steps repeated identically, kept once"
	countCopied      = "steps copied from an earlier context, not counted"
	countNoCall      = "agent steps that say they made no model call"
	countManyCalls   = "agent steps that say they made several model calls, written as one"
	countOddSource   = "steps of a source other than system, user and agent: no model call"
	countNaive       = "times without a zone, left null"
	countNoResult    = "tool calls without a result"
	countOddNumbers  = "numbers that the contract cannot hold, left null"
)

// A walker turns trajectories into events.
type walker struct {
	s      *source
	events []event[schema.Payload]
	// callIDs are the ids of tool calls in use.
	callIDs map[string]bool
	// visited are the files of sub-agents that are in.
	visited map[string]bool
	// extra are the files of sub-agents.
	extra []Original
	// calls counts the model calls, those of sub-agents too.
	calls int
	// lost is true where a part of the run, a continuation or a sub-agent, is not
	// there: its calls are no less calls of the run.
	lost bool
	// toolCount counts the tool calls, and judged those of which the source says
	// whether they worked.
	toolCount, judged int
}

func newWalker(s *source) *walker {
	return &walker{s: s, callIDs: map[string]bool{}, visited: map[string]bool{}}
}

// An agentName says whose events they are; the zero value is the main agent.
type agentName struct{ name, parent schema.Opt[string] }

// chain appends the events of a chain.
func (w *walker) chain(c *chain, who agentName, prefix string) error {
	w.lost = w.lost || c.cut
	for i, p := range c.parts {
		pre := prefix
		if i > 0 {
			pre = fmt.Sprintf("%scont-%d/", prefix, i)
		}
		if err := w.part(p, who, pre); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) part(p *part, who agentName, prefix string) error {
	for i := range p.doc.Steps {
		l := &p.doc.Steps[i]
		step := &l.value
		id := prefix + "step-" + strconv.FormatInt(step.ID.integer().Or(int64(i+1)), 10)
		if step.IsCopied.Or(false) {
			w.s.report.count(countCopied, 1)
			continue
		}
		ts := w.s.time(step.Timestamp)
		switch step.Source.Or("") {
		case "agent":
			w.modelCall(p, step, id, ts, who)
		case "system", "user":
		default:
			w.s.report.count(countOddSource, 1)
		}
		w.toolCalls(step, id, ts, who)
		if err := w.subagents(p, step, who); err != nil {
			return err
		}
	}
	// An embedded sub-agent that no step refers to belongs to the run all the same.
	for i := range p.doc.Subagents {
		if err := w.embedded(p, &p.doc.Subagents[i], who); err != nil {
			return err
		}
	}
	return nil
}

// time is a time of the source; one without a zone is counted and left null.
func (s *source) time(o schema.Opt[string]) schema.Opt[schema.Time] {
	t := parseInstant(o)
	if at, ok := t.Get(); ok && !at.zoned {
		s.report.count(countNaive, 1)
	}
	return timeOf(t)
}

// modelCall appends the one model call of an agent step.
func (w *walker) modelCall(p *part, step *atifStep, id string, ts schema.Opt[schema.Time], who agentName) {
	switch n, ok := step.LLMCallCount.integer().Get(); {
	case ok && n == 0:
		w.s.report.count(countNoCall, 1)
		return
	case n > 1:
		w.s.report.count(countManyCalls, 1)
	}
	model := present(step.ModelName)
	if !model.Has() {
		model = present(p.doc.Agent.ModelName)
	}
	call := schema.ModelCall{CallID: id, ModelKey: model, Agent: who.name, ParentAgent: who.parent}
	if m := step.Metrics; m != nil {
		call.Usage, call.CostUSD = w.s.usage(m)
	}
	w.calls++
	w.events = append(w.events, event[schema.Payload]{ts, call})
}

// toolCalls appends the tool calls of a step, with size and hash of their results.
func (w *walker) toolCalls(step *atifStep, id string, ts schema.Opt[schema.Time], who agentName) {
	for i, c := range step.ToolCalls {
		call := schema.ToolCall{Name: c.Name.Or(""), Status: w.status(step), Agent: who.name, ParentAgent: who.parent,
			Arguments: arguments(c.Arguments)}
		call.CallID = w.callID(present(c.ID), id, i)
		if r := resultOf(step, c.ID, i); r != nil {
			b := contentBytes(r.Content)
			sum := sha256.Sum256(b)
			call.ResultBytes = schema.Some(int64(len(b)))
			call.ResultSHA256 = schema.Some(hex.EncodeToString(sum[:]))
		} else {
			w.s.report.count(countNoResult, 1)
		}
		w.events = append(w.events, event[schema.Payload]{ts, call})
	}
}

// status is whether the one tool call of a step worked. The contract asks for a
// status where the format has none: ok then, which the manifest says to say nothing.
func (w *walker) status(step *atifStep) string {
	w.toolCount++
	failed, ok := step.Extra.failed.Get()
	if !ok || len(step.ToolCalls) > 1 {
		return schema.StatusOK.Name
	}
	w.judged++
	if failed {
		return schema.StatusError.Name
	}
	return schema.StatusOK.Name
}

// notRecorded is what the source of the events does not record. The statuses of a
// run count as recorded where each of its tool calls has one; a run without calls
// is treated as its neighbours are, or only idle runs would have no failures. Where
// a part of the run is lost, no sum over its calls is the run's.
func (w *walker) notRecorded() []string {
	var list []string
	if w.lost {
		list = append(list, schema.NotRecordedModelCall.Name, schema.NotRecordedToolCall.Name)
	}
	if w.toolCount == 0 || w.judged < w.toolCount || w.lost {
		list = append(list, schema.NotRecordedToolStatus.Name)
	}
	return append(list, schema.NotRecordedFileRead.Name, schema.NotRecordedEdit.Name, schema.NotRecordedTestRun.Name)
}

// callID is the source's id; one that is missing or in use gets the step before it.
func (w *walker) callID(id schema.Opt[string], step string, i int) string {
	name, ok := id.Get()
	if !ok {
		name = step + "/tool-" + strconv.Itoa(i+1)
	} else if w.callIDs[name] {
		name = step + "/" + name
	}
	w.callIDs[name] = true
	return name
}

// resultOf finds what a call returned: by its id, or the only result of the only call.
func resultOf(step *atifStep, id schema.Opt[string], i int) *atifResult {
	if step.Observation == nil {
		return nil
	}
	list := step.Observation.Results
	for k := range list {
		if id.Has() && list[k].CallID == id {
			return &list[k]
		}
	}
	if len(list) == 1 && len(step.ToolCalls) == 1 && !list[0].CallID.Has() {
		return &list[0]
	}
	return nil
}

// contentBytes is the text of a result, or the JSON of one that is no text.
func contentBytes(v jsontext.Value) []byte {
	if v.Kind() == '"' {
		if b, err := jsontext.AppendUnquote(nil, v); err == nil {
			return b
		}
	}
	if v.Kind() == 'n' || len(v) == 0 {
		return nil
	}
	return v
}
