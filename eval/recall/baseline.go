package recall

import (
	"math/big"
	"slices"
	"strings"

	"github.com/assay-bench/assay/eval/gate"
)

// Summary is the run as a baseline, or as what is held against one. codeRevision is that of assay.
func (r Result) Summary(codeRevision string) gate.Summary {
	counts := r.Counts()
	settings := make([]string, 0, len(r.Setup.Features)+1)
	for _, name := range r.Setup.Features {
		settings = append(settings, "feature="+name)
	}
	if r.Setup.Bodies != "" {
		settings = append(settings, "bodies="+r.Setup.Bodies)
	}
	tool := gate.Tool{
		Name: r.Setup.Tool.Name, Revision: r.Setup.Tool.Revision(),
		Metrics: map[string]gate.Figure{
			gate.PassRate.Name:      gate.Fraction(int64(counts.Pass), int64(counts.Total)),
			gate.KeywordRecall.Name: r.keywordRecall(counts.MeanOver),
			gate.Empty.Name:         gate.Fraction(int64(counts.Empty), 1),
			gate.Errors.Name:        gate.Fraction(int64(counts.Error), 1),
		},
	}
	for _, o := range r.Outcomes {
		tool.ByTask = append(tool.ByTask, o.task())
	}
	slices.SortFunc(tool.ByTask, func(a, b gate.Task) int { return strings.Compare(a.ID, b.ID) })
	return gate.Summary{
		SchemaVersion: gate.SummaryVersion, Evaluator: gate.Questions.Name, EvaluatorVersion: gate.Questions.Version,
		CodeRevision: codeRevision, TasksSHA256: r.Setup.QuestionsSHA256, Limit: r.Setup.Limit, Settings: settings,
		Prepared: r.Setup.PreparedSHA256, Tasks: counts.Total, Tools: []gate.Tool{tool},
	}
}

// keywordRecall is the mean score; missing where nothing has one.
func (r Result) keywordRecall(over int) gate.Figure {
	if over == 0 {
		return gate.Figure{}
	}
	sum := r.scoreSum()
	return gate.Exact(sum.Quo(sum, big.NewRat(int64(over), 1)))
}

// task is one question's part of every figure; an error has no keyword recall.
func (o Outcome) task() gate.Task {
	is := func(yes bool) gate.Figure {
		if yes {
			return gate.Fraction(1, 1)
		}
		return gate.Fraction(0, 1)
	}
	metrics := map[string]gate.Figure{
		gate.PassRate.Name: is(o.Verdict == Pass), gate.Empty.Name: is(o.Verdict == Empty), gate.Errors.Name: is(o.Verdict == Error),
	}
	if o.Scored {
		metrics[gate.KeywordRecall.Name] = gate.Fraction(o.Score.Hits, o.Score.Total)
	}
	return gate.Task{ID: o.Question.ID.String(), Metrics: metrics}
}
