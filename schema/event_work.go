package schema

// FileRead is a file, or a span of one, shown to the agent.
type FileRead struct {
	// Path is relative to the repository root.
	Path string `json:"path" want:"required"`
	// StartLine is the first line shown, from 1.
	StartLine Opt[int64] `json:"start_line,omitzero" unit:"line" min:"1"`
	// EndLine is the last line shown, itself included.
	EndLine Opt[int64] `json:"end_line,omitzero" unit:"line" min:"1"`
	// ContentSHA256 is the hash of the bytes returned.
	ContentSHA256 Opt[string] `json:"content_sha256,omitzero" form:"sha256"`
	// Tokens is the size of what was shown.
	Tokens Opt[int64] `json:"tokens,omitzero" unit:"tokens"`
	// Relevance is the harness's own label; the dataset computes its own.
	Relevance Opt[string] `json:"relevance,omitzero"`
	// Agent names the sub-agent that read; absent means the main agent.
	Agent Opt[string] `json:"agent,omitzero"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `json:"parent_agent,omitzero"`
}

// Edit is one attempt to change files.
type Edit struct {
	// TargetPaths are the files to change, relative to the repository root.
	TargetPaths []string `json:"target_paths" want:"required"`
	// Applied says whether the change was made.
	Applied bool `json:"applied" want:"required"`
	// PatchSHA256 is the hash of the change.
	PatchSHA256 Opt[string] `json:"patch_sha256,omitzero" form:"sha256"`
	// SyntaxOK says whether the changed files parse.
	SyntaxOK Opt[bool] `json:"syntax_ok,omitzero"`
	// Error is why the change was not made.
	Error Opt[string] `json:"error,omitzero"`
	// Agent names the sub-agent that edited; absent means the main agent.
	Agent Opt[string] `json:"agent,omitzero"`
	// ParentAgent names the agent that started it.
	ParentAgent Opt[string] `json:"parent_agent,omitzero"`
}

// TestRun is a check that the agent ran; it never decides resolved_at_1.
type TestRun struct {
	// Kind is the sort of check.
	Kind string `json:"kind" want:"required" set:"test_kind"`
	// ExitStatus is the exit status of the command; 0 means that the check passed.
	ExitStatus int64 `json:"exit_status" want:"required"`
	// CommandID identifies the command.
	CommandID Opt[string] `json:"command_id,omitzero"`
	// DurationMS is how long the check took.
	DurationMS Opt[float64] `json:"duration_ms,omitzero" unit:"ms"`
	// Counts are the numbers of tests by result.
	Counts *TestCounts `json:"counts,omitzero"`
	// FailToPass counts the listed tests that must come to pass.
	FailToPass *PassedTotal `json:"fail_to_pass,omitzero"`
	// PassToPass counts the listed tests that must keep passing.
	PassToPass *PassedTotal `json:"pass_to_pass,omitzero"`
}

// TestCounts are numbers of tests by result.
type TestCounts struct {
	// Passed counts the tests that passed.
	Passed Opt[int64] `json:"passed,omitzero" unit:"count"`
	// Failed counts the tests that failed.
	Failed Opt[int64] `json:"failed,omitzero" unit:"count"`
	// Errored counts the tests that could not be run to an end.
	Errored Opt[int64] `json:"errored,omitzero" unit:"count"`
	// Skipped counts the tests left out.
	Skipped Opt[int64] `json:"skipped,omitzero" unit:"count"`
}

// PassedTotal is how many of a set of tests passed.
type PassedTotal struct {
	// Passed counts the tests of the set that passed.
	Passed int64 `json:"passed" want:"required" unit:"count"`
	// Total counts the tests of the set.
	Total int64 `json:"total" want:"required" unit:"count"`
}

// ResourceSample is a measurement of the machine, the process or an index.
type ResourceSample struct {
	// Scope says what was measured.
	Scope string `json:"scope" want:"required" set:"resource_scope"`
	// Measurements maps a name that ends in its unit to a number; names ending in _bytes hold integers.
	Measurements Members[Quantity] `json:"measurements" want:"required" names:"measurement"`
	// IndexID is the hash of index configuration and repository commit.
	IndexID Opt[string] `json:"index_id,omitzero"`
}
