package derive

import "github.com/assay-bench/assay/schema"

// reliability computes what went wrong on the way.
var reliability = []runMetric{
	{&schema.TimedOut, timedOut},
	{&schema.ToolFailures, func(r *Run, out []schema.Value) {
		out[0] = r.ifRecorded(r.work.toolFailures, &schema.NotRecordedToolCall, &schema.NotRecordedToolStatus)
	}},
	{&schema.ParserFailures, func(r *Run, out []schema.Value) {
		out[0] = r.ifRecorded(r.work.parserFailures, &schema.NotRecordedToolCall, &schema.NotRecordedToolStatus)
	}},
	{&schema.EditFailures, func(r *Run, out []schema.Value) {
		out[0] = r.ifRecorded(r.work.edits-r.work.editsApplied, &schema.NotRecordedEdit)
	}},
	{&schema.FailureStage, failureStage},
}

func timedOut(r *Run, out []schema.Value) {
	if !r.finish.seen {
		out[0] = schema.Missing(&schema.MissingNotRecorded)
		return
	}
	out[0] = schema.Flag(r.finish.ending == schema.EndingTimeout.Name)
}

// failureStage gives every run that is not resolved exactly one stage.
func failureStage(r *Run, out []schema.Value) {
	resolved, _, why := r.resolved()
	stage, named := r.finish.stage.Get()
	switch {
	case why == nil && resolved:
		out[0] = schema.Missing(&schema.NoFailure)
	case named:
		out[0] = schema.Text(stage)
	case why != nil:
		out[0] = schema.Missing(why)
	default:
		out[0] = schema.Text(schema.StageUnknown.Name)
	}
}
