package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/internal/pipeline"
)

// The contender of derive must do the same work: SQL over the raw files makes the
// three tables value by value, over input of both shapes.
func TestSameTables(t *testing.T) {
	for _, sh := range []shape{shortLines, longLines} {
		t.Run(sh.name, func(t *testing.T) {
			dir := t.TempDir()
			raw, duck := filepath.Join(dir, "raw"), filepath.Join(dir, "duckdb")
			if err := makeInput(raw, 40, sh); err != nil {
				t.Fatal(err)
			}
			s, err := pipeline.Derive(context.Background(), []string{raw}, filepath.Join(dir, "data"), pipeline.Options{CodeRevision: "v1.0.0"})
			if err != nil {
				t.Fatal(err)
			}
			if err := runDuckDB(raw, duck, sameSQL); err != nil {
				t.Fatal(err)
			}
			if err := checkSame(s.Dir, duck); err != nil {
				t.Error(err)
			}
		})
	}
}

