package ingest_test

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// Every released version of the contract stays readable: a run of each is kept,
// with every event type that it had, and read without a fault.
func TestEveryVersionStaysReadable(t *testing.T) {
	versions, err := os.ReadDir(filepath.Join("testdata", "versions"))
	if err != nil {
		t.Fatal(err)
	}
	current := false
	for _, version := range versions {
		current = current || version.Name() == schema.Version
		found, err := ingest.Discover([]string{filepath.Join("testdata", "versions", version.Name())})
		if err != nil || len(found.Runs) == 0 || len(found.Findings) > 0 {
			t.Fatal(version.Name(), found, err)
		}
		seen := map[*schema.EventType]bool{}
		for _, dir := range found.Runs {
			run, err := ingest.NewReader(ingest.Options{}).ReadRun(dir, func(e *schema.Event, _ schema.Position) { seen[e.Type] = true })
			if err != nil || len(run.Findings) > 0 {
				t.Errorf("%s: %s: %v %v", version.Name(), dir.Path, err, run.Findings)
			}
			if run.Manifest == nil || run.TestResults == nil || run.FinalMetrics == nil || len(run.Patch) == 0 || len(run.Files) != 6 {
				t.Errorf("%s: %s: a file of the run is missing: %v", version.Name(), dir.Path, run.Files)
			}
		}
		for _, dir := range found.Experiments {
			e, err := ingest.ReadExperiment(dir)
			if err != nil || len(e.Findings) > 0 || e.Plan == nil || len(e.Tasks) != 1 {
				t.Errorf("%s: %s: %v %v", version.Name(), dir.Path, err, e.Findings)
			}
		}
		for _, e := range schema.EventTypes {
			if !newer(t, e.Since, version.Name()) && !seen[e] {
				t.Errorf("%s: no %s event, want one of each type", version.Name(), e.Name)
			}
		}
	}
	if !current {
		t.Errorf("no run of version %s is kept", schema.Version)
	}
}

func newer(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := schema.ParseSemver(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := schema.ParseSemver(b)
	if err != nil {
		t.Fatal(err)
	}
	return cmp.Or(cmp.Compare(x.Major, y.Major), cmp.Compare(x.Minor, y.Minor), cmp.Compare(x.Patch, y.Patch)) > 0
}
