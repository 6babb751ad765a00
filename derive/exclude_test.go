package derive

import (
	"slices"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// fault is a finding as reading gives it.
func fault(code *schema.FindingCode, line int64) schema.Finding {
	return schema.Finding{Code: code, Severity: code.Severity, File: schema.TrajectoryFile, Line: line}
}

func reasons(rows *Rows) []string {
	out := []string{}
	for _, e := range rows.Exclusions {
		out = append(out, e.Reason)
	}
	return out
}

func TestExclusions(t *testing.T) {
	for _, c := range []struct {
		name     string
		finish   schema.RunFinished
		findings []schema.Finding
		plan     []Exclusion
		want     []string
		events   int
	}{
		{name: "none", want: []string{}, events: 1},
		{name: "the first code of the contract's order counts, not of the file's",
			findings: []schema.Finding{fault(&schema.SeqGap, 2), fault(&schema.JSONSyntax, 9), fault(&schema.SeqGap, 4)},
			want:     []string{"json_syntax", "seq_gap"}},
		{name: "events of a truncated run are kept", findings: []schema.Finding{fault(&schema.Truncated, 3)}, want: []string{"truncated"}, events: 1},
		{name: "one code that keeps nothing keeps nothing", findings: []schema.Finding{fault(&schema.Truncated, 3), fault(&schema.SeqGap, 2)}, want: []string{"seq_gap", "truncated"}},
		{name: "setup failed", finish: schema.RunFinished{FailureStage: schema.Some("setup")}, want: []string{"infrastructure"}, events: 1},
		{name: "cancelled, though resolved", finish: schema.RunFinished{Ending: "cancelled", Outcome: "resolved"}, want: []string{"infrastructure"}, events: 1},
		{name: "faults before the apparatus before the plan", finish: schema.RunFinished{FailureStage: schema.Some("infrastructure")},
			findings: []schema.Finding{fault(&schema.RunUnfinished, 0)}, plan: []Exclusion{{Reason: "extra_run"}, {Reason: "rule:small"}},
			want: []string{"run_unfinished", "infrastructure", "extra_run", "rule:small"}, events: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTrace(schema.Task{}).read("a.go").finish(c.finish)
			tr.end.Findings, tr.end.Exclusions = c.findings, c.plan
			rows := tr.derive()
			if have := reasons(rows); !slices.Equal(have, c.want) {
				t.Errorf("reasons: have %v, want %v", have, c.want)
			}
			if have := len(rows.FileReads); have != c.events {
				t.Errorf("event rows: have %d, want %d", have, c.events)
			}
			included := len(c.want) == 0
			for i := range rows.FileReads {
				if rows.FileReads[i].Included != included {
					t.Errorf("included: have %t, want %t", rows.FileReads[i].Included, included)
				}
			}
			if have := rows.Run.ExcludedBy.Or(""); !included && have != c.want[0] {
				t.Errorf("excluded_by: have %q, want %q", have, c.want[0])
			}
			for i, v := range rows.Run.Values {
				if !included && (v.Has() || v.Why() != nil) {
					t.Errorf("%s: an excluded run has a value", schema.ValueColumns(schema.LevelRun)[i].Name)
				}
			}
			if !included && len(rows.Missing) > 0 {
				t.Error("an excluded run has rows in missing")
			}
		})
	}
}

// A fault softened to info, as an unknown key of a newer minor version is,
// excludes nothing.
func TestInfoExcludesNothing(t *testing.T) {
	tr := newTrace(schema.Task{}).finish(schema.RunFinished{})
	f := fault(&schema.UnknownKey, 1)
	f.Severity = schema.SeverityInfo
	tr.end.Findings = []schema.Finding{f}
	if rows := tr.derive(); rows.Run.ExcludedBy.Has() || len(rows.Findings) != 1 {
		t.Errorf("excluded_by: have %v, want none; findings: have %d, want 1", rows.Run.ExcludedBy, len(rows.Findings))
	}
}

// A fault of the directory itself stands in no file; what deriving finds stands in
// the trajectory.
func TestFileOfFindings(t *testing.T) {
	tr := newTrace(schema.Task{}).finish(schema.RunFinished{Outcome: schema.OutcomeResolved.Name, Totals: &schema.Totals{InputTokens: schema.Some[int64](1), CostUSD: schema.Some(schema.USD(0))}})
	tr.end.Findings = []schema.Finding{{Code: &schema.PathMismatch, Severity: schema.PathMismatch.Severity}}
	rows := tr.derive()
	if rows.Findings[0].File != "" || rows.Exclusions[0].File.Has() {
		t.Errorf("path_mismatch: have %q and %v, want no file", rows.Findings[0].File, rows.Exclusions[0].File)
	}
	tr.end.Findings = []schema.Finding{{Code: &schema.LinkNotFollowed, Severity: schema.LinkNotFollowed.Severity}}
	rows = tr.derive()
	for _, f := range rows.Findings {
		if want := f.Code != &schema.LinkNotFollowed; (f.File == schema.TrajectoryFile) != want {
			t.Errorf("%s: have the file %q", f.Code.Name, f.File)
		}
	}
	if len(rows.Findings) < 2 {
		t.Errorf("have %v, want zero_cost_with_tokens too", rows.Findings)
	}
}
