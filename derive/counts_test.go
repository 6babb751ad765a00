package derive

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

// Two of one passed: no share, no regression and no verdict rests on it, and what was
// said is a finding.
func TestMorePassedThanThereAre(t *testing.T) {
	odd := &schema.PassedTotal{Passed: 2, Total: 1}
	tr := newTrace(schema.Task{}).check(schema.TestRun{Kind: schema.KindTest.Name, FailToPass: odd, PassToPass: odd}).
		finish(schema.RunFinished{Outcome: schema.OutcomeUnresolved.Name})
	tr.end.TestResults = &schema.TestResults{Counts: &schema.ListedCounts{FailToPass: odd, PassToPass: odd}}
	rows := tr.derive()
	for _, m := range []*schema.Metric{&schema.FailToPass, &schema.PassToPass, &schema.Regressions} {
		if have := rows.Run.Values[schema.ValueIndex(m)]; have.Has() {
			t.Errorf("%s: have %v, want it missing", m.Name, have)
		}
	}
	if have, _ := rows.Run.Values[schema.ValueIndex(&schema.ResolvedAt1)+1].Text(); have != schema.ResolvedByOutcome.Name {
		t.Errorf("resolved by %v, want the outcome", have)
	}
	found := 0
	for _, f := range rows.Findings {
		if f.Code == &schema.MetricMismatch {
			found++
		}
	}
	if found != 3 {
		t.Errorf("have %v, want one finding a count of the document and one for the events", rows.Findings)
	}
	if n := rows.TestRuns[0].FailToPassPassed; n.Or(0) != 2 {
		t.Errorf("the row says %v passed, want 2 as recorded", n)
	}
}

// Amounts that a DECIMAL(18,9) holds one by one may add up to more: missing, never a
// row that cannot be written.
func TestCostBeyondItsColumn(t *testing.T) {
	tr := newTrace(schema.Task{})
	for range 2 {
		tr.model(schema.ModelCall{CallID: "m", CostUSD: schema.Some(schema.MaxUSD), Usage: usage(1, 1), LatencyMS: schema.Some(1.7e308)})
	}
	wants(t, tr.finish(schema.RunFinished{}).derive(), map[string]string{"cost_usd": "[overflow]", "cost_usd_partial": "null", "cost_usd_calls": "2", "output_tokens_per_s": "[overflow]"})
}
