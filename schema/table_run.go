package schema

// RunRow is one run, excluded ones too. The run-level metrics follow its
// columns, the treatment's factors come last.
type RunRow struct {
	// RunID is the run.
	RunID string `col:"run_id"`
	// ExperimentID names the experiment.
	ExperimentID string `col:"experiment_id"`
	// HarnessID names the program under study.
	HarnessID string `col:"harness_id"`
	// TaskID names the task.
	TaskID string `col:"task_id"`
	// ModelKey is the main agent's model; missing where no model runs.
	ModelKey Opt[string] `col:"model_key"`
	// Arm is the combination of harness, model and treatment that is compared: the plan's name for it, else its parts.
	Arm string `col:"arm"`
	// Seed is the run's seed.
	Seed Opt[string] `col:"seed"`
	// Repetition numbers the runs of one cell from 1.
	Repetition Opt[int64] `col:"repetition"`
	// ContextBudget is the number of tokens that retrieved context may take.
	ContextBudget Opt[int64] `col:"context_budget" unit:"tokens"`
	// CodeRevision is the revision of the research code.
	CodeRevision Opt[string] `col:"code_revision"`
	// HarnessVersion is the version of the harness.
	HarnessVersion Opt[string] `col:"harness_version"`
	// HarnessConfigSHA256 is the hash of the harness configuration.
	HarnessConfigSHA256 string `col:"harness_config_sha256"`
	// ModelConfigSHA256 is the hash of the model configuration.
	ModelConfigSHA256 string `col:"model_config_sha256"`
	// BenchmarkName is the benchmark that the task belongs to.
	BenchmarkName Opt[string] `col:"benchmark_name"`
	// BenchmarkVersion is its version.
	BenchmarkVersion Opt[string] `col:"benchmark_version"`
	// BenchmarkSplit is the part of it that was run.
	BenchmarkSplit Opt[string] `col:"benchmark_split"`
	// TaskSHA256 is the hash of the task's definition.
	TaskSHA256 Opt[string] `col:"task_sha256"`

	// RepoName is the repository.
	RepoName Opt[string] `col:"repo_name"`
	// RepoCommit is the commit that the task starts from.
	RepoCommit Opt[string] `col:"repo_commit"`
	// RepoLanguage is the repository's main programming language.
	RepoLanguage Opt[string] `col:"repo_language"`
	// RepoFiles counts the files at the commit.
	RepoFiles Opt[int64] `col:"repo_files"`
	// RepoLines counts the lines at the commit.
	RepoLines Opt[int64] `col:"repo_lines"`
	// Language is the task's programming language, else the repository's.
	Language Opt[string] `col:"language"`
	// Scenario is the kind of task.
	Scenario Opt[string] `col:"scenario"`
	// Difficulty is the task's difficulty class.
	Difficulty Opt[string] `col:"difficulty"`
	// StatementSHA256 is the hash of the task's statement.
	StatementSHA256 Opt[string] `col:"statement_sha256"`
	// StatementTokens is the length of the task's statement.
	StatementTokens Opt[int64] `col:"statement_tokens" unit:"tokens"`
	// GoldFiles counts the distinct relevant gold files; missing where they are not known.
	GoldFiles Opt[int64] `col:"gold_files"`
	// GoldDocs counts the distinct relevant gold documents; missing where they are not known.
	GoldDocs Opt[int64] `col:"gold_docs"`
	// GoldFunctions counts the distinct relevant gold functions; missing where they are not known.
	GoldFunctions Opt[int64] `col:"gold_functions"`
	// FailToPassTests counts the task's tests that fail before and must pass after.
	FailToPassTests Opt[int64] `col:"fail_to_pass_tests"`
	// PassToPassTests counts the task's tests that pass before and must pass after.
	PassToPassTests Opt[int64] `col:"pass_to_pass_tests"`

	// MaxWallMS is the longest time that the run may take.
	MaxWallMS Opt[int64] `col:"max_wall_ms" unit:"ms"`
	// MaxModelCalls is the largest number of model calls.
	MaxModelCalls Opt[int64] `col:"max_model_calls"`
	// MaxToolCalls is the largest number of tool calls.
	MaxToolCalls Opt[int64] `col:"max_tool_calls"`
	// MaxInputTokens is the largest number of prompt tokens over the run.
	MaxInputTokens Opt[int64] `col:"max_input_tokens" unit:"tokens"`
	// MaxOutputTokens is the largest number of generated tokens over the run.
	MaxOutputTokens Opt[int64] `col:"max_output_tokens" unit:"tokens"`
	// ExecutionOrder is the run's place in the order in which a study's runs were executed.
	ExecutionOrder Opt[int64] `col:"execution_order"`

	// SourceFormat names the importer of an imported run.
	SourceFormat Opt[string] `col:"source_format"`
	// SourcePath is the original file.
	SourcePath Opt[string] `col:"source_path"`
	// SourceSHA256 is the hash of the original file.
	SourceSHA256 Opt[string] `col:"source_sha256"`
	// SourceLine is the line of the original file, from 1.
	SourceLine Opt[int64] `col:"source_line"`
	// SourceExperiment is the original id of the experiment.
	SourceExperiment Opt[string] `col:"source_experiment"`
	// SourceHarness is the original id of the harness.
	SourceHarness Opt[string] `col:"source_harness"`
	// SourceTask is the original id of the task.
	SourceTask Opt[string] `col:"source_task"`
	// SourceTrial is the original id of the trial.
	SourceTrial Opt[string] `col:"source_trial"`

	// ExcludedBy is the first of the run's reasons for exclusion; missing where the run is included.
	ExcludedBy Opt[string] `col:"excluded_by"`
	// Ending says how the agent's run ended.
	Ending Opt[string] `col:"ending"`
	// Outcome says what an evaluation made of the run.
	Outcome Opt[string] `col:"outcome"`
	// Fault says who is at fault: infrastructure where the run is excluded for it, evaluator where the evaluation failed, agent where a run that was not evaluated counts as failed.
	Fault Opt[string] `col:"fault"`
	// FailureStageDeclared is the stage that the run names, in excluded runs too.
	FailureStageDeclared Opt[string] `col:"failure_stage_declared"`
	// ErrorKind is the harness's own class of the error.
	ErrorKind Opt[string] `col:"error_kind"`
	// ErrorType is the source's own name of the error.
	ErrorType Opt[string] `col:"error_type"`
	// PatchState is missing, empty, no_line_changes or real; missing where it was not recorded.
	PatchState Opt[string] `col:"patch_state"`
	// EvaluatorName names the evaluating program.
	EvaluatorName Opt[string] `col:"evaluator_name"`
	// EvaluatorVersion is its version.
	EvaluatorVersion Opt[string] `col:"evaluator_version"`
	// CreatedAt is when the run directory was created.
	CreatedAt Opt[Time] `col:"created_at"`
	// StartedAt is the time of run_started.
	StartedAt Opt[Time] `col:"started_at"`
	// FinishedAt is the time of run_finished.
	FinishedAt Opt[Time] `col:"finished_at"`
	// IndexID is the index that the run used: that of its first query or sample that names one.
	IndexID Opt[string] `col:"index_id"`
	// Events counts the events that could be read.
	Events int64 `col:"events"`
	// StartedLine is the line of run_started.
	StartedLine Opt[int64] `col:"started_line"`
	// FinishedLine is the line of run_finished.
	FinishedLine Opt[int64] `col:"finished_line"`

	// RawPath is the run directory, relative to the root it was found under.
	RawPath string `col:"raw_path"`
	// TrajectoryFile is the trajectory's name in the run directory.
	TrajectoryFile Opt[string] `col:"trajectory_file"`
	// TrajectorySHA256 is the hash of the trajectory as it stands on disk.
	TrajectorySHA256 Opt[string] `col:"trajectory_sha256"`
	// TrajectoryBytes is its size on disk.
	TrajectoryBytes Opt[int64] `col:"trajectory_bytes" unit:"bytes"`
	// ManifestSHA256 is the hash of run_manifest.json.
	ManifestSHA256 string `col:"manifest_sha256"`
	// SchemaVersion is the contract version of the manifest.
	SchemaVersion string `col:"schema_version"`

	// Values holds the metrics of the run, as ValueColumns(LevelRun) lists them.
	Values []Value
	// Treatment holds the factor levels, from which the columns factor_<name> are made.
	Treatment Members[Scalar]
}
