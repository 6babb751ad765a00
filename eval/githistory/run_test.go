//go:build unix

package githistory

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// script writes an executable shell script and returns it as a word of a command line.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return "'" + path + "'"
}

func evaluate(t *testing.T, opts Options) Result {
	t.Helper()
	if opts.CacheDir == "" {
		opts.CacheDir = t.TempDir()
	}
	if opts.Base == "" {
		opts.Base, opts.Head = "base", "head"
	}
	result, err := Run(context.Background(), opts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// answersOf is the files that one arm named, by question.
func answersOf(r Result, arm string) map[string][]string {
	a := slices.IndexFunc(r.Arms, func(x Arm) bool { return x.Name == arm })
	out := map[string][]string{}
	for i, task := range r.Set.Tasks {
		out[task.Subject] = []string{}
		for _, hit := range r.Outcomes[i][a].Answer.Files() {
			out[task.Subject] = append(out[task.Subject], hit.File)
		}
	}
	return out
}

// TestCaseToolSeesTheBaseTree runs a tool that prints every file that it can see with its size.
func TestCaseToolSeesTheBaseTree(t *testing.T) {
	repo, expect := caseRepo(t, "140-tool-sees-the-base-tree")
	list := filepath.Join(t.TempDir(), "list")
	tool := script(t, "find . -path ./.git -prune -o -type f -printf '%P %s\\n' > '"+list+"'\nfind . -name '*.txt'\n")
	result := evaluate(t, Options{Repo: repo, Tools: []ToolSpec{{Name: "all", Command: tool}}})
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		name, size, _ := strings.Cut(strings.TrimSpace(line), " ")
		var n int64
		if err := json.Unmarshal([]byte(size), &n); err != nil {
			t.Fatal(err)
		}
		have[name] = n
	}
	if diff := cmp.Diff(expect.ToolSees, have); diff != "" {
		t.Error(diff)
	}
	for question, files := range answersOf(result, "all") {
		slices.Sort(files)
		if diff := cmp.Diff([]string{"a.txt", "b.txt"}, files); diff != "" {
			t.Errorf("%s: %s", question, diff)
		}
	}
}

// TestSpyingToolLearnsNothing looks where a curious tool would: all of git, reflogs, unreachable objects,
// alternates, the environment, the folders above.
func TestSpyingToolLearnsNothing(t *testing.T) {
	dir := smallRepo(t)
	seen := filepath.Join(t.TempDir(), "seen")
	tool := script(t, `exec > '`+seen+`' 2>&1
git log --all --reflog -p
git reflog --all
git stash list
git fsck --lost-found --unreachable
git cat-file --batch-all-objects --batch
cat .git/objects/info/alternates .git/packed-refs .git/logs/HEAD
git worktree list
env
pwd
ls -laR ..
git -C .. log --all -p
git -C ../../.. log --all -p
`)
	t.Setenv("INIT_CWD", dir)
	t.Setenv("GIT_DIR", filepath.Join(dir, ".git"))
	evaluate(t, Options{Repo: dir, Tools: []ToolSpec{{Name: "spy", Command: tool + " {query}"}}, Builtins: []string{}})
	text, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(text, []byte("Listen twice in the server")) {
		t.Error("the spy does not see the history before base, so it proves nothing")
	}
	for _, secret := range []string{"LATERSECRET", dir, "Accept requests", strings.TrimSpace(git(t, dir, "rev-parse", "head"))} {
		if i := bytes.Index(text, []byte(secret)); i >= 0 {
			t.Errorf("the tool read %q: …%s", secret, text[max(0, i-80):min(len(text), i+80)])
		}
	}
}

// TestAWorkTreeHidesItsRepositoryToo evaluates a second work tree: neither folder is told to a tool.
func TestAWorkTreeHidesItsRepositoryToo(t *testing.T) {
	dir := smallRepo(t)
	second := filepath.Join(t.TempDir(), "second")
	git(t, dir, "worktree", "add", "-q", "--detach", second, "head")
	seen := filepath.Join(t.TempDir(), "seen")
	t.Setenv("MAIN_CHECKOUT", dir+"/x")
	t.Setenv("SECOND_CHECKOUT", second)
	evaluate(t, Options{Repo: second, Builtins: []string{}, Tools: []ToolSpec{{Name: "spy", Command: script(t, "env > '"+seen+"'")}}})
	text, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(text, []byte(dir)) || bytes.Contains(text, []byte(second)) {
		t.Errorf("have %s, want neither %s nor %s", text, dir, second)
	}
}

func TestUntouchedAfterEveryEnd(t *testing.T) {
	dir := smallRepo(t)
	before := fingerprint(t, dir)
	cache := t.TempDir()
	untouched := func(how string) {
		t.Helper()
		if diff := cmp.Diff(before, fingerprint(t, dir)); diff != "" {
			t.Errorf("%s: %s", how, diff)
		}
	}
	left := func() []string {
		found, _ := filepath.Glob(filepath.Join(exportsDir(cache), "*"))
		return found
	}
	opts := Options{Repo: dir, Base: "base", Head: "head", CacheDir: cache, Functions: true, Timeout: noLimit}

	evaluate(t, opts)
	untouched("success")

	opts.Tools = []ToolSpec{{Name: "absent", Command: "no-such-program-here {query}"}}
	if _, err := Run(context.Background(), opts, nil); err == nil {
		t.Error("a tool that cannot be started: have no error, want one")
	}
	untouched("failure")

	ctx, cancel := context.WithCancelCause(context.Background())
	opts.Tools = []ToolSpec{slowTool}
	go func() {
		waitFor(t, filepath.Join(exportsDir(cache), "*", "*", "ready"))
		cancel(errors.New("interrupted"))
	}()
	if _, err := Run(ctx, opts, nil); err == nil || err.Error() != "interrupted" {
		t.Errorf("have %v, want interrupted", err)
	}
	untouched("interrupt")
	if have := left(); len(have) > 0 {
		t.Errorf("have %v left, want nothing", have)
	}

	interrupted := startSlow(t, dir, cache)
	syscall.Kill(-interrupted.Process.Pid, syscall.SIGINT) // as a terminal does: to the whole group
	if err := interrupted.Wait(); err != nil {
		t.Errorf("after Ctrl-C: %v, want an orderly end", err)
	}
	untouched("Ctrl-C")
	if have := left(); len(have) > 0 {
		t.Errorf("after Ctrl-C: have %v left, want nothing", have)
	}

	killed := startSlow(t, dir, cache)
	killed.Process.Kill()
	killed.Wait()
	untouched("kill -9")
	if have := left(); len(have) == 0 {
		t.Error("the killed process left nothing, so its removal is not shown")
	}
	opts.Tools = nil
	evaluate(t, opts)
	if have := left(); len(have) > 0 {
		t.Errorf("after the next start: have %v left, want nothing", have)
	}
	untouched("the start after kill -9")
}

// startSlow runs an evaluation in a process and group of its own and returns once its tool is running.
func startSlow(t *testing.T, dir, cache string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=TestHelperSlowEvaluation")
	cmd.Env = append(os.Environ(), "ASSAY_TEST_REPO="+dir, "ASSAY_TEST_CACHE="+cache)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	if !waitFor(t, filepath.Join(exportsDir(cache), "*", "*", "ready")) {
		t.FailNow()
	}
	return cmd
}

// slowTool says by a file that it runs, and runs until the file is gone, as it is once the export is.
var slowTool = ToolSpec{Name: "slow", Command: `sh -c "touch ready; while [ -e ready ]; do sleep 0.1; done"`}

// noLimit only bounds a hang of a test.
const noLimit = 5 * time.Minute

// short is only for a tool that hangs: nothing else may meet it on a machine however slow.
const short = 500 * time.Millisecond

// waitFor returns once a file matches the pattern, or fails the test.
func waitFor(t *testing.T, pattern string) bool {
	for end := time.Now().Add(noLimit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return true
		}
	}
	t.Errorf("have no %s after %v", pattern, noLimit)
	return false
}

// TestHelperSlowEvaluation is the process that TestUntouchedAfterEveryEnd interrupts and kills.
func TestHelperSlowEvaluation(t *testing.T) {
	dir := os.Getenv("ASSAY_TEST_REPO")
	if dir == "" {
		t.Skip("only a helper of another test")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	_, err := Run(ctx, Options{
		Repo: dir, Base: "base", Head: "head", CacheDir: os.Getenv("ASSAY_TEST_CACHE"),
		Timeout: noLimit, Tools: []ToolSpec{slowTool},
	}, nil)
	if ctx.Err() == nil {
		t.Errorf("have %v before the interrupt, want to be interrupted", err)
	}
}

func TestToolsThatFail(t *testing.T) {
	dir := smallRepo(t)
	result := evaluate(t, Options{Repo: dir, Timeout: noLimit, Jobs: 2, Builtins: []string{}, Tools: []ToolSpec{
		{Name: "good", Command: "printf '%s\\n' {repo}/store/disk.go ./README.md nowhere.go"},
		{Name: "fails", Command: "sh -c 'echo store/disk.go; echo broken >&2; exit 3'"},
		{Name: "nonsense", Command: "echo {query}", Format: JSON},
		{Name: "finds nothing", Command: "grep -rl zzzzzz ."},
		{Name: "by keyword", Command: "grep -rlwi {query} . --include=*.go", Expand: 5},
	}})
	report := NewReport(result, true)
	for _, c := range []struct {
		arm     string
		errors  int
		unknown int
		status  Status
	}{
		{"good", 0, 2, StatusOK}, {"fails", 2, 0, StatusError},
		{"nonsense", 2, 0, StatusError}, {"finds nothing", 0, 0, StatusOK}, {"by keyword", 0, 0, StatusOK},
	} {
		a := slices.IndexFunc(report.Arms, func(x ArmReport) bool { return x.Name == c.arm })
		arm := report.Arms[a]
		if arm.Errors != c.errors || arm.UnknownPaths != c.unknown || report.Results[0].Arms[a].Status != c.status {
			t.Errorf("%s: have %d errors, %d unknown, %s (%s); want %d, %d, %s", c.arm, arm.Errors, arm.UnknownPaths,
				report.Results[0].Arms[a].Status, report.Results[0].Arms[a].Reason, c.errors, c.unknown, c.status)
		}
	}
	// "store/disk.go\n./README.md\nnowhere.go\n" without the root: 38 bytes are 10 tokens
	if have := report.Arms[0].Tokens.Text(2); have != "10.00" {
		t.Errorf("have %s tokens, want 10: the root must not count", have)
	}
	if have := answersOf(result, "by keyword")["Accept requests in listen"]; !slices.Contains(have, "server/http.go") {
		t.Errorf("have %v, want server/http.go by the word listen", have)
	}
}

// A tool that hangs is asked apart: its limit is one that nothing else may meet.
func TestToolThatHangs(t *testing.T) {
	result := evaluate(t, Options{Repo: smallRepo(t), Timeout: short, Jobs: 2, Builtins: []string{}, Tools: []ToolSpec{{Name: "hangs", Command: "sleep 3600"}}})
	report := NewReport(result, true)
	if have := report.Results[0].Arms[0]; report.Arms[0].Errors != 2 || have.Status != StatusTimeout || have.Reason != "no end after 500ms" {
		t.Errorf("have %d errors, %s (%s); want 2, %s", report.Arms[0].Errors, have.Status, have.Reason, StatusTimeout)
	}
}

func TestAnyNumberOfJobsGivesTheSameReport(t *testing.T) {
	dir := smallRepo(t)
	var reports []string
	for _, jobs := range []int{1, 2, 2} {
		var out bytes.Buffer
		result := evaluate(t, Options{Repo: dir, RepoName: "thing", Jobs: jobs, Cross: DefaultLevels(10, 100)})
		if err := NewReport(result, true).WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		reports = append(reports, out.String())
	}
	if reports[0] != reports[1] || reports[1] != reports[2] {
		t.Error("have different reports, want the same bytes")
	}
}

// TestGoldenReport holds the whole text of a report; ASSAY_UPDATE=1 writes it anew.
func TestGoldenReport(t *testing.T) {
	result := evaluate(t, Options{Repo: smallRepo(t), RepoName: "thing"})
	var have bytes.Buffer
	if err := NewReport(result, true).WriteText(&have); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "report.txt")
	if os.Getenv("ASSAY_UPDATE") != "" {
		if err := os.WriteFile(golden, have.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), have.String()); diff != "" {
		t.Error(diff)
	}
}

func TestNothingToMeasure(t *testing.T) {
	dir := smallRepo(t)
	_, err := Run(context.Background(), Options{Repo: dir, Base: "base", Head: "side", CacheDir: t.TempDir()}, nil)
	var nothing *NothingError
	if !errors.As(err, &nothing) || err.Error() != "0 tasks from 1 commits: 1 no file existed at base" {
		t.Errorf("have %v, want 0 tasks from 1 commits", err)
	}
}
