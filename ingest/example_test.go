package ingest_test

import (
	"fmt"
	"os"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

func Example() {
	root, err := os.MkdirTemp("", "raw")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	w, err := record.Create(root, manifest("t1"), record.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	w.Append(schema.None[schema.Time](), schema.RunStarted{Task: schema.Task{ID: "t1"}})
	w.Close() // before the end, as if the harness had crashed

	found, err := ingest.Discover([]string{root})
	if err != nil {
		fmt.Println(err)
		return
	}
	reader := ingest.NewReader(ingest.Options{})
	for _, dir := range found.Runs {
		run, err := reader.ReadRun(dir, func(e *schema.Event, p schema.Position) {
			fmt.Println("line", p.Line, e.Type.Name)
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range run.Findings {
			fmt.Printf("%s:%d: %s: have %s, want %s\n", f.File, f.Line, f.Code.Name, f.Have, f.Want)
		}
		fmt.Println("excluded by", run.ExcludedBy().Name)
	}
	// Output:
	// line 1 run_started
	// trajectory.jsonl:1: run_unfinished: have no run_finished, want run_finished last
	// excluded by run_unfinished
}
