package derive

import (
	"github.com/assay-bench/assay/schema"
)

// sampleFacts holds the largest measurements of indexes.
type sampleFacts struct {
	build, update schema.Opt[float64]
	rss, disk     schema.Opt[int64]
}

func (s *sampleFacts) add(row *schema.ResourceSampleRow) {
	if row.Scope != schema.ScopeIndex.Name {
		return
	}
	s.build, s.update = larger(s.build, row.IndexBuildMS), larger(s.update, row.IndexUpdateMS)
	s.rss, s.disk = larger(s.rss, row.RSSBytes), larger(s.disk, row.DiskBytes)
}

func larger[T int64 | float64](a, b schema.Opt[T]) schema.Opt[T] {
	v, ok := b.Get()
	if old, has := a.Get(); !ok || has && old >= v {
		return a
	}
	return b
}

// index computes what the retrieval index costs.
var index = []runMetric{
	{&schema.IndexBuildMS, func(r *Run, out []schema.Value) { out[0] = sampled(r.samples.build, schema.Double) }},
	{&schema.IndexUpdateMS, func(r *Run, out []schema.Value) { out[0] = sampled(r.samples.update, schema.Double) }},
	{&schema.IndexRSSBytes, func(r *Run, out []schema.Value) { out[0] = sampled(r.samples.rss, schema.Integer) }},
	{&schema.IndexDiskBytes, func(r *Run, out []schema.Value) { out[0] = sampled(r.samples.disk, schema.Integer) }},
	{&schema.QueryP50MS, latencyQuantile(0.5)},
	{&schema.QueryP95MS, latencyQuantile(0.95)},
}

func sampled[T any](o schema.Opt[T], value func(T) schema.Value) schema.Value {
	v, ok := o.Get()
	if !ok {
		return schema.Missing(&schema.MissingNoIndexSample)
	}
	return value(v)
}

func latencyQuantile(p float64) func(*Run, []schema.Value) {
	return func(r *Run, out []schema.Value) {
		if len(r.retrieval.latencies) == 0 {
			out[0] = schema.Missing(&schema.MissingNoQuery)
			return
		}
		out[0] = schema.Double(quantile(sortedCopy(r.retrieval.latencies), p))
	}
}
