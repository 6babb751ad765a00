package githistory

import (
	"path/filepath"
	"testing"
)

func TestNewOut(t *testing.T) {
	cache := t.TempDir()
	for _, want := range []string{"0001", "0002"} {
		have, err := NewOut(cache)
		if err != nil || filepath.Base(have) != want || !exists(have) {
			t.Errorf("have %s, %v, want a new folder %s", have, err, want)
		}
	}
	if err := sweep(cache); err != nil || !exists(filepath.Join(exportsDir(cache), "experiments", "0001")) {
		t.Errorf("after the next start: %v, want the results still there", err)
	}
}
