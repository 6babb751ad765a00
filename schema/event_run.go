package schema

// RunStarted is the first event of a run.
type RunStarted struct {
	// Limits are the bounds that the run was given.
	Limits *Limits `json:"limits,omitzero"`
	// Environment describes operating system and hardware, never environment variables.
	Environment Opt[Object] `json:"environment,omitzero"`
	// ExecutionOrder is the run's place in the order in which a study's runs were executed.
	ExecutionOrder Opt[int64] `json:"execution_order,omitzero" unit:"count"`
	// Task is the problem, with the answer known of it.
	Task Task `json:"task" want:"required"`
}

// Limits bound a run.
type Limits struct {
	// MaxWallMS is the longest time that the run may take.
	MaxWallMS Opt[int64] `json:"max_wall_ms,omitzero" unit:"ms"`
	// MaxModelCalls is the largest number of model calls.
	MaxModelCalls Opt[int64] `json:"max_model_calls,omitzero" unit:"count"`
	// MaxToolCalls is the largest number of tool calls.
	MaxToolCalls Opt[int64] `json:"max_tool_calls,omitzero" unit:"count"`
	// MaxInputTokens is the largest number of prompt tokens over the run.
	MaxInputTokens Opt[int64] `json:"max_input_tokens,omitzero" unit:"tokens"`
	// MaxOutputTokens is the largest number of generated tokens over the run.
	MaxOutputTokens Opt[int64] `json:"max_output_tokens,omitzero" unit:"tokens"`
}

// Task is a problem with a known answer: the task of a run_started event, and
// one line of tasks.jsonl.
type Task struct {
	// ID is the task's id, the manifest's task_id.
	ID string `json:"id" want:"required" form:"id"`
	// Repo names the repository that the task is about.
	Repo Opt[string] `json:"repo,omitzero"`
	// BaseCommit is the commit that the task starts from.
	BaseCommit Opt[string] `json:"base_commit,omitzero" form:"commit"`
	// Language is the main programming language.
	Language Opt[string] `json:"language,omitzero"`
	// Scenario is the kind of task, a stratum of table 5.
	Scenario Opt[string] `json:"scenario,omitzero"`
	// Difficulty is the task's difficulty class, a stratum of table 5.
	Difficulty Opt[string] `json:"difficulty,omitzero"`
	// StatementSHA256 is the hash of the task's statement.
	StatementSHA256 Opt[string] `json:"statement_sha256,omitzero" form:"sha256"`
	// StatementTokens is the length of the task's statement.
	StatementTokens Opt[int64] `json:"statement_tokens,omitzero" unit:"tokens"`
	// Gold is the known answer.
	Gold *Gold `json:"gold,omitzero"`
	// FailToPass counts the tests that fail before and must pass after.
	FailToPass Opt[int64] `json:"fail_to_pass,omitzero" unit:"count"`
	// PassToPass counts the tests that pass before and must pass after.
	PassToPass Opt[int64] `json:"pass_to_pass,omitzero" unit:"count"`
}

// Gold is the known answer to a task. An absent list means that this kind of
// answer is not known; an empty one that there is none.
type Gold struct {
	// Files are the files that the answer touches.
	Files []GoldFile `json:"files,omitzero"`
	// Docs are the documents that answer the question.
	Docs []GoldDoc `json:"docs,omitzero"`
	// Functions are the functions that the answer touches.
	Functions []GoldFunction `json:"functions,omitzero"`
}

// GoldFile is a file of the known answer.
type GoldFile struct {
	// Path is relative to the repository root.
	Path string `json:"path" want:"required"`
	// Grade is the relevance; absent means 1, and above 0 means relevant.
	Grade Opt[float64] `json:"grade,omitzero"`
}

// GoldDoc is a document of the known answer.
type GoldDoc struct {
	// DocID is an opaque id, compared byte by byte.
	DocID string `json:"doc_id" want:"required"`
	// Grade is the relevance; absent means 1, and above 0 means relevant.
	Grade Opt[float64] `json:"grade,omitzero"`
}

// GoldFunction is a function of the known answer.
type GoldFunction struct {
	// File is relative to the repository root.
	File string `json:"file" want:"required"`
	// Symbol is the function's name.
	Symbol Opt[string] `json:"symbol,omitzero"`
	// StartLine is the first line, from 1.
	StartLine Opt[int64] `json:"start_line,omitzero" unit:"line" min:"1"`
	// EndLine is the last line, itself included.
	EndLine Opt[int64] `json:"end_line,omitzero" unit:"line" min:"1"`
	// Grade is the relevance; absent means 1, and above 0 means relevant.
	Grade Opt[float64] `json:"grade,omitzero"`
}

// RunFinished is the last event of a run.
type RunFinished struct {
	// Ending says how the agent's run ended.
	Ending string `json:"ending" want:"required" set:"ending"`
	// Outcome says what an evaluation made of the run; it is independent of the ending.
	Outcome string `json:"outcome" want:"required" set:"outcome"`
	// FailureStage is the stage that a run which did not resolve its task failed in.
	FailureStage Opt[string] `json:"failure_stage,omitzero" set:"failure_stage"`
	// ErrorKind is the harness's own class of the error.
	ErrorKind Opt[string] `json:"error_kind,omitzero"`
	// ErrorType is the source's own name of the error, such as an exception class.
	ErrorType Opt[string] `json:"error_type,omitzero"`
	// Patch says whether the run left a patch.
	Patch Opt[string] `json:"patch,omitzero" set:"patch_presence"`
	// Totals are sums that the harness declares.
	Totals *Totals `json:"totals,omitzero"`
	// Artifacts maps each other file of the run directory to its SHA-256.
	Artifacts Members[string] `json:"artifacts,omitzero" form:"sha256"`
}

// Totals are the sums that a harness declares of its own run.
type Totals struct {
	// ModelCalls counts the requests to models.
	ModelCalls Opt[int64] `json:"model_calls,omitzero" unit:"count"`
	// ToolCalls counts the calls of tools.
	ToolCalls Opt[int64] `json:"tool_calls,omitzero" unit:"count"`
	// TestRuns counts the test, lint, build and syntax runs.
	TestRuns Opt[int64] `json:"test_runs,omitzero" unit:"count"`
	// UserTurns counts the messages of a person.
	UserTurns Opt[int64] `json:"user_turns,omitzero" unit:"count"`
	// InputTokens is the whole prompt: uncached, cache read and cache write.
	InputTokens Opt[int64] `json:"input_tokens,omitzero" unit:"tokens"`
	// OutputTokens is all that was generated, reasoning included.
	OutputTokens Opt[int64] `json:"output_tokens,omitzero" unit:"tokens"`
	// CachedInputTokens is the part of the prompt read from a cache.
	CachedInputTokens Opt[int64] `json:"cached_input_tokens,omitzero" unit:"tokens"`
	// CacheWriteInputTokens is the part of the prompt written to a cache.
	CacheWriteInputTokens Opt[int64] `json:"cache_write_input_tokens,omitzero" unit:"tokens"`
	// ReasoningTokens is the part of the output that was reasoning.
	ReasoningTokens Opt[int64] `json:"reasoning_tokens,omitzero" unit:"tokens"`
	// ToolTokens is the text that tools returned to the model.
	ToolTokens Opt[int64] `json:"tool_tokens,omitzero" unit:"tokens"`
	// CostUSD is what the run cost.
	CostUSD Opt[USD] `json:"cost_usd,omitzero" unit:"usd"`
	// SetupWallMS is the time before the agent began.
	SetupWallMS Opt[int64] `json:"setup_wall_ms,omitzero" unit:"ms"`
	// AgentWallMS is the time that the agent took.
	AgentWallMS Opt[int64] `json:"agent_wall_ms,omitzero" unit:"ms"`
	// EvaluatorWallMS is the time that the evaluation took.
	EvaluatorWallMS Opt[int64] `json:"evaluator_wall_ms,omitzero" unit:"ms"`
}
