package pipeline

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// What is read at once is bounded by the text that comes out of the files, not by
// what they take on disk.
func TestWeightOfCompressedRun(t *testing.T) {
	for suffix, want := range map[string]int64{"": 1000, ".gz": 16_000, ".zst": 16_000} {
		dir := ingest.RunDir{Root: t.TempDir(), Path: "."}
		if err := os.WriteFile(filepath.Join(dir.Root, schema.TrajectoryFile+suffix), make([]byte, 1000), 0o666); err != nil {
			t.Fatal(err)
		}
		var r plannedRun
		if r.bytes, r.packed = trajectoryBytes(dir); r.weight() != want || r.bytes != 1000 {
			t.Errorf("%q: have %d bytes of weight %d, want 1000 and %d", suffix, r.bytes, r.weight(), want)
		}
	}
}
