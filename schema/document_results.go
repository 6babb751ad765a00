package schema

// TestResults is what an evaluation found.
type TestResults struct {
	// SchemaVersion is the contract version.
	SchemaVersion string `json:"schema_version" want:"required" form:"semver"`
	// RunID is the run that was evaluated.
	RunID string `json:"run_id" want:"required" form:"run_id"`
	// Evaluator names the evaluating program.
	Evaluator *Evaluator `json:"evaluator,omitzero"`
	// Patch says which patch was evaluated.
	Patch *EvaluatedPatch `json:"patch,omitzero"`
	// Tests are the listed tests with their results.
	Tests []TestResult `json:"tests,omitzero"`
	// Counts stand for the tests where the source has no names.
	Counts *ListedCounts `json:"counts,omitzero"`
	// Scores are the source's own numbers.
	Scores []Score `json:"scores,omitzero"`
	// DurationMS is how long the evaluation took.
	DurationMS Opt[float64] `json:"duration_ms,omitzero" unit:"ms"`
}

// Evaluator names an evaluating program.
type Evaluator struct {
	// Name is the program's name.
	Name Opt[string] `json:"name,omitzero"`
	// Version is its version.
	Version Opt[string] `json:"version,omitzero"`
}

// EvaluatedPatch says which patch was evaluated and whether it applied.
type EvaluatedPatch struct {
	// SHA256 is the hash of the patch; it must be that of patch.diff.
	SHA256 Opt[string] `json:"sha256,omitzero" form:"sha256"`
	// Applied says whether the patch applied, after all attempts.
	Applied Opt[bool] `json:"applied,omitzero"`
	// Attempts counts the ways of applying it that were tried.
	Attempts Opt[int64] `json:"attempts,omitzero" unit:"count"`
}

// TestResult is the result of one listed test.
type TestResult struct {
	// Name is the test's name, without trailing blanks.
	Name string `json:"name" want:"required"`
	// Set says what is asked of the test.
	Set string `json:"set" want:"required" set:"test_set"`
	// Status is what became of it; only passed counts as passed.
	Status string `json:"status" want:"required" set:"test_status"`
}

// ListedCounts are numbers of listed tests.
type ListedCounts struct {
	// FailToPass counts the tests that must come to pass.
	FailToPass *PassedTotal `json:"fail_to_pass,omitzero"`
	// PassToPass counts the tests that must keep passing.
	PassToPass *PassedTotal `json:"pass_to_pass,omitzero"`
}

// Score is a number of the source, kept as it is.
type Score struct {
	// Name is the score's name.
	Name string `json:"name" want:"required"`
	// Value is the score; null where the source's sentinel says that there is none.
	Value Opt[float64] `json:"value,omitzero"`
	// Min is the smallest possible value.
	Min Opt[float64] `json:"min,omitzero"`
	// Max is the largest possible value.
	Max Opt[float64] `json:"max,omitzero"`
}

// FinalMetrics is what the harness itself reported.
type FinalMetrics struct {
	// SchemaVersion is the contract version.
	SchemaVersion string `json:"schema_version" want:"required" form:"semver"`
	// RunID is the run that the numbers are of.
	RunID string `json:"run_id" want:"required" form:"run_id"`
	// Metrics maps a name of the registry, or one beginning with x_, to a number or null.
	Metrics Members[Opt[float64]] `json:"metrics" want:"required" names:"metric"`
}
