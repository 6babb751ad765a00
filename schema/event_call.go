package schema

// ModelCall is one request to a model.
type ModelCall struct {
	// CallID names the request within the run.
	CallID string `json:"call_id" want:"required"`
	// Attempt numbers the tries of one request from 1; absent means 1.
	Attempt Opt[int64] `json:"attempt,omitzero" unit:"count" min:"1"`
	// RequestSHA256 is the hash of the request.
	RequestSHA256 Opt[string] `json:"request_sha256,omitzero" form:"sha256"`
	// ModelKey is the model as the server reports it.
	ModelKey Opt[string] `json:"model_key,omitzero"`
	// Sampling holds the sampling parameters.
	Sampling *Sampling `json:"sampling,omitzero"`
	// Usage holds the tokens as the server reports them.
	Usage *Usage `json:"usage,omitzero"`
	// CostUSD is what the call cost.
	CostUSD Opt[USD] `json:"cost_usd,omitzero" unit:"usd"`
	// LatencyMS is the time from request to the whole answer.
	LatencyMS Opt[float64] `json:"latency_ms,omitzero" unit:"ms"`
	// FirstTokenMS is the time from request to the first token.
	FirstTokenMS Opt[float64] `json:"first_token_ms,omitzero" unit:"ms"`
	// StopReason is why the model stopped, in the server's words.
	StopReason Opt[string] `json:"stop_reason,omitzero"`
	// Error is the server's error, where there was one.
	Error Opt[string] `json:"error,omitzero"`
	// Agent names the sub-agent that called; absent means the main agent.
	Agent Opt[string] `json:"agent,omitzero"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `json:"parent_agent,omitzero"`
}

// Sampling holds the sampling parameters of a model call.
type Sampling struct {
	// Temperature scales the logits.
	Temperature Opt[float64] `json:"temperature,omitzero"`
	// TopP is the mass of nucleus sampling.
	TopP Opt[float64] `json:"top_p,omitzero"`
	// TopK is the number of tokens sampled from.
	TopK Opt[int64] `json:"top_k,omitzero"`
	// MaxTokens is the largest answer asked for.
	MaxTokens Opt[int64] `json:"max_tokens,omitzero"`
	// Seed is the sampling seed.
	Seed Opt[int64] `json:"seed,omitzero"`
}

// Usage holds the tokens of one model call.
type Usage struct {
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
	// Convention says how the source counted cached and reasoning tokens.
	Convention Opt[string] `json:"convention,omitzero" set:"usage_convention"`
}

// ToolCall is one call of a tool.
type ToolCall struct {
	// CallID names the call within the run.
	CallID string `json:"call_id" want:"required"`
	// Name is the tool's name.
	Name string `json:"name" want:"required"`
	// Status says whether the call worked.
	Status string `json:"status" want:"required" set:"call_status"`
	// Arguments are the call's arguments, without secrets.
	Arguments Opt[Object] `json:"arguments,omitzero"`
	// ResultSHA256 is the hash of what the tool returned.
	ResultSHA256 Opt[string] `json:"result_sha256,omitzero" form:"sha256"`
	// ResultBytes is the size of what the tool returned.
	ResultBytes Opt[int64] `json:"result_bytes,omitzero" unit:"bytes"`
	// ResultTokens is the size of what the model saw of it.
	ResultTokens Opt[int64] `json:"result_tokens,omitzero" unit:"tokens"`
	// LatencyMS is how long the call took.
	LatencyMS Opt[float64] `json:"latency_ms,omitzero" unit:"ms"`
	// ErrorKind says who failed: the tool, the parser of the call, or an edit.
	ErrorKind Opt[string] `json:"error_kind,omitzero" set:"tool_error_kind"`
	// Agent names the sub-agent that called; absent means the main agent.
	Agent Opt[string] `json:"agent,omitzero"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `json:"parent_agent,omitzero"`
}
