package derive

import "github.com/assay-bench/assay/schema"

// workFacts is what the agent did besides calling models and asking.
type workFacts struct {
	// activity is true where the run has an event besides its start and end.
	activity bool
	// failed calls by who failed
	toolFailures, parserFailures int64
	edits, editsApplied          int64
	lastEditApplied              bool
	// syntax, lint and build are the last verdicts.
	syntax, lint, build schema.Opt[bool]
	// failToPass and passToPass are the last counts of a test run.
	failToPass, passToPass schema.Opt[schema.PassedTotal]
	// disagree counts candidates whose rank contradicts their score.
	disagree counted
}

func (w *workFacts) toolCall(row *schema.ToolCallRow) {
	if row.Status.Or(schema.StatusOK.Name) == schema.StatusOK.Name {
		return
	}
	switch row.ErrorKind.Or(schema.ToolErrorTool.Name) {
	case schema.ToolErrorTool.Name:
		w.toolFailures++
	case schema.ToolErrorParser.Name:
		w.parserFailures++
	}
}

func (w *workFacts) edit(row *schema.EditRow) {
	w.edits++
	if w.lastEditApplied = row.Applied; row.Applied {
		w.editsApplied++
	}
	if row.SyntaxOK.Has() {
		w.syntax = row.SyntaxOK
	}
}

func (w *workFacts) testRun(row *schema.TestRunRow, c *schema.TestRun) {
	passed := schema.Some(row.ExitStatus == 0)
	switch row.Kind {
	case schema.KindSyntax.Name:
		w.syntax = passed
	case schema.KindLint.Name:
		w.lint = passed
	case schema.KindBuild.Name:
		w.build = passed
	}
	if c.FailToPass != nil {
		w.failToPass = schema.Some(*c.FailToPass)
	}
	if c.PassToPass != nil {
		w.passToPass = schema.Some(*c.PassToPass)
	}
}

// editing computes what became of the agent's changes.
var editing = []runMetric{
	{&schema.PatchApplied, patchApplied},
	{&schema.EditSuccess, editSuccess},
	{&schema.SyntaxOK, func(r *Run, out []schema.Value) { out[0] = r.lastCheck(r.work.syntax) }},
	{&schema.LintOK, func(r *Run, out []schema.Value) { out[0] = r.lastCheck(r.work.lint) }},
	{&schema.BuildOK, func(r *Run, out []schema.Value) { out[0] = r.lastCheck(r.work.build) }},
	{&schema.PatchFiles, patchSize(func(p *Patch) int64 { return p.Files })},
	{&schema.PatchHunks, patchSize(func(p *Patch) int64 { return p.Hunks })},
	{&schema.PatchLinesAdded, patchSize(func(p *Patch) int64 { return p.Added })},
	{&schema.PatchLinesRemoved, patchSize(func(p *Patch) int64 { return p.Removed })},
}

// applied is what the evaluation says of the patch.
func (r *Run) applied() schema.Opt[bool] {
	if t := r.end.TestResults; t != nil && t.Patch != nil {
		return t.Patch.Applied
	}
	return schema.None[bool]()
}

func patchApplied(r *Run, out []schema.Value) {
	applied, ok := r.applied().Get()
	switch {
	case ok:
		out[0], out[1] = schema.Flag(applied), schema.Text(schema.FromTestResults)
	case r.work.edits > 0:
		out[0], out[1] = schema.Flag(r.work.lastEditApplied), schema.Text(schema.FromEvents)
	default:
		out[0] = schema.Missing(r.withoutResults(&schema.MissingNotRecorded))
	}
}

func editSuccess(r *Run, out []schema.Value) {
	switch {
	case r.omits(&schema.NotRecordedEdit):
		out[0] = schema.Missing(&schema.MissingNotRecorded)
	case r.work.edits == 0:
		out[0] = schema.Missing(&schema.MissingNoEdit)
	default:
		out[0] = schema.Double(float64(r.work.editsApplied) / float64(r.work.edits))
	}
}

func (r *Run) lastCheck(verdict schema.Opt[bool]) schema.Value {
	passed, ok := verdict.Get()
	switch {
	case ok:
		return schema.Flag(passed)
	case r.omits(&schema.NotRecordedTestRun):
		return schema.Missing(&schema.MissingNotRecorded)
	}
	return schema.Missing(&schema.MissingNotRun)
}

func patchSize(of func(*Patch) int64) func(*Run, []schema.Value) {
	return func(r *Run, out []schema.Value) {
		switch {
		case r.end.Patch != nil:
			out[0] = schema.Integer(of(r.end.Patch))
		case r.finish.patch.Or("") == schema.PatchEmpty.Name:
			out[0] = schema.Integer(0)
		case r.lost(schema.PatchFile) != nil:
			out[0] = schema.Missing(r.lost(schema.PatchFile))
		default:
			out[0] = schema.Missing(&schema.MissingNoPatch)
		}
	}
}
