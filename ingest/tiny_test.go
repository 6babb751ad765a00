package ingest_test

import (
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// BenchmarkTinyRuns is the cost of a run that holds next to nothing: discovery,
// the manifest read for the plan, and the run.
func BenchmarkTinyRuns(b *testing.B) {
	const runs = 500
	root := b.TempDir()
	batch := record.NewBatch(root, record.Options{Durability: record.Buffered})
	none := schema.None[schema.Time]()
	for i := range runs {
		m := manifest("t1")
		m.Repetition = schema.Some(int64(i + 1))
		w, err := batch.Create(m)
		if err != nil {
			b.Fatal(err)
		}
		w.Append(none, schema.RunStarted{Task: schema.Task{ID: "t1"}})
		if err := w.Finish(none, schema.RunFinished{Ending: schema.EndingCompleted.Name, Outcome: schema.OutcomeResolved.Name}); err != nil {
			b.Fatal(err)
		}
	}
	reader := ingest.NewReader(ingest.Options{})
	b.ReportAllocs()
	for b.Loop() {
		found, err := ingest.Discover([]string{root})
		if err != nil || len(found.Runs) != runs {
			b.Fatal(err)
		}
		for _, dir := range found.Runs {
			head, _, err := reader.ReadManifest(dir)
			if err != nil {
				b.Fatal(err)
			}
			if run, err := reader.ReadRun(head.Dir, nil); err != nil || len(run.Findings) > 0 {
				b.Fatal(err, run.Findings)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/runs, "µs/run")
}
