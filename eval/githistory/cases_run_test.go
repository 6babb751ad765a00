package githistory

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestCasesRun exports and evaluates every case's repository with all built-in tools, writes its runs, and holds
// the export to the tree of base, byte for byte.
func TestCasesRun(t *testing.T) {
	for _, name := range []string{
		"096-quoted-utf8-paths", "097-hostile-file-names", "099-renames-and-copies", "101-shallow-clone", "102-submodule-pointer",
		"103-mode-link-and-type-changes", "104-merges-and-side-branches", "114-sha256-repository", "116-odd-commit-subjects",
		"117-case-twins-and-dir-file-swap",
	} {
		t.Run(name, func(t *testing.T) {
			repo, _ := caseRepo(t, name)
			before := fingerprint(t, repo)
			opts := Options{Repo: repo, Base: "base", Head: "head", CacheDir: t.TempDir(), Out: t.TempDir(), Functions: true, Jobs: 2}
			result, err := Run(context.Background(), opts, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range result.Outcomes {
				for a, outcome := range row {
					if outcome.Score.Failed || outcome.Score.Unknown > 0 {
						t.Errorf("%s: have failed %v, %d unknown paths, want neither", result.Arms[a].Name, outcome.Score.Failed, outcome.Score.Unknown)
					}
				}
			}
			s := snapshotOf(t, repo, opts)
			for _, e := range s.entries {
				holdsBytes(t, repo, s, e)
			}
			for name, print := range fingerprint(t, repo) {
				if before[name] != print {
					t.Errorf("%s: have %s, want %s as before", name, print, before[name])
				}
			}
		})
	}
}

// holdsBytes compares one exported entry with the blob that git stores.
func holdsBytes(t *testing.T, repo string, s *snapshot, e Entry) {
	t.Helper()
	file := filepath.Join(s.root, e.Path)
	info, err := os.Lstat(file)
	if err != nil {
		t.Fatal(err)
	}
	var have string
	if info.Mode()&os.ModeSymlink != 0 {
		have, err = os.Readlink(file)
	} else {
		var text []byte
		text, err = os.ReadFile(file)
		have = string(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	if want := git(t, repo, "cat-file", "blob", e.ID); have != want {
		t.Errorf("%q: have %q, want %q", e.Path, have, want)
	}
	if executable := info.Mode()&0o100 != 0; info.Mode().IsRegular() && executable != (e.Kind == Executable) {
		t.Errorf("%q: have mode %v, want %s", e.Path, info.Mode(), e.Kind)
	}
}
