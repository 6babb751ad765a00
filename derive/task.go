package derive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A TaskConflict is a statement about a task that another source contradicts.
type TaskConflict struct {
	// Field is the key within the task object.
	Field string
	// Have is what the run says.
	Have string
	// Want is what was known, which counts.
	Want string
}

// MergeTask fills what the run left out with what is known of its task, from
// tasks.jsonl or from earlier runs. Where both say something and differ, what is
// known counts, and the difference is a conflict. The result shares memory with
// both.
func MergeTask(known, run *schema.Task) (schema.Task, []TaskConflict) {
	m := merger{}
	out := *run
	out.Repo = merge(&m, "repo", known.Repo, run.Repo)
	out.BaseCommit = merge(&m, "base_commit", known.BaseCommit, run.BaseCommit)
	out.Language = merge(&m, "language", known.Language, run.Language)
	out.Scenario = merge(&m, "scenario", known.Scenario, run.Scenario)
	out.Difficulty = merge(&m, "difficulty", known.Difficulty, run.Difficulty)
	out.StatementSHA256 = merge(&m, "statement_sha256", known.StatementSHA256, run.StatementSHA256)
	out.StatementTokens = merge(&m, "statement_tokens", known.StatementTokens, run.StatementTokens)
	out.FailToPass = merge(&m, "fail_to_pass", known.FailToPass, run.FailToPass)
	out.PassToPass = merge(&m, "pass_to_pass", known.PassToPass, run.PassToPass)
	switch {
	case known.Gold == nil:
	case run.Gold == nil:
		out.Gold = known.Gold
	default:
		out.Gold = &schema.Gold{
			Files:     mergeList(&m, "gold/files", known.Gold.Files, run.Gold.Files),
			Docs:      mergeList(&m, "gold/docs", known.Gold.Docs, run.Gold.Docs),
			Functions: mergeList(&m, "gold/functions", known.Gold.Functions, run.Gold.Functions),
		}
	}
	return out, m.conflicts
}

type merger struct{ conflicts []TaskConflict }

func merge[T comparable](m *merger, field string, known, run schema.Opt[T]) schema.Opt[T] {
	k, isKnown := known.Get()
	v, says := run.Get()
	if isKnown && says && k != v {
		m.conflicts = append(m.conflicts, TaskConflict{Field: field, Have: fmt.Sprint(v), Want: fmt.Sprint(k)})
	}
	if isKnown {
		return known
	}
	return run
}

func mergeList[T comparable](m *merger, field string, known, run []T) []T {
	if known == nil {
		return run
	}
	if run != nil && !slices.Equal(known, run) {
		m.conflicts = append(m.conflicts, TaskConflict{Field: field,
			Have: fmt.Sprintf("a list of %d", len(run)), Want: fmt.Sprintf("the list of %d", len(known))})
	}
	return known
}

// CloneTask returns a copy of t that shares no memory with it.
func CloneTask(t *schema.Task) schema.Task {
	out := *t
	out.ID = strings.Clone(t.ID)
	for _, o := range []*schema.Opt[string]{&out.Repo, &out.BaseCommit, &out.Language, &out.Scenario, &out.Difficulty, &out.StatementSHA256} {
		*o = cloneOpt(*o)
	}
	if t.Gold == nil {
		return out
	}
	g := schema.Gold{Files: slices.Clone(t.Gold.Files), Docs: slices.Clone(t.Gold.Docs), Functions: slices.Clone(t.Gold.Functions)}
	for i := range g.Files {
		g.Files[i].Path = strings.Clone(g.Files[i].Path)
	}
	for i := range g.Docs {
		g.Docs[i].DocID = strings.Clone(g.Docs[i].DocID)
	}
	for i := range g.Functions {
		g.Functions[i].File = strings.Clone(g.Functions[i].File)
		g.Functions[i].Symbol = cloneOpt(g.Functions[i].Symbol)
	}
	out.Gold = &g
	return out
}

func cloneOpt(o schema.Opt[string]) schema.Opt[string] {
	if s, ok := o.Get(); ok {
		return schema.Some(strings.Clone(s))
	}
	return o
}
