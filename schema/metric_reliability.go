package schema

func failures(name, heading, what string, over *EventType, words ...*Word) Metric {
	return Metric{Name: name, Heading: heading, Group: groupReliability, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  what,
		Denominator: "included runs with any event besides start and end, whose source records it",
		Missing:     "no_events; " + missingWhere(words...),
		Misleads:    "longer runs fail more often: read it beside the number of calls",
		Reads:       []string{DocumentManifest.Name, over.Name, ReadsActivity}}
}

// What went wrong on the way.
var (
	// TimedOut says whether the run's time was up.
	TimedOut = Metric{Name: "timed_out", Heading: "timed out", Group: groupReliability,
		Kind: KindRate, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  "1 if the ending is timeout, else 0",
		Denominator: "included runs",
		Missing:     "never: an included run has an ending",
		Misleads:    "limits differ between harnesses; a run that timed out may be resolved",
		Reads:       []string{EventRunFinished.Name}}
	// ToolFailures counts the tool calls that failed.
	ToolFailures = failures("tool_failures", "tool failures", "tool calls that did not work, where the error is the tool's or of no kind given", &EventToolCall, &NotRecordedToolCall, &NotRecordedToolStatus)
	// ParserFailures counts the tool calls that could not be parsed.
	ParserFailures = failures("parser_failures", "parser failures", "tool calls that did not work because the call could not be parsed", &EventToolCall, &NotRecordedToolCall, &NotRecordedToolStatus)
	// EditFailures counts the edits that could not be applied.
	EditFailures = failures("edit_failures", "edit failures", "edits that were not applied", &EventEdit, &NotRecordedEdit)
	// FailureStage is the stage in which the run failed.
	FailureStage = Metric{Name: "failure_stage", Heading: "failure stage", Group: groupReliability,
		Kind: KindLabel, Type: TypeText, Direction: NoDirection, Level: LevelRun,
		Definition:  "the stage that the run names; unknown where it names none and was not resolved",
		Denominator: "included runs that are not resolved",
		Missing:     "not_evaluated, evaluation_failed where it is not known whether the run failed; not applicable where it was resolved or there is nothing to resolve",
		Misleads:    "harnesses name stages by their own lights",
		Reads:       []string{DocumentTestResults.Name, PatchFile, EventRunFinished.Name}}
)
