//go:build unix

package importer_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/ingest/importer"
)

// TestKilledImportsAreSwept: what an import that was killed left beside the runs goes with the next one; a
// folder without a lock is nobody's to remove.
func TestKilledImportsAreSwept(t *testing.T) {
	dir := t.TempDir()
	in, left, other := filepath.Join(dir, "in"), filepath.Join(dir, ".raw.import-1"), filepath.Join(dir, ".raw.import-2")
	writeFile(t, filepath.Join(in, "job", "t1", "result.json"), trialText("1", "x", "2026-01-02T10:00:00Z", 1))
	writeFile(t, filepath.Join(left, "job", "half"), nil)
	writeFile(t, left+".lock", nil)
	writeFile(t, filepath.Join(other, "mine"), nil)
	if _, err := importer.Run(context.Background(), &importer.Harbor, []string{in}, filepath.Join(dir, "raw"), importer.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for _, d := range list {
		have = append(have, d.Name())
	}
	if want := []string{".raw.import-2", "in", "raw"}; len(have) != 3 || have[0] != want[0] || have[1] != want[1] || have[2] != want[2] {
		t.Errorf("have %v, want %v", have, want)
	}
}
