package githistory

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostileConfig changes everything that git lets a user change about what it shows.
const hostileConfig = `[core]
	quotePath = true
	autocrlf = true
	attributesFile = %ATTRIBUTES%
	hooksPath = %HOOKS%
	pager = false
	abbrev = 4
	ignoreCase = true
	fsmonitor = false
[alias]
	rev-list = !false
	ls-tree = !false
[color]
	ui = always
	diff = always
[diff]
	renames = copies
	external = false
	noprefix = true
	mnemonicPrefix = true
	relative = true
	ignoreSubmodules = all
	algorithm = patience
	interHunkContext = 10
	context = 9
	orderFile = /nonexistent
	submodule = diff
	wordRegex = .
	suppressBlankEmpty = true
[diff "shout"]
	textconv = false
	xfuncname = x
	binary = true
[log]
	date = relative
	showSignature = true
	follow = true
	mailmap = true
[i18n]
	logOutputEncoding = ISO-8859-1
	commitEncoding = ISO-8859-1
[filter "upper"]
	smudge = tr a-z A-Z
	clean = cat
	required = true
[submodule]
	recurse = true
[status]
	relativePaths = true
`

func TestNothingOfTheUsersSettingsMatters(t *testing.T) {
	dir := smallRepo(t)
	opts := Options{Base: "base", Head: "head", Functions: true}
	want := tasksOf(t, dir, opts)
	wantTree := fingerprint(t, snapshotOf(t, dir, opts).root)

	home := t.TempDir()
	ran := filepath.Join(home, "hook-ran")
	hooks := filepath.Join(home, "hooks")
	if err := os.Mkdir(hooks, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-checkout", "reference-transaction", "pre-auto-gc", "post-index-change"} {
		if err := os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\ntouch "+ran+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	attributes := filepath.Join(home, "attributes")
	if err := os.WriteFile(attributes, []byte("* diff=shout filter=upper text eol=crlf\nREADME.md export-ignore -diff\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer("%ATTRIBUTES%", attributes, "%HOOKS%", hooks).Replace(hostileConfig)
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_GLOBAL": filepath.Join(home, ".gitconfig"), "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.ISO-8859-1", "LANGUAGE": "de", "GIT_EXTERNAL_DIFF": "false",
		"GIT_DIFF_OPTS": "-u20", "GIT_DIR": "/nonexistent", "GIT_WORK_TREE": "/nonexistent", "GIT_INDEX_FILE": "/nonexistent",
		"GIT_OBJECT_DIRECTORY": "/nonexistent", "GIT_LITERAL_PATHSPECS": "0", "GIT_TRACE": "1", "GIT_PAGER": "false", "GIT_NAMESPACE": "x",
		"TZ": "Asia/Tokyo",
	} {
		t.Setenv(name, value)
	}
	if diff := cmp.Diff(want, tasksOf(t, dir, opts)); diff != "" {
		t.Error(diff)
	}
	have := fingerprint(t, snapshotOf(t, dir, opts).root)
	for name, print := range wantTree {
		if !strings.HasPrefix(name, "/.git") && !strings.HasSuffix(name, "/server") && name != "" && !strings.HasSuffix(name, "/store") && have[name] != print {
			t.Errorf("%s: have %s, want %s", name, have[name], print)
		}
	}
	if exists(ran) {
		t.Error("a hook of the user ran")
	}
}

// TestReplacedCommitsAreNotFollowed reads what the commit ids name, whatever refs/replace says.
func TestReplacedCommitsAreNotFollowed(t *testing.T) {
	dir := smallRepo(t)
	want := tasksOf(t, dir, Options{Base: "base", Head: "head"})
	git(t, dir, "replace", "head", "base")
	if diff := cmp.Diff(want, tasksOf(t, dir, Options{Base: "base", Head: "head"})); diff != "" {
		t.Error(diff)
	}
}

// TestPartialClone: a clone without blobs still lists its tasks and says what it lacks when contents are needed;
// nothing is fetched.
func TestPartialClone(t *testing.T) {
	full := smallRepo(t)
	git(t, full, "config", "uploadpack.allowFilter", "true")
	dir := filepath.Join(t.TempDir(), "clone")
	clone := exec.Command("git", "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+full, dir)
	if out, err := clone.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before := git(t, dir, "rev-list", "--objects", "--all", "--missing=print")
	if set := tasksOf(t, dir, Options{Base: "base", Head: "head"}); len(set.Tasks) != 2 {
		t.Errorf("have %d tasks, want 2", len(set.Tasks))
	}
	_, err := Run(context.Background(), Options{Repo: dir, Base: "base", Head: "head", CacheDir: t.TempDir()}, nil)
	if err == nil || !strings.Contains(err.Error(), "partial") || !strings.Contains(err.Error(), "git fetch") {
		t.Errorf("have %v, want the remedy for a partial clone", err)
	}
	if after := git(t, dir, "rev-list", "--objects", "--all", "--missing=print"); before != after {
		t.Error("objects were fetched")
	}
}

func TestNoSuchRevision(t *testing.T) {
	dir := smallRepo(t)
	for _, c := range []struct{ base, head, want string }{
		{"HEAD~99", "head", "base HEAD~99"}, {"base", "nowhere", "head nowhere"}, {"--all", "head", "base --all"}, {"base", "", ""},
	} {
		_, err := Tasks(context.Background(), dir, Options{Base: c.base, Head: c.head})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s..%s: have %v, want %q", c.base, c.head, err, c.want)
		}
	}
	if _, err := Tasks(context.Background(), t.TempDir(), Options{}); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("have %v, want git's own words", err)
	}
}
