package githistory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoFolder: what is missing is the folder, not git.
func TestNoFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{filepath.Join(dir, "none"): "no such file", file: "want the folder of a repository"} {
		if _, err := Tasks(t.Context(), path, Options{}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "exec") {
			t.Errorf("have %v, want %q", err, want)
		}
	}
}
