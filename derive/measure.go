package derive

import (
	"cmp"
	"slices"

	"github.com/assay-bench/assay/schema"
)

// A runMetric computes one run-level metric: out[0] is its value, the rest are
// its companions in the order of the registry.
type runMetric struct {
	of      *schema.Metric
	compute func(r *Run, out []schema.Value)
}

// A queryMetric computes one query-level metric of the query at place i.
type queryMetric struct {
	of      *schema.Metric
	compute func(r *Run, i int) schema.Value
}

// runMetrics lists the computation of every run-level metric.
var runMetrics = slices.Concat(correctness, localization, navigation, editing, efficiency, index, reliability)

// runColumns and queryColumns hold where each computation writes.
var (
	runColumns   = places(runMetrics, func(m runMetric) *schema.Metric { return m.of })
	queryColumns = places(queryMetrics, func(m queryMetric) *schema.Metric { return m.of })
	queryWidth   = len(schema.ValueColumns(schema.LevelQuery))
)

type cells struct{ from, to int }

func places[T any](list []T, metric func(T) *schema.Metric) []cells {
	out := make([]cells, len(list))
	for i, c := range list {
		m := metric(c)
		at := schema.ValueIndex(m)
		out[i] = cells{at, at + 1 + len(m.Companions)}
	}
	return out
}

// byName lists the places of the run-level computations in the order in which
// the table missing holds their metrics.
var byName = func() []int {
	order := make([]int, len(runMetrics))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(runMetrics[a].of.Name, runMetrics[b].of.Name) })
	return order
}()

// measure computes the metrics of an included run.
func (r *Run) measure() {
	r.measureQueries()
	r.tests = r.believeTests(r.listedTests())
	for i, m := range runMetrics {
		m.compute(r, r.values[runColumns[i].from:runColumns[i].to])
	}
	for _, i := range byName {
		if why := r.values[runColumns[i].from].Why(); why != nil {
			r.rows.Missing = append(r.rows.Missing, schema.MissingRow{RunID: r.in.Manifest.RunID,
				Metric: runMetrics[i].of.Name, State: why.State(), Reason: why.Name})
		}
	}
	r.compareFinalMetrics()
}

func (r *Run) measureQueries() {
	n := len(r.rows.Queries)
	r.queryCells = slices.Grow(r.queryCells[:0], n*queryWidth)[:n*queryWidth]
	clear(r.queryCells)
	for q := range r.rows.Queries {
		row := r.queryCells[q*queryWidth : (q+1)*queryWidth]
		for i, m := range queryMetrics {
			row[queryColumns[i].from] = m.compute(r, q)
		}
		r.rows.Queries[q].Values = row
	}
}

// value returns the computed value of a run-level metric.
func (r *Run) value(m *schema.Metric) schema.Value { return r.values[schema.ValueIndex(m)] }
