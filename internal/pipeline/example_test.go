package pipeline_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/assay-bench/assay/internal/pipeline"
	"github.com/assay-bench/assay/schema"
)

// An experiment that was planned and never run still makes a dataset: its cells
// are all absent.
func ExampleDerive() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	plan := `{"schema_version":"` + schema.Version + `","experiment_id":"e","arms":[{"name":"base","harness_id":"h"}],"tasks":["t1","t2"],"repetitions":3}`
	if err := os.WriteFile(filepath.Join(dir, "experiment.json"), []byte(plan), 0o644); err != nil {
		fmt.Println(err)
		return
	}
	s, err := pipeline.Derive(context.Background(), []string{dir}, filepath.Join(dir, "data"), pipeline.Options{CodeRevision: "v1.0.0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("planned %d, absent %d, rows of all tables %t\n", s.Counts.Planned, s.Counts.Absent, s.Rows > 6)
	// Output: planned 6, absent 6, rows of all tables true
}
