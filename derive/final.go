package derive

import (
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// compareFinalMetrics reports what the harness states of a metric and differs
// from what was computed.
func (r *Run) compareFinalMetrics() {
	if r.end.FinalMetrics == nil {
		return
	}
	for _, m := range r.end.FinalMetrics.Metrics {
		metric, known := schema.MetricByName(schema.LevelRun, m.Name)
		declared, says := m.Value.Get()
		if !known || !says {
			continue
		}
		if computed, ok := number(r.value(metric)); ok && !agrees(metric, declared, computed) {
			r.findIn(schema.DocumentFinalMetrics.File, &schema.MetricMismatch, 0, "/metrics/"+m.Name, plain(declared), plain(computed)+", as computed")
		}
	}
}

// agrees compares integers exactly and all else to a relative 1e-9.
func agrees(m *schema.Metric, declared, computed float64) bool {
	if m.Type == schema.TypeInteger {
		return declared == computed
	}
	return near(declared, computed)
}

// number is the value as a double.
func number(v schema.Value) (float64, bool) {
	if n, ok := v.Integer(); ok {
		return float64(n), true
	}
	if u, ok := v.Amount(); ok {
		return u.Dollars(), true
	}
	return v.Double()
}

func plain(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
