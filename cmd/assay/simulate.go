package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/eval/simulate"
)

// simulateOptions are the flags of assay simulate.
type simulateOptions struct {
	out     string
	workers int
	study   simulate.Study
	factors []string
	effects []string
	faults  string
	plants  []string
}

func simulateCommand(a *app) *cobra.Command {
	o := simulateOptions{study: simulate.Default()}
	c := &cobra.Command{
		Use:   "simulate -o RAW",
		Short: "Make a factorial study with planted effects and faults, and the truth beside it",
		Long: `Writes run directories of a study that never happened, and truth.json beside them: the expectation of
every arm and level, which terms are null, what was planted wrong and what the accounting must come to. It tests
assay itself, or a design before it is run; it says nothing of any tool or model, and every manifest says that it is
simulated. The seed decides every byte.

A factor is NAME[:ROLE]=LEVEL,LEVEL…, the first level the reference; ROLE is retrieval, query, packing or other. The
retrieval level none asks nothing; every other one but grep builds an index. A packing level may say how many of ten
candidates fit the context budget (full/6). An effect is METRIC:FACTOR=LEVEL[,FACTOR=LEVEL…]:SIZE: it is added to
the mean of file_recall_at_10 or resolved_at_1, or to the logarithm of the median of input_tokens, output_tokens or
wall_time_s; harness, model, scenario and difficulty count as factors. Two levels plant an interaction; what no effect
names is a planted null. Faults by name: ` + strings.Join(faultNames(), ", ") + `.`,
		Example: `  assay simulate -o raw                                             a small study, without faults
  assay simulate -o raw --tasks 200 --faults default
  assay simulate -o raw --factor retriever:retrieval=none,bm25,dense --factor packing:packing=head,full \
    --effect resolved_at_1:retriever=dense:+0.1 --effect file_recall_at_10:retriever=dense,packing=full:-0.05
  assay simulate -o raw --fault truncated=5 --fault copy=2 --seed 7`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSimulate(c.Context(), a, c, o) },
	}
	o.flags(c)
	return c
}

func (o *simulateOptions) flags(c *cobra.Command) {
	f, s := c.Flags(), &o.study
	f.StringVarP(&o.out, "out", "o", "", "the root that gets the experiment's folder (required)")
	f.IntVar(&o.workers, "workers", 0, "runs written at once (default: one a processor); changes no byte")
	f.StringVar(&s.ExperimentID, "experiment", s.ExperimentID, "the experiment's id")
	f.StringVar(&s.Title, "title", s.Title, "the experiment's title")
	f.Uint64Var(&s.Seed, "seed", s.Seed, "the seed of every draw")
	f.StringArrayVar(&o.factors, "factor", nil, "a factor (default: retriever, query and packing)")
	f.StringArrayVar(&o.effects, "effect", nil, "a planted effect (default: some, where factors and strata are the default ones)")
	f.StringSliceVar(&s.Harnesses, "harness", s.Harnesses, "harnesses, crossed with everything")
	f.StringSliceVar(&s.Models, "model", s.Models, "model keys, crossed with everything")
	f.IntVar(&s.Tasks, "tasks", s.Tasks, "tasks")
	f.IntVar(&s.Repositories, "repositories", s.Repositories, "repositories, which get the tasks in turn")
	f.IntVar(&s.Repetitions, "repetitions", s.Repetitions, "runs of each arm on each task")
	f.StringSliceVar(&s.Scenarios, "scenario", s.Scenarios, "scenarios; each task draws one")
	f.StringSliceVar(&s.Difficulties, "difficulty", s.Difficulties, "difficulties; each task draws one")
	f.Float64Var(&s.Recall, "recall", s.Recall, "file_recall_at_10 before effects")
	f.Float64Var(&s.Resolved, "resolved", s.Resolved, "resolved_at_1 before effects")
	f.Float64Var(&s.Spread, "spread", s.Spread, "how much tasks differ in ease, from 0 to 1")
	f.Float64Var(&s.RepositoryShare, "repository-share", s.RepositoryShare, "the share of a task's ease that its repository decides")
	f.IntVar(&s.GoldFiles, "gold-files", s.GoldFiles, "the largest number of gold files of a task")
	f.IntVar(&s.Candidates, "candidates", s.Candidates, "candidates of a query")
	f.IntVar(&s.Steps, "steps", s.Steps, "model calls of a run")
	f.StringVar(&o.faults, "faults", "none", "none, or default: every fault at its own rate")
	f.StringArrayVar(&o.plants, "fault", nil, "NAME=COUNT: so many runs or tasks with that fault")
}

func faultNames() []string {
	var names []string
	for _, f := range simulate.Faults {
		names = append(names, f.Name)
	}
	return names
}

// complete reads the flags that are texts.
func (o *simulateOptions) complete(changed func(string) bool) error {
	if changed("factor") {
		o.study.Factors = nil
	}
	for _, text := range o.factors {
		f, err := simulate.ParseFactor(text)
		if err != nil {
			return err
		}
		o.study.Factors = append(o.study.Factors, f)
	}
	if changed("factor") || changed("effect") || changed("difficulty") {
		o.study.Effects = nil
	}
	for _, text := range o.effects {
		e, err := simulate.ParseEffect(text)
		if err != nil {
			return err
		}
		o.study.Effects = append(o.study.Effects, e)
	}
	return o.completeFaults()
}

func (o *simulateOptions) completeFaults() error {
	switch o.faults {
	case "none":
	case "default":
		o.study.Faults = o.study.DefaultFaults()
	default:
		return fmt.Errorf("--faults: have %q, want none or default", o.faults)
	}
	given := map[string]bool{}
	for _, text := range o.plants {
		name, count, _ := strings.Cut(text, "=")
		f, ok := simulate.FaultByName(name)
		n, err := strconv.Atoi(count)
		if !ok || err != nil {
			return fmt.Errorf("--fault: have %q, want NAME=COUNT with a name of %s", text, strings.Join(faultNames(), ", "))
		}
		if given[name] {
			return fmt.Errorf("--fault %s: have it twice, want it once", name)
		}
		given[name] = true
		o.plant(f, n)
	}
	return nil
}

// plant sets the count of a fault.
func (o *simulateOptions) plant(f *simulate.Fault, n int) {
	for i := range o.study.Faults {
		if o.study.Faults[i].Fault == f {
			o.study.Faults[i].Count = n
			return
		}
	}
	o.study.Faults = append(o.study.Faults, simulate.Plant{Fault: f, Count: n})
}

func runSimulate(ctx context.Context, a *app, c *cobra.Command, o simulateOptions) error {
	if o.out == "" {
		return usageError(fmt.Errorf("simulate: have no --out, want the root that gets the runs"))
	}
	if err := o.complete(c.Flags().Changed); err != nil {
		return usageError(err)
	}
	if _, err := o.study.Truth(); err != nil {
		return usageError(err)
	}
	truth, err := a.simulate(ctx, o.out, o.study, o.workers)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(truth)
	}
	printTruth(a.out, truth)
	a.next("assay derive "+shellQuote(o.out)+" -o data", "cat "+shellQuote(o.out+"/"+o.study.ExperimentID+"/"+simulate.TruthFile)+"     (what the tables must come to)")
	return nil
}

// simulate writes a study and shows how far it is.
func (a *app) simulate(ctx context.Context, root string, s simulate.Study, workers int) (simulate.Truth, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	p := a.newProgress()
	defer p.end()
	return simulate.Write(ctx, root, s, workers, func(done, total int64) { p.at("simulating runs", done, total) })
}

func printTruth(w io.Writer, t simulate.Truth) {
	n := t.Counts
	fmt.Fprintf(w, "simulated    %s: %d arms, %d planned runs, seed %d\n", t.ExperimentID, len(t.Arms), n.Planned, t.Seed)
	fmt.Fprintf(w, "accounting   %d directories, %d runs (%d included, %d excluded), %d absent\n", n.Directories, n.Runs, n.Included, n.Excluded, n.Absent)
	for _, e := range t.Effects {
		fmt.Fprintf(w, "effect       %s\n", e)
	}
	for _, m := range t.Metrics {
		var null []string
		for _, term := range m.Terms {
			if term.Null {
				null = append(null, strings.Join(term.Factors, " × "))
			}
		}
		if len(null) > 0 {
			fmt.Fprintf(w, "null         %s: %s\n", m.Metric, strings.Join(null, ", "))
		}
	}
	for _, f := range t.Faults {
		fmt.Fprintf(w, "fault        %4d %s  %s: %s\n", f.Count, plural(f.Unit, f.Count), f.Fault, f.Doc)
	}
}

func plural(unit string, n int64) string {
	if n == 1 {
		return unit + " "
	}
	return unit + "s"
}
