package derive

import (
	"fmt"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// benchTrace is a run of 31 events of other kinds and 140 candidates in 7
// queries, the mean of the runs that the whole pipeline is measured on.
func benchTrace(n int) *trace {
	t := newTrace(schema.Task{Gold: goldFiles("pkg/a/file07.go", "pkg/b/file03.go")})
	for q := range 7 {
		files := make([]string, 20)
		for i := range files {
			files[i] = fmt.Sprintf("pkg/%c/file%02d.go", 'a'+(q+i)%5, (n+q*3+i)%60)
		}
		t.calls(usage(1000, 100)).answers(fmt.Sprintf("q%d", q), files...)
		t.tool(schema.ToolCall{CallID: fmt.Sprintf("t%d", q), Name: "search", Status: schema.StatusOK.Name, ResultTokens: schema.Some[int64](400)})
		t.read(files[0])
	}
	return t.finish(schema.RunFinished{Outcome: schema.OutcomeResolved.Name})
}

// BenchmarkRun derives runs as they come, each different from the last.
func BenchmarkRun(b *testing.B) {
	list := make([]*trace, 64)
	for i := range list {
		list[i] = benchTrace(i)
	}
	r := New()
	b.ReportAllocs()
	b.ResetTimer()
	candidates := 0
	for i := range b.N {
		candidates += len(list[i%len(list)].deriveWith(r).Candidates)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(candidates), "ns/candidate")
}
