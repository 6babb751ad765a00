package derive

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

// What a manifest says that the source does not record is missing, never zero; what
// a total declares stays. The same run without that word has zeros.
func TestNotRecorded(t *testing.T) {
	for _, c := range []struct {
		word    *schema.Word
		without map[string]string
	}{
		{&schema.NotRecordedModelCall, map[string]string{"input_tokens": "0", "output_tokens": "0", "cached_input_tokens": "0", "cache_write_input_tokens": "0",
			"reasoning_tokens": "0", "cost_usd": "0.000000000", "model_calls": "0", "tokens_to_first_gold": "0"}},
		{&schema.NotRecordedToolCall, map[string]string{"tool_calls": "1", "tool_tokens": "4", "tool_failures": "0", "parser_failures": "0", "tool_calls_to_first_gold": "1"}},
		{&schema.NotRecordedToolStatus, map[string]string{"tool_failures": "0", "parser_failures": "0"}},
		{&schema.NotRecordedFileRead, map[string]string{"repeated_reads": "0", "time_to_first_gold_ms": "2000", "tokens_to_first_gold": "0",
			"tool_calls_to_first_gold": "1", "churn": "[too_few_switches]"}},
		{&schema.NotRecordedEdit, map[string]string{"edit_failures": "0", "edit_success": "[no_edit]", "churn": "[too_few_switches]"}},
		{&schema.NotRecordedTestRun, map[string]string{"test_runs": "0", "syntax_ok": "[not_run]", "lint_ok": "[not_run]", "build_ok": "[not_run]"}},
	} {
		run := func() *trace {
			return newTrace(schema.Task{Gold: goldFiles("a.go")}).
				tool(schema.ToolCall{CallID: "1", Name: "cat", Status: schema.StatusOK.Name, ResultTokens: schema.Some[int64](4)}).read("a.go")
		}
		wants(t, run().finish(schema.RunFinished{}).derive(), c.without)
		want := map[string]string{}
		for name := range c.without {
			want[name] = "[not_recorded]"
		}
		silent := run()
		silent.manifest.NotRecorded = []string{c.word.Name}
		wants(t, silent.finish(schema.RunFinished{}).derive(), want)
	}
}

// A declared total is the source's own word, whatever its events leave out.
func TestTotalsOfWhatIsNotRecorded(t *testing.T) {
	tr := newTrace(schema.Task{}).read("a.go")
	tr.manifest.NotRecorded = []string{schema.NotRecordedModelCall.Name, schema.NotRecordedToolCall.Name, schema.NotRecordedTestRun.Name}
	tr.finish(schema.RunFinished{Totals: &schema.Totals{InputTokens: schema.Some[int64](10), ToolTokens: schema.Some[int64](5),
		ModelCalls: schema.Some[int64](3), ToolCalls: schema.Some[int64](2), TestRuns: schema.Some[int64](1)}})
	wants(t, tr.derive(), map[string]string{"input_tokens": "10", "input_tokens_from": "totals", "tool_tokens": "5", "model_calls": "3",
		"tool_calls": "2", "test_runs": "1", "test_runs_from": "totals", "output_tokens": "[not_recorded]"})
}

// The ok that the contract asks for says nothing where the status is not recorded;
// an error that the source does know stays.
func TestStatusNotRecorded(t *testing.T) {
	tr := newTrace(schema.Task{})
	tr.manifest.NotRecorded = []string{schema.NotRecordedToolStatus.Name}
	for _, status := range []schema.Word{schema.StatusOK, schema.StatusError} {
		tr.tool(schema.ToolCall{CallID: status.Name, Name: "sh", Status: status.Name})
	}
	rows := tr.finish(schema.RunFinished{}).derive()
	if have := rows.ToolCalls[0].Status; have.Has() {
		t.Errorf("status: have %s, want NULL", have.Or(""))
	}
	if have := rows.ToolCalls[1].Status.Or("NULL"); have != schema.StatusError.Name {
		t.Errorf("status: have %s, want %s", have, schema.StatusError.Name)
	}
}
