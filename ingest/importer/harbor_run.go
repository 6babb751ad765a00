package importer

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// harborRun is the run of a trial.
func (s *source) harborRun(t *trial) (*run, error) {
	r := t.result
	config, err := t.harnessConfig()
	if err != nil {
		return nil, err
	}
	model, err := t.modelConfig()
	if err != nil {
		return nil, err
	}
	m := schema.Manifest{
		ExperimentID: t.job.experiment.id, HarnessID: schema.PathID(t.harness()), TaskID: schema.PathID(t.task),
		HarnessConfig: config, ModelConfig: model, ModelKey: t.model, Treatment: t.treatment, ModelMetadata: t.modelMetadata(),
		HarnessVersion: known(r.AgentInfo.Version), Benchmark: t.benchmark(), TaskSHA256: sha256Of(r.TaskChecksum),
		Source: &schema.Source{
			Format: schema.Some(s.imp.Name), ImporterVersion: schema.Some(s.imp.Version),
			Path: schema.Some(t.file.rel), SHA256: schema.Some(t.sha256),
			Experiment: schema.Some(t.job.name), Harness: schema.Some(t.harness()), Task: schema.Some(t.task),
			Trial: present(r.TrialName), StartedAt: s.time(r.StartedAt),
		},
	}
	if t.line > 0 {
		m.Source.Line = schema.Some(int64(t.line))
	}
	return &run{manifest: m, load: func() (*content, error) { return s.harborContent(t) }}, nil
}

// known is a version that says something.
func known(version schema.Opt[string]) schema.Opt[string] {
	if version.Or("") == "unknown" {
		return schema.None[string]()
	}
	return present(version)
}

func sha256Of(sum schema.Opt[string]) schema.Opt[string] {
	text := strings.TrimPrefix(sum.Or(""), "sha256:")
	if !schema.FormSHA256.Match(text) {
		return schema.None[string]()
	}
	return schema.Some(text)
}

// benchmark is the data set of the trial, with the version that the job asked for.
func (t *trial) benchmark() *schema.Benchmark {
	name := present(t.result.Source)
	if !name.Has() {
		return nil
	}
	b := &schema.Benchmark{Name: name}
	if t.job.config.value != nil {
		for _, d := range t.job.config.value.Datasets {
			if d.Name == name {
				b.Version = present(d.Version)
			}
		}
	}
	return b
}

// harnessConfig is the resolved configuration of a trial without what only names
// the trial. Of environment variables only the names stay.
func (t *trial) harnessConfig() (schema.Object, error) {
	c := &t.result.Config
	agent, err := withoutEnv(c.Agent.raw, "model_name")
	if err != nil {
		return "", err
	}
	sandbox, err := withoutEnv(c.Environment)
	if err != nil {
		return "", err
	}
	verifier, err := withoutEnv(c.Verifier)
	if err != nil {
		return "", err
	}
	return object(struct {
		Agent              jsontext.Value      `json:"agent,omitzero"`
		Sandbox            jsontext.Value      `json:"sandbox,omitzero"`
		Verifier           jsontext.Value      `json:"verifier,omitzero"`
		Timeout            schema.Opt[float64] `json:"timeout_multiplier,omitzero"`
		AgentTimeout       schema.Opt[float64] `json:"agent_timeout_multiplier,omitzero"`
		VerifierTimeout    schema.Opt[float64] `json:"verifier_timeout_multiplier,omitzero"`
		AgentSetupTimeout  schema.Opt[float64] `json:"agent_setup_timeout_multiplier,omitzero"`
		EnvironmentTimeout schema.Opt[float64] `json:"environment_build_timeout_multiplier,omitzero"`
	}{agent, sandbox, verifier, c.TimeoutMultiplier.float(), c.AgentTimeout.float(), c.VerifierTimeout.float(),
		c.AgentSetupTimeout.float(), c.EnvironmentTimeout.float()})
}

// withoutEnv drops members of an object, and replaces env by the names in it.
func withoutEnv(v jsontext.Value, drop ...string) (jsontext.Value, error) {
	if v.Kind() != '{' {
		return nil, nil
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(v, &members); err != nil {
		return nil, err
	}
	for _, name := range drop {
		delete(members, name)
	}
	if env, ok := members["env"]; ok {
		delete(members, "env")
		var variables map[string]jsontext.Value
		if json.Unmarshal(env, &variables) == nil && len(variables) > 0 {
			var names []string
			for name := range variables {
				names = append(names, name)
			}
			slices.Sort(names)
			list, err := json.Marshal(names)
			if err != nil {
				return nil, err
			}
			members["env_names"] = list
		}
	}
	b, err := json.Marshal(members, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	return configuration(b)
}

// modelConfig is what the source says of the model's configuration.
func (t *trial) modelConfig() (schema.Object, error) {
	return object(struct {
		ModelName schema.Opt[string] `json:"model_name,omitzero"`
	}{present(t.result.Config.Agent.ModelName)})
}

func (t *trial) modelMetadata() schema.Opt[schema.Object] {
	m := t.result.AgentInfo.Model
	if m == nil || !present(m.Provider).Has() {
		return schema.None[schema.Object]()
	}
	o, err := object(struct {
		Provider schema.Opt[string] `json:"provider"`
	}{m.Provider})
	if err != nil {
		return schema.None[schema.Object]()
	}
	return schema.Some(o)
}

// harborContent reads the events of a trial.
func (s *source) harborContent(t *trial) (*content, error) {
	r := t.result
	out := &content{originals: []Original{{t.file.rel, t.sha256}}}
	totals, err := s.harborEvents(t, out)
	if err != nil {
		return nil, err
	}
	start, end := interval{}, interval{}
	if r.Execution != nil {
		start, end = *r.Execution, *r.Execution
	}
	out.started = event[schema.RunStarted]{timeOf(parseInstant(start.StartedAt)),
		schema.RunStarted{Limits: t.limits(), Task: schema.Task{ID: schema.PathID(t.task)}}}
	finish := t.verdict()
	finish.Totals = totals
	out.finished = event[schema.RunFinished]{timeOf(parseInstant(end.FinishedAt)), finish}
	return out, s.harborTests(t, out)
}

// harborEvents joins the trajectory of a trial, and returns the totals.
func (s *source) harborEvents(t *trial, out *content) (*schema.Totals, error) {
	totals := &schema.Totals{}
	w := newWalker(s)
	if t.trajectory != nil {
		c, err := s.loadChain(t.trajectory)
		if err != nil {
			return nil, err
		}
		if err := w.chain(c, agentName{}, ""); err != nil {
			return nil, err
		}
		s.checkChain(c)
		if declared := s.totals(c, w.calls); declared != nil {
			totals = declared
		}
		out.events = w.events
		out.originals = append(append(out.originals, c.originals()...), w.extra...)
		s.report.count("trials with a trajectory", 1)
	} else {
		s.report.count("trials without a trajectory", 1)
	}
	out.notRecorded = w.notRecorded()
	s.agentResult(t, totals, w.calls)
	r := t.result
	totals.SetupWallMS = milliseconds(r.Environment.duration(), r.AgentSetup.duration())
	totals.AgentWallMS = milliseconds(r.Execution.duration())
	totals.EvaluatorWallMS = milliseconds(r.Verifier.duration())
	if *totals == (schema.Totals{}) {
		return nil, nil
	}
	return totals, nil
}

// agentResult takes the totals that the trial's own result declares, which stand
// above those of the trajectory. All-zero tokens beside a model mean that nothing
// was tracked.
func (s *source) agentResult(t *trial, totals *schema.Totals, calls int) {
	a := t.result.AgentResult
	if a == nil {
		return
	}
	input, output, cached, cost := s.integer(a.Input), s.integer(a.Output), s.integer(a.Cached), s.usd(a.Cost)
	if untracked(input, output, cached) && (calls > 0 || t.model.Has()) {
		s.zero()
		input, output, cached = schema.None[int64](), schema.None[int64](), schema.None[int64]()
		if cost.Or(1) == 0 {
			cost = schema.None[schema.USD]()
		}
	}
	above(s, t, "n_input_tokens", input, &totals.InputTokens)
	above(s, t, "n_output_tokens", output, &totals.OutputTokens)
	above(s, t, "n_cache_tokens", cached, &totals.CachedInputTokens)
	above(s, t, "cost_usd", cost, &totals.CostUSD)
}

// limits are the bounds that the configuration sets itself; those of the task are
// not in the source.
func (t *trial) limits() *schema.Limits {
	seconds, ok := t.result.Config.Agent.Timeout.float().Get()
	if !ok {
		return nil
	}
	factor := t.result.Config.AgentTimeout.float()
	if !factor.Has() {
		factor = t.result.Config.TimeoutMultiplier.float()
	}
	ms := seconds * 1000 * factor.Or(1)
	if ms < 0 || ms > 1e15 {
		return nil
	}
	return &schema.Limits{MaxWallMS: schema.Some(int64(ms))}
}

// verifierFile is a file of the verifier of a trial.
func (s *source) verifierFile(t *trial, name string) (*file, bool) {
	f, ok := s.byPath[filepath.Join(t.folder, "verifier", name)]
	return f, ok
}
