package derive

import (
	"cmp"
	"slices"

	"github.com/assay-bench/assay/schema"
)

// An Exclusion is a reason of the plan for leaving a run out.
type Exclusion struct {
	// Reason is the exclusion reason's name, or rule:<name>.
	Reason string
	// Have is what the rule met, or which run came first; redacted.
	Have string
}

// exclude writes the reasons for leaving the run out, the counting one first,
// and reports whether its event rows are kept.
func (r *Run) exclude() (eventsKept bool) {
	eventsKept = true
	var faults []schema.Finding
	for _, f := range r.rows.Findings {
		if f.Severity == schema.SeverityError {
			faults = append(faults, f)
			eventsKept = eventsKept && f.Code.EventsKept
		}
	}
	slices.SortStableFunc(faults, func(a, b schema.Finding) int {
		return cmp.Or(cmp.Compare(codeOrder(a.Code), codeOrder(b.Code)), compareFindings(a, b))
	})
	for i, f := range faults {
		if i > 0 && faults[i-1].Code == f.Code {
			continue
		}
		r.excluded(f.Code.Name, f.File, f.Line, f.Have)
	}
	if r.finish.fault() == &schema.FaultInfrastructure {
		have := r.finish.ending
		if stage, ok := r.finish.stage.Get(); ok {
			have = stage
		}
		r.excluded(schema.ExclusionInfrastructure.Name, r.end.TrajectoryFile, r.finish.line, have)
	}
	for _, e := range r.end.Exclusions {
		r.excluded(e.Reason, "", 0, e.Have)
	}
	if len(r.rows.Exclusions) > 0 {
		r.rows.Run.ExcludedBy = schema.Some(r.rows.Exclusions[0].Reason)
	}
	return eventsKept
}

func (r *Run) excluded(reason, file string, line int64, have string) {
	m := r.in.Manifest
	r.rows.Exclusions = append(r.rows.Exclusions, schema.ExclusionRow{
		RawPath: r.in.RawPath, Place: int64(len(r.rows.Exclusions) + 1), Class: schema.ClassExcluded, Reason: reason,
		RunID: schema.Some(m.RunID), ExperimentID: schema.Some(m.ExperimentID), HarnessID: schema.Some(m.HarnessID),
		ModelKey: m.ModelKey, TaskID: schema.Some(m.TaskID), Arm: schema.Some(r.rows.Run.Arm),
		File: textOrNone(file), Line: positive(line), Have: textOrNone(have),
	})
}
