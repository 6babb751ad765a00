package derive

import (
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// clockFacts follows the timestamps of the events.
type clockFacts struct {
	last schema.Opt[schema.Time]
}

// see notes a step back from the last time seen. Events stay in the order of
// their numbers whatever the clock says; only a duration that a metric needs
// makes that metric missing.
func (c *clockFacts) see(r *Run, ev *schema.Event, pos schema.Position) {
	ts, ok := ev.TS.Get()
	if !ok {
		return
	}
	if last, ok := c.last.Get(); ok && ts < last {
		r.find(&schema.TimeRegression, pos.Line, "/ts", milliseconds(ts-last)+" ms after the event before", "no step back")
		r.rows.Findings[len(r.rows.Findings)-1].Severity = schema.SeverityInfo
	}
	c.last = schema.Some(ts)
}

// regression reports a negative duration that a metric needs.
func (r *Run) regression(line int64, d schema.Time, m *schema.Metric) {
	r.find(&schema.TimeRegression, line, "/ts", milliseconds(d)+" ms", "a "+m.Name+" of at least 0")
}

// milliseconds prints a duration in milliseconds without losing digits.
func milliseconds(d schema.Time) string {
	return strconv.FormatFloat(float64(d)/1e3, 'f', -1, 64)
}
