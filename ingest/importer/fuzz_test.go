package importer_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/ingest/importer"
)

// importOnce imports one file. Whatever its bytes are, either run directories
// that hold the contract come out, or an error and nothing.
func importOnce(t *testing.T, imp *importer.Importer, name string, b []byte) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "raw")
	writeFile(t, filepath.Join(in, filepath.FromSlash(name)), b)
	_, err := importer.Run(context.Background(), imp, []string{in}, out, importer.Options{}, nil)
	if err != nil {
		if list, _ := os.ReadDir(dir); len(list) != 1 {
			t.Fatalf("an import that failed left %v: %v", list, err)
		}
		return
	}
	if len(readRuns(t, out)) == 0 {
		t.Fatal("no error and no run")
	}
}

func FuzzATIF(f *testing.F) {
	f.Add([]byte(oneStep(7)))
	f.Add([]byte(`{"schema_version":"ATIF-v1.7","trajectory_id":"t","agent":{"extra":{"k":1e400}},"continued_trajectory_ref":"t.json","steps":[
{"step_id":1,"source":"agent","timestamp":"2026-01-02T10:00:00Z","tool_calls":[{"tool_call_id":"c","function_name":"f","arguments":"{\"password\":\"x\"}"}],
"observation":{"results":[{"source_call_id":"c","content":"y","subagent_trajectory_ref":{"trajectory_id":"s"}}]},"metrics":{"prompt_tokens":9e99,"cost_usd":-1}}],
"subagent_trajectories":[{"trajectory_id":"s","steps":[{"step_id":1,"source":"agent"}]}],"final_metrics":{"total_prompt_tokens":0}}`))
	f.Fuzz(func(t *testing.T, b []byte) { importOnce(t, &importer.ATIF, "t.json", b) })
}

func FuzzHarborTrial(f *testing.F) {
	f.Add(trialText("1", "x", "2026-01-02T10:00:00Z", 1))
	f.Add([]byte(`{"trial_name":"a","config":{"agent":{"kwargs":{"n":9007199254740993},"env":{"K":"v"}},"environment":{"env":1}},
"exception_info":{"exception_type":"AgentTimeoutError"},"agent_execution":{"started_at":"2026-01-02T10:00:00Z","finished_at":"2026-01-02T09:00:00"},
"verifier_result":{"reward":0.5},"agent_result":{"n_input_tokens":0,"cost_usd":1e30}}`))
	f.Fuzz(func(t *testing.T, b []byte) { importOnce(t, &importer.Harbor, "job/t/result.json", b) })
}

func FuzzHarborJob(f *testing.F) {
	f.Add([]byte(`{"id":"j","n_total_trials":1,"stats":{"evals":{"e":{"reward_stats":{"reward":{"1.0":["a"]}}}}},"trial_results":[{"trial_name":"a","task_name":"x"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) { importOnce(t, &importer.Harbor, "job/result.json", b) })
}
