package derive

import (
	"math"
	"slices"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// Where a sum comes from: events where each call carries the field, else the
// declared total, else nowhere.
func TestSums(t *testing.T) {
	none, call := schema.Task{}, schema.ToolCall{CallID: "t", Name: "x", Status: "ok"}
	total := func(n int64) schema.RunFinished {
		return schema.RunFinished{Totals: &schema.Totals{InputTokens: schema.Some(n)}}
	}
	for _, c := range []struct {
		name   string
		run    *trace
		finish schema.RunFinished
		want   map[string]string
		found  []string
	}{
		{"each call carries it", newTrace(none).calls(usage(3, 1), usage(4, 1)), schema.RunFinished{},
			map[string]string{"input_tokens": "7", "input_tokens_from": "events", "input_tokens_calls": "2", "input_tokens_partial": "null", "input_tokens_declared": "null"}, nil},
		{"and the total agrees", newTrace(none).calls(usage(3, 1)), total(3), map[string]string{"input_tokens": "3", "input_tokens_declared": "3"}, nil},
		{"one call lacks it, a total is there", newTrace(none).calls(usage(3, 1), nil), total(9),
			map[string]string{"input_tokens": "9", "input_tokens_from": "totals", "input_tokens_partial": "3", "input_tokens_calls": "1"}, nil},
		{"no call, a total", newTrace(none), total(9), map[string]string{"input_tokens": "9", "input_tokens_from": "totals", "input_tokens_calls": "null"}, nil},
		{"no call, other events", newTrace(none).tool(call), schema.RunFinished{}, map[string]string{"input_tokens": "0", "input_tokens_from": "events"}, nil},
		{"nothing at all", newTrace(none), schema.RunFinished{}, map[string]string{"input_tokens": "[no_events]", "model_calls": "[no_events]", "cost_usd": "[no_events]"}, nil},
		{"beyond 63 bits", newTrace(none).calls(usage(math.MaxInt64, 1), usage(1, 1)), schema.RunFinished{}, map[string]string{"input_tokens": "[overflow]"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows := c.run.finish(c.finish).derive()
			wants(t, rows, c.want)
			if have := codes(rows); len(have)+len(c.found) > 0 && !slices.Equal(have, c.found) {
				t.Errorf("findings: have %v, want %v", have, c.found)
			}
		})
	}
}

// Retries spend tokens and are counted apart.
func TestRetries(t *testing.T) {
	tr := newTrace(schema.Task{})
	for attempt := range 3 {
		tr.model(schema.ModelCall{CallID: "m", Attempt: schema.Some(int64(attempt + 1)), Usage: usage(10, 1)})
	}
	wants(t, tr.finish(schema.RunFinished{}).derive(), map[string]string{"model_calls": "1", "model_call_retries": "2", "input_tokens": "30"})
}

// Money is compared to a relative 1e-9, all else exactly.
func TestCostsAreCompared(t *testing.T) {
	usd := func(n int64) schema.Opt[schema.USD] { return schema.Some(schema.USD(n)) }
	for _, c := range []struct {
		declared int64
		found    int
	}{{2_000_000_000, 0}, {2_000_000_001, 0}, {2_000_000_003, 1}} {
		rows := newTrace(schema.Task{}).model(schema.ModelCall{CallID: "m", CostUSD: usd(2_000_000_000)}).
			finish(schema.RunFinished{Totals: &schema.Totals{CostUSD: usd(c.declared)}}).derive()
		if have := len(rows.Findings); have != c.found {
			t.Errorf("%d: have %d findings, want %d", c.declared, have, c.found)
		}
		wants(t, rows, map[string]string{"cost_usd": "2.000000000", "cost_usd_declared": schema.USD(c.declared).String()})
	}
}

func TestWallTime(t *testing.T) {
	wants(t, newTrace(schema.Task{}).read("a").finish(schema.RunFinished{}).derive(), map[string]string{"wall_time_s": "2", "wall_time_s_from": "events"})
	wants(t, newTrace(schema.Task{}).finish(schema.RunFinished{Totals: &schema.Totals{AgentWallMS: schema.Some[int64](1500)}}).derive(),
		map[string]string{"wall_time_s": "1.5", "wall_time_s_from": "totals"})
	tr := newTrace(schema.Task{})
	tr.addAt(schema.Event{Type: &schema.EventRunFinished, RunFinished: &schema.RunFinished{Ending: "completed", Outcome: "resolved"}}, schema.None[schema.Time]())
	wants(t, tr.derive(), map[string]string{"wall_time_s": "[no_time]", "wall_time_s_from": "null"})
}

func TestOutputSpeed(t *testing.T) {
	call := func(tokens int64, ms schema.Opt[float64]) schema.ModelCall {
		return schema.ModelCall{CallID: "m", Usage: usage(1, tokens), LatencyMS: ms}
	}
	wants(t, newTrace(schema.Task{}).model(call(30, schema.Some(500.0))).model(call(10, schema.Some(1500.0))).finish(schema.RunFinished{}).derive(), map[string]string{"output_tokens_per_s": "20"})
	wants(t, newTrace(schema.Task{}).model(call(30, schema.None[float64]())).finish(schema.RunFinished{}).derive(), map[string]string{"output_tokens_per_s": "[no_time]"})
	wants(t, newTrace(schema.Task{}).model(call(30, schema.Some(0.0))).finish(schema.RunFinished{}).derive(), map[string]string{"output_tokens_per_s": "[no_time]"})
	wants(t, newTrace(schema.Task{}).read("a").finish(schema.RunFinished{}).derive(), map[string]string{"output_tokens_per_s": "[no_usage]"})
}

// The largest sample of an index counts; samples of other scopes do not.
func TestIndexSamples(t *testing.T) {
	sample := func(scope string, rss, build float64) schema.Event {
		return schema.Event{Type: &schema.EventResourceSample, ResourceSample: &schema.ResourceSample{Scope: scope, IndexID: schema.Some("i"),
			Measurements: schema.Members[schema.Quantity]{{Name: "rss_bytes", Value: schema.NumberQuantity(rss)}, {Name: "index_build_ms", Value: schema.NumberQuantity(build)}}}}
	}
	tr := newTrace(schema.Task{}).add(sample("index", 10, 3)).add(sample("index", 30, 2)).add(sample("process", 99, 99))
	rows := tr.finish(schema.RunFinished{}).derive()
	wants(t, rows, map[string]string{"index_rss_bytes": "30", "index_build_ms": "3", "index_disk_bytes": "[no_index_sample]", "query_p50_ms": "[no_query]"})
	if have := rows.Run.IndexID.Or(""); have != "i" {
		t.Errorf("index_id: have %q, want i", have)
	}
}

func TestFailures(t *testing.T) {
	tr := newTrace(schema.Task{})
	for _, kind := range []schema.Opt[string]{schema.None[string](), schema.Some("tool"), schema.Some("parser"), schema.Some("edit")} {
		tr.tool(schema.ToolCall{CallID: "t", Name: "x", Status: "error", ErrorKind: kind})
	}
	tr.tool(schema.ToolCall{CallID: "t", Name: "x", Status: "timeout"})
	tr.edit(schema.Edit{TargetPaths: []string{"a"}, Applied: true}).edit(schema.Edit{TargetPaths: []string{}, Applied: false})
	rows := tr.finish(schema.RunFinished{Ending: "timeout", Outcome: "unresolved"}).derive()
	wants(t, rows, map[string]string{"tool_failures": "3", "parser_failures": "1", "edit_failures": "1", "timed_out": "1",
		"edit_success": "0.5", "patch_applied": "0", "failure_stage": "unknown"})
}
