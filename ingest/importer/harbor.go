package importer

import (
	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Harbor reads job directories.
var Harbor = Importer{
	Name:    "harbor",
	Version: "2",
	Doc: "Harbor job directories with ATIF trajectories. Read are result.json, config.json and lock.json of a job, " +
		"result.json of each trial, the trajectory under agent/ or artifacts/, verifier/ctrf.json and verifier/reward.txt. " +
		"A job is an experiment; its task list times its attempts is the plan.",
	Cannot: append([]string{
		"which tests decide: the verifier's tests are listed as other, the reward is the outcome",
		"the repository, language, difficulty and gold of a task",
		"the patch: a task changes the state of a container",
		"tokens and cost of a trial that was killed before its trajectory was written",
		"the machine: only the settings of the container",
	}, atifCannot...),
	read: readHarbor,
}

// A harborTrial is the result.json of a trial.
type harborTrial struct {
	ID           schema.Opt[string] `json:"id"`
	TaskName     schema.Opt[string] `json:"task_name"`
	TrialName    schema.Opt[string] `json:"trial_name"`
	Source       schema.Opt[string] `json:"source"`
	TaskChecksum schema.Opt[string] `json:"task_checksum"`
	Config       harborTrialConfig  `json:"config"`
	AgentInfo    harborAgentInfo    `json:"agent_info"`
	AgentResult  *harborAgentResult `json:"agent_result"`
	Verdict      *harborVerdict     `json:"verifier_result"`
	Exception    *harborException   `json:"exception_info"`
	StartedAt    schema.Opt[string] `json:"started_at"`
	FinishedAt   schema.Opt[string] `json:"finished_at"`
	Environment  *interval          `json:"environment_setup"`
	AgentSetup   *interval          `json:"agent_setup"`
	Execution    *interval          `json:"agent_execution"`
	Verifier     *interval          `json:"verifier"`
}

// A harborTrialConfig is the resolved configuration of a trial.
type harborTrialConfig struct {
	JobID              schema.Opt[string] `json:"job_id"`
	Agent              harborAgent        `json:"agent"`
	Environment        jsontext.Value     `json:"environment"`
	Verifier           jsontext.Value     `json:"verifier"`
	TimeoutMultiplier  number             `json:"timeout_multiplier"`
	AgentTimeout       number             `json:"agent_timeout_multiplier"`
	VerifierTimeout    number             `json:"verifier_timeout_multiplier"`
	AgentSetupTimeout  number             `json:"agent_setup_timeout_multiplier"`
	EnvironmentTimeout number             `json:"environment_build_timeout_multiplier"`
}

// A harborAgent is an agent as it is configured.
type harborAgent struct {
	Name       schema.Opt[string] `json:"name"`
	ImportPath schema.Opt[string] `json:"import_path"`
	ModelName  schema.Opt[string] `json:"model_name"`
	Timeout    number             `json:"override_timeout_sec"`
	Kwargs     jsontext.Value     `json:"kwargs"`
	raw        jsontext.Value
}

// UnmarshalJSONFrom keeps the text beside the fields.
func (a *harborAgent) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	type plain harborAgent
	var p plain
	p.raw = v.Clone()
	if err := json.Unmarshal(p.raw, &p); err != nil {
		return err
	}
	*a = harborAgent(p)
	return nil
}

type harborAgentInfo struct {
	Name    schema.Opt[string] `json:"name"`
	Version schema.Opt[string] `json:"version"`
	Model   *harborModelInfo   `json:"model_info"`
}

type harborModelInfo struct {
	Name     schema.Opt[string] `json:"name"`
	Provider schema.Opt[string] `json:"provider"`
}

type harborAgentResult struct {
	Input  number `json:"n_input_tokens"`
	Cached number `json:"n_cache_tokens"`
	Output number `json:"n_output_tokens"`
	Cost   number `json:"cost_usd"`
}

type harborVerdict struct {
	Rewards schema.Members[number] `json:"rewards"`
	Reward  number                 `json:"reward"`
}

type harborException struct {
	Type schema.Opt[string] `json:"exception_type"`
}

// A harborJob is the result.json of a job.
type harborJob struct {
	ID     schema.Opt[string]     `json:"id"`
	Trials number                 `json:"n_total_trials"`
	Stats  harborStats            `json:"stats"`
	Inline []located[harborTrial] `json:"trial_results"`
}

// harborStats are the job's own counts, in the names of older and newer versions.
type harborStats struct {
	Trials    number                          `json:"n_trials"`
	Errors    number                          `json:"n_errors"`
	Completed number                          `json:"n_completed_trials"`
	Errored   number                          `json:"n_errored_trials"`
	Evals     schema.Members[harborEvaluated] `json:"evals"`
}

// harborEvaluated are a job's counts for one agent, model and dataset.
type harborEvaluated struct {
	Trials     number                                   `json:"n_trials"`
	Errors     number                                   `json:"n_errors"`
	Rewards    schema.Members[schema.Members[[]string]] `json:"reward_stats"`
	Exceptions schema.Members[[]string]                 `json:"exception_stats"`
}

// A harborConfig is the config.json of a job.
type harborConfig struct {
	JobName  schema.Opt[string] `json:"job_name"`
	Attempts number             `json:"n_attempts"`
	Agents   []harborAgent      `json:"agents"`
	Datasets []harborDataset    `json:"datasets"`
	Tasks    []harborTaskRef    `json:"tasks"`
}

type harborDataset struct {
	Name      schema.Opt[string] `json:"name"`
	Version   schema.Opt[string] `json:"version"`
	TaskNames []string           `json:"task_names"`
	Tasks     number             `json:"n_tasks"`
}

type harborTaskRef struct {
	Name schema.Opt[string] `json:"name"`
	Path schema.Opt[string] `json:"path"`
}

// A harborLock is the lock.json of a job: the trials it resolved to.
type harborLock struct {
	Trials []struct {
		Task harborTaskRef `json:"task"`
	} `json:"trials"`
}

// A harborTrialFile is the config.json of a trial.
type harborTrialFile struct {
	TrialName jsontext.Value `json:"trial_name"`
	Task      harborTaskRef  `json:"task"`
}

// harborProbe tells the kinds of result.json apart.
type harborProbe struct {
	TrialName jsontext.Value `json:"trial_name"`
	Stats     jsontext.Value `json:"stats"`
	Total     jsontext.Value `json:"n_total_trials"`
}

// splitModel splits provider/model as Harbor does: at the first slash.
func splitModel(name string) (provider, model string) {
	for i := range len(name) {
		if name[i] == '/' {
			return name[:i], name[i+1:]
		}
	}
	return "", name
}
