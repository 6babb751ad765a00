package githistory

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// readSessions lists the captured cases as tasks, one group a commit. They are scored exactly like commits; only
// the rules about subjects do not apply, because a person wrote them as questions.
func readSessions(ctx context.Context, repo *repository, opts Options) (TaskSet, []group, error) {
	file := filepath.Join(repo.gitDir, CasesFile)
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return TaskSet{}, nil, fmt.Errorf("%s: have no captured cases, want them from sessions run with ASSAY_EVAL_CAPTURE=true", file)
	}
	if err != nil {
		return TaskSet{}, nil, err
	}
	cases, err := ParseCases(file, text)
	if err != nil {
		return TaskSet{}, nil, err
	}
	set := TaskSet{Repo: repoName(repo, opts.RepoName)}
	var groups []group
	for _, commit := range commitsOf(cases) {
		g, err := readGroup(ctx, repo, commit)
		if err != nil {
			return TaskSet{}, nil, err
		}
		for _, c := range cases {
			if c.Commit == commit {
				set.addCase(c, &g, opts)
			}
		}
		if len(g.tasks) > 0 {
			groups = append(groups, g)
		}
	}
	return set, groups, nil
}

// commitsOf lists the commits of cases once each, in the order of the file.
func commitsOf(cases []Case) []string {
	var commits []string
	for _, c := range cases {
		if !slices.Contains(commits, c.Commit) {
			commits = append(commits, c.Commit)
		}
	}
	return commits
}

// readGroup reads the tree of a case's commit; a commit that the checkout lacks gives a group without a tree.
func readGroup(ctx context.Context, repo *repository, commit string) (group, error) {
	g := group{base: commit}
	if _, err := repo.resolve(ctx, commit); err != nil {
		return g, context.Cause(ctx)
	}
	var err error
	g.entries, err = repo.tree(ctx, commit)
	g.present = err == nil
	return g, err
}

// addCase files one case as a task of its group or under the reason why it is none.
func (s *TaskSet) addCase(c Case, g *group, opts Options) {
	known := newPathSet(g.entries)
	var gold []string
	for _, file := range c.Files {
		if _, ok := known[compared(file)]; ok {
			gold = append(gold, compared(file))
		}
	}
	slices.Sort(gold)
	gold = slices.Compact(gold)
	var reason Reason
	switch {
	case !g.present:
		reason = CommitLacking
	case len(c.Files)+c.Created > opts.MaxFiles:
		reason = TooLarge
	case strings.TrimSpace(c.Prompt) == "":
		reason = EmptySubject
	case len(gold) == 0:
		reason = NoGold
	}
	if reason != "" {
		s.Skipped = append(s.Skipped, Skip{ID: c.ID, Subject: c.Prompt, Reason: reason})
		return
	}
	g.tasks = append(g.tasks, len(s.Tasks))
	s.Tasks = append(s.Tasks, Task{
		ID: c.ID, Base: c.Commit, Subject: c.Prompt, Gold: gold, Added: c.Created + len(c.Files) - len(gold),
	})
}
