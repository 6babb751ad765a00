package gate

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// SummaryVersion is the version of the baseline file that this package writes. It reads every 1.x.
const SummaryVersion = "1.0.0"

// Summary is what one evaluation found: the baseline file, and the figures compared with it. Absent settings
// stay empty and are compared as such.
type Summary struct {
	// SchemaVersion is the version of this file.
	SchemaVersion string `json:"schema_version"`
	// Evaluator is the subcommand that wrote it; with it, all its measures are required. Absent in a
	// summary written by hand.
	Evaluator string `json:"evaluator,omitzero"`
	// EvaluatorVersion is the version of the scoring.
	EvaluatorVersion string `json:"evaluator_version,omitzero"`
	// CodeRevision is the revision of assay that ran; another one is noted, not refused.
	CodeRevision string `json:"code_revision,omitzero"`
	// Repo is the repository's name. It is part of paths and ids in answers, and so of token counts.
	Repo string `json:"repo,omitzero"`
	// Base is the commit that the tools saw.
	Base string `json:"base,omitzero"`
	// Head is the last commit that tasks were taken from.
	Head string `json:"head,omitzero"`
	// TasksSHA256 is over the tasks or questions themselves, where they do not follow from base and head.
	TasksSHA256 string `json:"tasks_sha256,omitzero"`
	// Limit is how many results a tool was asked for.
	Limit int `json:"limit,omitzero"`
	// Budget is how many tokens a tool was allowed.
	Budget int `json:"budget,omitzero"`
	// Settings are further choices that change the figures (query form, skip rules), each as name=value.
	Settings []string `json:"settings,omitzero"`
	// Prepared is the hash of what the preparation printed; empty where there was none.
	Prepared string `json:"prepared_sha256,omitzero"`
	// CommitsSeen is tasks and skipped together, where tasks come from commits.
	CommitsSeen int `json:"commits_seen,omitzero"`
	// Tasks is how many tasks each tool was given.
	Tasks int `json:"tasks"`
	// Skipped counts what did not become a task, by reason.
	Skipped map[string]int `json:"skipped,omitzero"`
	// Tools holds the figures, one entry a tool.
	Tools []Tool `json:"tools,omitzero"`
	// Metrics are the figures of the only tool, in a summary that names none.
	Metrics map[string]Figure `json:"metrics,omitzero"`
}

// Tool is what one tool reached.
type Tool struct {
	// Name is unique in the summary.
	Name string `json:"name"`
	// Revision is whatever tells one build of the tool from another: a version it reports, or a hash.
	Revision string `json:"revision,omitzero"`
	// Metrics are its figures, by the names of Measures.
	Metrics map[string]Figure `json:"metrics"`
	// ByTask holds the same figures of each task, sorted by id. Without it the gate compares means only and
	// names no task.
	ByTask []Task `json:"by_task,omitzero"`
}

// Task is what one tool reached in one task. A figure that is missing (a question that failed has no keyword
// recall) is left out.
type Task struct {
	// ID is the task's id, the same on both sides.
	ID string `json:"id"`
	// Metrics are the task's own figures: errors is 1 or 0.
	Metrics map[string]Figure `json:"metrics"`
}

// Parse reads and checks a summary. name stands for it in messages.
func Parse(name string, data []byte) (Summary, error) {
	var s Summary
	if err := json.Unmarshal(data, &s, json.RejectUnknownMembers(true)); err != nil {
		if errors.Is(err, json.ErrUnknownName) && s.SchemaVersion == "" {
			return Summary{}, fmt.Errorf("%s: have JSON of another kind, want a summary, as --write-baseline writes it: %w", name, located(err))
		}
		return Summary{}, fmt.Errorf("%s: %w", name, located(err))
	}
	if len(s.Tools) == 0 && s.Metrics != nil {
		s.Tools, s.Metrics = []Tool{{Metrics: s.Metrics}}, nil
	}
	if err := s.check(); err != nil {
		return Summary{}, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// located turns a decoder's error into place and cause.
func located(err error) error {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) && semantic.Err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(string(semantic.JSONPointer), "/"), semantic.Err)
	}
	return err
}

// Format writes a summary as it stands in a file: indented, sorted, a figure a line, so that a changed figure is
// one changed line in a review.
func (s Summary) Format() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(s, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, err
	}
	return append(brokenPair.ReplaceAll(data, []byte("[$1, $2]")), '\n'), nil
}

// brokenPair is [numerator, denominator] spread over lines, which no JSON string can hold.
var brokenPair = regexp.MustCompile(`\[\n\s*(-?\d+),\n\s*(-?\d+)\n\s*\]`)

// check refuses what no evaluation can have written.
func (s Summary) check() error {
	if major, _, _ := strings.Cut(s.SchemaVersion, "."); major != "1" {
		return fmt.Errorf("schema_version: have %q, want 1.x", s.SchemaVersion)
	}
	if s.Tasks < 0 || s.Limit < 0 || s.Budget < 0 || s.CommitsSeen < 0 {
		return fmt.Errorf("tasks, limit, budget, commits_seen: have a negative number, want none")
	}
	if _, ok := evaluatorNamed(s.Evaluator); !ok && s.Evaluator != "" {
		return fmt.Errorf("evaluator: have %q, want %s", s.Evaluator, evaluatorNames())
	}
	seen := map[string]bool{}
	for _, tool := range s.Tools {
		if seen[tool.Name] {
			return fmt.Errorf("tools: have %q twice, want each once", tool.Name)
		}
		seen[tool.Name] = true
		if err := tool.check(s.Tasks); err != nil {
			return fmt.Errorf("tool %q: %w", tool.Name, err)
		}
	}
	return nil
}

func evaluatorNames() string {
	var names []string
	for _, e := range Evaluators {
		names = append(names, fmt.Sprintf("%q", e.Name))
	}
	return strings.Join(names, " or ")
}

// check holds a tool's figures to their kinds, and its tasks to the number that the summary declares.
func (t Tool) check(tasks int) error {
	if err := checkMetrics(t.Metrics); err != nil {
		return err
	}
	if t.ByTask != nil && len(t.ByTask) != tasks {
		return fmt.Errorf("by_task: have %d tasks, want %d", len(t.ByTask), tasks)
	}
	for i, task := range t.ByTask {
		if i > 0 && task.ID <= t.ByTask[i-1].ID {
			return fmt.Errorf("by_task: have %q after %q, want ids that rise", task.ID, t.ByTask[i-1].ID)
		}
		if err := checkMetrics(task.Metrics); err != nil {
			return fmt.Errorf("task %q: %w", task.ID, err)
		}
	}
	return nil
}

// checkMetrics refuses unknown names and values outside of their kind.
func checkMetrics(metrics map[string]Figure) error {
	names := make([]string, 0, len(metrics))
	for name := range metrics {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		measure, ok := measureNamed(name)
		if !ok {
			return fmt.Errorf("metrics: have %q, want one of the gate's measures", name)
		}
		value, ok := metrics[name].Value()
		if !ok {
			continue
		}
		if value.Sign() < 0 || (measure.Kind == Rate && value.Cmp(big.NewRat(1, 1)) > 0) {
			return fmt.Errorf("%s: have %s, want a %s of at least 0%s", name, metrics[name].Text(3), measure.Kind,
				map[bool]string{true: " and at most 1"}[measure.Kind == Rate])
		}
	}
	return nil
}

// tool finds a tool by name.
func (s Summary) tool(name string) (Tool, bool) {
	for _, t := range s.Tools {
		if t.Name == name {
			return t, true
		}
	}
	return Tool{}, false
}
