package githistory

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestShallowHistory: where a clone ends before the history that was asked for, the report says so, and its summary
// is not that of a whole clone. Below the base of eight commits a clone of depth 6 has four, the last of which
// cannot be compared with its parent.
func TestShallowHistory(t *testing.T) {
	whole := t.TempDir()
	git(t, whole, "init", "-q", "-b", "main")
	for i := range 10 {
		if err := os.WriteFile(filepath.Join(whole, "a.txt"), []byte(strconv.Itoa(i)), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, whole, "add", ".")
		git(t, whole, "commit", "-q", "-m", "Edit "+strconv.Itoa(i))
	}
	clone := t.TempDir()
	git(t, clone, "clone", "-q", "--depth", "6", "file://"+whole, ".")
	for dir, want := range map[string]string{whole: "", clone: "shallow_history=3"} {
		result := evaluate(t, Options{Repo: dir, Base: "HEAD~2", Head: "HEAD", RepoName: "r", Builtins: []string{PathTool}})
		var text bytes.Buffer
		if err := NewReport(result, false).WriteText(&text); err != nil {
			t.Fatal(err)
		}
		if have := strings.Contains(text.String(), "could learn from 3 earlier commits only"); have != (want != "") {
			t.Errorf("%s: have report\n%s", dir, text.String())
		}
		settings := Summary(result).Settings
		if have := slices.ContainsFunc(settings, func(s string) bool { return strings.HasPrefix(s, "shallow_history") }); have != (want != "") || have && !slices.Contains(settings, want) {
			t.Errorf("%s: have settings %v, want %q", dir, settings, want)
		}
	}
}
