package githistory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Progress is how far an evaluation has come.
type Progress struct {
	// Stage says what is being done, in a word.
	Stage string
	// Done and Total count tasks.
	Done, Total int
}

// Outcome is one task under one arm.
type Outcome struct {
	// Answer is what the tool said.
	Answer Answer
	// Score compares it with the gold.
	Score Score
}

// Result is a whole evaluation.
type Result struct {
	// Set is the tasks and what was left out.
	Set TaskSet
	// Arms are the combinations that were run.
	Arms []Arm
	// Tools describes the tools, in the order of reports.
	Tools []ToolInfo
	// Outcomes has one row a task, one column an arm.
	Outcomes [][]Outcome
	// Options are those of the run, defaults filled in.
	Options Options
	// Experiment is the folder of the experiment's runs; empty where none were written.
	Experiment string
	// Flattened counts the links of base that lead out of the tree and were written as files.
	Flattened int
	// ShallowHistory is, where the clone is shallow and ends before the history that was asked for, how many commits
	// that are no merge the tools could learn from; of several bases the fewest. Nil where nothing is lacking.
	ShallowHistory *int
}

// NothingError says that there was no task, so that no figure could be given.
type NothingError struct {
	// Set is what was seen instead.
	Set TaskSet
}

// Error counts what was skipped, by reason.
func (e *NothingError) Error() string {
	what := "commits"
	if e.Set.Base == "" {
		what = "cases"
	}
	text := fmt.Sprintf("0 tasks from %d %s", e.Set.Seen(), what)
	separator := ": "
	for _, reason := range Reasons {
		if n := e.Set.SkippedFor(reason); n > 0 {
			text += fmt.Sprintf("%s%d %s", separator, n, reason.Text())
			separator = ", "
		}
	}
	return text
}

// Run evaluates every arm on every task. What a tool gets wrong is in the result; an error means that nothing
// could be measured, or that ctx was cancelled: then whole runs stand in opts.Out and nothing else is left.
// progress may be nil; it is called by one goroutine at a time.
func Run(ctx context.Context, opts Options, progress func(Progress)) (Result, error) {
	if progress == nil {
		progress = func(Progress) {}
	}
	result, err := evaluateAll(ctx, opts.withDefaults(), progress)
	if err != nil && ctx.Err() != nil {
		return Result{}, context.Cause(ctx) // what a cancelled step says of itself is of no interest
	}
	return result, err
}

// evaluateAll is Run with every option filled in.
func evaluateAll(ctx context.Context, opts Options, progress func(Progress)) (Result, error) {
	names, err := toolNames(opts)
	if err != nil {
		return Result{}, err
	}
	if opts.CacheDir == "" {
		if opts.CacheDir, err = os.UserCacheDir(); err != nil {
			return Result{}, err
		}
	}
	if err := sweep(opts.CacheDir); err != nil {
		return Result{}, err
	}
	progress(Progress{Stage: "reading history"})
	repo, err := open(ctx, opts.Repo)
	if err != nil {
		return Result{}, err
	}
	set, groups, err := readGroups(ctx, repo, opts)
	if err != nil {
		return Result{}, err
	}
	if len(set.Tasks) == 0 {
		return Result{}, &NothingError{set}
	}
	e := &evaluation{opts: opts, repo: repo, names: names, progress: progress, result: Result{
		Set: set, Arms: arms(opts, names), Options: opts, Outcomes: make([][]Outcome, len(set.Tasks)),
	}}
	for _, g := range groups {
		if err := e.group(ctx, g); err != nil {
			return Result{}, err
		}
	}
	return e.result, nil
}

// group is the tasks that share a base.
type group struct {
	base    string
	entries []Entry
	tasks   []int // indexes in the set
	present bool  // the checkout has the commit
}

// readGroups lists the tasks by their bases: one for the commits of a range.
func readGroups(ctx context.Context, repo *repository, opts Options) (TaskSet, []group, error) {
	if opts.Sessions {
		return readSessions(ctx, repo, opts)
	}
	set, entries, err := readTasks(ctx, repo, opts)
	all := group{base: set.Base, entries: entries, present: true}
	for i := range set.Tasks {
		all.tasks = append(all.tasks, i)
	}
	return set, []group{all}, err
}

// evaluation is one Run under way.
type evaluation struct {
	opts     Options
	repo     *repository
	names    []string
	progress func(Progress)
	result   Result

	recorder *recorder // nil where no runs are written
	mu       sync.Mutex
	done     int
}

// group exports one base, runs its tasks and removes the export again, whatever happens.
func (e *evaluation) group(ctx context.Context, g group) (err error) {
	e.progress(Progress{Stage: "exporting " + g.base[:shortID], Done: e.done, Total: len(e.result.Set.Tasks)})
	s, err := e.repo.export(ctx, e.opts, g.base, g.entries)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	e.progress(Progress{Stage: "indexing", Done: e.done, Total: len(e.result.Set.Tasks)})
	tools, err := newToolset(ctx, e.opts, e.repo, s, e.names)
	if err != nil {
		return err
	}
	defer tools.close()
	e.result.Tools = tools.infos
	if e.opts.Out != "" && e.recorder == nil {
		if e.recorder, err = newRecorder(e, tools); err != nil {
			return err
		}
		e.result.Experiment = filepath.Join(e.opts.Out, e.recorder.id)
	}
	e.result.Flattened += s.flattened
	if n := len(s.past); s.cut && (e.result.ShallowHistory == nil || n < *e.result.ShallowHistory) {
		e.result.ShallowHistory = &n
	}
	workers, workersCtx := errgroup.WithContext(ctx)
	workers.SetLimit(e.opts.Jobs)
	for _, i := range g.tasks {
		workers.Go(func() error { return e.task(workersCtx, tools, s, i) })
	}
	err = workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// asked is what an answer depends on: arms that differ only in what is done with it share it.
type asked struct {
	tool   string
	query  QueryForm
	limit  int
	budget int // 0 where the tool is not told of it
}

// task runs every arm on one task.
func (e *evaluation) task(ctx context.Context, tools *toolset, s *snapshot, i int) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	task := e.result.Set.Tasks[i]
	answers := map[asked]Answer{}
	outcomes := make([]Outcome, len(e.result.Arms))
	for a, arm := range e.result.Arms {
		answer, err := e.answer(ctx, tools, s, task, a, answers)
		if err != nil {
			return err
		}
		size := func(file string) int { return tools.baselines.tokens(file, arm.Packing) }
		outcomes[a] = Outcome{Answer: answer, Score: score(answer, task.Gold, arm.Budget, size)}
	}
	e.result.Outcomes[i] = outcomes
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done++
	e.progress(Progress{Stage: "asking", Done: e.done, Total: len(e.result.Set.Tasks)})
	return nil
}

// answer is what an arm's tool says to a task: read back where its run is finished already, else asked, or taken
// from an arm that asked the same, and recorded.
func (e *evaluation) answer(ctx context.Context, tools *toolset, s *snapshot, task Task, a int, answers map[asked]Answer) (Answer, error) {
	arm := e.result.Arms[a]
	if e.recorder != nil {
		answer, ok, err := e.recorder.finished(task, a, tools.baselines, s.paths)
		if ok || err != nil {
			return answer, err
		}
	}
	key := asked{arm.Tool, arm.Query, arm.Limit, 0}
	if e.asksBudget(arm.Tool) {
		key.budget = arm.Budget
	}
	answer, ok := answers[key]
	if !ok {
		var err error
		answer, err = tools.tools[arm.Tool].Search(ctx, Query{Text: arm.Query.Text(task), Limit: arm.Limit, Budget: arm.Budget})
		if err != nil {
			return Answer{}, err
		}
		answers[key] = answer
	}
	if e.recorder != nil {
		return answer, e.recorder.write(task, a, answer, tools.baselines)
	}
	return answer, nil
}

// asksBudget says whether a tool's answers can depend on the budget. The built-in ones do not look at it.
func (e *evaluation) asksBudget(tool string) bool {
	for _, spec := range e.opts.Tools {
		if spec.Name == tool {
			return spec.asksBudget()
		}
	}
	return false
}
