package derive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

// outside returns a folder of an outside set, or skips the test: the variable
// names it, else it is looked for beside the repository.
func outside(t testing.TB, variable, name string) string {
	t.Helper()
	folder := os.Getenv(variable)
	if folder == "" {
		folder = filepath.Join("..", "shared", name)
	}
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(root(t), folder)
	}
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the folder of %s is not there; %s names another", name, variable)
	}
	return folder
}

// root is the folder of go.mod.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		if parent := filepath.Dir(folder); parent != folder {
			folder = parent
			continue
		}
		t.Fatal("no go.mod above the test")
	}
}

// readInto decodes a JSON file.
func readInto(t testing.TB, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// trecLines returns the fields of every line of a TREC file.
func trecLines(t testing.TB, path string) [][]string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for line := range strings.Lines(string(b)) {
		if fields := strings.Fields(line); len(fields) > 0 {
			lines = append(lines, fields)
		}
	}
	return lines
}
