package schema

const firstGoldMisleads = "averages only runs that reached gold: read it beside the rate first_gold_reached"

// How the agent found its way.
var (
	// TimeToFirstGoldMS is the time until a gold file was read.
	TimeToFirstGoldMS = Metric{Name: "time_to_first_gold_ms", Heading: "time to gold", Group: groupNavigation, Unit: "ms",
		Kind: KindAmount, Type: TypeDouble, Direction: LowerBetter, Level: LevelRun,
		Definition:  "time of the first file_read of a relevant gold file - time of run_started",
		Denominator: "included runs that read a gold file",
		Missing:     "no_gold, no_read, not_reached (then first_gold_reached is 0), no_time, time_regression; " + missingWhere(&NotRecordedFileRead),
		Misleads:    firstGoldMisleads,
		Reads:       []string{DocumentManifest.Name, EventRunStarted.Name, DocumentTask.Name, EventFileRead.Name},
		Companions: []Companion{{Name: "first_gold_reached", Type: TypeInteger,
			Doc: "1 if a relevant gold file was read, 0 if only others were; missing without gold or without any file_read"}}}
	// TokensToFirstGold is the tokens spent until a gold file was read.
	TokensToFirstGold = Metric{Name: "tokens_to_first_gold", Heading: "tokens to gold", Group: groupNavigation, Unit: "tokens",
		Kind: KindAmount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  "input and output tokens of the model calls before the first file_read of a relevant gold file",
		Denominator: "included runs that read a gold file",
		Missing:     "no_gold, no_read, not_reached, no_usage where a call before it carries no usage; " + missingWhere(&NotRecordedFileRead, &NotRecordedModelCall),
		Misleads:    firstGoldMisleads,
		Reads:       []string{DocumentManifest.Name, EventRunStarted.Name, DocumentTask.Name, EventFileRead.Name, EventModelCall.Name}}
	// ToolCallsToFirstGold is the tool calls made until a gold file was read.
	ToolCallsToFirstGold = Metric{Name: "tool_calls_to_first_gold", Heading: "calls to gold", Group: groupNavigation, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  "tool calls before the first file_read of a relevant gold file",
		Denominator: "included runs that read a gold file",
		Missing:     "no_gold, no_read, not_reached; " + missingWhere(&NotRecordedFileRead, &NotRecordedToolCall),
		Misleads:    firstGoldMisleads,
		Reads:       []string{DocumentManifest.Name, EventRunStarted.Name, DocumentTask.Name, EventFileRead.Name, EventToolCall.Name}}
	// RepeatedReads counts reads of what was read before.
	RepeatedReads = Metric{Name: "repeated_reads", Heading: "repeated reads", Group: groupNavigation, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  "file_reads with the path, span and content_sha256 of an earlier one",
		Denominator: "included runs with any event besides start and end, whose source records reads",
		Missing:     "no_events; " + missingWhere(&NotRecordedFileRead),
		Misleads:    "where a harness records no content hash, reading a file again after a change counts as repeated",
		Reads:       []string{DocumentManifest.Name, EventFileRead.Name, ReadsActivity}}
	// Churn is the share of switches that go back.
	Churn = Metric{Name: "churn", Heading: "churn", Group: groupNavigation,
		Kind: KindMean, Type: TypeDouble, Direction: LowerBetter, Level: LevelRun,
		Definition:  "over the paths of file_read and edit in order, equal neighbours merged: switches to a path seen before / switches",
		Denominator: "included runs with at least two switches",
		Missing:     "too_few_switches; " + missingWhere(&NotRecordedFileRead, &NotRecordedEdit),
		Misleads:    "going back to the file under repair is no waste",
		Reads:       []string{DocumentManifest.Name, EventFileRead.Name, EventEdit.Name}}
)
