package derive

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

func tests(list ...schema.TestResult) *schema.TestResults {
	return &schema.TestResults{Tests: list}
}

func failToPass(name, status string) schema.TestResult {
	return schema.TestResult{Name: name, Set: schema.SetFailToPass.Name, Status: status}
}

func passToPass(name, status string) schema.TestResult {
	return schema.TestResult{Name: name, Set: schema.SetPassToPass.Name, Status: status}
}

// The rules of resolved_at_1, in their order; the answers follow from its
// definition in the registry.
func TestResolvedAt1(t *testing.T) {
	const passed, failed = "passed", "failed"
	real := "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"
	none, empty, file := schema.PatchNone.Name, schema.PatchEmpty.Name, schema.PatchFilePresent.Name
	for _, c := range []struct {
		name    string
		finish  schema.RunFinished
		results *schema.TestResults
		patch   string
		value   string
		by      string
		fault   string
	}{
		{name: "every listed test passed", results: tests(failToPass("a", passed), passToPass("b", passed)), value: "1", by: "tests"},
		{name: "tests decide against the outcome", finish: schema.RunFinished{Outcome: "resolved"}, results: tests(failToPass("a", failed)), value: "0", by: "tests"},
		{name: "a regression is no success", results: tests(failToPass("a", passed), passToPass("b", "missing")), value: "0", by: "tests"},
		{name: "skipped is not passed", results: tests(failToPass("a", "skipped")), value: "0", by: "tests"},
		{name: "other tests do not count", results: tests(failToPass("a", passed), schema.TestResult{Name: "c", Set: "other", Status: failed}), value: "1", by: "tests"},
		{name: "a name with two statuses counts as its worst", results: tests(failToPass("a", passed), failToPass("a ", failed)), value: "0", by: "tests"},
		{name: "inner blanks tell names apart", results: tests(failToPass("a b", passed), failToPass("a  b", passed)), value: "1", by: "tests"},
		{name: "a refused patch", results: &schema.TestResults{Tests: []schema.TestResult{failToPass("a", passed)}, Patch: &schema.EvaluatedPatch{Applied: schema.Some(false)}}, value: "0", by: "tests"},
		{name: "counts stand for tests", results: &schema.TestResults{Counts: &schema.ListedCounts{FailToPass: &schema.PassedTotal{Passed: 2, Total: 2}}}, value: "1", by: "tests"},
		{name: "only pass_to_pass listed: the outcome decides", finish: schema.RunFinished{Outcome: "unresolved"}, results: tests(passToPass("b", passed)), value: "0", by: "outcome"},
		{name: "resolved", finish: schema.RunFinished{Outcome: "resolved"}, value: "1", by: "outcome"},
		{name: "resolved at the limit", finish: schema.RunFinished{Outcome: "resolved", Ending: "limit"}, value: "1", by: "outcome"},
		{name: "unresolved after an error", finish: schema.RunFinished{Outcome: "unresolved", Ending: "error"}, value: "0", by: "outcome"},
		{name: "nothing to resolve", finish: schema.RunFinished{Outcome: "not_applicable"}, value: "[nothing_to_resolve]"},
		{name: "no patch", finish: schema.RunFinished{Patch: schema.Some(none)}, value: "0", by: "fault", fault: "agent"},
		{name: "empty patch without a file", finish: schema.RunFinished{Patch: schema.Some(empty)}, value: "0", by: "fault", fault: "agent"},
		{name: "patch of white space", patch: " \n", value: "0", by: "fault", fault: "agent"},
		{name: "patch refused and never tested", finish: schema.RunFinished{Patch: schema.Some(file)}, patch: real, results: &schema.TestResults{Patch: &schema.EvaluatedPatch{Applied: schema.Some(false)}}, value: "0", by: "fault", fault: "agent"},
		{name: "a failure stage of the agent", finish: schema.RunFinished{FailureStage: schema.Some("edit")}, patch: real, value: "0", by: "fault", fault: "agent"},
		{name: "unknown stage is the agent's", finish: schema.RunFinished{FailureStage: schema.Some("unknown")}, patch: real, value: "0", by: "fault", fault: "agent"},
		{name: "timeout, never verified, no patch recorded", finish: schema.RunFinished{Ending: "timeout"}, value: "0", by: "fault", fault: "agent"},
		{name: "timeout with a real patch", finish: schema.RunFinished{Ending: "timeout"}, patch: real, value: "[not_evaluated]"},
		{name: "completed with a real patch", patch: real, value: "[not_evaluated]"},
		{name: "completed, patch not recorded", value: "[not_evaluated]"},
		{name: "the evaluation failed", finish: schema.RunFinished{FailureStage: schema.Some("evaluate"), Patch: schema.Some(none)}, value: "[evaluation_failed]", fault: "evaluator"},
		{name: "the evaluation failed after an outcome", finish: schema.RunFinished{FailureStage: schema.Some("evaluate"), Outcome: "unresolved"}, value: "0", by: "outcome"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTrace(schema.Task{}).finish(c.finish)
			tr.end.TestResults = c.results
			if c.patch != "" {
				p := ReadPatch([]byte(c.patch))
				tr.end.Patch = &p
			}
			rows := tr.derive()
			by := c.by
			if by == "" {
				by = "null"
			}
			wants(t, rows, map[string]string{"resolved_at_1": c.value, "resolved_by": by})
			if have := rows.Run.Fault.Or(""); have != c.fault {
				t.Errorf("fault: have %q, want %q", have, c.fault)
			}
		})
	}
}

func TestListedTests(t *testing.T) {
	own := schema.TestRun{Kind: "test", ExitStatus: 1, FailToPass: &schema.PassedTotal{Passed: 1, Total: 2}, PassToPass: &schema.PassedTotal{Passed: 7, Total: 10}}
	tr := newTrace(schema.Task{}).check(own).check(schema.TestRun{Kind: "test", ExitStatus: 0}).finish(schema.RunFinished{})
	wants(t, tr.derive(), map[string]string{
		"fail_to_pass": "0.5", "fail_to_pass_from": "events", "pass_to_pass": "0.7", "regressions": "3",
		// An agent's own tests never decide.
		"resolved_at_1": "[not_evaluated]"})

	tr.end.TestResults = tests(failToPass("a", "passed"), failToPass("b", "error"), failToPass("c", "passed"), failToPass("d", "passed"))
	wants(t, tr.derive(), map[string]string{
		"fail_to_pass": "0.75", "fail_to_pass_passed": "3", "fail_to_pass_listed": "4", "fail_to_pass_from": "test_results",
		"pass_to_pass": "0.7", "pass_to_pass_from": "events", "resolved_at_1": "0"})

	tr.end.TestResults.Counts = &schema.ListedCounts{FailToPass: &schema.PassedTotal{Passed: 4, Total: 4}}
	rows := tr.derive()
	wants(t, rows, map[string]string{"fail_to_pass": "0.75", "resolved_at_1": "0"})
	if have := codes(rows); len(have) != 1 || have[0] != "metric_mismatch:info:0" {
		t.Errorf("findings: have %v, want the counts to contradict the tests", have)
	}
}

// A file that run_finished names and that is not there makes its metrics missing.
func TestLostFiles(t *testing.T) {
	tr := newTrace(schema.Task{}).finish(schema.RunFinished{})
	tr.end.Findings = []schema.Finding{
		{Code: &schema.ArtifactMissing, Severity: schema.SeverityWarning, File: schema.TrajectoryFile, Line: 2, Pointer: "/data/artifacts/patch.diff"},
		{Code: &schema.DocumentUnreadable, Severity: schema.SeverityWarning, File: "test_results.json"},
	}
	rows := tr.derive()
	wants(t, rows, map[string]string{"patch_files": "[artifact_missing]", "fail_to_pass": "[document_unreadable]",
		"regressions": "[document_unreadable]", "resolved_at_1": "[document_unreadable]"})
	if rows.Run.ExcludedBy.Has() {
		t.Error("a warning excludes the run")
	}
}
