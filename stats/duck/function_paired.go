package duck

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

var pairedColumns = []outColumn{
	{"arm", duckdb.TYPE_VARCHAR}, {"baseline", duckdb.TYPE_VARCHAR},
	{"difference", duckdb.TYPE_DOUBLE}, {"low", duckdb.TYPE_DOUBLE}, {"high", duckdb.TYPE_DOUBLE},
	{"p", duckdb.TYPE_DOUBLE}, {"p_holm", duckdb.TYPE_DOUBLE}, {"holm_tests", duckdb.TYPE_BIGINT}, {"log10_p", duckdb.TYPE_DOUBLE},
	{"se", duckdb.TYPE_DOUBLE}, {"detectable", duckdb.TYPE_DOUBLE},
	{"tasks", duckdb.TYPE_BIGINT}, {"pairs", duckdb.TYPE_BIGINT}, {"unmatched_arm", duckdb.TYPE_BIGINT}, {"unmatched_baseline", duckdb.TYPE_BIGINT},
	{"won", duckdb.TYPE_BIGINT}, {"lost", duckdb.TYPE_BIGINT},
	{"method", duckdb.TYPE_VARCHAR}, {"test", duckdb.TYPE_VARCHAR}, {"seed", duckdb.TYPE_BIGINT}, {"draws", duckdb.TYPE_BIGINT},
	{"why", duckdb.TYPE_VARCHAR}, {"interval_why", duckdb.TYPE_VARCHAR},
}

var pairedFunction = Function{
	Name: "paired", Kind: "table",
	Arguments: "query, options: response= arm= baseline= [unit=task_id] [repetition=repetition] [match=column,…] [cluster=column] [level=0.95] [seed=1] [draws=10000]",
	Returns:   "arm, baseline, difference, low, high, p, p_holm, holm_tests, log10_p, se, detectable, tasks, pairs, unmatched_arm, unmatched_baseline, won, lost, method, test, seed, draws, why, interval_why",
	Doc:       "Each arm against the baseline on the same tasks: runs are paired by unit, repetition and the columns of match. One 0/1 run a task and arm: Newcombe's paired interval and exact McNemar. Otherwise the mean over tasks of the mean over a task's pairs, BCa over tasks, and sign-flip p. Holm over the arms. detectable is the smallest true difference that this study finds with a probability of 80%.",
	Example:   "SELECT * FROM paired('SELECT * FROM included', 'response=resolved_at_1 arm=arm baseline=base')",
	register: func(db *DB, conn *sql.Conn) error {
		return tableFunc{"paired", pairedColumns, paired}.register(db, conn)
	},
}

// A pairing is what the options of paired ask for, read from the frame.
type pairing struct {
	arms       []string
	observed   []bool
	values     []float64
	units      []string
	keys       []string
	clusters   map[string]string
	baseline   string
	level      float64
	resampling stats.Resampling
}

func paired(ctx context.Context, db *DB, query, text string) ([][]any, error) {
	o, err := parseOptions("paired", text, "response", "arm", "baseline", "unit", "repetition", "match", "cluster", "level", "seed", "draws")
	if err != nil {
		return nil, err
	}
	f, err := db.frame(ctx, "paired", query)
	if err != nil {
		return nil, err
	}
	if f.rows == 0 {
		return nil, nil
	}
	p, names, err := readPairing(f, o)
	if err != nil {
		return nil, err
	}
	var results []comparison
	for _, arm := range names {
		if arm == p.baseline {
			continue
		}
		c, err := p.compare(arm)
		if err != nil {
			return nil, err
		}
		results = append(results, c)
	}
	return pairedRows(results), nil
}

func readPairing(f *frame, o options) (*pairing, []string, error) {
	p := &pairing{}
	var err error
	if p.baseline, err = o.required("baseline"); err != nil {
		return nil, nil, err
	}
	armColumn, err := o.required("arm")
	if err != nil {
		return nil, nil, err
	}
	response, err := o.required("response")
	if err != nil {
		return nil, nil, err
	}
	if p.values, err = f.numbers(response); err != nil {
		return nil, nil, err
	}
	arms, null, err := f.texts(armColumn)
	if err != nil {
		return nil, nil, err
	}
	p.arms = arms
	p.observed = make([]bool, f.rows)
	for i := range p.observed {
		p.observed[i] = !null[i] && !math.IsNaN(p.values[i])
	}
	if err := p.readKeys(f, o, o.list("match")); err != nil {
		return nil, nil, err
	}
	if err := p.readResampling(o); err != nil {
		return nil, nil, err
	}
	names := distinct(arms, null)
	if !slices.Contains(names, p.baseline) {
		return nil, nil, fmt.Errorf("paired: have baseline %q, want one of the values of %s: %v", p.baseline, armColumn, names)
	}
	return p, names, nil
}

// readKeys reads what makes two runs a pair: unit, repetition and match columns.
func (p *pairing) readKeys(f *frame, o options, match []string) (err error) {
	if p.units, _, err = f.texts(o.text("unit", "task_id")); err != nil {
		return err
	}
	keys := slices.Clone(match)
	if r := o.text("repetition", "repetition"); r != "none" {
		keys = append(keys, r)
	}
	if p.keys, err = f.joined(keys); err != nil {
		return err
	}
	if c := o.text("cluster", ""); c != "" {
		clusters, _, err := f.texts(c)
		if err != nil {
			return err
		}
		p.clusters = map[string]string{}
		for i, u := range p.units {
			p.clusters[u] = clusters[i]
		}
	}
	return nil
}

func (p *pairing) readResampling(o options) error {
	var err error
	if p.level, err = o.share("level", defaultLevel); err != nil {
		return err
	}
	seed, err := o.integer("seed", DefaultSeed)
	if err != nil {
		return err
	}
	draws, err := o.integer("draws", stats.DefaultDraws)
	if err != nil {
		return err
	}
	if draws < 1 || draws > 10_000_000 {
		return fmt.Errorf("paired: option draws: have %d, want 1 to 10000000", draws)
	}
	p.resampling = stats.Resampling{Seed: seed, Draws: int(draws)}
	return nil
}

// observations are the observed runs of an arm.
func (p *pairing) observations(arm string) ([]stats.Observation, error) {
	var out []stats.Observation
	seen := map[string]bool{}
	for i := range p.values {
		if !p.observed[i] || p.arms[i] != arm {
			continue
		}
		key := p.units[i] + "\x00" + p.keys[i]
		if seen[key] {
			return nil, fmt.Errorf("paired: arm %q has two runs of %s with the same repetition, want match= to name the column that tells them apart", arm, strconv.Quote(p.units[i]))
		}
		seen[key] = true
		out = append(out, stats.Observation{Task: p.units[i], Repetition: p.keys[i], Value: p.values[i]})
	}
	return out, nil
}

// A comparison is one arm against the baseline.
type comparison struct {
	arm, baseline                          string
	difference, low, high, p, log10P, se   float64
	tasks, pairs, unmatched, unmatchedBase int
	won, lost                              int
	method, test                           string
	seed                                   uint64
	draws                                  int
	why, intervalWhy, testWhy              stats.Reason
}

func (p *pairing) compare(arm string) (comparison, error) {
	first, err := p.observations(arm)
	if err != nil {
		return comparison{}, err
	}
	second, err := p.observations(p.baseline)
	if err != nil {
		return comparison{}, err
	}
	d := stats.MatchPairs(first, second)
	c := comparison{arm: arm, baseline: p.baseline, tasks: len(d.Tasks), pairs: d.Pairs,
		unmatched: d.UnmatchedFirst, unmatchedBase: d.UnmatchedSecond}
	for _, m := range stats.TaskMeans(d.ByTask) {
		switch {
		case m > 0:
			c.won++
		case m < 0:
			c.lost++
		}
	}
	if d.Pairs == len(d.Tasks) && p.clusters == nil && binary(first) && binary(second) {
		c.rates(first, second, p.level)
		return c, nil
	}
	c.means(d, p)
	return c, nil
}

func binary(list []stats.Observation) bool {
	for _, o := range list {
		if o.Value != 0 && o.Value != 1 {
			return false
		}
	}
	return true
}

// rates compares 0/1 outcomes with one pair a task.
func (c *comparison) rates(first, second []stats.Observation, level float64) {
	type key struct{ task, repetition string }
	other := map[key]float64{}
	for _, o := range second {
		other[key{o.Task, o.Repetition}] = o.Value
	}
	var cells stats.PairedCells
	for _, o := range first {
		v, ok := other[key{o.Task, o.Repetition}]
		switch {
		case !ok:
			cells.LeftOut++
		case o.Value == 1 && v == 1:
			cells.Both++
		case o.Value == 1:
			cells.FirstOnly++
		case v == 1:
			cells.SecondOnly++
		default:
			cells.Neither++
		}
	}
	d, why := cells.Difference()
	ci, _ := cells.Newcombe(level)
	m := cells.McNemar()
	n := float64(cells.Pairs())
	c.difference, c.low, c.high, c.p, c.log10P = d, ci.Low, ci.High, m.Exact, m.Log10Exact
	if n > 1 {
		discordant := float64(cells.FirstOnly+cells.SecondOnly) / n
		c.se = math.Sqrt(math.Max(0, discordant-float64(d*d)) / (n - 1))
	}
	c.why, c.intervalWhy, c.testWhy = why, why, why
	c.method, c.test = ci.Method, testMcNemar
}

// means compares any amounts, tasks weighed equally.
func (c *comparison) means(d stats.Differences, p *pairing) {
	var r stats.PairedMeanResult
	if p.clusters == nil {
		r = stats.PairedMean(d.ByTask, p.level, p.resampling)
	} else {
		clusters := make([]string, len(d.Tasks))
		for i, t := range d.Tasks {
			clusters[i] = p.clusters[t]
		}
		r = stats.PairedMeanByCluster(d.ByTask, clusters, p.level, p.resampling)
	}
	c.difference, c.low, c.high, c.p, c.log10P, c.se = r.Estimate, r.Interval.Low, r.Interval.High, r.SignFlip.P, math.Log10(r.SignFlip.P), r.SE
	c.why, c.intervalWhy, c.testWhy = r.Reason, r.IntervalReason, r.SignFlip.Reason
	c.method, c.test = r.Interval.Method, "sign flip, monte carlo"
	if r.SignFlip.Exact {
		c.test = "sign flip, exact"
	}
	c.seed, c.draws = r.Seed, r.Draws
}

// pairedRows adjusts the family and makes the rows.
func pairedRows(list []comparison) [][]any {
	p, known := make([]float64, len(list)), make([]bool, len(list))
	for i, c := range list {
		p[i], known[i] = c.p, c.why.OK() && c.testWhy != stats.NoData
	}
	holm, m := stats.Adjust(p, known, stats.Holm)
	rows := make([][]any, len(list))
	for i, c := range list {
		ok, interval := c.why.OK(), c.intervalWhy.OK()
		detectable, reason := detectableDifference(c)
		rows[i] = []any{c.arm, c.baseline, finite(c.difference, ok), finite(c.low, interval), finite(c.high, interval),
			finite(c.p, known[i]), finite(holm[i], known[i]), int64(m), finite(c.log10P, known[i]),
			finite(c.se, ok && c.tasks > 1), finite(detectable, reason),
			int64(c.tasks), int64(c.pairs), int64(c.unmatched), int64(c.unmatchedBase), int64(c.won), int64(c.lost),
			words(c.method), words(c.test), int64(c.seed), int64(c.draws), words(c.why), words(c.intervalWhy)}
	}
	return rows
}
