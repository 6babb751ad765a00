package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/eval/command"
	"github.com/assay-bench/assay/eval/gate"
	"github.com/assay-bench/assay/eval/recall"
	"github.com/assay-bench/assay/record"
)

// recallOptions are the flags of assay eval recall.
type recallOptions struct {
	gateRules
	questions, limit, out string
	bodies                string
	plain                 bool
	target                recall.Target
	features              recall.Features
	prepare, observe      string
	jobs                  int
	only                  string
	show                  bool
	raw, resume           string
	baseline, write       string
}

func evalRecallCommand(a *app) *cobra.Command {
	var o recallOptions
	c := &cobra.Command{
		Use:   "recall --questions FILE --cmd 'command {q}'",
		Short: "Ask a retrieval tool questions whose answers hold known keywords",
		Long: `Asks every question verbatim, as one argument that no shell sees, and scores the share of its keywords
that stand in the bodies of the first results. PASS is at least 0.60 of them, EMPTY no result or only blank ones,
ERROR a tool that failed, hung or printed nonsense; the rest FAIL. Writes results.json (env ` + recall.OutVariable + `), and
a run directory a question. Questions: [{"id":1,"q":"…","kw":["…"]}]. --limit may come from env ` + recall.LimitVariable + `.
With --baseline it exits as assay gate does; 4 where no question could be scored.`,
		Example: `  assay eval recall --questions questions.json --cmd 'mytool recall --json --limit {limit} {q}'
  assay eval recall --questions questions.json --mcp 'mytool serve' --call search --args '{"query":"{query}"}'
  assay eval recall --questions questions.json --cmd 'mytool recall --json {q}' --only 17 --show
  assay eval recall lint questions.json --results results.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runRecall(c.Context(), a, o) },
	}
	o.recallFlags(c)
	o.flags(c)
	c.AddCommand(recallDiffCommand(a), recallLintCommand(a))
	return c
}

func (o *recallOptions) recallFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.questions, "questions", "", "the question file")
	f.StringVar(&o.target.Command, "cmd", "", "the tool: a command with {q} in it, and {limit} where it takes one")
	f.StringVar(&o.target.MCP, "mcp", "", "the tool: an MCP server's command, over standard input and output")
	f.StringVar(&o.target.Call, "call", "", "the tool of that server to call")
	f.StringVar(&o.target.Args, "args", "", `its arguments, a JSON object (default {"query":"{query}"})`)
	f.StringVar(&o.target.Name, "name", "", "the tool's name in reports (default: the program's)")
	f.StringVar(&o.target.VersionCommand, "tool-version", "", "a command that prints the tool's version, which is recorded")
	f.DurationVar(&o.target.Timeout, "timeout", command.DefaultTimeout, "ends one question")
	f.StringVar(&o.limit, "limit", "", fmt.Sprintf("how many results are scored (default: env %s, the baseline's, %d)", recall.LimitVariable, recall.DefaultLimit))
	f.StringVarP(&o.out, "out", "o", "", fmt.Sprintf("where results go (default: env %s, %s)", recall.OutVariable, recall.DefaultOut))
	f.StringVar(&o.bodies, "bodies", "", "a jq path to the bodies, such as .hits[].text (default: the usual shapes)")
	f.BoolVar(&o.plain, "plain", false, "take all that is printed as one body")
	f.StringVar(&o.prepare, "prepare", "", "a command to run once before the first question")
	f.IntVar(&o.jobs, "jobs", 1, "questions asked at a time; changes no order")
	f.StringVar(&o.only, "only", "", "ask the one question of this id; writes no file")
	f.BoolVar(&o.show, "show", false, "with --only: print the raw answer, the bodies and where each keyword stands")
	f.StringVar(&o.raw, "raw", "", "the root of the run directories (default: a folder of the cache, which is printed)")
	f.StringVar(&o.resume, "resume", "", "go on with the interrupted experiment in this folder")
	f.StringVar(&o.baseline, "baseline", "", "hold the result against this summary, and exit as assay gate does")
	f.StringVar(&o.write, "write-baseline", "", "write the result as a baseline")
	f.StringVar(&o.observe, "observe", "", "a command with {summary} in it that records the result where you keep notes")
	f.BoolVar(&o.features.WholeWord, "whole-word", false, "beyond the plain rubric: keywords count as whole words only")
	f.BoolVar(&o.features.Weights, "weights", false, "beyond the plain rubric: keywords count by the weights of the question")
	f.BoolVar(&o.features.Forbidden, "forbidden", false, "beyond the plain rubric: a forbidden term fails a question")
	f.BoolVar(&o.features.NoAnswer, "no-answer", false, "beyond the plain rubric: questions without answer pass where nothing comes back")
}

// A recallJob is everything that was checked before the first question.
type recallJob struct {
	opts     recall.Options
	settings recall.Settings
	gate     gate.Options
	baseline *gate.Summary
	observer *recall.Observer
}

func runRecall(ctx context.Context, a *app, o recallOptions) error {
	job, err := o.job()
	if err != nil {
		return err
	}
	for _, from := range job.settings.From {
		a.say("from the environment: %s", from)
	}
	result, err := recall.Run(ctx, job.opts, func(outcome recall.Outcome) {
		if !a.json && !o.show {
			fmt.Fprintln(a.out, outcome.Line())
		}
	})
	if errors.Is(err, recall.ErrNoQuestions) {
		return &exitError{exitUndecided, fmt.Errorf("cannot decide: %w", err)}
	}
	if err != nil {
		if raw := job.opts.Raw; raw != nil && errors.Is(err, context.Canceled) {
			a.say("whole runs stay: go on with --resume %s", shellQuote(filepath.Join(raw.Root, raw.ExperimentID)))
		}
		return err
	}
	if o.only != "" {
		return a.showQuestion(result, o)
	}
	return a.finishRecall(ctx, result, o, job)
}

// job checks all that can be wrong before a question is asked.
func (o recallOptions) job() (recallJob, error) {
	j := recallJob{}
	var err error
	if o.questions == "" || (o.target.Command == "") == (o.target.MCP == "") {
		return j, usageError(fmt.Errorf("eval recall: want --questions and one of --cmd and --mcp\nsee: assay eval recall --help"))
	}
	if o.target.Command != "" && !strings.Contains(o.target.Command, "{"+recall.PlaceQuestion+"}") {
		return j, usageError(fmt.Errorf("--cmd: have %q without {%s}, want the place of the question", o.target.Command, recall.PlaceQuestion))
	}
	if o.show && o.only == "" {
		return j, usageError(fmt.Errorf("--show: have no --only, want the id of one question"))
	}
	if j.gate, err = o.gateRules.options(); err != nil {
		return j, err
	}
	limit := 0
	if o.baseline != "" {
		s, err := readSummary(o.baseline)
		if err != nil {
			return j, err
		}
		j.baseline, limit = &s, s.Limit
	}
	if j.settings, err = recall.SettingsFrom(o.limit, o.out, limit, os.LookupEnv); err != nil {
		return j, usageError(err)
	}
	for _, file := range [][2]string{{"out", j.settings.Out}, {"write-baseline", o.write}, {"junit", o.junit}, {"markdown", o.markdown}} {
		if err := writableFolder(file[0], file[1]); err != nil {
			return j, err
		}
	}
	if o.observe != "" {
		observer, err := recall.ParseObserver(o.observe)
		if err != nil {
			return j, err
		}
		j.observer = &observer
	}
	j.opts, err = o.recallOptions(j.settings.Limit)
	return j, err
}

func (o recallOptions) recallOptions(limit int) (recall.Options, error) {
	text, err := os.ReadFile(o.questions)
	if err != nil {
		return recall.Options{}, err
	}
	questions, err := recall.Load(o.questions, text, o.features)
	if err != nil {
		return recall.Options{}, err
	}
	opts := recall.Options{Questions: questions, Target: o.target, Form: recall.UsualForm(), Limit: limit, Features: o.features,
		Prepare: o.prepare, Jobs: o.jobs, Only: o.only}
	switch {
	case o.bodies != "" && o.plain:
		return opts, usageError(fmt.Errorf("--plain: have --bodies too, want one of them"))
	case o.plain:
		opts.Form, opts.FormText = recall.PlainForm(), "plain"
	case o.bodies != "":
		if opts.Form, err = recall.PathForm(o.bodies); err != nil {
			return opts, usageError(fmt.Errorf("--bodies: %w", err))
		}
		opts.FormText = o.bodies
	}
	if o.only == "" {
		opts.Raw, err = o.rawRuns()
	}
	return opts, err
}

// rawRuns says where run directories go: a new experiment, or the one to resume.
func (o recallOptions) rawRuns() (*recall.Raw, error) {
	raw := &recall.Raw{Root: o.raw, ExperimentID: newExperiment("recall", time.Now()), CodeRevision: codeRevision(), Clock: record.SystemClock}
	switch {
	case o.resume != "" && o.raw != "":
		return nil, usageError(fmt.Errorf("--resume: have --raw too, want the experiment's folder alone"))
	case o.resume != "":
		dir, err := filepath.Abs(o.resume)
		if err != nil {
			return nil, err
		}
		raw.Root, raw.ExperimentID, raw.Resume = filepath.Dir(dir), filepath.Base(dir), true
	case o.raw == "":
		cache, err := cacheFolder()
		if err != nil {
			return nil, err
		}
		raw.Root = filepath.Join(cache, "raw")
	}
	return raw, nil
}

func (a *app) showQuestion(result recall.Result, o recallOptions) error {
	if a.json {
		return recall.WriteResults(a.out, result.Results())
	}
	if !o.show {
		return nil
	}
	for _, outcome := range result.Outcomes {
		if err := recall.Show(a.out, outcome, o.features); err != nil {
			return err
		}
	}
	return nil
}

// finishRecall writes and prints what a whole run came to.
func (a *app) finishRecall(ctx context.Context, result recall.Result, o recallOptions, job recallJob) error {
	results := result.Results()
	if err := writeFile(job.settings.Out, func(w io.Writer) error { return recall.WriteResults(w, results) }); err != nil {
		return err
	}
	summary, counts := result.Summary(codeRevision()), result.Counts()
	silent := counts.Error == counts.Total
	if o.write != "" && !silent {
		if err := a.writeSummary(o.write, summary); err != nil {
			return err
		}
	}
	var err error
	if a.json {
		err = recall.WriteResults(a.out, results)
	} else {
		err = result.WriteSummary(a.out)
	}
	if err != nil {
		return err
	}
	a.say("results in %s, runs in %s", job.settings.Out, filepath.Join(job.opts.Raw.Root, job.opts.Raw.ExperimentID))
	if job.observer != nil {
		if err := job.observer.Observe(ctx, result); err != nil {
			return err
		}
	}
	if job.baseline != nil {
		if err := a.gateOnTheSide(gate.Compare(*job.baseline, summary, job.gate), o.gateRules); err != nil || !silent {
			return err
		}
	}
	if silent {
		return &exitError{exitUndecided, fmt.Errorf("cannot decide: nothing measured: the tool failed on all %d questions", counts.Total)}
	}
	a.next("assay eval recall lint "+shellQuote(o.questions)+" --results "+shellQuote(job.settings.Out),
		"assay derive "+shellQuote(filepath.Join(job.opts.Raw.Root, job.opts.Raw.ExperimentID))+" -o data",
		`assay sql data "SELECT task_id, name, value FROM scores JOIN included USING (run_id) ORDER BY ALL"     (the scores, in the dataset)`)
	return nil
}

// gateOnTheSide reports a gate after an evaluation: beside its JSON the verdict is talk.
func (a *app) gateOnTheSide(r gate.Report, rules gateRules) error {
	if a.json {
		aside := *a
		aside.out, aside.json = a.err, false
		return aside.reportGate(r, rules)
	}
	fmt.Fprintln(a.out)
	return a.reportGate(r, rules)
}
