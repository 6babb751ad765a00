package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// trajectoryText is a run whose tool calls hold output, one long line for every
// so many candidates.
func trajectoryText(calls, candidates, outputLines int) string {
	var b strings.Builder
	seq := 0
	add := func(typ, data string) {
		seq++
		fmt.Fprintf(&b, `{"schema_version":"`+schema.Version+`","run_id":"%s","seq":%d,"ts":"2026-01-02T03:04:%02d.%03dZ","type":"%s","data":{%s}}`+"\n", testID, seq, seq/1000%60, seq%1000, typ, data)
	}
	add("run_started", `"limits":{"max_model_calls":100},"task":{"id":"t1","repo":"org/repo","language":"go","gold":{"files":[{"path":"a/b.go"}]}}`)
	output := strings.Repeat("func (r *reader) members(f func(key string, at int) bool) bool {\\n\\treturn r.enter() // größer als zuvor\\n}\\n", outputLines)
	for i := range calls {
		add("model_call", fmt.Sprintf(`"call_id":"c%d","model_key":"publisher/model@q4","usage":{"input_tokens":%d,"output_tokens":312,"cached_input_tokens":900},"latency_ms":1812.5,"stop_reason":"tool_use"`, i, 1000*i))
		add("tool_call", fmt.Sprintf(`"call_id":"t%d","name":"bash","status":"ok","arguments":{"command":"grep -rn 'reader' internal/","x":"%s"},"result_bytes":%d,"latency_ms":12.25`, i, output, 4000+i))
		add("retrieval_query", fmt.Sprintf(`"query_id":"q%d","results":20,"status":"ok","query":"where are members of an object read","latency_ms":31.5`, i))
		for j := range candidates {
			add("retrieval_candidate", fmt.Sprintf(`"query_id":"q%d","rank":%d,"file":"internal/pipeline/part_%d/file_%d.go","symbol":"(*Scanner).members","start_line":%d,"end_line":%d,"score":%.6f`, i, j+1, i, j, 10*j+1, 10*j+30, 1/float64(j+2)))
		}
	}
	add("run_finished", `"ending":"completed","outcome":"resolved","patch":"none"`)
	return b.String()
}

func BenchmarkReadRun(b *testing.B) {
	for _, c := range []struct {
		name                    string
		calls, candidates, text int
	}{
		// 3.7 kB an event, 115 kB a run: a study of coding agents.
		{"long lines", 10, 3, 90},
		// 0.3 kB an event: a study of retrieval.
		{"short lines", 14, 20, 12},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := trajectoryText(c.calls, c.candidates, c.text)
			dir := makeRun(b, schema.TrajectoryFile, text)
			reader := ingest.NewReader(ingest.Options{})
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				run, err := reader.ReadRun(dir, func(*schema.Event, schema.Position) {})
				if err != nil || len(run.Findings) > 0 {
					b.Fatal(err, run.Findings)
				}
			}
		})
	}
}

// BenchmarkFloor is what the reading would cost if it were hashing alone.
func BenchmarkFloor(b *testing.B) {
	text := trajectoryText(10, 3, 90)
	dir := makeRun(b, schema.TrajectoryFile+".gz", "")
	write(b, dir, schema.TrajectoryFile, text)
	reader := ingest.NewReader(ingest.Options{})
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		// Two trajectories are ambiguous: they are read for their hashes only.
		if run, err := reader.ReadRun(dir, nil); err != nil || run.ExcludedBy() != &schema.TrajectoryAmbiguous {
			b.Fatal(err)
		}
	}
}
