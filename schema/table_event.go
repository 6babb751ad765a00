package schema

// EventPlace says which raw line an event row comes from: the run, the event and
// the bytes. The run's path and hash stand in runs.
type EventPlace struct {
	// RunID is the run.
	RunID string `col:"run_id"`
	// Seq is the event's number within the run, from 1.
	Seq int64 `col:"seq"`
	// Line is the event's line in the uncompressed trajectory, from 1.
	Line int64 `col:"line"`
	// ByteOffset is where the line begins in the uncompressed trajectory, from 0.
	ByteOffset int64 `col:"byte_offset" unit:"bytes"`
	// ByteLength is the length of the line without its end.
	ByteLength int64 `col:"byte_length" unit:"bytes"`
	// Included is false where the run is excluded.
	Included bool `col:"included"`
}

// CandidateRow is one retrieval_candidate.
type CandidateRow struct {
	EventPlace
	// QueryID names the query that returned the candidate.
	QueryID string `col:"query_id"`
	// Rank is the place that the tool gave it, from 1.
	Rank int64 `col:"rank"`
	// ListRank is the place in the query's list of distinct files or documents, from 1; missing where an earlier candidate was the same one.
	ListRank Opt[int64] `col:"list_rank"`
	// File is the path as the tool wrote it.
	File Opt[string] `col:"file"`
	// DocID is the document.
	DocID Opt[string] `col:"doc_id"`
	// Symbol is the name of the function or type found.
	Symbol Opt[string] `col:"symbol"`
	// StartLine is the first line of the span, from 1.
	StartLine Opt[int64] `col:"start_line"`
	// EndLine is the last line of the span, itself included.
	EndLine Opt[int64] `col:"end_line"`
	// Score is the retriever's own score.
	Score Opt[float64] `col:"score"`
	// Tokens is the size of the candidate as the model would see it.
	Tokens Opt[int64] `col:"tokens" unit:"tokens"`
	// Packed says whether the candidate was put into the model's context.
	Packed Opt[bool] `col:"packed"`
	// Grade is the relevance that the gold gives it, 0 where it is not gold; missing where the task has no gold files or documents.
	Grade Opt[float64] `col:"grade"`
}

// ModelCallRow is one model_call.
type ModelCallRow struct {
	EventPlace
	// TS is when the event happened.
	TS Opt[Time] `col:"ts"`
	// CallID names the request within the run.
	CallID string `col:"call_id"`
	// Attempt numbers the tries of one request from 1.
	Attempt int64 `col:"attempt"`
	// RequestSHA256 is the hash of the request.
	RequestSHA256 Opt[string] `col:"request_sha256"`
	// ModelKey is the model as the server reports it.
	ModelKey Opt[string] `col:"model_key"`
	// Temperature scales the logits.
	Temperature Opt[float64] `col:"temperature"`
	// TopP is the mass of nucleus sampling.
	TopP Opt[float64] `col:"top_p"`
	// TopK is the number of tokens sampled from.
	TopK Opt[int64] `col:"top_k"`
	// MaxTokens is the largest answer asked for.
	MaxTokens Opt[int64] `col:"max_tokens" unit:"tokens"`
	// SamplingSeed is the sampling seed.
	SamplingSeed Opt[int64] `col:"sampling_seed"`
	// InputTokens is the whole prompt: uncached, cache read and cache write.
	InputTokens Opt[int64] `col:"input_tokens" unit:"tokens"`
	// OutputTokens is all that was generated, reasoning included.
	OutputTokens Opt[int64] `col:"output_tokens" unit:"tokens"`
	// CachedInputTokens is the part of the prompt read from a cache.
	CachedInputTokens Opt[int64] `col:"cached_input_tokens" unit:"tokens"`
	// CacheWriteInputTokens is the part of the prompt written to a cache.
	CacheWriteInputTokens Opt[int64] `col:"cache_write_input_tokens" unit:"tokens"`
	// ReasoningTokens is the part of the output that was reasoning.
	ReasoningTokens Opt[int64] `col:"reasoning_tokens" unit:"tokens"`
	// Convention says how the source counted cached and reasoning tokens.
	Convention Opt[string] `col:"usage_convention"`
	// CostUSD is what the call cost, as recorded.
	CostUSD Opt[USD] `col:"cost_usd" unit:"usd"`
	// LatencyMS is the time from request to the whole answer.
	LatencyMS Opt[float64] `col:"latency_ms" unit:"ms"`
	// FirstTokenMS is the time from request to the first token.
	FirstTokenMS Opt[float64] `col:"first_token_ms" unit:"ms"`
	// StopReason is why the model stopped, in the server's words.
	StopReason Opt[string] `col:"stop_reason"`
	// Error is the server's error, redacted.
	Error Opt[string] `col:"error"`
	// Agent names the sub-agent that called; missing means the main agent.
	Agent Opt[string] `col:"agent"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `col:"parent_agent"`
}

// ToolCallRow is one tool_call.
type ToolCallRow struct {
	EventPlace
	// TS is when the event happened.
	TS Opt[Time] `col:"ts"`
	// CallID names the call within the run.
	CallID string `col:"call_id"`
	// Tool is the tool's name.
	Tool string `col:"tool"`
	// Status says whether the call worked; NULL where the source does not record it.
	Status Opt[string] `col:"status"`
	// ArgumentsBytes is the size of the arguments, which stay in the raw file.
	ArgumentsBytes Opt[int64] `col:"arguments_bytes" unit:"bytes"`
	// ResultSHA256 is the hash of what the tool returned.
	ResultSHA256 Opt[string] `col:"result_sha256"`
	// ResultBytes is the size of what the tool returned.
	ResultBytes Opt[int64] `col:"result_bytes" unit:"bytes"`
	// ResultTokens is the size of what the model saw of it.
	ResultTokens Opt[int64] `col:"result_tokens" unit:"tokens"`
	// LatencyMS is how long the call took.
	LatencyMS Opt[float64] `col:"latency_ms" unit:"ms"`
	// ErrorKind says who failed: the tool, the parser of the call, or an edit.
	ErrorKind Opt[string] `col:"error_kind"`
	// Agent names the sub-agent that called; missing means the main agent.
	Agent Opt[string] `col:"agent"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `col:"parent_agent"`
}

// FileReadRow is one file_read.
type FileReadRow struct {
	EventPlace
	// TS is when the event happened.
	TS Opt[Time] `col:"ts"`
	// Path is the file as the harness wrote it.
	Path string `col:"path"`
	// StartLine is the first line shown, from 1.
	StartLine Opt[int64] `col:"start_line"`
	// EndLine is the last line shown, itself included.
	EndLine Opt[int64] `col:"end_line"`
	// ContentSHA256 is the hash of the bytes returned.
	ContentSHA256 Opt[string] `col:"content_sha256"`
	// Tokens is the size of what was shown.
	Tokens Opt[int64] `col:"tokens" unit:"tokens"`
	// Relevance is gold or none, from the task's gold files; missing where there are none.
	Relevance Opt[string] `col:"relevance"`
	// RelevanceDeclared is the harness's own label.
	RelevanceDeclared Opt[string] `col:"relevance_declared"`
	// Repeated is true where an earlier read showed the same path, span and content.
	Repeated bool `col:"repeated"`
	// Agent names the sub-agent that read; missing means the main agent.
	Agent Opt[string] `col:"agent"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `col:"parent_agent"`
}

// EditRow is one edit.
type EditRow struct {
	EventPlace
	// TS is when the event happened.
	TS Opt[Time] `col:"ts"`
	// TargetPaths are the files to change.
	TargetPaths []string `col:"target_paths"`
	// Applied says whether the change was made.
	Applied bool `col:"applied"`
	// PatchSHA256 is the hash of the change.
	PatchSHA256 Opt[string] `col:"patch_sha256"`
	// SyntaxOK says whether the changed files parse.
	SyntaxOK Opt[bool] `col:"syntax_ok"`
	// Error is why the change was not made, redacted.
	Error Opt[string] `col:"error"`
	// Agent names the sub-agent that edited; missing means the main agent.
	Agent Opt[string] `col:"agent"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `col:"parent_agent"`
}

// TestRunRow is one test_run.
type TestRunRow struct {
	EventPlace
	// TS is when the event happened.
	TS Opt[Time] `col:"ts"`
	// Kind is the sort of check.
	Kind string `col:"kind"`
	// ExitStatus is the exit status; 0 means that the check passed.
	ExitStatus int64 `col:"exit_status"`
	// CommandID identifies the command.
	CommandID Opt[string] `col:"command_id"`
	// DurationMS is how long the check took.
	DurationMS Opt[float64] `col:"duration_ms" unit:"ms"`
	// Passed counts the tests that passed.
	Passed Opt[int64] `col:"passed"`
	// Failed counts the tests that failed.
	Failed Opt[int64] `col:"failed"`
	// Errored counts the tests that could not be run to an end.
	Errored Opt[int64] `col:"errored"`
	// Skipped counts the tests left out.
	Skipped Opt[int64] `col:"skipped"`
	// FailToPassPassed counts the tests that came to pass.
	FailToPassPassed Opt[int64] `col:"fail_to_pass_passed"`
	// FailToPassTotal counts the tests that must come to pass.
	FailToPassTotal Opt[int64] `col:"fail_to_pass_total"`
	// PassToPassPassed counts the tests that kept passing.
	PassToPassPassed Opt[int64] `col:"pass_to_pass_passed"`
	// PassToPassTotal counts the tests that must keep passing.
	PassToPassTotal Opt[int64] `col:"pass_to_pass_total"`
}

// ResourceSampleRow is one resource_sample. Measurements of other names stay in
// the raw file.
type ResourceSampleRow struct {
	EventPlace
	// TS is when the event happened.
	TS Opt[Time] `col:"ts"`
	// Scope says what was measured.
	Scope string `col:"scope"`
	// IndexID is the hash of index configuration and repository commit.
	IndexID Opt[string] `col:"index_id"`
	// RSSBytes is the resident memory.
	RSSBytes Opt[int64] `col:"rss_bytes" unit:"bytes"`
	// CPUMS is the processor time used so far.
	CPUMS Opt[float64] `col:"cpu_ms" unit:"ms"`
	// DiskBytes is the space on disk.
	DiskBytes Opt[int64] `col:"disk_bytes" unit:"bytes"`
	// IndexBuildMS is how long building the index took.
	IndexBuildMS Opt[float64] `col:"index_build_ms" unit:"ms"`
	// IndexUpdateMS is how long updating the index took.
	IndexUpdateMS Opt[float64] `col:"index_update_ms" unit:"ms"`
	// GPUBytes is the memory used on a graphics processor.
	GPUBytes Opt[int64] `col:"gpu_bytes" unit:"bytes"`
}
