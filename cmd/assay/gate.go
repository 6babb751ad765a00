package main

import (
	"context"
	"fmt"
	"math/big"
	"os"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/eval/gate"
	"github.com/assay-bench/assay/stats/duck"
)

// gateOptions are the flags of assay gate.
type gateOptions struct {
	gateRules
	baseline, current string
	dataset, against  string
	metric, faults    string
	arm, againstArm   string
	example           string
}

func gateCommand(a *app) *cobra.Command {
	var o gateOptions
	c := &cobra.Command{
		Use:   "gate --baseline FILE --current FILE",
		Short: "Has a tool become worse than its baseline? pass, regressed, cannot decide",
		Long: `Compares two summaries of an evaluator, or one metric of two datasets on the tasks that both have. A
figure may worsen by its limit and no more, decided on exact fractions. The tasks that changed sides are named,
with the exact sign test over them. Exits 0 pass, 3 regressed, 4 cannot decide (too few tasks, a figure missing on
either side, other commits), 1 where a file cannot be read.`,
		Example: `  assay gate --baseline eval-baseline.json --current eval-current.json
  assay gate --dataset data/new --against data/old --metric resolved_at_1 --significant
  assay gate --example github > .github/workflows/retrieval.yml`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runGate(c.Context(), a, o) },
	}
	f := c.Flags()
	f.StringVar(&o.baseline, "baseline", "", "the summary that is held to be good")
	f.StringVar(&o.current, "current", "", "the summary of now")
	f.StringVar(&o.dataset, "dataset", "", "the dataset of now")
	f.StringVar(&o.against, "against", "", "the dataset that is held to be good")
	f.StringVar(&o.metric, "metric", "", "the metric of runs to compare (default: the study's primary outcome)")
	f.StringVar(&o.arm, "arm", "", "the arm to compare, where a dataset has several")
	f.StringVar(&o.againstArm, "against-arm", "", "the arm of --against (default: that of --arm)")
	f.StringVar(&o.faults, "faults", "", "which faults count as failures: agent, all or none")
	f.StringVar(&o.example, "example", "", "print a workflow for a service: github")
	o.flags(c)
	return c
}

// gateRules are the flags that say how a gate decides and where its report goes.
type gateRules struct {
	rate, amount, count string
	significant         bool
	sameTool            bool
	junit, markdown     string
}

func (r *gateRules) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&r.rate, "max-rate-drop", "0.02", "how far a rate may worsen, as a difference")
	f.StringVar(&r.amount, "max-amount-rise", "2%", "how far an amount may worsen, as a share of its baseline")
	f.StringVar(&r.count, "max-errors-rise", "0", "how many more errors are allowed")
	f.BoolVar(&r.significant, "significant", false, "regressed only where a loss is past its limit and more than noise (p at most 0.05)")
	f.BoolVar(&r.sameTool, "same-tool", false, "refuse to compare another revision of the tool")
	f.StringVar(&r.junit, "junit", "", "write the verdict as JUnit XML")
	f.StringVar(&r.markdown, "markdown", "", "write the verdict as Markdown, such as a step summary")
}

// options reads the limits. A limit that cannot be used is a wrong command line.
func (r gateRules) options() (gate.Options, error) {
	o := gate.DefaultOptions()
	o.Significant, o.SameTool = r.significant, r.sameTool
	for _, l := range []struct {
		flag, text string
		kind       gate.Kind
		dest       **big.Rat
	}{
		{"max-rate-drop", r.rate, gate.Rate, &o.Limits.Rate},
		{"max-amount-rise", r.amount, gate.Amount, &o.Limits.Amount},
		{"max-errors-rise", r.count, gate.Count, &o.Limits.Count},
	} {
		limit, err := gate.ParseLimit(l.flag, l.text, l.kind)
		if err != nil {
			return o, usageError(err)
		}
		*l.dest = limit
	}
	return o, nil
}

func runGate(ctx context.Context, a *app, o gateOptions) error {
	if o.example != "" {
		text, err := gate.Example(o.example)
		if err != nil {
			return usageError(fmt.Errorf("--%w", err))
		}
		_, err = fmt.Fprint(a.out, text)
		return err
	}
	opts, err := o.options()
	if err != nil {
		return err
	}
	switch {
	case o.baseline != "" && o.current != "" && o.dataset == "" && o.against == "":
		return a.reportGate(gateSummaries(o, opts), o.gateRules)
	case o.dataset != "" && o.against != "" && o.baseline == "" && o.current == "":
		report, err := gateDatasets(ctx, o, opts)
		if err != nil {
			return err
		}
		return a.reportGate(report, o.gateRules)
	}
	return usageError(fmt.Errorf("gate: want --baseline and --current, or --dataset and --against\nsee: assay gate --help"))
}

func gateSummaries(o gateOptions, opts gate.Options) gate.Report {
	baseline, err := readSummary(o.baseline)
	if err != nil {
		return gate.Failure(err)
	}
	current, err := readSummary(o.current)
	if err != nil {
		return gate.Failure(err)
	}
	return gate.Compare(baseline, current, opts)
}

func readSummary(path string) (gate.Summary, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return gate.Summary{}, err
	}
	return gate.Parse(path, text)
}

func gateDatasets(ctx context.Context, o gateOptions, opts gate.Options) (gate.Report, error) {
	if err := checkFaults(o.faults); err != nil {
		return gate.Report{}, err
	}
	current, err := openGateSide(ctx, o, "--arm", o.dataset, o.arm)
	if err != nil {
		return gate.Report{}, err
	}
	if o.metric == "" {
		o.metric = current.primary
	}
	m, err := runMetric("--metric", o.metric)
	if err != nil {
		current.db.Close()
		return gate.Report{}, err
	}
	now, err := current.values(ctx, m.Name)
	if err != nil {
		return gate.Report{}, err
	}
	if o.againstArm == "" {
		o.againstArm = o.arm
	}
	baseline, err := openGateSide(ctx, o, "--against-arm", o.against, o.againstArm)
	if err != nil {
		return gate.Report{}, err
	}
	before, err := baseline.values(ctx, m.Name)
	if err != nil {
		return gate.Report{}, err
	}
	measure, err := gate.MeasureOf(m)
	if err != nil {
		return gate.Report{}, usageError(fmt.Errorf("--metric: %w", err))
	}
	d := pairValues(measure, before, now)
	return gate.CompareDatasets(d, opts), nil
}

// A gateSide is one dataset of a comparison.
type gateSide struct {
	db           *duck.DB
	arm, primary string
}
