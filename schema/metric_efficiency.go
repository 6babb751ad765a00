package schema

const (
	sumDenominator = "included runs in which every call carries the field, or a total is declared"
	sumMissing     = "no_usage where a call does not carry the field and no total is declared; no_events"
)

func tokenSum(name, heading, what, misleads string, over *EventType, word *Word) Metric {
	return Metric{Name: name, Heading: heading, Group: groupEfficiency, Unit: "tokens",
		Kind: KindAmount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  what + ", summed over the run's " + over.Name + " events where each carries it, else the declared total",
		Denominator: sumDenominator, Missing: sumMissing + "; " + missingWhere(word), Misleads: misleads,
		Reads:      []string{DocumentManifest.Name, over.Name, EventRunFinished.Name, ReadsActivity},
		Companions: sums(name, TypeInteger, "tokens")}
}

func callCount(name, heading, what string, over *EventType, word *Word, more ...Companion) Metric {
	return Metric{Name: name, Heading: heading, Group: groupEfficiency, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  what + "; from the declared total where a run has none",
		Denominator: "included runs that recorded events or declare a total",
		Missing:     "no_events; " + missingWhere(word) + " and no total is declared",
		Misleads:    "a harness that records only some calls seems thrifty: see the declared total",
		Reads:       []string{DocumentManifest.Name, over.Name, EventRunFinished.Name, ReadsActivity},
		Companions:  append(declared(name, TypeInteger, "count"), more...)}
}

// What the run cost.
var (
	// InputTokens is the size of all prompts.
	InputTokens = tokenSum("input_tokens", "input tokens", "the whole prompt, cached parts included",
		"the same context is counted at each call, whatever a cache made it cost", &EventModelCall, &NotRecordedModelCall)
	// OutputTokens is all that models generated.
	OutputTokens = tokenSum("output_tokens", "output tokens", "all that was generated, reasoning included",
		"tokenisers differ between models", &EventModelCall, &NotRecordedModelCall)
	// CachedInputTokens is the part of the prompts read from a cache.
	CachedInputTokens = tokenSum("cached_input_tokens", "cached tokens", "the part of the prompt read from a cache",
		"a part of input_tokens, never beside it; caches depend on what ran just before", &EventModelCall, &NotRecordedModelCall)
	// CacheWriteInputTokens is the part of the prompts written to a cache.
	CacheWriteInputTokens = tokenSum("cache_write_input_tokens", "cache write tokens", "the part of the prompt written to a cache",
		"a part of input_tokens, never beside it", &EventModelCall, &NotRecordedModelCall)
	// ReasoningTokens is the part of the output that was reasoning.
	ReasoningTokens = tokenSum("reasoning_tokens", "reasoning tokens", "the part of the output that was reasoning",
		"a part of output_tokens, never beside it; some servers do not report it", &EventModelCall, &NotRecordedModelCall)
	// ToolTokens is the text that tools returned to the model.
	ToolTokens = tokenSum("tool_tokens", "tool tokens", "the text that tools returned to the model",
		"counted once a call, though the model reads it again at each later one", &EventToolCall, &NotRecordedToolCall)
	// CostUSD is what the run cost.
	CostUSD = Metric{Name: "cost_usd", Heading: "cost", Group: groupEfficiency, Unit: "usd",
		Kind: KindAmount, Type: TypeDecimal, Direction: LowerBetter, Level: LevelRun,
		Definition:  "cost summed over the run's model_call events where each carries it, else the declared total",
		Denominator: sumDenominator,
		Missing:     sumMissing + "; " + missingWhere(&NotRecordedModelCall) + "; zero_cost_with_tokens unless the model is free",
		Misleads:    "prices change; failed runs often lack a cost, so that a mean over what is there flatters",
		Reads:       []string{EventModelCall.Name, EventRunFinished.Name, DocumentManifest.Name, ReadsActivity},
		Companions:  sums("cost_usd", TypeDecimal, "usd")}
	// UserTurns counts the messages of a person.
	UserTurns = Metric{Name: "user_turns", Heading: "user turns", Group: groupEfficiency, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  "the declared total of user turns",
		Denominator: "included runs that declare it",
		Missing:     "not_declared",
		Misleads:    "the task's statement may or may not be counted as a turn",
		Reads:       []string{EventRunFinished.Name}}
	// ModelCalls counts the requests to models.
	ModelCalls = callCount("model_calls", "model calls", "model_call events that are a first attempt", &EventModelCall, &NotRecordedModelCall,
		Companion{Name: "model_call_retries", Type: TypeInteger, Unit: "count", Doc: "model_call events with an attempt above 1, counted apart"})
	// ToolCalls counts the calls of tools.
	ToolCalls = callCount("tool_calls", "tool calls", "tool_call events", &EventToolCall, &NotRecordedToolCall)
	// TestRuns counts the checks that the agent ran.
	TestRuns = callCount("test_runs", "test runs", "test_run events", &EventTestRun, &NotRecordedTestRun)
	// WallTimeS is how long the agent took.
	WallTimeS = Metric{Name: "wall_time_s", Heading: "wall time", Group: groupEfficiency, Unit: "s",
		Kind: KindAmount, Type: TypeDouble, Direction: LowerBetter, Level: LevelRun,
		Definition:  "the declared time of the agent, else time of run_finished - time of run_started",
		Denominator: "included runs with either",
		Missing:     "no_time, time_regression",
		Misleads:    "depends on machine, load and queues of the model server; between first and last event setup and evaluation may count",
		Reads:       []string{EventRunStarted.Name, EventRunFinished.Name},
		Companions:  []Companion{{Name: "wall_time_s_from", Type: TypeText, Doc: "totals where the harness declares the agent's time, events where timestamps say"}}}
	// OutputTokensPerS is the speed of generation.
	OutputTokensPerS = Metric{Name: "output_tokens_per_s", Heading: "tokens/s", Group: groupEfficiency, Unit: "tokens/s",
		Kind: KindAmount, Type: TypeDouble, Direction: HigherBetter, Level: LevelRun,
		Definition:  "output tokens of all model calls / (their latencies in ms / 1000)",
		Denominator: "included runs in which every model call carries both",
		Missing:     "no_usage, no_time",
		Misleads:    "reading the prompt and waiting count as generation",
		Reads:       []string{EventModelCall.Name}}
)
