//go:build unix

package dataset_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/assay-bench/assay/internal/dataset"
)

// stageIn names the variable that makes the test program stage in a folder, and wait to be killed.
const stageIn = "ASSAY_TEST_STAGE_IN"

func TestMain(m *testing.M) {
	out := os.Getenv(stageIn)
	if out == "" {
		os.Exit(m.Run())
	}
	s, err := dataset.Stage(out)
	if err != nil {
		panic(err)
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "half.parquet"), nil, 0o644); err != nil {
		panic(err)
	}
	os.Stdout.WriteString(s.Dir + "\n")
	os.Stdin.Read(make([]byte, 1)) // until it is killed, or its parent has ended
}

// stageApart stages in another process, which lives until it is killed.
func stageApart(t *testing.T, out string) (child *exec.Cmd, folder string) {
	t.Helper()
	child = exec.Command(os.Args[0])
	child.Env = append(os.Environ(), stageIn+"="+out)
	_, err := child.StdinPipe()
	check(t, err)
	said, err := child.StdoutPipe()
	check(t, err)
	check(t, child.Start())
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	line := make([]byte, 4096)
	n, err := said.Read(line)
	check(t, err)
	return child, strings.TrimSpace(string(line[:n]))
}

// TestStaleStaging: what a killed process left is removed by the next one; what a living one is writing, what no lock
// tells of, and what is not ours stay.
func TestStaleStaging(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a [b]* c") // a name that is a pattern too
	killed, stale := stageApart(t, out)
	_, used := stageApart(t, out)
	unknown := filepath.Join(out, ".assay-staging-1")
	other := filepath.Join(out, "mine")
	for _, dir := range []string{unknown, other} {
		check(t, os.Mkdir(dir, 0o755))
	}
	check(t, killed.Process.Kill())
	killed.Wait()
	s, err := dataset.Stage(out)
	check(t, err)
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: have %v, want it removed", stale, err)
	}
	for _, dir := range []string{used, unknown, other, s.Dir} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("have %v, want it there", err)
		}
	}
	check(t, s.Discard())
	want := []string{filepath.Base(unknown), filepath.Base(used), filepath.Base(used) + ".lock", "mine"}
	slices.Sort(want)
	if have := entries(t, out); !slices.Equal(have, want) {
		t.Errorf("have %v, want %v", have, want)
	}
}

// TestStaleAside: a dataset that was set aside by a process which was killed before it put the new one there is put
// back; one whose successor is there is removed.
func TestStaleAside(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		out := t.TempDir()
		first := makeDataset(t, out)
		id := filepath.Base(first.Dir)
		killed, stale := stageApart(t, out)
		aside := stale + ".was-" + id
		check(t, os.Rename(first.Dir, aside))
		if replaced {
			check(t, os.Mkdir(first.Dir, 0o755))
		}
		check(t, killed.Process.Kill())
		killed.Wait()
		s, err := dataset.Stage(out)
		check(t, err)
		check(t, s.Discard())
		if have := entries(t, out); !slices.Equal(have, []string{id}) {
			t.Errorf("replaced %v: have %v, want %s alone", replaced, have, id)
		}
		if _, err := os.Stat(filepath.Join(first.Dir, dataset.LineageFile)); (err == nil) == replaced {
			t.Errorf("replaced %v: have %v, want the dataset that was set aside only where it has no successor", replaced, err)
		}
	}
}
