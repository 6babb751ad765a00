package githistory

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outside finds a folder of the reference material beside the repository, or skips the test.
func outside(t *testing.T, variable, name string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		root, err := filepath.Abs(".")
		if err != nil {
			t.Fatal(err)
		}
		for !exists(filepath.Join(root, "go.mod")) && root != filepath.Dir(root) {
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared", name)
	}
	if !exists(dir) {
		t.Skipf("%s is not here; set %s to its folder", name, variable)
	}
	return dir
}

// expectation is what expected.json of a case says, of all its forms.
type expectation struct {
	Tasks []struct {
		Subject string   `json:"subject"`
		Answer  []string `json:"answer"`
	} `json:"tasks"`
	SkippedNoAnswer   []string         `json:"skipped_no_answer"`
	Kept              []string         `json:"kept"`
	SkippedRevert     []string         `json:"skipped_revert"`
	SkippedDependency []string         `json:"skipped_dependency"`
	SkippedTooLarge   []string         `json:"skipped_too_large"`
	Answers           map[string]int   `json:"answers"`
	Touched           map[string]int   `json:"touched"`
	RootCommit        string           `json:"root_commit"`
	Commit            string           `json:"commit"`
	Questions         []string         `json:"questions"`
	ToolSees          map[string]int64 `json:"tool_sees"`
	WithRootBase      struct {
		ErrorContainsAll []string `json:"error_contains_all"`
	} `json:"with_root_base"`
	WithHead2 struct {
		Tasks []struct {
			Subject string   `json:"subject"`
			Answer  []string `json:"answer"`
		} `json:"tasks"`
	} `json:"with_HEAD~2"`
	WithVariable struct {
		ErrorContainsAll []string `json:"error_contains_all"`
	} `json:"with_variable"`
}

// caseRepo builds the repository of a case and reads what is expected of it.
func caseRepo(t *testing.T, name string) (string, expectation) {
	t.Helper()
	folder := filepath.Join(outside(t, "ASSAY_CASES", "cases"), name)
	text, err := os.ReadFile(filepath.Join(folder, "expected.json"))
	if err != nil {
		t.Skipf("case %s is not here", name)
	}
	var file struct {
		Expect expectation `json:"expect"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	repo := filepath.Join(t.TempDir(), "repo")
	build := exec.Command("sh", filepath.Join(folder, "input", "make-repo.sh"), repo)
	build.Dir = t.TempDir()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return repo, file.Expect
}

func tasksOf(t *testing.T, repo string, opts Options) TaskSet {
	t.Helper()
	if opts.Base == "" {
		opts.Base, opts.Head = "base", "head"
	}
	set, err := Tasks(context.Background(), repo, opts)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// answers maps each task's question to its gold.
func answers(set TaskSet) map[string][]string {
	out := map[string][]string{}
	for _, task := range set.Tasks {
		out[task.Subject] = task.Gold
	}
	return out
}

func skippedFor(set TaskSet, reason Reason) []string {
	var subjects []string
	for _, skip := range set.Skipped {
		if skip.Reason == reason {
			subjects = append(subjects, skip.Subject)
		}
	}
	return subjects
}

func sorted(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return list
}

// TestCases runs every case whose answer is a list of tasks and of commits without an answer.
func TestCases(t *testing.T) {
	for _, name := range []string{
		"096-quoted-utf8-paths", "097-hostile-file-names", "099-renames-and-copies", "102-submodule-pointer",
		"103-mode-link-and-type-changes", "104-merges-and-side-branches", "108-commits-without-answer",
		"114-sha256-repository", "117-case-twins-and-dir-file-swap", "140-tool-sees-the-base-tree",
	} {
		t.Run(name, func(t *testing.T) {
			repo, expect := caseRepo(t, name)
			for _, renames := range []string{"", "true", "false", "copies"} {
				if renames != "" {
					git(t, repo, "config", "diff.renames", renames)
				}
				set := tasksOf(t, repo, Options{})
				want := map[string][]string{}
				for _, task := range expect.Tasks {
					want[task.Subject] = sorted(task.Answer)
				}
				if diff := cmp.Diff(want, answers(set)); diff != "" {
					t.Errorf("diff.renames %q: %s", renames, diff)
				}
				if diff := cmp.Diff(sorted(expect.SkippedNoAnswer), sorted(skippedFor(set, NoGold))); diff != "" {
					t.Errorf("diff.renames %q: %s", renames, diff)
				}
			}
		})
	}
}

func TestCaseOrderOfSideBranches(t *testing.T) {
	repo, _ := caseRepo(t, "104-merges-and-side-branches")
	set := tasksOf(t, repo, Options{})
	seen := map[string]bool{}
	inSet := map[string]bool{}
	for _, task := range set.Tasks {
		inSet[task.ID] = true
	}
	for _, task := range set.Tasks {
		if inSet[task.Parent] && !seen[task.Parent] {
			t.Errorf("%s stands before its parent", task.Subject)
		}
		seen[task.ID] = true
	}
}

func TestCaseSha256(t *testing.T) {
	repo, expect := caseRepo(t, "114-sha256-repository")
	set := tasksOf(t, repo, Options{})
	if len(set.Tasks) != 1 || set.Tasks[0].ID != expect.Commit {
		t.Errorf("have %v, want commit %s", set.Tasks, expect.Commit)
	}
}

func TestCaseRevertsAndDependencies(t *testing.T) {
	repo, expect := caseRepo(t, "105-reverts-of-reverts")
	set := tasksOf(t, repo, Options{})
	if diff := cmp.Diff(expect.Kept, subjects(set)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(expect.SkippedRevert, skippedFor(set, Revert)); diff != "" {
		t.Error(diff)
	}

	repo, expect = caseRepo(t, "106-dependency-subjects")
	set = tasksOf(t, repo, Options{})
	if diff := cmp.Diff(expect.Kept, subjects(set)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(expect.SkippedDependency, skippedFor(set, Dependency)); diff != "" {
		t.Error(diff)
	}
	set = tasksOf(t, repo, Options{SkipSubjects: []string{`^build\(deps\)`}})
	if have, want := set.SkippedFor(Dependency), len(expect.SkippedDependency)+1; have != want || set.Seen() != 12 {
		t.Errorf("have %d of %d, want %d of 12", have, set.Seen(), want)
	}
}

func subjects(set TaskSet) []string {
	var out []string
	for _, task := range set.Tasks {
		out = append(out, task.Subject)
	}
	return out
}

func TestCaseFileLimit(t *testing.T) {
	repo, expect := caseRepo(t, "107-twenty-five-file-limit")
	set := tasksOf(t, repo, Options{})
	if diff := cmp.Diff(expect.Kept, subjects(set)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(expect.SkippedTooLarge, skippedFor(set, TooLarge)); diff != "" {
		t.Error(diff)
	}
	all := tasksOf(t, repo, Options{MaxFiles: 1000})
	gold, touched := map[string]int{}, map[string]int{}
	for _, task := range all.Tasks {
		gold[task.Subject] = len(task.Gold)
		touched[task.Subject] = len(task.Gold) + task.Added
	}
	if diff := cmp.Diff(expect.Answers, gold); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(expect.Touched, touched); diff != "" {
		t.Error(diff)
	}
}

func TestCaseOddSubjects(t *testing.T) {
	repo, expect := caseRepo(t, "116-odd-commit-subjects")
	set := tasksOf(t, repo, Options{})
	want := slices.DeleteFunc(expect.Questions, func(q string) bool { return q == "" })
	if diff := cmp.Diff(want, subjects(set)); diff != "" {
		t.Error(diff)
	}
	if have := set.SkippedFor(EmptySubject); have != 1 {
		t.Errorf("have %d empty subjects, want 1", have)
	}
	for _, task := range set.Tasks {
		if diff := cmp.Diff([]string{"f.txt"}, task.Gold); diff != "" {
			t.Error(diff)
		}
	}
}

func TestCaseShallowClone(t *testing.T) {
	repo, expect := caseRepo(t, "101-shallow-clone")
	_, err := Tasks(context.Background(), repo, Options{Base: expect.RootCommit, Head: "HEAD"})
	if err == nil {
		t.Fatal("have no error, want one")
	}
	for _, word := range append(expect.WithRootBase.ErrorContainsAll, expect.RootCommit) {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("have %q, want it to contain %q", err, word)
		}
	}
	want := map[string][]string{}
	for _, task := range expect.WithHead2.Tasks {
		want[task.Subject] = task.Answer
	}
	for _, dir := range []string{repo, repo + ".full"} {
		set := tasksOf(t, dir, Options{Base: "HEAD~2", Head: "HEAD"})
		if diff := cmp.Diff(want, answers(set)); diff != "" {
			t.Errorf("%s: %s", dir, diff)
		}
	}
	// a side line that the clone was cut off from: its boundary commit is never compared with nothing
	boundary := strings.TrimSpace(git(t, repo, "rev-parse", "HEAD~2"))
	empty := strings.TrimSpace(git(t, repo, "commit-tree", "-m", "unrelated", strings.TrimSpace(git(t, repo, "rev-parse", "HEAD^{tree}"))))
	_, err = Tasks(context.Background(), repo, Options{Base: empty, Head: "HEAD"})
	if err == nil || !strings.Contains(err.Error(), boundary) || !strings.Contains(err.Error(), "--unshallow") {
		t.Errorf("have %v, want an error that names %s and --unshallow", err, boundary)
	}
}

func TestCaseNotMyRepository(t *testing.T) {
	repo, expect := caseRepo(t, "144-not-my-repository")
	if set := tasksOf(t, repo, Options{}); len(set.Tasks) != 1 {
		t.Errorf("have %d tasks, want 1", len(set.Tasks))
	}
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	_, err := Tasks(context.Background(), repo, Options{Base: "base", Head: "head"})
	if err == nil {
		t.Fatal("have no error, want one")
	}
	for _, word := range append(expect.WithVariable.ErrorContainsAll, repo) {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("have %q, want it to contain %q", err, word)
		}
	}
}

// git runs git in a test's repository with fixed names and dates and returns what it prints.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C",
		"GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.invalid", "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.invalid",
		"GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
	return string(out)
}
