package pipeline_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// TestCase027ListNullEmpty: a query that found nothing has a row and no
// candidates, a run that never asked has neither, a null in a list is a fault.
// The columns of lists are read back by another library in package dataset.
func TestCase027ListNullEmpty(t *testing.T) {
	caseFile(t, "027-list-null-empty-values/expected.json")
	root := t.TempDir()
	replace := func(old, new string) func(map[string]string) {
		return func(files map[string]string) {
			text := strings.Replace(files[schema.TrajectoryFile], old, new, 1)
			if text == files[schema.TrajectoryFile] {
				t.Fatalf("have no %q to replace", old)
			}
			files[schema.TrajectoryFile] = text
		}
	}
	fixture{task: "never"}.write(t, root)
	fixture{task: "nothing", edit: func(files map[string]string) {
		replace(`"type":"file_read","data":{"path":"c.go","tokens":40}`, `"type":"retrieval_query","data":{"query_id":"q","results":0,"status":"ok"}`)(files)
	}}.write(t, root)
	fixture{task: "empty", edit: replace(`"target_paths":["c.go"]`, `"target_paths":[]`)}.write(t, root)
	fixture{task: "null", edit: replace(`"target_paths":["c.go"]`, `"target_paths":["a",null,"b"]`)}.write(t, root)
	s := derive(t, pipeline.Options{}, root)
	want(t, "queries", rows(t, s, "SELECT task_id, results, (SELECT count(*) FROM candidates c WHERE c.run_id = q.run_id) FROM queries q JOIN runs USING (run_id)"), []string{"nothing 0 0"})
	want(t, "recall", rows(t, s, "SELECT task_id, file_recall_at_10, m.state, m.reason FROM runs LEFT JOIN missing m ON m.run_id = runs.run_id AND metric = 'file_recall_at_10' WHERE excluded_by IS NULL ORDER BY 1"),
		[]string{"empty - not_applicable no_retrieval", "never - not_applicable no_retrieval", "nothing 0 - -"})
	want(t, "lists", rows(t, s, "SELECT task_id, len(target_paths) FROM edits JOIN runs USING (run_id) ORDER BY 1"), []string{"empty 0", "never 1", "nothing 1"})
	want(t, "null", rows(t, s, "SELECT task_id, excluded_by FROM runs WHERE excluded_by IS NOT NULL"), []string{"null event_schema"})
}

// testResults writes test_results.json beside the run and derives it.
func testResults(t *testing.T, outcome, members string) []string {
	t.Helper()
	root := t.TempDir()
	fixture{outcome: outcome, edit: func(files map[string]string) {
		var m schema.Manifest
		check(t, json.Unmarshal([]byte(files[schema.DocumentManifest.File]), &m))
		files[schema.DocumentTestResults.File] = `{"schema_version":"` + schema.Version + `","run_id":"` + m.RunID + `",` + members + `}`
	}}.write(t, root)
	s := derive(t, pipeline.Options{}, root)
	return rows(t, s, `SELECT fail_to_pass_passed, fail_to_pass_listed, pass_to_pass_passed, pass_to_pass_listed, resolved_at_1, resolved_by, coalesce(excluded_by, 'included') FROM runs`)
}

func listed(name, set, status string) string {
	return `{"name":"` + name + `","set":"` + set + `","status":"` + status + `"}`
}

// TestCase053NamesWithBlanks: names that differ behind a blank are two tests.
func TestCase053NamesWithBlanks(t *testing.T) {
	caseFile(t, "053-test-names-with-spaces/expected.json")
	want(t, "counts", testResults(t, "resolved", `"tests":[`+listed("test_x[a b]", "fail_to_pass", "passed")+","+listed("test_x[a c]", "fail_to_pass", "failed")+","+listed("test_y[z]. ", "pass_to_pass", "passed")+`]`),
		[]string{"1 2 1 1 0 tests included"})
}

// TestCase054ListedTestMissing: missing and skipped do not count as passed.
func TestCase054ListedTestMissing(t *testing.T) {
	caseFile(t, "054-listed-test-missing-from-log/expected.json")
	want(t, "counts", testResults(t, "resolved", `"tests":[`+listed("a", "fail_to_pass", "passed")+","+listed("b", "fail_to_pass", "missing")+","+listed("c", "pass_to_pass", "skipped")+`]`),
		[]string{"1 2 0 1 0 tests included"})
}

// TestCase056NamesDifferingInBlanks: a trailing blank is trimmed, an inner one
// kept; a name with two statuses counts as its worst.
func TestCase056NamesDifferingInBlanks(t *testing.T) {
	caseFile(t, "056-names-differing-in-blanks/expected.json")
	want(t, "counts", testResults(t, "resolved", `"tests":[`+listed("adds two ", "fail_to_pass", "passed")+","+listed("adds  two", "pass_to_pass", "passed")+`]`),
		[]string{"1 1 1 1 1 tests included"})
	want(t, "worst", testResults(t, "resolved", `"tests":[`+listed("adds two ", "fail_to_pass", "passed")+","+listed("adds two", "fail_to_pass", "failed")+`]`),
		[]string{"0 1 - - 0 tests included"})
}

// TestCase061PatchApplyRetries: a patch that applied at the second attempt
// applied; one that never did is the agent's failure and stays in the denominator.
func TestCase061PatchApplyRetries(t *testing.T) {
	caseFile(t, "061-patch-apply-retries/expected.json")
	want(t, "applied", testResults(t, "resolved", `"patch":{"applied":true,"attempts":2},"counts":{"fail_to_pass":{"passed":1,"total":1}}`),
		[]string{"1 1 - - 1 tests included"})
	want(t, "never", testResults(t, "not_evaluated", `"patch":{"applied":false,"attempts":2}`), []string{"- - - - 0 fault included"})
}
