package githistory

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/schema"
)

// The factors of an experiment.
const (
	factorTool    = "tool"
	factorQuery   = "query"
	factorLimit   = "k"
	factorBudget  = "budget"
	factorPacking = "packing"
)

// harnessConfig is everything that can change what a tool answers or how the answer is counted. It is hashed into
// the run's id, so a run under other settings is another run.
type harnessConfig struct {
	Tool         string    `json:"tool"`
	Kind         string    `json:"kind"`
	Command      string    `json:"command,omitzero"`
	Call         string    `json:"call,omitzero"`
	Arguments    string    `json:"arguments,omitzero"`
	Format       Format    `json:"format,omitzero"`
	JQ           string    `json:"jq,omitzero"`
	Expand       int       `json:"expand_keywords,omitzero"`
	Executable   string    `json:"executable_sha256,omitzero"`
	Version      string    `json:"version,omitzero"`
	Query        QueryForm `json:"query"`
	Limit        int       `json:"limit"`
	Budget       int       `json:"budget"`
	Packing      Packing   `json:"packing"`
	History      int       `json:"history"`
	TimeoutMS    int64     `json:"timeout_ms"`
	RepoName     string    `json:"repo"`
	TokensMethod string    `json:"tokens"`
}

// config is the resolved configuration of an arm.
func config(opts Options, repo string, info ToolInfo, arm Arm) schema.Object {
	c := harnessConfig{
		Tool: arm.Tool, Kind: "built-in", Executable: info.SHA256, Version: info.Version, Query: arm.Query, Limit: arm.Limit,
		Budget: arm.Budget, Packing: arm.Packing, History: opts.History, TimeoutMS: opts.Timeout.Milliseconds(), RepoName: repo,
		TokensMethod: "bytes/4, rounded up",
	}
	if spec := info.Spec; spec != nil {
		c.Kind, c.Command, c.Call, c.Arguments = "command", spec.Command, spec.Call, spec.Arguments
		c.Format, c.JQ, c.Expand = spec.Format, spec.JQ, spec.Expand
		if spec.Call != "" {
			c.Kind = "mcp"
		}
	}
	return object(c)
}

// object is the JSON of a value of ours, which always has one.
func object(v harnessConfig) schema.Object {
	text, err := json.Marshal(v)
	if err != nil {
		panic("githistory: " + err.Error())
	}
	return schema.Object(text)
}

// treatment is an arm's levels.
func treatment(arm Arm) schema.Members[schema.Scalar] {
	return schema.Members[schema.Scalar]{
		{Name: factorTool, Value: schema.StringScalar(arm.Tool)},
		{Name: factorQuery, Value: schema.StringScalar(string(arm.Query))},
		{Name: factorLimit, Value: number(arm.Limit)},
		{Name: factorBudget, Value: number(arm.Budget)},
		{Name: factorPacking, Value: schema.StringScalar(string(arm.Packing))},
	}
}

func number(n int) schema.Scalar { return schema.Scalar(fmt.Sprint(n)) }

// experimentID tells experiments apart by all that they were asked: the same question is the same experiment.
func experimentID(set TaskSet, configs []schema.Object, codeRevision string) (string, error) {
	ids := make([]string, len(set.Tasks))
	for i, task := range set.Tasks {
		ids[i] = task.ID
	}
	what := struct {
		Base, Head, Revision string
		Tasks                []string
		Configs              []jsontext.Value
	}{Base: set.Base, Head: set.Head, Revision: codeRevision, Tasks: ids}
	for _, c := range configs {
		what.Configs = append(what.Configs, jsontext.Value(c))
	}
	text, err := json.Marshal(what)
	if err != nil {
		return "", err
	}
	sum, err := schema.CanonicalSHA256(text)
	if err != nil {
		return "", err
	}
	kind := "sessions"
	if set.Base != "" {
		kind = set.Base[:shortID]
	}
	return schema.PathID("git-" + set.Repo + "-" + kind + "-" + sum[:8]), nil
}

// plan says what is to be run before anything is.
func plan(id string, set TaskSet, arms []Arm, clock func() schema.Time) schema.Plan {
	p := schema.Plan{
		ExperimentID: id,
		Title:        schema.Some("retrieval from the git history of " + set.Repo),
		CreatedAt:    schema.Some(clock()),
		Repetitions:  schema.Some[int64](1),
		Strata:       []string{"task.scenario", "task.difficulty"},
		Outcomes: &schema.Outcomes{
			Primary:   schema.Some(schema.FileRecallAt10.Name),
			Secondary: []string{schema.FunctionRecallAt10.Name, schema.MRR.Name, schema.NDCGAt10.Name, schema.GoldWithinBudget.Name},
		},
		Factors: factors(arms),
	}
	for _, arm := range arms {
		p.Arms = append(p.Arms, schema.Arm{Name: arm.Name, HarnessID: schema.PathID(arm.Tool), Treatment: treatment(arm)})
		if arm.Tool == PopularTool && !p.Baseline.Has() {
			p.Baseline = schema.Some(arm.Name)
		}
	}
	for _, task := range set.Tasks {
		p.Tasks = append(p.Tasks, schema.PathID(task.ID))
	}
	return p
}

// factors are those with more than one level. The reference of the tools is the popularity floor, that of every
// other factor its first level.
func factors(arms []Arm) schema.Members[schema.Factor] {
	roles := []struct{ name, role string }{
		{factorTool, schema.RoleRetrieval.Name}, {factorQuery, schema.RoleQuery.Name}, {factorLimit, schema.RoleOther.Name},
		{factorBudget, schema.RolePacking.Name}, {factorPacking, schema.RolePacking.Name},
	}
	var all schema.Members[schema.Factor]
	for _, r := range roles {
		factor := schema.Factor{Role: schema.Some(r.role)}
		for _, arm := range arms {
			if level, _ := treatment(arm).Get(r.name); !slices.Contains(factor.Levels, level) {
				factor.Levels = append(factor.Levels, level)
			}
		}
		if len(factor.Levels) < 2 {
			continue
		}
		if r.name == factorTool {
			factor.Reference = schema.Some(schema.StringScalar(PopularTool))
		}
		all = append(all, schema.Member[schema.Factor]{Name: r.name, Value: factor})
	}
	return all
}

// commitTypes are the types of conventional commits (conventionalcommits.org 1.0.0 and the Angular convention that
// it names). Another word before a colon is an area of the project, not a kind of change.
var commitTypes = regexp.MustCompile(`^(build|chore|ci|docs|feat|fix|perf|refactor|style|test)(\([^)]*\))?!?:`)

// taskDocument is a task as the contract writes it. Its scenario is the type of a conventional commit where the
// subject has one; its difficulty counts the gold files: one, few (2 to 5) or many.
func taskDocument(set TaskSet, task Task, language string) schema.Task {
	gold := &schema.Gold{}
	for _, file := range task.Gold {
		gold.Files = append(gold.Files, schema.GoldFile{Path: file})
	}
	if task.FunctionsKnown {
		gold.Functions = []schema.GoldFunction{}
		for _, f := range task.Functions {
			gold.Functions = append(gold.Functions, schema.GoldFunction{
				File: f.File, Symbol: schema.Some(f.Symbol), StartLine: schema.Some(int64(f.StartLine)), EndLine: schema.Some(int64(f.EndLine)),
			})
		}
	}
	document := schema.Task{
		ID: schema.PathID(task.ID), Repo: schema.Some(set.Repo), BaseCommit: schema.Some(task.Base), Gold: gold,
		Difficulty:      schema.Some(difficulty(len(task.Gold))),
		StatementTokens: schema.Some(int64(Tokens(len(task.Subject)))),
	}
	if language != "" {
		document.Language = schema.Some(language)
	}
	if match := commitTypes.FindStringSubmatch(task.Subject); match != nil {
		document.Scenario = schema.Some(match[1])
	}
	return document
}

func difficulty(gold int) string {
	switch {
	case gold == 1:
		return "one file"
	case gold <= 5:
		return "few files"
	}
	return "many files"
}

// machine describes where the runs were made.
func machine() schema.Object {
	text, err := json.Marshal(struct {
		OS   string `json:"os"`
		Arch string `json:"arch"`
		CPUs int    `json:"cpus"`
	}{runtime.GOOS, runtime.GOARCH, runtime.NumCPU()})
	if err != nil {
		panic("githistory: " + err.Error())
	}
	return schema.Object(text)
}
