package githistory

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// keyed is one line of commits.jsonl: `git log --first-parent --no-renames --numstat` of a public repository.
type keyed struct {
	Commit  string   `json:"commit"`
	Parents []string `json:"parents"`
	Subject string   `json:"subject"`
	Files   []struct {
		Path string `json:"path"`
	} `json:"files"`
}

// expectedCounts are those of EXPECTED.json that rest on commits and paths.
type expectedCounts struct {
	Commits       int `json:"commits"`
	MergeCommits  int `json:"merge_commits"`
	FileChanges   int `json:"file_changes"`
	DistinctPaths int `json:"distinct_paths"`
	SingleFile    int `json:"single_file_commits"`
	MaxFiles      int `json:"max_files_in_one_commit"`
}

// TestCorpus reads the commits of the answer keys from clones of their repositories: the folder ASSAY_CLONES holds
// one a name. Merges are compared by hand-made keys only, since no task is made of them.
func TestCorpus(t *testing.T) {
	corpus := filepath.Join(outside(t, "ASSAY_CORPUS", "corpus"), "git-history")
	for _, name := range []string{"mini-swe-agent", "ir-measures"} {
		t.Run(name, func(t *testing.T) {
			clone := filepath.Join(os.Getenv("ASSAY_CLONES"), name)
			if os.Getenv("ASSAY_CLONES") == "" || !exists(clone) {
				t.Skip("no clone of " + name + "; set ASSAY_CLONES to a folder that holds it")
			}
			commits := readKey(t, filepath.Join(corpus, name, "commits.jsonl"))
			compareWithKey(t, clone, commits)
			compareCounts(t, filepath.Join(corpus, name, "EXPECTED.json"), clone, commits)
		})
	}
}

func readKey(t *testing.T, file string) []keyed {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Skip("no answer key " + file)
	}
	defer in.Close()
	var commits []keyed
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c keyed
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		commits = append(commits, c)
	}
	return commits
}

// compareWithKey compares subject and paths of every non-merge commit.
func compareWithKey(t *testing.T, clone string, commits []keyed) {
	t.Helper()
	ctx := context.Background()
	repo, err := open(ctx, clone)
	if err != nil {
		t.Fatal(err)
	}
	var nodes []node
	for _, c := range commits {
		nodes = append(nodes, node{id: c.Commit, parents: c.Parents})
	}
	read, err := questions(ctx, repo, nodes)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]question{}
	for _, q := range read {
		byID[q.id] = q
	}
	for _, c := range commits {
		q, ok := byID[c.Commit]
		if len(c.Parents) > 1 {
			if ok {
				t.Errorf("%s: have a question, want none of a merge", c.Commit)
			}
			continue
		}
		var have, want []string
		for _, change := range q.changes {
			have = append(have, change.path)
		}
		for _, file := range c.Files {
			want = append(want, file.Path)
		}
		slices.Sort(have)
		slices.Sort(want)
		if diff := cmp.Diff(want, have); diff != "" || q.subject != strings.TrimRight(c.Subject, " ") {
			t.Errorf("%s: have subject %q, want %q; paths %s", c.Commit, q.subject, c.Subject, diff)
		}
	}
}

// compareCounts adds up the same commits, merges against their first parent, as EXPECTED.json counts them.
func compareCounts(t *testing.T, file, clone string, commits []keyed) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no expected counts " + file)
	}
	var want expectedCounts
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	repo, err := open(ctx, clone)
	if err != nil {
		t.Fatal(err)
	}
	have := expectedCounts{Commits: len(commits)}
	paths := map[string]bool{}
	for _, c := range commits {
		if len(c.Parents) > 1 {
			have.MergeCommits++
		}
		changed, err := firstParentChanges(ctx, repo, c)
		if err != nil {
			t.Fatal(err)
		}
		have.FileChanges += len(changed)
		have.MaxFiles = max(have.MaxFiles, len(changed))
		if len(changed) == 1 {
			have.SingleFile++
		}
		for _, change := range changed {
			paths[change.path] = true
		}
	}
	have.DistinctPaths = len(paths)
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func firstParentChanges(ctx context.Context, repo *repository, c keyed) ([]change, error) {
	args := []string{"diff-tree", "-r", "--raw", "-z", "--no-abbrev", "--no-renames"}
	if len(c.Parents) == 0 {
		args = append(args, "--root", c.Commit)
	} else {
		args = append(args, c.Parents[0], c.Commit)
	}
	out, err := repo.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	if len(c.Parents) > 0 {
		out = append([]byte(c.Commit+"\x00"), out...)
	}
	changes, err := parseChanges(out)
	return changes[c.Commit], err
}
