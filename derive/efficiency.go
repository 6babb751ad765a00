package derive

import (
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// usageFacts adds up what calls report.
type usageFacts struct {
	// calls counts the model calls, retries those with an attempt above 1.
	calls, retries int64
	toolCalls      int64
	input, output  tally
	cached, write  tally
	reasoning      tally
	tool, cost     tally
	// both adds input and output of the calls that carry the two.
	both tally
	// latency adds the latencies, in ms; timed counts the calls that carry one.
	latency float64
	timed   int64
}

func (u *usageFacts) modelCall(row *schema.ModelCallRow) {
	u.calls++
	if row.Attempt > 1 {
		u.retries++
	}
	u.input.add(row.InputTokens)
	u.output.add(row.OutputTokens)
	u.cached.add(row.CachedInputTokens)
	u.write.add(row.CacheWriteInputTokens)
	u.reasoning.add(row.ReasoningTokens)
	if row.InputTokens.Has() && row.OutputTokens.Has() {
		u.both.add(row.InputTokens)
		u.both.add(row.OutputTokens)
		u.both.n--
	}
	if c, ok := row.CostUSD.Get(); ok {
		u.cost.add(schema.Some(int64(c)))
	}
	if l, ok := row.LatencyMS.Get(); ok {
		u.latency += l
		u.timed++
	}
}

func (u *usageFacts) toolCall(row *schema.ToolCallRow) {
	u.toolCalls++
	u.tool.add(row.ResultTokens)
}

// efficiency computes what the run cost.
var efficiency = []runMetric{
	{&schema.InputTokens, func(r *Run, out []schema.Value) {
		r.sum(&schema.InputTokens, &schema.NotRecordedModelCall, r.usage.input, r.usage.calls, r.finish.totals.InputTokens, schema.Integer, out)
	}},
	{&schema.OutputTokens, func(r *Run, out []schema.Value) {
		r.sum(&schema.OutputTokens, &schema.NotRecordedModelCall, r.usage.output, r.usage.calls, r.finish.totals.OutputTokens, schema.Integer, out)
	}},
	{&schema.CachedInputTokens, func(r *Run, out []schema.Value) {
		r.sum(&schema.CachedInputTokens, &schema.NotRecordedModelCall, r.usage.cached, r.usage.calls, r.finish.totals.CachedInputTokens, schema.Integer, out)
	}},
	{&schema.CacheWriteInputTokens, func(r *Run, out []schema.Value) {
		r.sum(&schema.CacheWriteInputTokens, &schema.NotRecordedModelCall, r.usage.write, r.usage.calls, r.finish.totals.CacheWriteInputTokens, schema.Integer, out)
	}},
	{&schema.ReasoningTokens, func(r *Run, out []schema.Value) {
		r.sum(&schema.ReasoningTokens, &schema.NotRecordedModelCall, r.usage.reasoning, r.usage.calls, r.finish.totals.ReasoningTokens, schema.Integer, out)
	}},
	{&schema.ToolTokens, func(r *Run, out []schema.Value) {
		r.sum(&schema.ToolTokens, &schema.NotRecordedToolCall, r.usage.tool, r.usage.toolCalls, r.finish.totals.ToolTokens, schema.Integer, out)
	}},
	{&schema.CostUSD, costUSD},
	{&schema.UserTurns, userTurns},
	{&schema.ModelCalls, modelCalls},
	{&schema.ToolCalls, func(r *Run, out []schema.Value) {
		r.calls(&schema.ToolCalls, &schema.NotRecordedToolCall, r.usage.toolCalls, r.usage.toolCalls > 0, r.finish.totals.ToolCalls, out)
	}},
	{&schema.TestRuns, func(r *Run, out []schema.Value) {
		r.calls(&schema.TestRuns, &schema.NotRecordedTestRun, int64(len(r.rows.TestRuns)), len(r.rows.TestRuns) > 0, r.finish.totals.TestRuns, out)
	}},
	{&schema.WallTimeS, wallTime},
	{&schema.OutputTokensPerS, outputSpeed},
}

// sum fills in a metric that adds up a field of every call. Where each call
// carries the field the events count; where one does not, or there is none, the
// declared total does, and so it does where the source does not record over, the
// calls. out is value, from, declared, partial, calls.
func (r *Run) sum(m *schema.Metric, over *schema.Word, t tally, calls int64, declared schema.Opt[int64], value func(int64) schema.Value, out []schema.Value) {
	total, hasTotal := declared.Get()
	if hasTotal {
		out[2] = value(total)
	}
	if calls > 0 {
		out[4] = schema.Integer(t.n)
	}
	complete := calls > 0 && t.n == calls && !r.omits(over)
	switch {
	case complete && t.over:
		out[0] = schema.Missing(&schema.MissingOverflow)
	case complete:
		out[0], out[1] = value(t.sum), schema.Text(schema.FromEvents)
		r.compareTotal(m, total, hasTotal, t.sum)
	case hasTotal:
		out[0], out[1] = value(total), schema.Text(schema.FromTotals)
	case r.omits(over) && r.work.activity:
		out[0] = schema.Missing(&schema.MissingNotRecorded)
	case calls > 0:
		out[0] = schema.Missing(&schema.MissingNoUsage)
	case r.work.activity:
		out[0], out[1] = value(0), schema.Text(schema.FromEvents)
	default:
		out[0] = schema.Missing(&schema.MissingNoEvents)
	}
	if !complete && t.n > 0 && !t.over {
		out[3] = value(t.sum)
	}
}

// compareTotal reports a declared total that differs from the sum of the events:
// integers by anything, money by more than a relative 1e-9.
func (r *Run) compareTotal(m *schema.Metric, total int64, declared bool, sum int64) {
	if !declared || total == sum || m.Type == schema.TypeDecimal && near(float64(total), float64(sum)) {
		return
	}
	show := func(n int64) string { return strconv.FormatInt(n, 10) }
	if m.Type == schema.TypeDecimal {
		show = func(n int64) string { return schema.USD(n).String() }
	}
	r.find(&schema.MetricMismatch, r.finish.line, "/data/totals/"+m.Name, show(total), show(sum)+", the sum over the events")
}

func costUSD(r *Run, out []schema.Value) {
	declared := schema.None[int64]()
	if c, ok := r.finish.totals.CostUSD.Get(); ok {
		declared = schema.Some(int64(c))
	}
	amount := func(n int64) schema.Value { return schema.Amount(schema.USD(n)) }
	// Calls that a column holds one by one may add up to more than it does.
	spent := r.usage.cost
	spent.over = spent.over || spent.sum > int64(schema.MaxUSD)
	r.sum(&schema.CostUSD, &schema.NotRecordedModelCall, spent, r.usage.calls, declared, amount, out)
	if c, ok := out[0].Amount(); !ok || c != 0 || !r.usedTokens() || r.freeModel() {
		return
	}
	out[0], out[1] = schema.Missing(&schema.MissingZeroCost), schema.Value{}
	if !out[2].Has() {
		out[2] = amount(0)
	}
	r.find(&schema.ZeroCostWithTokens, r.finish.line, "/data/totals/cost_usd", "0", "a cost, or null where it was not tracked")
}

// usedTokens reports whether the run is known to have used tokens.
func (r *Run) usedTokens() bool {
	t := &r.finish.totals
	return r.usage.input.sum > 0 || r.usage.output.sum > 0 || t.InputTokens.Or(0) > 0 || t.OutputTokens.Or(0) > 0
}

func userTurns(r *Run, out []schema.Value) {
	if n, ok := r.finish.totals.UserTurns.Get(); ok {
		out[0] = schema.Integer(n)
		return
	}
	out[0] = schema.Missing(&schema.MissingNotDeclared)
}

func modelCalls(r *Run, out []schema.Value) {
	r.calls(&schema.ModelCalls, &schema.NotRecordedModelCall, r.usage.calls-r.usage.retries, r.usage.calls > 0, r.finish.totals.ModelCalls, out)
	if r.usage.calls > 0 {
		out[3] = schema.Integer(r.usage.retries)
	}
}

// calls fills in a count of events, of which the run recorded some or none: out is
// value, from, declared.
func (r *Run) calls(m *schema.Metric, over *schema.Word, n int64, recorded bool, declared schema.Opt[int64], out []schema.Value) {
	total, hasTotal := declared.Get()
	if hasTotal {
		out[2] = schema.Integer(total)
	}
	switch {
	case recorded && !r.omits(over):
		out[0], out[1] = schema.Integer(n), schema.Text(schema.FromEvents)
		r.compareTotal(m, total, hasTotal, n)
	case hasTotal:
		out[0], out[1] = schema.Integer(total), schema.Text(schema.FromTotals)
	case r.omits(over) && r.work.activity:
		out[0] = schema.Missing(&schema.MissingNotRecorded)
	case r.work.activity:
		out[0], out[1] = schema.Integer(0), schema.Text(schema.FromEvents)
	default:
		out[0] = schema.Missing(&schema.MissingNoEvents)
	}
}

func wallTime(r *Run, out []schema.Value) {
	if ms, ok := r.finish.totals.AgentWallMS.Get(); ok {
		out[0], out[1] = schema.Double(float64(ms)/1000), schema.Text(schema.FromTotals)
		return
	}
	from, hasFrom := r.start.ts.Get()
	to, hasTo := r.finish.ts.Get()
	switch {
	case !hasFrom || !hasTo:
		out[0] = schema.Missing(&schema.MissingNoTime)
	case to < from:
		r.regression(r.finish.line, to-from, &schema.WallTimeS)
		out[0] = schema.Missing(&schema.MissingTimeRegression)
	default:
		out[0], out[1] = schema.Double(float64(to-from)/1e6), schema.Text(schema.FromEvents)
	}
}

func outputSpeed(r *Run, out []schema.Value) {
	u := &r.usage
	switch {
	case u.calls == 0 || u.output.n < u.calls:
		out[0] = schema.Missing(&schema.MissingNoUsage)
	case u.timed < u.calls || u.latency <= 0:
		out[0] = schema.Missing(&schema.MissingNoTime)
	case u.output.over:
		out[0] = schema.Missing(&schema.MissingOverflow)
	default:
		out[0] = fraction(float64(u.output.sum), u.latency/1000)
	}
}
