package simulate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-bench/assay/eval/simulate"
)

// TestWorkers: the same bytes, whatever the number of workers.
func TestWorkers(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	_, err := simulate.Write(context.Background(), one, faulty(), 1, nil)
	check(t, err)
	_, err = simulate.Write(context.Background(), two, faulty(), 3, nil)
	check(t, err)
	a, b := texts(t, one), texts(t, two)
	if len(a) != len(b) {
		t.Errorf("have %d files and %d, want as many", len(a), len(b))
	}
	for name := range a {
		if a[name] != b[name] {
			t.Errorf("%s: have other bytes with three workers", name)
		}
	}
}

func texts(t *testing.T, root string) map[string]string {
	m := map[string]string{}
	check(t, filepath.WalkDir(root, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		m[strings.TrimPrefix(name, root)] = string(b)
		return err
	}))
	return m
}

// TestInterrupted: a study that is not written to its end leaves nothing, and one
// that is there is left alone.
func TestInterrupted(t *testing.T) {
	root := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := simulate.Write(ctx, root, faulty(), 2, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("have %v, want it cancelled", err)
	}
	left, err := os.ReadDir(root)
	check(t, err)
	if len(left) > 0 {
		t.Errorf("have %v left, want nothing", left)
	}
	s := small()
	check(t, os.Mkdir(filepath.Join(root, s.ExperimentID), 0o777))
	if _, err := simulate.Write(context.Background(), root, s, 1, nil); err == nil || !strings.Contains(err.Error(), "want a new experiment") {
		t.Errorf("have %v, want the folder left alone", err)
	}
}
