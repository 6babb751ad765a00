package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// recorder is a testing.TB that remembers whether it was told of a failure.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestCompare(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(Update, "")
	check := func(got string, wantFailure bool) {
		t.Helper()
		r := &recorder{TB: t}
		Compare(r, "a/b.txt", []byte(got))
		if r.failed != wantFailure {
			t.Errorf("Compare(%q): failed %v, want %v", got, r.failed, wantFailure)
		}
	}
	check("", false)
	check("one\n", true)

	t.Setenv(Update, "1")
	check("one\n", false)
	if b, err := os.ReadFile(filepath.Join("testdata", "a", "b.txt")); err != nil || string(b) != "one\n" {
		t.Errorf("updated file: %q, %v", b, err)
	}
	t.Setenv(Update, "")
	check("one\n", false)
	check("two\n", true)
}
