package derive

import (
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// clockFacts follows the timestamps of the events.
type clockFacts struct {
	last schema.Opt[schema.Time]
	// back counts the steps back; line and by are the first one's.
	back int64
	line int64
	by   schema.Time
}

// see notes a step back from the last time seen. Events stay in the order of
// their numbers whatever the clock says; only a duration that a metric needs
// makes that metric missing.
func (c *clockFacts) see(ev *schema.Event, pos schema.Position) {
	ts, ok := ev.TS.Get()
	if !ok {
		return
	}
	if last, ok := c.last.Get(); ok && ts < last {
		if c.back == 0 {
			c.line, c.by = pos.Line, ts-last
		}
		c.back++
	}
	c.last = schema.Some(ts)
}

// stepsBack reports the steps back of a run in one finding: where several agents
// write at once there may be thousands.
func (r *Run) stepsBack() {
	c := &r.clock
	if c.back == 0 {
		return
	}
	have := milliseconds(c.by) + " ms from the event before"
	if c.back > 1 {
		have += ", the first of " + strconv.FormatInt(c.back, 10)
	}
	r.find(&schema.TimeRegression, c.line, "/ts", have, "no step back")
	r.rows.Findings[len(r.rows.Findings)-1].Severity = schema.SeverityInfo
}

// regression reports a negative duration that a metric needs.
func (r *Run) regression(line int64, d schema.Time, m *schema.Metric) {
	r.find(&schema.TimeRegression, line, "/ts", milliseconds(d)+" ms", "a "+m.Name+" of at least 0")
}

// milliseconds prints a duration in milliseconds without losing digits.
func milliseconds(d schema.Time) string {
	return strconv.FormatFloat(float64(d)/1e3, 'f', -1, 64)
}
