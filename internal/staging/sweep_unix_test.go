//go:build unix

package staging_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/internal/staging"
)

// TestSweep: what a lock that is free tells of is removed, and what was set aside without a successor put back; what
// is claimed, what no lock tells of and what has another prefix stays. A process that is killed is tested where it
// matters: with datasets.
func TestSweep(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a [b]* c") // a name that is a pattern too
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	claim, err := staging.New(out, ".p-")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{claim.Folder, filepath.Join(out, ".p-left"), filepath.Join(out, ".p-left.was-old"), filepath.Join(out, ".p-lockless"), filepath.Join(out, ".q-left")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, lock := range []string{".p-left.lock", ".q-left.lock"} {
		if err := os.WriteFile(filepath.Join(out, lock), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	staging.Sweep(out, ".p-")
	for name, want := range map[string]bool{filepath.Base(claim.Folder): true, ".p-left": false, ".p-left.lock": false, ".p-left.was-old": false, "old": true,
		".p-lockless": true, ".q-left": true, ".q-left.lock": true} {
		if _, err := os.Stat(filepath.Join(out, name)); (err == nil) != want {
			t.Errorf("%s: have %v, want it there: %v", name, err, want)
		}
	}
	if err := claim.Release(); err != nil {
		t.Error(err)
	}
}
