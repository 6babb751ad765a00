package githistory

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/assay-bench/assay/eval/gate"
)

// Summary is the result as a gate compares it with a baseline: one entry an arm, every task's own figures beside
// the means. It is the baseline file of this evaluation.
func Summary(r Result) gate.Summary {
	s := gate.Summary{
		SchemaVersion: gate.SummaryVersion, Evaluator: gate.GitHistory.Name, EvaluatorVersion: gate.GitHistory.Version,
		CodeRevision: r.Options.CodeRevision, Repo: r.Set.Repo, Base: r.Set.Base, Head: r.Set.Head,
		Limit: r.Options.Limit, Budget: r.Options.Budget, Settings: settings(r),
		CommitsSeen: r.Set.Seen(), Tasks: len(r.Set.Tasks), Skipped: map[string]int{},
	}
	for _, reason := range Reasons {
		if n := r.Set.SkippedFor(reason); n > 0 {
			s.Skipped[string(reason)] = n
		}
	}
	revisions := map[string]string{}
	for _, info := range r.Tools {
		revisions[info.Name] = cmp.Or(info.Version, info.SHA256)
	}
	for a, arm := range r.Arms {
		s.Tools = append(s.Tools, summaryOf(r, a, arm.Name, revisions[arm.Tool]))
	}
	return s
}

// settings are the choices that change the figures beside limit and budget, in a fixed order.
func settings(r Result) []string {
	o := r.Options
	list := []string{
		"query=" + string(o.Query), "packing=" + string(o.Packing),
		fmt.Sprintf("max_files=%d", o.MaxFiles), fmt.Sprintf("history=%d", o.History), fmt.Sprintf("timeout_ms=%d", o.Timeout.Milliseconds()),
	}
	for _, pattern := range o.SkipSubjects {
		list = append(list, "skip_subject="+pattern)
	}
	if r.ShallowHistory != nil {
		list = append(list, fmt.Sprintf("shallow_history=%d", *r.ShallowHistory))
	}
	return list
}

// summaryOf is one arm's figures.
func summaryOf(r Result, a int, name, revision string) gate.Tool {
	tool := gate.Tool{Name: name, Revision: revision, Metrics: map[string]gate.Figure{}}
	var failed int64
	for i, task := range r.Set.Tasks {
		score := r.Outcomes[i][a].Score
		var errors int64
		if score.Failed {
			errors = 1
		}
		failed += errors
		tool.ByTask = append(tool.ByTask, gate.Task{ID: task.ID, Metrics: map[string]gate.Figure{
			gate.RecallAt5.Name: score.RecallAt5, gate.RecallAt10.Name: score.RecallAt10, gate.HitAt10.Name: score.HitAt10,
			gate.MeanTokens.Name: score.Tokens, gate.Errors.Name: gate.Fraction(errors, 1),
		}})
	}
	slices.SortFunc(tool.ByTask, func(x, y gate.Task) int { return cmp.Compare(x.ID, y.ID) })
	for _, measure := range []gate.Measure{gate.RecallAt5, gate.RecallAt10, gate.HitAt10, gate.MeanTokens} {
		figures := make([]gate.Figure, len(tool.ByTask))
		for i, task := range tool.ByTask {
			figures[i] = task.Metrics[measure.Name]
		}
		tool.Metrics[measure.Name] = gate.Mean(figures)
	}
	tool.Metrics[gate.Errors.Name] = gate.Fraction(failed, 1)
	return tool
}
