package derive

import "github.com/assay-bench/assay/schema"

// startFacts is what run_started says.
type startFacts struct {
	seen bool
	ts   schema.Opt[schema.Time]
	line int64
}

// finishFacts is what run_finished says.
type finishFacts struct {
	seen      bool
	ts        schema.Opt[schema.Time]
	line      int64
	ending    string
	outcome   string
	stage     schema.Opt[string]
	errorKind schema.Opt[string]
	errorType schema.Opt[string]
	patch     schema.Opt[string]
	totals    schema.Totals
}

func (r *Run) started(ev *schema.Event, pos schema.Position) {
	if r.start.seen {
		return
	}
	s, w := ev.RunStarted, &r.rows.Run
	r.start = startFacts{seen: true, ts: ev.TS, line: pos.Line}
	w.StartedAt, w.StartedLine, w.ExecutionOrder = ev.TS, positive(pos.Line), s.ExecutionOrder
	if l := s.Limits; l != nil {
		w.MaxWallMS, w.MaxModelCalls, w.MaxToolCalls = l.MaxWallMS, l.MaxModelCalls, l.MaxToolCalls
		w.MaxInputTokens, w.MaxOutputTokens = l.MaxInputTokens, l.MaxOutputTokens
	}
	task := s.Task
	if r.in.Task != nil {
		var conflicts []TaskConflict
		task, conflicts = MergeTask(r.in.Task, &s.Task)
		for _, c := range conflicts {
			r.find(&schema.TaskConflict, pos.Line, "/data/task/"+c.Field, r.texts.keep(shorten(c.Have)), shorten(c.Want)+", as "+schema.DocumentTask.File+" or an earlier run says")
		}
	}
	r.learnTask(&task)
}

// learnTask takes in what is known of the task.
func (r *Run) learnTask(t *schema.Task) {
	r.learnGold(t.Gold)
	r.taskRow(t)
}

func (r *Run) finished(ev *schema.Event, pos schema.Position) {
	f := ev.RunFinished
	r.finish = finishFacts{
		seen: true, ts: ev.TS, line: pos.Line, ending: r.texts.name(f.Ending), outcome: r.texts.name(f.Outcome),
		stage: r.texts.nameOpt(f.FailureStage), errorKind: r.texts.nameOpt(f.ErrorKind), errorType: r.texts.nameOpt(f.ErrorType),
		patch: r.texts.nameOpt(f.Patch),
	}
	if f.Totals != nil {
		r.finish.totals = *f.Totals
	}
}

// fault says that the apparatus or the evaluation is at fault, or nil: all other
// failures are the agent's, also those of unknown cause.
func (f *finishFacts) fault() *schema.Word {
	stage := f.stage.Or("")
	switch {
	case !f.seen:
		return nil
	case stage == schema.StageSetup.Name, stage == schema.StageInfrastructure.Name, f.ending == schema.EndingCancelled.Name:
		return &schema.FaultInfrastructure
	case stage == schema.StageEvaluate.Name && f.outcome == schema.OutcomeNotEvaluated.Name:
		return &schema.FaultEvaluator
	}
	return nil
}
