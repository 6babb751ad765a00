// Package golden compares what a test got with a file kept beside it.
//
// A golden file is testdata/NAME of the package under test and is read by
// people, so it holds text. ASSAY_UPDATE=1 writes what was got in place of
// comparing; the difference is then read in review like any other change.
package golden

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Update is the environment variable that, set to 1, rewrites golden files.
const Update = "ASSAY_UPDATE"

// Compare reports, as a failure of t, every line in which got differs from
// testdata/name. A file that is not there counts as empty.
func Compare(t testing.TB, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if os.Getenv(Update) == "1" {
		write(t, path, got)
		return
	}
	want, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s: differs (-want +got; %s=1 rewrites it):\n%s", path, Update, diff)
	}
}

// write puts got in place of the golden file.
func write(t testing.TB, path string, got []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, got, 0o644); err != nil {
		t.Fatal(err)
	}
}
