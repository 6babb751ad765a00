package githistory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Task is one question with its known answer.
type Task struct {
	// ID is the commit id, or the id of a captured case.
	ID string
	// Base is the commit whose tree the tool sees.
	Base string
	// Parent is the commit that the change was made on; empty where it has none.
	Parent string
	// Subject is the question: the first paragraph of the message, folded to one line.
	Subject string
	// Body is the rest of the message.
	Body string
	// Gold is the paths that the commit modified, deleted or changed in type and that the tree of base has, sorted.
	Gold []string
	// Added counts the paths that the commit touched and that nobody could find at base.
	Added int
	// Functions is the functions of base whose lines the commit changed, sorted by file and line.
	Functions []Function
	// FunctionsKnown is true where a parser read the changed files; otherwise Functions is missing, not empty.
	FunctionsKnown bool
}

// Function is one function of the tree of base.
type Function struct {
	// File is its path.
	File string
	// Symbol is its name, with the names of what encloses it, joined by dots.
	Symbol string
	// StartLine and EndLine are its first and last line, from 1.
	StartLine, EndLine int
}

// Skip is one commit, or captured case, that is no task.
type Skip struct {
	// ID is the commit id.
	ID string
	// Subject is what would have been the question.
	Subject string
	// Reason says why it is left out.
	Reason Reason
}

// TaskSet is every commit of a range, as a task or with the reason why not.
type TaskSet struct {
	// Repo is the name of the repository in reports and paths.
	Repo string
	// Base and Head are commit ids; both are empty for captured cases, which each have their own base.
	Base, Head string
	// Tasks is oldest first, parents before children, ties by id.
	Tasks []Task
	// Skipped is in the same order.
	Skipped []Skip
}

// Seen is the number of non-merge commits of the range: tasks and skipped.
func (s TaskSet) Seen() int { return len(s.Tasks) + len(s.Skipped) }

// SkippedFor counts the commits left out for one reason.
func (s TaskSet) SkippedFor(reason Reason) int {
	n := 0
	for _, skip := range s.Skipped {
		if skip.Reason == reason {
			n++
		}
	}
	return n
}

// Tasks reads the tasks of a repository and builds nothing.
func Tasks(ctx context.Context, path string, opts Options) (TaskSet, error) {
	opts = opts.withDefaults()
	repo, err := open(ctx, path)
	if err != nil {
		return TaskSet{}, err
	}
	set, _, err := readTasks(ctx, repo, opts)
	return set, err
}

// readTasks lists the tasks of base..head and the tree of base.
func readTasks(ctx context.Context, repo *repository, opts Options) (TaskSet, []Entry, error) {
	rules, err := newSkipRules(opts.SkipSubjects, opts.MaxFiles)
	if err != nil {
		return TaskSet{}, nil, err
	}
	set := TaskSet{Repo: repoName(repo, opts.RepoName)}
	if set.Head, err = repo.resolve(ctx, opts.Head); err != nil {
		return TaskSet{}, nil, fmt.Errorf("head %w", err)
	}
	if set.Base, err = repo.resolve(ctx, opts.Base); err != nil {
		return TaskSet{}, nil, fmt.Errorf("base %w", err)
	}
	nodes, err := repo.graph(ctx, set.Head, set.Base, -1)
	if err != nil {
		return TaskSet{}, nil, err
	}
	entries, err := repo.tree(ctx, set.Base)
	if err != nil {
		return TaskSet{}, nil, err
	}
	commits, err := questions(ctx, repo, oldestFirst(nodes))
	if err != nil {
		return TaskSet{}, nil, err
	}
	known := newPathSet(entries)
	for _, c := range commits {
		set.add(c, known, rules)
	}
	if opts.Functions {
		if err := addFunctions(ctx, repo, set.Tasks, entries); err != nil {
			return TaskSet{}, nil, err
		}
	}
	return set, entries, nil
}

// question is a commit with all that the rules ask about it.
type question struct {
	node
	message
	changes []change
}

// questions reads the messages and changes of the non-merge commits among nodes, in their order.
func questions(ctx context.Context, repo *repository, nodes []node) ([]question, error) {
	var commits []question
	var ids []string
	for _, n := range nodes {
		if repo.shallow[n.id] {
			return nil, fmt.Errorf("commit %s: its parents are not in this clone, which is shallow: run `git fetch --unshallow`", n.id)
		}
		if len(n.parents) < 2 {
			commits = append(commits, question{node: n})
			ids = append(ids, n.id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	if err := repo.objects(ctx, ids, func(i int, raw []byte) error {
		commits[i].message = parseCommit(raw)
		return nil
	}); err != nil {
		return nil, err
	}
	changes, err := repo.changes(ctx, ids)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		list, ok := changes[id]
		if !ok {
			return nil, fmt.Errorf("git diff-tree: have no answer for commit %s, want its changes", id)
		}
		commits[i].changes = list
	}
	return commits, nil
}

// add files one commit as a task or under the reason why it is none.
func (s *TaskSet) add(q question, known pathSet, rules skipRules) {
	var gold []string
	for _, c := range q.changes {
		if c.status == 'A' {
			continue
		}
		if _, ok := known[compared(c.path)]; ok {
			gold = append(gold, compared(c.path))
		}
	}
	slices.Sort(gold)
	gold = slices.Compact(gold)
	if reason := rules.reason(q.message, len(q.changes), len(gold)); reason != "" {
		s.Skipped = append(s.Skipped, Skip{ID: q.id, Subject: q.subject, Reason: reason})
		return
	}
	task := Task{ID: q.id, Base: s.Base, Subject: q.subject, Body: q.body, Gold: gold, Added: len(q.changes) - len(gold)}
	if len(q.parents) == 1 {
		task.Parent = q.parents[0]
	}
	s.Tasks = append(s.Tasks, task)
}

// compareFunctions orders functions by file, then by place.
func compareFunctions(a, b Function) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.StartLine, b.StartLine),
		cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.Symbol, b.Symbol))
}
