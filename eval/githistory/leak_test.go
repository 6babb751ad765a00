package githistory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// fingerprint is every file below dir with its mode, size, time and content: what must not change.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	prints := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		text := fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			text += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		prints[strings.TrimPrefix(name, dir)] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return prints
}

// smallRepo has commits before base, on base and after it, on more than one branch, with tags, a reflog, a stash
// and an object that nothing reaches.
func smallRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commit := func(message string) {
		t.Helper()
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-q", "--no-verify", "-m", message)
	}
	put("server/http.go", "package server\n\n// Serve answers requests.\nfunc Serve() {\n\tlisten()\n}\n\nfunc listen() {}\n")
	put("store/disk.go", "package store\n\nfunc WriteBlock() error {\n\treturn nil\n}\n")
	put("README.md", "# Thing\n\nServes blocks.\n")
	put("crlf.txt", "a\r\nb\r\n")
	put(".gitattributes", "*.txt text eol=lf\nsecret.go export-ignore\n*.go filter=upper\n")
	put("secret.go", "package secret\n")
	commit("Start")
	put("server/http.go", "package server\n\n// Serve answers requests.\nfunc Serve() {\n\tlisten()\n\tlisten()\n}\n\nfunc listen() {}\n")
	commit("Listen twice in the server")
	git(t, dir, "tag", "base")
	put("store/disk.go", "package store\n\nfunc WriteBlock() error {\n\treturn errFull // LATERSECRET\n}\n")
	commit("Report a full disk when a block is written")
	put("server/http.go", "package server\n\nfunc Serve() {\n\tlisten()\n}\n\nfunc listen() { accept() } // LATERSECRET\n")
	put("README.md", "# Thing\n\nServes blocks, once.\n")
	commit("Accept requests in listen")
	git(t, dir, "checkout", "-q", "-b", "side", "base")
	put("side.go", "package side // LATERSECRET\n")
	commit("Side work LATERSECRET")
	git(t, dir, "checkout", "-q", "main")
	put("stashed.go", "package stashed // LATERSECRET\n")
	git(t, dir, "add", "-A")
	git(t, dir, "stash", "-q")
	git(t, dir, "tag", "head")
	put("untracked.txt", "LATERSECRET\n")
	return dir
}

// snapshotOf exports base of a repository into a cache of the test's own.
func snapshotOf(t *testing.T, dir string, opts Options) *snapshot {
	t.Helper()
	ctx := context.Background()
	repo, err := open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	opts = opts.withDefaults()
	opts.CacheDir = t.TempDir()
	_, entries, err := readTasks(ctx, repo, opts)
	if err != nil {
		t.Fatal(err)
	}
	base, err := repo.resolve(ctx, opts.Base)
	if err != nil {
		t.Fatal(err)
	}
	s, err := repo.export(ctx, opts, base, entries)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close() })
	return s
}

func TestExportHasTheBytesOfBase(t *testing.T) {
	dir := smallRepo(t)
	git(t, dir, "config", "core.autocrlf", "true")
	git(t, dir, "config", "filter.upper.smudge", "tr a-z A-Z")
	git(t, dir, "config", "filter.upper.clean", "cat")
	s := snapshotOf(t, dir, Options{Base: "base", Head: "head"})
	var names []string
	for name := range fingerprint(t, s.root) {
		if !strings.HasPrefix(name, "/.git/") && name != "/.git" && !slices.Contains([]string{"", "/server", "/store"}, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	want := []string{"/.gitattributes", "/README.md", "/crlf.txt", "/secret.go", "/server/http.go", "/store/disk.go"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for _, name := range want {
		have, err := os.ReadFile(filepath.Join(s.root, name))
		if err != nil {
			t.Fatal(err)
		}
		if stored := git(t, dir, "cat-file", "blob", "base:"+name[1:]); string(have) != stored {
			t.Errorf("%s: have %q, want %q", name, have, stored)
		}
	}
}

// TestNothingLaterCanBeRead lets git itself look everywhere that it knows, and greps every byte of the export.
func TestNothingLaterCanBeRead(t *testing.T) {
	dir := smallRepo(t)
	s := snapshotOf(t, dir, Options{Base: "base", Head: "head"})
	if have := git(t, s.root, "log", "--all", "--reflog", "--format=%s"); have != "Listen twice in the server\nStart\n" {
		t.Errorf("log --all: have %q, want the two commits up to base", have)
	}
	if have := git(t, s.root, "status", "--porcelain"); have != "" {
		t.Errorf("status: have %q, want nothing", have)
	}
	if have := git(t, s.root, "fsck", "--unreachable", "--no-reflogs"); strings.Contains(have, "unreachable") {
		t.Errorf("fsck: have %q, want nothing unreachable", have)
	}
	objects := git(t, s.root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
	reachable := map[string]bool{}
	for line := range strings.Lines(git(t, dir, "rev-list", "--objects", "base")) {
		id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		reachable[id] = true
	}
	for id := range strings.FieldsSeq(objects) {
		if !reachable[id] {
			t.Errorf("object %s is in the export and not reachable from base", id)
		}
	}
	for _, absent := range []string{"objects/info/alternates", "logs", "packed-refs", "FETCH_HEAD", "hooks", "worktrees"} {
		if exists(filepath.Join(s.root, ".git", absent)) {
			t.Errorf("have .git/%s, want none", absent)
		}
	}
	err := filepath.WalkDir(filepath.Dir(filepath.Dir(s.root)), func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, []byte("LATERSECRET")) || bytes.Contains(data, []byte(dir)) {
			t.Errorf("%s tells of something later than base, or where the repository is", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestHistoryIsCutAtItsLimit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	for i := range 6 {
		if err := os.WriteFile(filepath.Join(dir, "f"), fmt.Appendf(nil, "%d\n", i), 0o644); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-q", "-m", fmt.Sprint("c", i))
	}
	s := snapshotOf(t, dir, Options{Base: "HEAD~1", Head: "HEAD", History: 3})
	// three commits up to base, and the parent of the oldest without its own parents
	if have := git(t, s.root, "log", "--format=%s"); have != "c4\nc3\nc2\nc1\n" {
		t.Errorf("have %q, want c4 to c1", have)
	}
	if len(s.past) != 3 {
		t.Errorf("have %d earlier commits, want 3", len(s.past))
	}
	none := snapshotOf(t, dir, Options{Base: "HEAD~1", Head: "HEAD", History: -1})
	if exists(filepath.Join(none.root, ".git")) {
		t.Error("no history: have a repository, want none")
	}
}

func TestUserRepositoryIsUntouched(t *testing.T) {
	dir := smallRepo(t)
	before := fingerprint(t, dir)
	s := snapshotOf(t, dir, Options{Base: "base", Head: "head", Functions: true})
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if exists(filepath.Dir(s.root)) {
		t.Error("the export is still there")
	}
	if diff := cmp.Diff(before, fingerprint(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestSweepRemovesOnlyWhatNobodyUses(t *testing.T) {
	dir := smallRepo(t)
	s := snapshotOf(t, dir, Options{Base: "base", Head: "head"})
	cache := filepath.Dir(filepath.Dir(filepath.Dir(s.root)))
	stale := filepath.Join(exportsDir(cache), "0123456789ab")
	other := filepath.Join(exportsDir(cache), "experiments")
	for _, d := range []string{filepath.Join(stale, "repo"), other} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := sweep(cache); err != nil {
		t.Fatal(err)
	}
	if exists(stale) || !exists(other) || !exists(s.root) {
		t.Errorf("have stale %v, other %v, used %v; want false, true, true", exists(stale), exists(other), exists(s.root))
	}
	repo, err := open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := repo.export(context.Background(), Options{CacheDir: cache}, s.commit, s.entries); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("have %v, want in use", err)
	}
}

func TestLinksStayInside(t *testing.T) {
	for _, c := range []struct {
		link, target string
		want         bool
	}{
		{"a", "b", true}, {"d/a", "../b", true}, {"d/e/a", "../../x/y", true}, {"a", "./b", true},
		{"a", "../b", false}, {"d/a", "../../b", false}, {"a", "/etc/passwd", false}, {"a", "d/../b", false},
		{"a", "", false}, {"a", ".git/config", false}, {"a", "..\\b", false},
	} {
		if have := inside(c.link, c.target); have != c.want {
			t.Errorf("%s -> %s: have %v, want %v", c.link, c.target, have, c.want)
		}
	}
}
