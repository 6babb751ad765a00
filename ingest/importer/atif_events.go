package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

// usage reads the metrics of a step. All-zero tokens of a call that was made mean
// that nothing was tracked: they and a zero cost beside them are missing.
func (s *source) usage(m *atifMetrics) (*schema.Usage, schema.Opt[schema.USD]) {
	u := &schema.Usage{InputTokens: s.integer(m.Prompt), OutputTokens: s.integer(m.Completion), CachedInputTokens: s.integer(m.Cached)}
	cost := s.usd(m.Cost)
	if untracked(u.InputTokens, u.OutputTokens, u.CachedInputTokens) {
		s.zero()
		if cost.Or(1) == 0 {
			cost = schema.None[schema.USD]()
		}
		return nil, cost
	}
	if x := m.Extra; x != nil {
		u.ReasoningTokens = atMost(x.Reasoning.integer(), u.OutputTokens)
		u.CacheWriteInputTokens = atMost(x.CacheWrite.integer(), u.InputTokens)
	}
	if !u.InputTokens.Has() && !u.OutputTokens.Has() && !u.CachedInputTokens.Has() {
		return nil, cost
	}
	// prompt_tokens holds the cached ones, completion_tokens the reasoning.
	u.Convention = schema.Some(schema.ConventionInclusive.Name)
	return u, cost
}

// zero counts the run that is being written among those whose zeros are missing.
func (s *source) zero() {
	if !s.zeros[s.writing] {
		s.zeros[s.writing] = true
		s.report.count(countZeros, 1)
	}
}

// untracked reports whether counts that are there are all zero.
func untracked(list ...schema.Opt[int64]) bool {
	some := false
	for _, o := range list {
		n, ok := o.Get()
		if n != 0 {
			return false
		}
		some = some || ok
	}
	return some
}

// atMost drops a part that is larger than its whole: the name means something
// else there.
func atMost(part, whole schema.Opt[int64]) schema.Opt[int64] {
	if part.Or(0) > whole.Or(0) {
		return schema.None[int64]()
	}
	return part
}

func (s *source) integer(n number) schema.Opt[int64] {
	v := n.integer()
	if !v.Has() && (n.odd || n.text != "") {
		s.report.count(countOddNumbers, 1)
	}
	return v
}

func (s *source) usd(n number) schema.Opt[schema.USD] {
	v := n.usd()
	if !v.Has() && (n.odd || n.text != "") {
		s.report.count(countOddNumbers, 1)
	}
	return v
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

// subagents appends the trajectories that a step refers to, once each.
func (w *walker) subagents(p *part, step *atifStep, who agentName) error {
	if step.Observation == nil {
		return nil
	}
	for _, r := range step.Observation.Results {
		for _, ref := range r.Subagent {
			if err := w.subagent(p, ref, who); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walker) subagent(p *part, ref atifRef, who agentName) error {
	name := present(ref.TrajectoryID)
	if !name.Has() {
		name = present(ref.SessionID)
	}
	if !name.Has() {
		name = present(ref.Path)
	}
	sub := agentName{name, parentName(p, who)}
	for i := range p.doc.Subagents {
		l := &p.doc.Subagents[i]
		if id := present(l.value.TrajectoryID); id.Has() && id == ref.TrajectoryID {
			return w.embedded(p, l, who)
		}
	}
	path, ok := present(ref.Path).Get()
	if !ok {
		w.lost = true
		w.s.report.missing(p.text.file.rel, name.Or("a sub-agent without a name"))
		return nil
	}
	f, ok := w.s.referred(p.text.file, path)
	if !ok {
		w.lost = true
		w.s.report.missing(p.text.file.rel, path)
		return nil
	}
	if w.visited[f.abs] {
		return nil
	}
	w.visited[f.abs] = true
	if ok, err := w.s.claim(f, path); err != nil || !ok {
		w.lost = true
		return err
	}
	c, err := w.s.loadChain(f)
	var d *damage
	if errors.As(err, &d) {
		w.lost = true
		w.s.report.leaveOut(d.place, d.reason)
		return nil
	}
	if err != nil {
		return err
	}
	w.extra = append(w.extra, c.originals()...)
	return w.chain(c, sub, name.Or("")+"/")
}

// embedded appends a sub-agent's trajectory that stands inside its parent's.
func (w *walker) embedded(p *part, l *located[atifDocument], who agentName) error {
	key := fmt.Sprintf("%s\x00%d", p.text.file.abs, p.base+l.start)
	if w.visited[key] {
		return nil
	}
	w.visited[key] = true
	name := present(l.value.TrajectoryID)
	if !name.Has() {
		name = schema.Some("subagent-" + strconv.Itoa(len(w.visited)))
	}
	inner := &part{text: p.text, base: p.base + l.start, doc: &l.value}
	if err := w.s.uniqueSteps(inner); err != nil {
		return err
	}
	return w.part(inner, agentName{name, parentName(p, who)}, name.Or("")+"/")
}

// parentName names the agent that started a sub-agent.
func parentName(p *part, who agentName) schema.Opt[string] {
	return schema.Some(who.name.Or(p.doc.Agent.Name.Or("main")))
}
