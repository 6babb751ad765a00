package derive

import "github.com/assay-bench/assay/schema"

// navigationFacts follows which files the agent turned to.
type navigationFacts struct {
	seen     map[readKey]struct{}
	repeated int64
	reads    int64
	// first is the first read of relevant gold, and what was spent before it.
	first struct {
		reached   bool
		ts        schema.Opt[schema.Time]
		line      int64
		tokens    int64
		noUsage   bool
		over      bool
		toolCalls int64
	}
	at       *entity
	switches int64
	back     int64
}

// readKey tells reads apart: what was shown, as far as the harness says.
type readKey struct {
	file       *entity
	start, end schema.Opt[int64]
	content    schema.Opt[string]
}

func (n *navigationFacts) reset() {
	seen := n.seen
	if seen == nil {
		seen = map[readKey]struct{}{}
	}
	clear(seen)
	*n = navigationFacts{seen: seen}
}

// read takes in a file_read, and says in its row whether it repeats another.
func (n *navigationFacts) read(r *Run, e *entity, row *schema.FileReadRow, isGold bool) {
	n.reads++
	key := readKey{e, row.StartLine, row.EndLine, row.ContentSHA256}
	if _, row.Repeated = n.seen[key]; row.Repeated {
		n.repeated++
	}
	n.seen[key] = struct{}{}
	if isGold && !n.first.reached {
		f, u := &n.first, &r.usage
		f.reached, f.ts, f.line = true, row.TS, row.Line
		f.tokens, f.noUsage, f.over = u.both.sum, u.both.n < u.calls, u.both.over
		f.toolCalls = u.toolCalls
	}
	n.visit(r, e)
}

// visit takes in that the agent read or edited a file.
func (n *navigationFacts) visit(r *Run, e *entity) {
	if n.at == e {
		return
	}
	if n.at != nil {
		n.switches++
		if e.visited == r.number {
			n.back++
		}
	}
	n.at, e.visited = e, r.number
}

// navigation computes how the agent found its way.
var navigation = []runMetric{
	{&schema.TimeToFirstGoldMS, timeToFirstGold},
	{&schema.TokensToFirstGold, tokensToFirstGold},
	{&schema.ToolCallsToFirstGold, toolCallsToFirstGold},
	{&schema.RepeatedReads, func(r *Run, out []schema.Value) { out[0] = r.ifRecorded(r.nav.repeated, &schema.NotRecordedFileRead) }},
	{&schema.Churn, churn},
}

// noFirstGold says why there is no first read of gold, or nil.
func (r *Run) noFirstGold() *schema.MissingReason {
	switch {
	case r.gold.files == 0:
		return &schema.MissingNoGold
	case r.omits(&schema.NotRecordedFileRead):
		return &schema.MissingNotRecorded
	case r.nav.reads == 0:
		return &schema.MissingNoRead
	case !r.nav.first.reached:
		return &schema.MissingNotReached
	}
	return nil
}

func timeToFirstGold(r *Run, out []schema.Value) {
	why := r.noFirstGold()
	if why == nil || why == &schema.MissingNotReached {
		out[1] = schema.Flag(why == nil)
	}
	if why != nil {
		out[0] = schema.Missing(why)
		return
	}
	from, hasFrom := r.start.ts.Get()
	to, hasTo := r.nav.first.ts.Get()
	switch {
	case !hasFrom || !hasTo:
		out[0] = schema.Missing(&schema.MissingNoTime)
	case to < from:
		r.regression(r.nav.first.line, to-from, &schema.TimeToFirstGoldMS)
		out[0] = schema.Missing(&schema.MissingTimeRegression)
	default:
		out[0] = schema.Double(float64(to-from) / 1e3)
	}
}

func tokensToFirstGold(r *Run, out []schema.Value) {
	why, first := r.noFirstGold(), &r.nav.first
	switch {
	case why != nil:
		out[0] = schema.Missing(why)
	case r.omits(&schema.NotRecordedModelCall):
		out[0] = schema.Missing(&schema.MissingNotRecorded)
	case first.noUsage:
		out[0] = schema.Missing(&schema.MissingNoUsage)
	case first.over:
		out[0] = schema.Missing(&schema.MissingOverflow)
	default:
		out[0] = schema.Integer(first.tokens)
	}
}

func toolCallsToFirstGold(r *Run, out []schema.Value) {
	why := r.noFirstGold()
	switch {
	case why != nil:
		out[0] = schema.Missing(why)
	case r.omits(&schema.NotRecordedToolCall):
		out[0] = schema.Missing(&schema.MissingNotRecorded)
	default:
		out[0] = schema.Integer(r.nav.first.toolCalls)
	}
}

func churn(r *Run, out []schema.Value) {
	if r.omits(&schema.NotRecordedFileRead) || r.omits(&schema.NotRecordedEdit) {
		out[0] = schema.Missing(&schema.MissingNotRecorded)
		return
	}
	if r.nav.switches < 2 {
		out[0] = schema.Missing(&schema.MissingTooFewSwitches)
		return
	}
	out[0] = schema.Double(float64(r.nav.back) / float64(r.nav.switches))
}
