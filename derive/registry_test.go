package derive

import (
	"fmt"
	"slices"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// Every metric of the registry is computed exactly once, and nothing else is.
func TestEveryMetricHasOneComputation(t *testing.T) {
	computed := map[*schema.Metric]int{}
	for _, m := range runMetrics {
		computed[m.of]++
		if m.of.Level != schema.LevelRun {
			t.Errorf("%s is computed for runs, its level is %s", m.of.Name, m.of.Level)
		}
	}
	for _, m := range queryMetrics {
		computed[m.of]++
		if m.of.Level != schema.LevelQuery {
			t.Errorf("%s is computed for queries, its level is %s", m.of.Name, m.of.Level)
		}
	}
	for _, m := range schema.Metrics {
		if computed[m] != 1 {
			t.Errorf("%s %s: %d computations, want 1", m.Level, m.Name, computed[m])
		}
		delete(computed, m)
	}
	for m := range computed {
		t.Errorf("%s %s is computed and not listed", m.Level, m.Name)
	}
}

// A metric gives the same answer when it sees only what it says it reads.
func TestMetricsReadWhatTheySay(t *testing.T) {
	for name, tr := range traces() {
		t.Run(name, func(t *testing.T) {
			whole := tr.derive()
			for _, m := range schema.Metrics {
				part := tr.only(m.Reads).derive()
				for i, have := range column(part, m) {
					if want := column(whole, m)[i]; show(have) != show(want) {
						t.Errorf("%s %s: have %s from what it reads, %s from all", m.Level, m.Name, show(have), show(want))
					}
				}
			}
		})
	}
}

// Metrics have the type that the registry gives them, and what is not there has
// a reason.
func TestValuesHaveTheirType(t *testing.T) {
	for name, tr := range traces() {
		rows := tr.derive()
		for i, c := range schema.ValueColumns(schema.LevelRun) {
			v := rows.Run.Values[i]
			if v.Has() && v.Type() != c.Type {
				t.Errorf("%s: %s is %s, want %s", name, c.Name, v.Type(), c.Type)
			}
			if c.Companion == nil && !v.Has() && v.Why() == nil {
				t.Errorf("%s: %s is NULL without a reason", name, c.Name)
			}
			if c.Companion == nil && v.Why() != nil && !slices.Contains(schema.MissingReasons, v.Why()) {
				t.Errorf("%s: %s is missing for %s, which is not listed", name, c.Name, v.Why().Name)
			}
		}
		for q := range rows.Queries {
			for i, c := range schema.ValueColumns(schema.LevelQuery) {
				if v := rows.Queries[q].Values[i]; v.Has() && v.Type() != c.Type {
					t.Errorf("%s: query %d: %s is %s, want %s", name, q, c.Name, v.Type(), c.Type)
				}
			}
		}
	}
}

// The rows of a run depend on that run alone, not on those derived before it.
func TestRunsDoNotTouchEachOther(t *testing.T) {
	reused := New()
	for range 2 {
		for name, tr := range traces() {
			have, want := fmt.Sprintf("%+v", *tr.deriveWith(reused)), fmt.Sprintf("%+v", *tr.derive())
			// Reasons are pointers; both runs point to the same variables.
			if have != want {
				t.Errorf("%s: a reused Run gives other rows", name)
			}
		}
	}
}

// only returns the trace with the events and documents of reads alone.
func (t *trace) only(reads []string) *trace {
	has := func(name string) bool { return slices.Contains(reads, name) }
	out := &trace{manifest: t.manifest, end: Closing{TrajectoryFile: t.end.TrajectoryFile, Findings: t.end.Findings}}
	if !has(schema.DocumentManifest.Name) {
		m := *t.manifest
		m.ContextBudget, m.ModelMetadata, m.Source = schema.None[int64](), schema.None[schema.Object](), nil
		m.NotRecorded = nil
		out.manifest = &m
	}
	if has(schema.DocumentTask.Name) {
		out.task = t.task
	}
	if has(schema.DocumentTestResults.Name) {
		out.end.TestResults = t.end.TestResults
	}
	if has(schema.PatchFile) {
		out.end.Patch = t.end.Patch
	}
	if has(schema.DocumentFinalMetrics.Name) {
		out.end.FinalMetrics = t.end.FinalMetrics
	}
	active := false
	for _, ev := range t.events {
		if ev.Type != &schema.EventRunStarted && ev.Type != &schema.EventRunFinished {
			active = true
		}
		if has(ev.Type.Name) {
			out.events = append(out.events, ev)
		}
	}
	if active && has(schema.ReadsActivity) {
		out.add(schema.Event{Type: &schema.EventResourceSample, ResourceSample: &schema.ResourceSample{Scope: schema.ScopeSystem.Name}})
	}
	return out
}

// column prints the values of a metric and its companions, of all queries where
// the metric is one of queries.
func column(rows *Rows, m *schema.Metric) []schema.Value {
	at := schema.ValueIndex(m)
	if m.Level == schema.LevelRun {
		return rows.Run.Values[at : at+1+len(m.Companions)]
	}
	var list []schema.Value
	for i := range rows.Queries {
		list = append(list, rows.Queries[i].Values[at])
	}
	return list
}
