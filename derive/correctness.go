package derive

import (
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// listed counts the listed tests of test_results.json.
type listed struct {
	failToPass, passToPass schema.PassedTotal
}

// listedTests counts the listed tests: by name, else by the counts that stand for
// them. A name with two statuses counts as its worst, and names are compared
// without trailing blanks.
func (r *Run) listedTests() listed {
	t := r.end.TestResults
	if t == nil {
		return listed{}
	}
	var counts listed
	if c := t.Counts; c != nil {
		if c.FailToPass != nil {
			counts.failToPass = *c.FailToPass
		}
		if c.PassToPass != nil {
			counts.passToPass = *c.PassToPass
		}
	}
	if len(t.Tests) == 0 {
		return counts
	}
	named := countTests(t.Tests)
	if c := t.Counts; c != nil {
		r.compareCounts("/counts/fail_to_pass", c.FailToPass, named.failToPass)
		r.compareCounts("/counts/pass_to_pass", c.PassToPass, named.passToPass)
	}
	return named
}

func countTests(tests []schema.TestResult) (n listed) {
	type key struct{ set, name string }
	passed := make(map[key]bool, len(tests))
	for _, t := range tests {
		k := key{t.Set, strings.TrimRight(t.Name, " \t\r\n")}
		before, again := passed[k]
		passed[k] = t.Status == schema.TestPassed.Name && (before || !again)
	}
	for k, ok := range passed {
		var set *schema.PassedTotal
		switch k.set {
		case schema.SetFailToPass.Name:
			set = &n.failToPass
		case schema.SetPassToPass.Name:
			set = &n.passToPass
		default:
			continue
		}
		set.Total++
		if ok {
			set.Passed++
		}
	}
	return n
}

func (r *Run) compareCounts(pointer string, declared *schema.PassedTotal, counted schema.PassedTotal) {
	if declared != nil && *declared != counted {
		r.findIn(schema.DocumentTestResults.File, &schema.MetricMismatch, 0, pointer, passedOf(*declared), passedOf(counted)+", as the tests say")
	}
}

func passedOf(p schema.PassedTotal) string {
	return strconv.FormatInt(p.Passed, 10) + "/" + strconv.FormatInt(p.Total, 10)
}

// correctness computes whether the task was done.
var correctness = []runMetric{
	{&schema.ResolvedAt1, resolvedAt1},
	{&schema.FailToPass, listedShare(func(l *listed) schema.PassedTotal { return l.failToPass },
		func(w *workFacts) schema.Opt[schema.PassedTotal] { return w.failToPass })},
	{&schema.PassToPass, listedShare(func(l *listed) schema.PassedTotal { return l.passToPass },
		func(w *workFacts) schema.Opt[schema.PassedTotal] { return w.passToPass })},
	{&schema.Regressions, regressions},
}

func resolvedAt1(r *Run, out []schema.Value) {
	resolved, by, why := r.resolved()
	if why != nil {
		out[0] = schema.Missing(why)
		return
	}
	out[0], out[1] = schema.Flag(resolved), schema.Text(by.Name)
	switch {
	case by == &schema.ResolvedByFault:
		r.rows.Run.Fault = schema.Some(schema.FaultAgent.Name)
	case by == &schema.ResolvedByTests && (r.finish.outcome == schema.OutcomeResolved.Name && !resolved ||
		r.finish.outcome == schema.OutcomeUnresolved.Name && resolved):
		r.find(&schema.OutcomeMismatch, r.finish.line, "/data/outcome", r.finish.outcome,
			passedOf(r.tests.failToPass)+" fail_to_pass and "+passedOf(r.tests.passToPass)+" pass_to_pass tests passed")
	}
}

// resolved decides resolved_at_1 by the first rule that applies.
func (r *Run) resolved() (resolved bool, by *schema.Word, why *schema.MissingReason) {
	f2p, p2p, f := r.tests.failToPass, r.tests.passToPass, &r.finish
	switch {
	case f2p.Total > 0:
		return r.applied().Or(true) && f2p.Passed == f2p.Total && p2p.Passed == p2p.Total, &schema.ResolvedByTests, nil
	case f.outcome == schema.OutcomeNotApplicable.Name:
		return false, nil, &schema.NothingToResolve
	case f.outcome == schema.OutcomeResolved.Name:
		return true, &schema.ResolvedByOutcome, nil
	case f.outcome == schema.OutcomeUnresolved.Name:
		return false, &schema.ResolvedByOutcome, nil
	case f.fault() == &schema.FaultEvaluator:
		return false, nil, &schema.MissingEvaluationFailed
	case r.lost(schema.DocumentTestResults.File) != nil:
		return false, nil, r.lost(schema.DocumentTestResults.File)
	case f.outcome == schema.OutcomeNotEvaluated.Name && r.agentFailed():
		return false, &schema.ResolvedByFault, nil
	}
	return false, nil, &schema.MissingNotEvaluated
}

// agentFailed reports whether a run that was not evaluated failed by the agent's
// own fault: there is nothing that could pass, or it says where it failed.
func (r *Run) agentFailed() bool {
	state, known := r.patchState().Get()
	isReal := state == schema.PatchStateReal.Name
	return known && !isReal ||
		!r.applied().Or(true) ||
		r.finish.stage.Has() ||
		r.finish.ending != schema.EndingCompleted.Name && !isReal
}

func listedShare(evaluated func(*listed) schema.PassedTotal, own func(*workFacts) schema.Opt[schema.PassedTotal]) func(*Run, []schema.Value) {
	return func(r *Run, out []schema.Value) {
		n, from := evaluated(&r.tests), schema.FromTestResults
		if n.Total == 0 {
			n, from = own(&r.work).Or(schema.PassedTotal{}), schema.FromEvents
		}
		if n.Total == 0 {
			out[0] = schema.Missing(r.withoutResults(&schema.MissingNoneListed))
			return
		}
		out[0] = schema.Double(float64(n.Passed) / float64(n.Total))
		out[1], out[2], out[3] = schema.Integer(n.Passed), schema.Integer(n.Total), schema.Text(from)
	}
}

func regressions(r *Run, out []schema.Value) {
	n, from := r.tests.passToPass, schema.FromTestResults
	if n.Total == 0 {
		n, from = r.work.passToPass.Or(schema.PassedTotal{}), schema.FromEvents
	}
	if n.Total == 0 {
		out[0] = schema.Missing(r.withoutResults(&schema.MissingNoneListed))
		return
	}
	out[0], out[1] = schema.Integer(n.Total-n.Passed), schema.Text(from)
}

// lost says why a file of the run directory that should be there could not be
// used, or nil.
func (r *Run) lost(file string) *schema.MissingReason {
	for _, f := range r.end.Findings {
		switch {
		case f.Code == &schema.ArtifactMissing && missingArtifact(f) == file:
			return &schema.MissingArtifact
		case f.Code == &schema.DocumentUnreadable && f.File == file:
			return &schema.MissingDocumentUnreadable
		}
	}
	return nil
}

// missingArtifact is the file that an artifact_missing is about: one that
// run_finished lists, or the patch that test_results.json was made with.
func missingArtifact(f schema.Finding) string {
	if name, ok := strings.CutPrefix(f.Pointer, "/data/artifacts/"); ok {
		return name
	}
	return schema.PatchFile
}

// withoutResults is why a metric of test_results.json is missing: that the file
// was lost, else the reason given.
func (r *Run) withoutResults(why *schema.MissingReason) *schema.MissingReason {
	if lost := r.lost(schema.DocumentTestResults.File); lost != nil {
		return lost
	}
	return why
}
