//go:build unix

package record_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/assay-bench/assay/record"
)

// A run that is being written is never set aside under its writer.
func TestRetryOfARunThatIsBeingRecorded(t *testing.T) {
	root := t.TempDir()
	first, err := record.Create(root, manifest(), record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.Create(root, manifest(), record.Options{Retry: true}); err == nil || !strings.Contains(err.Error(), "is being recorded") {
		t.Errorf("have %v, want a refusal: the run is being recorded", err)
	}
	if err := first.Append(noTime, started()); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := record.Create(root, manifest(), record.Options{Retry: true})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if _, err := os.Stat(first.Path() + ".unfinished-1"); err != nil {
		t.Error(err)
	}
}

// Of many writers that want one run at once, one gets it, and nothing is set aside.
func TestManyWritersOfOneRun(t *testing.T) {
	root := t.TempDir()
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := 0
	for range 16 {
		wg.Go(func() {
			w, err := record.Create(root, manifest(), record.Options{Retry: true})
			if err != nil {
				return
			}
			if err := w.Append(noTime, started()); err != nil {
				t.Error(err)
			}
			if err := w.Finish(noTime, finished()); err != nil {
				t.Error(err)
			}
			mu.Lock()
			done++
			mu.Unlock()
		})
	}
	wg.Wait()
	m, err := record.Complete(manifest())
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(root + "/" + m.ExperimentID + "/" + m.HarnessID + "/" + m.TaskID)
	if err != nil || done != 1 || len(list) != 1 {
		t.Errorf("%d writers finished the run, %v in its folder, %v; want one of each", done, list, err)
	}
}
