package derive

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/schema"
)

// calls adds a model call for each usage; nil means that the call reports none.
func (t *trace) calls(usages ...*schema.Usage) *trace {
	for i, u := range usages {
		t.model(schema.ModelCall{CallID: string(rune('a' + i)), Usage: u})
	}
	return t
}

func usage(input, output int64) *schema.Usage {
	return &schema.Usage{InputTokens: schema.Some(input), OutputTokens: schema.Some(output)}
}

// The numbers are those of the case's input: usage 100/10, absent, null.
func TestCase067UsageMissingInOneCall(t *testing.T) {
	rows := newTrace(schema.Task{}).calls(usage(100, 10), nil, &schema.Usage{}).finish(schema.RunFinished{}).derive()
	wants(t, rows, map[string]string{
		"model_calls": "3", "input_tokens": "[no_usage]", "input_tokens_partial": "100", "input_tokens_calls": "1",
		"input_tokens_from": "null", "output_tokens": "[no_usage]", "output_tokens_partial": "10", "output_tokens_calls": "1"})
}

// The numbers are those of the case's input: prompt 1000, cached 800, completion 50.
func TestCase069CachedTokensAreASubset(t *testing.T) {
	u := usage(1000, 50)
	u.CachedInputTokens, u.Convention = schema.Some[int64](800), schema.Some(schema.ConventionInclusive.Name)
	rows := newTrace(schema.Task{}).calls(u).finish(schema.RunFinished{}).derive()
	wants(t, rows, map[string]string{"input_tokens": "1000", "cached_input_tokens": "800", "output_tokens": "50"})
}

// The numbers are those of the case's input.
func TestCase070ReasoningTokensAreASubset(t *testing.T) {
	u := usage(16845360, 63820)
	u.ReasoningTokens = schema.Some[int64](24882)
	rows := newTrace(schema.Task{}).calls(u).finish(schema.RunFinished{}).derive()
	in, _ := valueOf(t, rows, "input_tokens").Integer()
	out, _ := valueOf(t, rows, "output_tokens").Integer()
	if in+out != 16909180 {
		t.Errorf("input and output: have %d, want 16909180, the source's own total", in+out)
	}
	wants(t, rows, map[string]string{"reasoning_tokens": "24882"})
}

// The numbers are those of the case's input: one call 100/10, declared total 1000.
func TestCase074TotalsAgainstSteps(t *testing.T) {
	rows := newTrace(schema.Task{}).calls(usage(100, 10)).
		finish(schema.RunFinished{Totals: &schema.Totals{InputTokens: schema.Some[int64](1000)}}).derive()
	wants(t, rows, map[string]string{"input_tokens": "100", "input_tokens_from": "events", "input_tokens_declared": "1000", "input_tokens_partial": "null"})
	if have := codes(rows); !slices.Equal(have, []string{"metric_mismatch:info:3"}) {
		t.Errorf("findings: have %v, want metric_mismatch", have)
	}
}

// The costs are those of the case's three inputs: absent, 0 with tokens, 0.12.
func TestCase075CostZeroOrUnknown(t *testing.T) {
	paid, zero := schema.Some(schema.USD(120_000_000)), schema.Some(schema.USD(0))
	for _, c := range []struct {
		name     string
		total    schema.Opt[schema.USD]
		metadata string
		want     map[string]string
		findings []string
	}{
		{name: "absent", want: map[string]string{"cost_usd": "[no_usage]", "cost_usd_declared": "null"}},
		{name: "zero", total: zero, want: map[string]string{"cost_usd": "[zero_cost_with_tokens]", "cost_usd_declared": "0.000000000", "cost_usd_from": "null"},
			findings: []string{"zero_cost_with_tokens:info:5"}},
		{name: "free", total: zero, metadata: `{"pricing":"free"}`, want: map[string]string{"cost_usd": "0.000000000"}},
		{name: "other pricing", total: zero, metadata: `{"pricing":{"input":0}}`, want: map[string]string{"cost_usd": "[zero_cost_with_tokens]"},
			findings: []string{"zero_cost_with_tokens:info:5"}},
		{name: "paid", total: paid, want: map[string]string{"cost_usd": "0.120000000", "cost_usd_declared": "0.120000000", "cost_usd_from": "totals"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTrace(schema.Task{}).calls(usage(10, 1), usage(10, 1), usage(10, 1)).
				finish(schema.RunFinished{Totals: &schema.Totals{CostUSD: c.total}})
			if c.metadata != "" {
				tr.manifest.ModelMetadata = schema.Some(schema.Object(c.metadata))
			}
			rows := tr.derive()
			wants(t, rows, c.want)
			if have := codes(rows); !slices.Equal(have, c.findings) && len(have)+len(c.findings) > 0 {
				t.Errorf("findings: have %v, want %v", have, c.findings)
			}
		})
	}
}

// The times are those of the case's input; its payloads are left empty there.
func TestCase076ClockRunsBackwards(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(caseFolder(t, "076-clock-runs-backwards"), "input", "trajectory.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	tr := &trace{manifest: testManifest(), end: Closing{TrajectoryFile: schema.TrajectoryFile}}
	for line := range bytes.Lines(text) {
		var ev struct {
			TS   schema.Time `json:"ts"`
			Type string      `json:"type"`
		}
		if err := json.Unmarshal(line, &ev); err != nil {
			t.Fatal(err)
		}
		typ, ok := schema.EventTypeByName(ev.Type)
		if !ok {
			t.Fatalf("no event type %s", ev.Type)
		}
		added := schema.Event{Type: typ}
		typ.Payload(&added)
		tr.addAt(added, schema.Some(ev.TS))
	}
	rows := tr.derive()
	wants(t, rows, map[string]string{"wall_time_s": "[time_regression]"})
	if have := codes(rows); !slices.Equal(have, []string{"time_regression:info:3", "time_regression:warning:4"}) {
		t.Errorf("findings: have %v", have)
	}
	if have := rows.Findings[1].Have; have != "-300000 ms" {
		t.Errorf("have %q, want -300000 ms", have)
	}
	if rows.Run.ExcludedBy.Has() {
		t.Error("the run is excluded; a step back of the clock excludes nothing")
	}
}

// The patches are those of the case's input. What a prediction without a text
// becomes is the importer's to say: no patch.
func TestCase059KindsOfEmptyPatch(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(caseFolder(t, "059-kinds-of-empty-patch"), "input", "preds.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	states, resolved := map[string]int{}, map[string]int{}
	for line := range bytes.Lines(text) {
		var pred struct {
			Patch schema.Opt[string] `json:"model_patch"`
		}
		if err := json.Unmarshal(line, &pred); err != nil {
			t.Fatal(err)
		}
		tr := newTrace(schema.Task{})
		finished := schema.RunFinished{Patch: schema.Some(schema.PatchNone.Name)}
		if text, ok := pred.Patch.Get(); ok {
			finished.Patch = schema.Some(schema.PatchFilePresent.Name)
			patch := ReadPatch([]byte(text))
			tr.end.Patch = &patch
		}
		rows := tr.finish(finished).derive()
		states[rows.Run.PatchState.Or("null")]++
		resolved[show(valueOf(t, rows, "resolved_at_1"))+" "+show(valueOf(t, rows, "resolved_by"))]++
	}
	for state, n := range map[string]int{"missing": 2, "empty": 2, "no_line_changes": 1, "real": 1} {
		if states[state] != n {
			t.Errorf("patch_state %s: have %d, want %d", state, states[state], n)
		}
	}
	for value, n := range map[string]int{"0 fault": 5, "[not_evaluated] null": 1} {
		if resolved[value] != n {
			t.Errorf("resolved_at_1 %s: have %d, want %d: %v", value, resolved[value], n, resolved)
		}
	}
}
