package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/eval/gate"
	"github.com/assay-bench/assay/eval/githistory"
	"github.com/assay-bench/assay/record"
)

// gitOptions are the flags of assay eval git.
type gitOptions struct {
	gateRules
	run             githistory.Options
	tools           githistory.ToolFlags
	builtins        []string
	query, packing  string
	cross, results  bool
	out, resume     string
	format          string
	baseline, write string
	again           string // the command line that takes the same measurement
}

func evalGitCommand(a *app) *cobra.Command {
	var o gitOptions
	c := &cobra.Command{
		Use:   "git REPO",
		Short: "Does a retrieval tool point at the files that a change ends up touching?",
		Long: `Takes the commits between --base and --head for tasks: the subject is the question, the files that the
commit changed and that base already had are the answer. A tool sees the tree of base and the history before it,
nothing later; the repository is only read. Built-in tools stand beside yours as honest baselines, popular (files by
number of earlier commits) always. Commits that are no task are counted by reason. Every task and tool leaves a run
directory. Exits 4 where no commit is a task, and where a tool failed on every one, which writes no baseline; with
--baseline as assay gate does.`,
		Example: `  assay eval git .                                         the built-in tools
  assay eval git . --tool rg='rg -l -i -- {query} {repo}' --expand rg=keywords:5
  assay eval git . --mcp mine='mytool serve {repo}' --call search --args '{"query":"{query}"}'
  assay eval git . --base v1.2 --head v1.3 --write-baseline eval-baseline.json
  assay eval git . --cross -o raw                          every combination of factors, for the tables`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.run.Repo = args[0]
			o.again = shellQuote(args[0]) + repeated(c.Flags(), "out", "resume", "results", "format", "jobs", "json", "quiet", "exit-zero")
			return runEvalGit(c.Context(), a, o, c.Flags().Changed)
		},
	}
	o.taskFlags(c)
	o.toolFlags(c)
	o.flags(c)
	return c
}

func (o *gitOptions) taskFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.run.Base, "base", githistory.DefaultBase, "the revision whose tree the tools see")
	f.StringVar(&o.run.Head, "head", githistory.DefaultHead, "the last commit that can be a task")
	f.StringVar(&o.run.RepoName, "repo", "", "the repository's name in reports and paths (default: its folder's)")
	f.StringArrayVar(&o.run.SkipSubjects, "skip-subject", nil, "a further pattern of subjects that are no task; may be given more than once")
	f.IntVar(&o.run.MaxFiles, "max-files", githistory.DefaultMaxFiles, "the most paths a task may touch, added ones included")
	f.IntVar(&o.run.History, "history", githistory.DefaultHistory, "commits up to base that the tools can read; 0 for none")
	f.BoolVar(&o.run.Functions, "functions", true, "also find the functions that a commit changed")
	f.BoolVar(&o.run.Sessions, "sessions", false, "take the captured sessions of the checkout for tasks, instead of its commits")
	f.BoolVar(&o.cross, "cross", false, "run every combination of tool, query form, budget, limit and packing")
	f.BoolVar(&o.results, "results", false, "report every task with the files that each tool named")
	f.StringVarP(&o.out, "out", "o", "", "the root of the run directories (default: a new folder of the cache, which is printed)")
	f.StringVar(&o.resume, "resume", "", "go on with the interrupted experiment below this root")
	f.StringVar(&o.format, "format", "text", "text or json")
	f.StringVar(&o.baseline, "baseline", "", "hold the result against this summary, and exit as assay gate does; base, head, limit, budget and repo are taken from it unless given")
	f.StringVar(&o.write, "write-baseline", "", "write the result as a baseline")
}

func (o *gitOptions) toolFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&o.tools.Commands, "tool", nil, "a tool: NAME='command {query} {limit} {budget} {repo}'; may be given more than once")
	f.StringArrayVar(&o.tools.Servers, "mcp", nil, "a tool: NAME='MCP server {repo}' over standard input and output")
	f.StringArrayVar(&o.tools.Calls, "call", nil, "the tool of a server, [NAME=]TOOL")
	f.StringArrayVar(&o.tools.Arguments, "args", nil, `its arguments, [NAME=]'{"query":"{query}"}'`)
	f.StringArrayVar(&o.tools.Formats, "answer", nil, "how an answer is read, [NAME=]auto, lines, json, jsonl or text")
	f.StringArrayVar(&o.tools.Paths, "paths", nil, "where the paths are in an answer, [NAME=]jq path (default: the usual shapes)")
	f.StringArrayVar(&o.tools.Versions, "tool-version", nil, "a command that prints a tool's version, [NAME=]'command'")
	f.StringArrayVar(&o.tools.Expand, "expand", nil, "ask each of the first N keywords apart and interleave, [NAME=]keywords:N")
	f.StringSliceVar(&o.builtins, "builtins", githistory.Builtins, "the built-in tools to run, or none; popular always runs")
	f.StringVar(&o.query, "query", string(githistory.Subject), "the question: subject, subject+body or keywords")
	f.StringVar(&o.packing, "packing", string(githistory.WholeFile), "how much of a file counts against the budget: whole or outline")
	f.IntVar(&o.run.Limit, "limit", githistory.DefaultLimit, "results asked for")
	f.IntVar(&o.run.Budget, "budget", githistory.DefaultBudget, "tokens that an answer may take, as the tool is told")
	f.DurationVar(&o.run.Timeout, "timeout", githistory.DefaultTimeout, "ends one call of a tool")
	f.IntVar(&o.run.Jobs, "jobs", 0, "tasks run at once (default: one a processor); changes no figure")
}

func runEvalGit(ctx context.Context, a *app, o gitOptions, given func(string) bool) error {
	defer collectOften()()
	if a.json && !given("format") {
		o.format = "json"
	}
	rules, err := o.gateRules.options()
	if err != nil {
		return err
	}
	var baseline *gate.Summary
	if o.baseline != "" {
		s, err := readSummary(o.baseline)
		if err != nil {
			return err
		}
		baseline = &s
		o.takeFrom(s, given)
	}
	if err := o.complete(); err != nil {
		return err
	}
	remove, err := o.place()
	if err != nil {
		return err
	}
	p := a.newProgress()
	result, err := githistory.Run(ctx, o.run, func(now githistory.Progress) { p.at(now.Stage, int64(now.Done), int64(now.Total)) })
	p.end()
	if err != nil {
		return a.evalGitFailed(err, o, remove)
	}
	return a.finishEvalGit(result, o, baseline, rules)
}

// evalGitFailed says what is left where an evaluation did not come to its end.
func (a *app) evalGitFailed(err error, o gitOptions, remove func()) error {
	remove()
	var nothing *githistory.NothingError
	switch {
	case errors.As(err, &nothing):
		return &exitError{exitUndecided, fmt.Errorf("cannot decide: %w", err)}
	case errors.Is(err, context.Canceled):
		if _, gone := os.Stat(o.run.Out); gone == nil {
			a.say("whole runs stay: go on with --resume %s and the same flags", shellQuote(o.run.Out))
		}
	}
	return err
}

// takeFrom takes from a baseline what was not given: figures of other commits cannot be compared.
func (o *gitOptions) takeFrom(s gate.Summary, given func(string) bool) {
	for flag, take := range map[string]func(){
		"base":   func() { o.run.Base = s.Base },
		"head":   func() { o.run.Head = s.Head },
		"repo":   func() { o.run.RepoName = s.Repo },
		"limit":  func() { o.run.Limit = s.Limit },
		"budget": func() { o.run.Budget = s.Budget },
	} {
		if !given(flag) {
			take()
		}
	}
}

// complete checks the flags and makes options of them.
func (o *gitOptions) complete() error {
	var err error
	if o.format != "text" && o.format != "json" {
		return usageError(fmt.Errorf("--format: have %q, want text or json", o.format))
	}
	if o.run.Limit < 1 || o.run.Budget < 1 {
		return usageError(fmt.Errorf("--limit, --budget: have %d and %d, want at least 1", o.run.Limit, o.run.Budget))
	}
	for _, file := range [][2]string{{"write-baseline", o.write}, {"junit", o.junit}, {"markdown", o.markdown}} {
		if err := writableFolder(file[0], file[1]); err != nil {
			return err
		}
	}
	if o.run.Tools, err = o.tools.Specs(); err != nil {
		return usageError(err)
	}
	if o.run.Query, err = oneOf("query", githistory.QueryForm(o.query), githistory.Subject, githistory.SubjectBody, githistory.KeywordList); err != nil {
		return err
	}
	if o.run.Packing, err = oneOf("packing", githistory.Packing(o.packing), githistory.WholeFile, githistory.OutlineOnly); err != nil {
		return err
	}
	o.run.Builtins = []string{}
	for _, name := range o.builtins {
		if name == "none" {
			continue
		}
		if name, err = oneOf("builtins", name, githistory.Builtins...); err != nil {
			return err
		}
		o.run.Builtins = append(o.run.Builtins, name)
	}
	if o.run.History == 0 {
		o.run.History = -1
	}
	if o.cross {
		o.run.Cross = githistory.DefaultLevels(o.run.Limit, o.run.Budget)
	}
	if o.run.Sessions && (o.baseline != "" || o.write != "") {
		return usageError(fmt.Errorf("--sessions: have a baseline too, want none: captured sessions are no fixed set"))
	}
	if o.run.Jobs < 1 {
		o.run.Jobs = runtime.GOMAXPROCS(0)
	}
	o.run.CodeRevision, o.run.Clock = codeRevision(), record.SystemClock
	return nil
}

// oneOf refuses a word that is not in its list.
func oneOf[T ~string](flag string, have T, want ...T) (T, error) {
	if slices.Contains(want, have) {
		return have, nil
	}
	words := make([]string, len(want))
	for i, w := range want {
		words[i] = string(w)
	}
	return have, usageError(fmt.Errorf("--%s: have %q, want %s", flag, have, strings.Join(words, ", ")))
}

// place decides where run directories go. A folder of the cache that gets none is removed again.
func (o *gitOptions) place() (remove func(), err error) {
	remove = func() {}
	switch {
	case o.resume != "" && o.out != "":
		return remove, usageError(fmt.Errorf("--resume: have --out too, want the root alone"))
	case o.resume != "":
		o.run.Out, o.run.Resume = o.resume, true
		return remove, nil
	case o.out != "":
		o.run.Out = o.out
		return remove, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return remove, fmt.Errorf("no folder for caches: %w; name one with -o", err)
	}
	o.run.Out, err = githistory.NewOut(cache)
	// Remove leaves a folder that holds runs.
	return func() { os.Remove(o.run.Out) }, err
}

func (a *app) finishEvalGit(result githistory.Result, o gitOptions, baseline *gate.Summary, rules gate.Options) error {
	report := githistory.NewReport(result, o.results)
	write := report.WriteText
	if o.format == "json" {
		write = report.WriteJSON
	}
	if err := write(a.out); err != nil {
		return err
	}
	a.say("runs in %s", result.Experiment)
	summary, silent := githistory.Summary(result), silentTools(result)
	if o.write != "" && silent == nil {
		if err := a.writeSummary(o.write, summary); err != nil {
			return err
		}
	}
	if baseline != nil {
		aside := *a
		aside.json = o.format == "json"
		if err := aside.gateOnTheSide(gate.Compare(*baseline, summary, rules), o.gateRules); err != nil {
			return err
		}
	}
	if silent != nil {
		return &exitError{exitUndecided, fmt.Errorf("cannot decide: nothing measured: %w", silent)}
	}
	if baseline != nil {
		return nil
	}
	steps := []string{"assay derive " + shellQuote(result.Experiment) + " -o data"}
	if o.write == "" && !o.run.Sessions && !o.cross {
		steps = append(steps, "assay eval git "+o.again+" --write-baseline eval-baseline.json")
	}
	a.next(append(steps, "assay gate --example github     (a workflow that holds pull requests to a baseline)")...)
	return nil
}

// silentTools names the tools that failed on every task, with what the first task says: zeros of a tool that never
// answered are no figures of it, and no baseline. It is nil where there is none.
func silentTools(result githistory.Result) error {
	answered, reasons := map[string]bool{}, map[string]string{}
	for _, row := range result.Outcomes {
		for a, outcome := range row {
			tool := result.Arms[a].Tool
			answered[tool] = answered[tool] || !outcome.Score.Failed
			if reasons[tool] == "" {
				reasons[tool] = outcome.Answer.Reason
			}
		}
	}
	var silent []error
	for _, tool := range result.Tools {
		if !answered[tool.Name] {
			silent = append(silent, fmt.Errorf("tool %s failed on all %d tasks: %s", tool.Name, len(result.Outcomes), reasons[tool.Name]))
		}
	}
	return errors.Join(silent...)
}
