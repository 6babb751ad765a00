package pipeline_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/internal/pipeline"
)

// TestInterop reads every file of a dataset with pyarrow, polars and DuckDB for
// Python: all must give the same values.
func TestInterop(t *testing.T) {
	python := os.Getenv("ASSAY_INTEROP_PYTHON")
	if python == "" {
		t.Skip("reading with pyarrow and polars needs ASSAY_INTEROP_PYTHON; make interop sets it")
	}
	root := t.TempDir()
	study(t, root)
	s := derive(t, pipeline.Options{}, root)
	out, err := exec.Command(python, filepath.Join("..", "dataset", "interop", "interop.py"), s.Dir).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
