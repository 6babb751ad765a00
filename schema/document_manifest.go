package schema

// Manifest says what a run is.
type Manifest struct {
	// SchemaVersion is the contract version.
	SchemaVersion string `json:"schema_version" want:"required" form:"semver"`
	// RunID is the first 32 hex digits of the hash of the identity.
	RunID string `json:"run_id" want:"required" form:"run_id"`
	// ExperimentID names the experiment.
	ExperimentID string `json:"experiment_id" want:"required" form:"id"`
	// TaskID names the task.
	TaskID string `json:"task_id" want:"required" form:"id"`
	// HarnessID names the program under study.
	HarnessID string `json:"harness_id" want:"required" form:"id"`
	// HarnessConfig is the complete resolved configuration of the harness.
	HarnessConfig Object `json:"harness_config" want:"required"`
	// ModelConfig is the complete resolved configuration of the model.
	ModelConfig Object `json:"model_config" want:"required"`
	// HarnessConfigSHA256 is the hash of harness_config in RFC 8785 form.
	HarnessConfigSHA256 string `json:"harness_config_sha256" want:"required" form:"sha256"`
	// ModelConfigSHA256 is the hash of model_config in RFC 8785 form.
	ModelConfigSHA256 string `json:"model_config_sha256" want:"required" form:"sha256"`
	// ModelKey is the main agent's model as the server reports it; absent where no model runs.
	ModelKey Opt[string] `json:"model_key,omitzero"`
	// ModelMetadata holds provider, quantisation, context length, server version and pricing.
	ModelMetadata Opt[Object] `json:"model_metadata,omitzero"`
	// Treatment maps each experimental factor to this run's level.
	Treatment Members[Scalar] `json:"treatment,omitzero"`
	// ContextBudget is the number of tokens that retrieved context may take.
	ContextBudget Opt[int64] `json:"context_budget,omitzero" unit:"tokens"`
	// Seed is an integer, or a string of digits beyond 2^53-1.
	Seed Opt[Scalar] `json:"seed,omitzero" form:"seed"`
	// Repetition numbers the runs of one cell from 1.
	Repetition Opt[int64] `json:"repetition,omitzero" unit:"count" min:"1"`
	// Repo describes the repository.
	Repo *Repo `json:"repo,omitzero"`
	// CodeRevision is the revision of the research code.
	CodeRevision Opt[string] `json:"code_revision,omitzero"`
	// HarnessVersion is the version of the harness.
	HarnessVersion Opt[string] `json:"harness_version,omitzero"`
	// Benchmark names the benchmark that the task belongs to.
	Benchmark *Benchmark `json:"benchmark,omitzero"`
	// TaskSHA256 is the hash of the task's definition.
	TaskSHA256 Opt[string] `json:"task_sha256,omitzero" form:"sha256"`
	// Environment describes os, arch, cpu and memory, never environment variables.
	Environment Opt[Object] `json:"environment,omitzero"`
	// NotRecorded names what the run's source does not record, since 1.1.0: metrics that rest on it are missing, not zero.
	NotRecorded []string `json:"not_recorded,omitzero" set:"not_recorded"`
	// Source says where an imported run came from.
	Source *Source `json:"source,omitzero"`
	// CreatedAt is when the run directory was created.
	CreatedAt Opt[Time] `json:"created_at,omitzero"`
}

// NothingButRetrieval is the not_recorded of a run that holds questions to a search
// tool and its answers: what the tool did inside was not seen.
func NothingButRetrieval() []string {
	return []string{NotRecordedModelCall.Name, NotRecordedToolCall.Name, NotRecordedToolStatus.Name,
		NotRecordedFileRead.Name, NotRecordedEdit.Name, NotRecordedTestRun.Name}
}

// Repo describes a repository at the commit that a task starts from.
type Repo struct {
	// Name is the repository's name.
	Name Opt[string] `json:"name,omitzero"`
	// Commit is the full id of the commit.
	Commit Opt[string] `json:"commit,omitzero" form:"commit"`
	// Language is the main programming language.
	Language Opt[string] `json:"language,omitzero"`
	// Files counts the files at the commit.
	Files Opt[int64] `json:"files,omitzero" unit:"count"`
	// Lines counts the lines at the commit.
	Lines Opt[int64] `json:"lines,omitzero" unit:"count"`
}

// Benchmark names a benchmark.
type Benchmark struct {
	// Name is the benchmark's name.
	Name Opt[string] `json:"name,omitzero"`
	// Version is its version.
	Version Opt[string] `json:"version,omitzero"`
	// Split is the part of it that was run.
	Split Opt[string] `json:"split,omitzero"`
}

// Source says where an imported run came from.
type Source struct {
	// Format names the importer.
	Format Opt[string] `json:"format,omitzero"`
	// ImporterVersion is the version of the importer.
	ImporterVersion Opt[string] `json:"importer_version,omitzero"`
	// Path is the original file, relative to the path given to the importer.
	Path Opt[string] `json:"path,omitzero"`
	// SHA256 is the hash of the original file.
	SHA256 Opt[string] `json:"sha256,omitzero" form:"sha256"`
	// Line is the line of the original file, from 1.
	Line Opt[int64] `json:"line,omitzero" unit:"line" min:"1"`
	// Experiment is the original id of the experiment.
	Experiment Opt[string] `json:"experiment,omitzero"`
	// Harness is the original id of the harness.
	Harness Opt[string] `json:"harness,omitzero"`
	// Task is the original id of the task.
	Task Opt[string] `json:"task,omitzero"`
	// Trial is the original id of the trial.
	Trial Opt[string] `json:"trial,omitzero"`
	// StartedAt is when the source says that the run started.
	StartedAt Opt[Time] `json:"started_at,omitzero"`
}
