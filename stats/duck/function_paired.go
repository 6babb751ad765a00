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
	Arguments: "query, options: response= arm= baseline= [unit=task_id] [repetition=repetition] [match=column,…] [cluster=column] [method=default] [level=0.95] [seed=1] [draws=10000]",
	Returns:   "arm, baseline, difference, low, high, p, p_holm, holm_tests, log10_p, se, detectable, tasks, pairs, unmatched_arm, unmatched_baseline, won, lost, method, test, seed, draws, why, interval_why",
	Doc:       "Each arm against the baseline on the same tasks: runs are paired by unit, repetition and the columns of match. One 0/1 run a task and arm: Newcombe's paired interval and exact McNemar. Otherwise the mean over tasks of the mean over a task's pairs with the symmetric bootstrap-t interval over tasks and its p (Hall, JRSS B 50, 1988), or sign-flip p for 0/1 responses; responses between 0 and 1 of which an arm has fewer than 12 effective successes or failures have the hybrid score interval of the two clustered means (Zou and Donner, Statistics in Medicine 27, 2008) and sign-flip p. method=newcombe, midp, studentized, bootstrap (BCa expanded for few tasks, sign flip), bca, hybrid, t, wilcoxon or sign asks for another. Holm over the arms. detectable is the smallest true difference that this study finds with a probability of 80%.",
	Example:   "SELECT * FROM paired('SELECT * FROM included', 'response=resolved_at_1 arm=arm baseline=base')",
	register: func(db *DB, conn *sql.Conn) error {
		return tableFunc{"paired", pairedColumns, paired}.register(db, conn)
	},
}

// A pairing is what the options of paired ask for, read from the frame.
type pairing struct {
	function   string
	arms       []string
	observed   []bool
	values     []float64
	units      []string
	keys       []string
	clusters   map[string]string
	baseline   string
	level      float64
	method     stats.PairedMethod
	resampling stats.Resampling
}

func paired(ctx context.Context, db *DB, query, text string) ([][]any, error) {
	o, err := parseOptions("paired", text, "response", "arm", "baseline", "unit", "repetition", "match", "cluster", "method", "level", "seed", "draws")
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
	p := &pairing{function: f.function}
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
	if err := p.readMethod(o); err != nil {
		return nil, nil, err
	}
	names := distinct(arms, null)
	if !slices.Contains(names, p.baseline) {
		return nil, nil, fmt.Errorf("%s: have baseline %q, want one of the values of %s: %v", p.function, p.baseline, armColumn, names)
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

func (p *pairing) readMethod(o options) error {
	var err error
	if p.method, err = stats.ParsePairedMethod(o.text("method", stats.PairedDefault.String())); err != nil {
		return fmt.Errorf("%s: option %w", p.function, err)
	}
	if p.level, err = o.share("level", defaultLevel); err != nil {
		return err
	}
	p.resampling, err = o.resampling()
	return err
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
			return nil, fmt.Errorf("%s: arm %q has two runs of %s with the same repetition, want match= to name the column that tells them apart", p.function, arm, strconv.Quote(p.units[i]))
		}
		seen[key] = true
		out = append(out, stats.Observation{Task: p.units[i], Repetition: p.keys[i], Value: p.values[i]})
	}
	return out, nil
}

// A comparison is one arm against the baseline.
type comparison struct {
	stats.PairedComparison
	arm, baseline string
}

func (p *pairing) compare(arm string) (comparison, error) {
	c := comparison{arm: arm, baseline: p.baseline}
	first, err := p.observations(arm)
	if err != nil {
		return c, err
	}
	second, err := p.observations(p.baseline)
	if err != nil {
		return c, err
	}
	c.PairedComparison, err = stats.ComparePaired(first, second, p.clusters, p.method, p.level, p.resampling)
	if err != nil {
		return c, fmt.Errorf("%s: %w", p.function, err)
	}
	return c, nil
}

// pairedRows adjusts the family and makes the rows.
func pairedRows(list []comparison) [][]any {
	p, known := make([]float64, len(list)), make([]bool, len(list))
	for i, c := range list {
		// Where nothing varies the test still stands.
		p[i], known[i] = c.P, c.Reason.OK() && (c.TestReason.OK() || c.TestReason == stats.NoVariation && c.P > 0)
	}
	holm, m := stats.Adjust(p, known, stats.Holm)
	rows := make([][]any, len(list))
	for i, c := range list {
		ok, interval := c.Reason.OK(), c.IntervalReason.OK()
		detectable, reason := c.Detectable()
		d := c.Differences
		rows[i] = []any{c.arm, c.baseline, finite(c.Estimate, ok), finite(c.Interval.Low, interval), finite(c.Interval.High, interval),
			finite(c.P, known[i]), finite(holm[i], known[i]), int64(m), finite(c.Log10P, known[i]),
			finite(c.SE, ok && len(d.Tasks) > 1), finite(detectable, reason),
			int64(len(d.Tasks)), int64(d.Pairs), int64(d.UnmatchedFirst), int64(d.UnmatchedSecond), int64(c.Won), int64(c.Lost),
			words(c.Interval.Method), words(c.Test), int64(c.Seed), int64(c.Draws), words(c.Reason), words(c.IntervalReason)}
	}
	return rows
}
