package importer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ATIF reads lone trajectories.
var ATIF = Importer{
	Name:    "atif",
	Version: "2",
	Doc: "Lone trajectories in the Agent Trajectory Interchange Format. Read is every .json or .json.gz file whose schema_version " +
		"is ATIF-v1.0 to v1.7; a later 1.x is read alike and named. A continuation and a sub-agent's file belong to the trajectory that refers to them.",
	Cannot: append([]string{
		"the task: named after the file, or after the folder of a trajectory.json",
		"how the run ended: written as completed",
		"an evaluation: every outcome is not_evaluated",
		"what was planned: denominators are inferred from the runs that are there",
	}, atifCannot...),
	read: readATIF,
}

// atifCannot is what no ATIF trajectory can supply, be it alone or in a trial.
var atifCannot = []string{
	"whether a tool call failed, unless its step says so: tool_failures and parser_failures are missing",
	"latencies of model and tool calls, tries of one request, sampling parameters",
	"retrieval and patches as events of their own",
	"files read, edits and the agent's own checks: what counts them is missing, not 0",
	"requests apart: one agent step is one model call, whatever its llm_call_count",
}

// An atifDocument is one trajectory. Messages are not read.
type atifDocument struct {
	SchemaVersion schema.Opt[string]      `json:"schema_version"`
	TrajectoryID  schema.Opt[string]      `json:"trajectory_id"`
	SessionID     schema.Opt[string]      `json:"session_id"`
	Agent         atifAgent               `json:"agent"`
	Steps         []located[atifStep]     `json:"steps"`
	FinalMetrics  *atifTotals             `json:"final_metrics"`
	Continued     schema.Opt[string]      `json:"continued_trajectory_ref"`
	Subagents     []located[atifDocument] `json:"subagent_trajectories"`
}

type atifAgent struct {
	Name      schema.Opt[string]        `json:"name"`
	Version   schema.Opt[string]        `json:"version"`
	ModelName schema.Opt[string]        `json:"model_name"`
	Extra     schema.Opt[schema.Object] `json:"extra"`
}

type atifStep struct {
	ID           number             `json:"step_id"`
	Timestamp    schema.Opt[string] `json:"timestamp"`
	Source       schema.Opt[string] `json:"source"`
	ModelName    schema.Opt[string] `json:"model_name"`
	ToolCalls    []atifToolCall     `json:"tool_calls"`
	Observation  *atifObservation   `json:"observation"`
	Metrics      *atifMetrics       `json:"metrics"`
	Extra        atifStepExtra      `json:"extra"`
	LLMCallCount number             `json:"llm_call_count"`
	IsCopied     schema.Opt[bool]   `json:"is_copied_context"`
}

// An atifStepExtra is what some adapters of Harbor say beyond the format of the one
// tool call of a step.
type atifStepExtra struct {
	// failed is tool_result_is_error where that is true or false.
	failed schema.Opt[bool]
}

// UnmarshalJSONFrom takes one member of any object; the rest is nobody's format.
func (e *atifStepExtra) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*e = atifStepExtra{}
	v, err := d.ReadValue()
	if err != nil || v.Kind() != '{' {
		return err
	}
	var members struct {
		Failed jsontext.Value `json:"tool_result_is_error"`
	}
	if err := json.Unmarshal(v, &members); err != nil {
		return err
	}
	if k := members.Failed.Kind(); k == 't' || k == 'f' {
		e.failed = schema.Some(k == 't')
	}
	return nil
}

type atifToolCall struct {
	ID        schema.Opt[string] `json:"tool_call_id"`
	Name      schema.Opt[string] `json:"function_name"`
	Arguments jsontext.Value     `json:"arguments"`
}

type atifObservation struct {
	Results []atifResult `json:"results"`
}

type atifResult struct {
	CallID   schema.Opt[string] `json:"source_call_id"`
	Content  jsontext.Value     `json:"content"`
	Subagent atifRefs           `json:"subagent_trajectory_ref"`
}

type atifRef struct {
	TrajectoryID schema.Opt[string] `json:"trajectory_id"`
	SessionID    schema.Opt[string] `json:"session_id"`
	Path         schema.Opt[string] `json:"trajectory_path"`
}

// atifRefs is one reference or a list of them: both are in use.
type atifRefs []atifRef

// UnmarshalJSONFrom reads one reference or a list.
func (r *atifRefs) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*r = nil
	if d.PeekKind() == '{' {
		*r = make([]atifRef, 1)
		return json.UnmarshalDecode(d, &(*r)[0])
	}
	return json.UnmarshalDecode(d, (*[]atifRef)(r))
}

type atifMetrics struct {
	Prompt     number     `json:"prompt_tokens"`
	Completion number     `json:"completion_tokens"`
	Cached     number     `json:"cached_tokens"`
	Cost       number     `json:"cost_usd"`
	Extra      *atifExtra `json:"extra"`
}

// atifExtra are members of metrics.extra whose names providers have settled.
type atifExtra struct {
	Reasoning  number `json:"reasoning_tokens"`
	CacheWrite number `json:"cache_creation_input_tokens"`
}

type atifTotals struct {
	Prompt     number `json:"total_prompt_tokens"`
	Completion number `json:"total_completion_tokens"`
	Cached     number `json:"total_cached_tokens"`
	Cost       number `json:"total_cost_usd"`
	Steps      number `json:"total_steps"`
}

// atifPrefix begins the schema_version of every ATIF document.
const atifPrefix = "ATIF-v"

// atifProbe is what tells an ATIF document from other JSON.
type atifProbe struct {
	SchemaVersion jsontext.Value `json:"schema_version"`
	Steps         jsontext.Value `json:"steps"`
}

// isATIF reports whether a text is meant to be an ATIF trajectory, and its
// version. Text that is not JSON is damage.
func isATIF(t *text) (version string, ok bool, err error) {
	b := strings.TrimLeft(string(t.bytes[:min(len(t.bytes), 4096)]), "\xef\xbb\xbf \t\r\n")
	if !strings.HasPrefix(b, "{") {
		_, err := decode[jsontext.Value](t)
		return "", false, err
	}
	p, err := decode[atifProbe](t)
	if err != nil {
		return "", false, err
	}
	raw, err := jsontext.AppendUnquote(nil, p.SchemaVersion)
	if err != nil || !strings.HasPrefix(string(raw), atifPrefix) {
		return "", false, nil
	}
	return string(raw), true, nil
}

// newestATIF is the last minor version of ATIF-v1 that is known.
const newestATIF = 7

// minorATIF is the minor version of an ATIF-v1 document.
func minorATIF(version string) (minor uint64, ok bool) {
	digits, ok := strings.CutPrefix(version, atifPrefix+"1.")
	minor, err := strconv.ParseUint(digits, 10, 32)
	return minor, ok && err == nil
}

// decodeATIF reads a trajectory. A later minor version is read as far as it is
// known, and named.
func (s *source) decodeATIF(t *text) (*atifDocument, error) {
	version, ok, err := isATIF(t)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, &damage{Place{Path: t.file.rel}, "have no schema_version ATIF-v1.…, want an ATIF trajectory"}
	}
	minor, ok := minorATIF(version)
	if !ok {
		return nil, &damage{Place{Path: t.file.rel}, "have " + redacted(version) + ", want ATIF-v1.0 to v1.7"}
	}
	doc, err := decode[atifDocument](t)
	if err == nil && doc.Steps == nil {
		return nil, &damage{Place{Path: t.file.rel}, "/steps: have nothing, want a list"}
	}
	if err == nil && minor > newestATIF {
		s.report.note(fmt.Sprintf("%s: %s is later than ATIF-v1.%d: what it may have added is not read", t.file.rel, version, newestATIF))
	}
	return doc, err
}
