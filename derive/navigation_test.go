package derive

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestFirstGold(t *testing.T) {
	gold := schema.Task{Gold: goldFiles("g.go")}
	call := schema.ToolCall{CallID: "t", Name: "read", Status: "ok"}
	for _, c := range []struct {
		name string
		run  *trace
		want map[string]string
	}{
		// Events stand a second apart: the read is the fifth.
		{"reached", newTrace(gold).calls(usage(100, 10)).tool(call).read("a.go").read("./g.go").calls(usage(1, 1)),
			map[string]string{"first_gold_reached": "1", "time_to_first_gold_ms": "4000", "tokens_to_first_gold": "110", "tool_calls_to_first_gold": "1"}},
		{"not reached", newTrace(gold).read("a.go"),
			map[string]string{"first_gold_reached": "0", "time_to_first_gold_ms": "[not_reached]", "tokens_to_first_gold": "[not_reached]"}},
		{"nothing read", newTrace(gold).tool(call), map[string]string{"first_gold_reached": "null", "time_to_first_gold_ms": "[no_read]"}},
		{"no gold", newTrace(schema.Task{}).read("a.go"), map[string]string{"first_gold_reached": "null", "tool_calls_to_first_gold": "[no_gold]"}},
		{"a call before it without usage", newTrace(gold).calls(usage(100, 10), nil).read("g.go"), map[string]string{"tokens_to_first_gold": "[no_usage]", "first_gold_reached": "1"}},
		{"a call after it without usage", newTrace(gold).calls(usage(100, 10)).read("g.go").calls(nil), map[string]string{"tokens_to_first_gold": "110"}},
		{"no time", newTrace(gold).addAt(schema.Event{Type: &schema.EventFileRead, FileRead: &schema.FileRead{Path: "g.go"}}, schema.None[schema.Time]()),
			map[string]string{"time_to_first_gold_ms": "[no_time]", "first_gold_reached": "1", "tokens_to_first_gold": "0"}},
		{"before the start", newTrace(gold).addAt(schema.Event{Type: &schema.EventFileRead, FileRead: &schema.FileRead{Path: "g.go"}}, schema.Some(hour-1500)),
			map[string]string{"time_to_first_gold_ms": "[time_regression]"}},
	} {
		t.Run(c.name, func(t *testing.T) { wants(t, c.run.finish(schema.RunFinished{}).derive(), c.want) })
	}
}

// Switches are counted over the files in order, equal neighbours merged. By hand.
func TestChurn(t *testing.T) {
	for _, c := range []struct {
		name  string
		paths []string
		want  string
	}{
		{"nothing", nil, "[too_few_switches]"},
		{"one switch", []string{"a", "a", "b"}, "[too_few_switches]"},
		{"always on", []string{"a", "b", "c"}, "0"},
		{"there and back", []string{"a", "b", "a"}, "0.5"},
		{"to and fro", []string{"a", "b", "a", "b", "b"}, "0.6666666666666666"},
		{"one file in two spellings", []string{"a", "./a", "b", "c"}, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTrace(schema.Task{})
			for _, p := range c.paths {
				tr.read(p)
			}
			wants(t, tr.finish(schema.RunFinished{}).derive(), map[string]string{"churn": c.want})
		})
	}
}

func TestRepeatedReads(t *testing.T) {
	read := func(start int64, content string) schema.Event {
		return schema.Event{Type: &schema.EventFileRead, FileRead: &schema.FileRead{Path: "a", StartLine: schema.Some(start), ContentSHA256: schema.Some(content)}}
	}
	tr := newTrace(schema.Task{}).add(read(1, "x")).add(read(1, "x")).add(read(2, "x")).add(read(1, "y")).add(read(1, "x"))
	wants(t, tr.finish(schema.RunFinished{}).derive(), map[string]string{"repeated_reads": "2"})
	wants(t, newTrace(schema.Task{}).finish(schema.RunFinished{}).derive(), map[string]string{"repeated_reads": "[no_events]"})
}
