package simulate

import "github.com/assay-bench/assay/schema"

// A FaultTruth is a planted fault with what a correct reading makes of it.
type FaultTruth struct {
	// Fault is the fault's name.
	Fault string `json:"fault"`
	// Doc says what was planted.
	Doc string `json:"doc"`
	// Unit is run or task.
	Unit string `json:"unit"`
	// Count is the number of runs, or of tasks.
	Count int64 `json:"count"`
	// Runs is the number of runs that it concerns.
	Runs int64 `json:"runs"`
	// Finding is the code that reading finds in each of them.
	Finding schema.Opt[string] `json:"finding,omitzero"`
	// Also is a code that is found in each of them beside it.
	Also schema.Opt[string] `json:"also,omitzero"`
	// Excluded is the reason under which runs are excluded.
	Excluded schema.Opt[string] `json:"excluded,omitzero"`
	// Missing are the metrics that the runs miss.
	Missing []MissingTruth `json:"missing,omitempty"`
}

// A MissingTruth is a metric that runs miss.
type MissingTruth struct {
	// Metric is the metric's name.
	Metric string `json:"metric"`
	// Reason is why it is missing.
	Reason string `json:"reason"`
	// Runs is the number of included runs that miss it.
	Runs int64 `json:"runs"`
}

// account fills in what the accounting must come to.
func (d *design) account(t *Truth) {
	n := int64(d.runs())
	t.Counts = Counts{Directories: n, Runs: n, Planned: n, Included: n}
	t.Excluded, t.Faults = schema.Members[int64]{}, []FaultTruth{}
	for _, p := range d.study.Faults {
		if p.Count == 0 {
			continue
		}
		f := d.faultTruth(p)
		t.Counts.add(p.Fault.Counts, f.Runs)
		if reason, ok := f.Excluded.Get(); ok {
			t.Excluded = append(t.Excluded, schema.Member[int64]{Name: reason, Value: f.Runs})
		}
		t.Faults = append(t.Faults, f)
	}
}

func (d *design) faultTruth(p Plant) FaultTruth {
	f := FaultTruth{Fault: p.Fault.Name, Doc: p.Fault.Doc, Unit: "run", Count: int64(p.Count), Runs: int64(p.Count), Excluded: text(p.Fault.Excluded)}
	listed := f.Runs
	if p.Fault.Tasks {
		each := f.Count * int64(d.study.Repetitions)
		f.Unit, f.Runs, listed = "task", each*int64(len(d.arms)), each*d.listedArms()
	}
	f.Finding, f.Also = codeName(p.Fault.Finding), codeName(p.Fault.Also)
	for _, m := range p.Fault.Missing {
		f.Missing = append(f.Missing, MissingTruth{m.Metric.Name, m.Reason.Name, listed})
	}
	return f
}

// listedArms counts the arms that retrieval metrics apply to.
func (d *design) listedArms() int64 {
	n := int64(0)
	for i := range d.arms {
		if !d.arms[i].silent {
			n++
		}
	}
	return n
}

func codeName(c *schema.FindingCode) schema.Opt[string] {
	if c == nil {
		return schema.None[string]()
	}
	return schema.Some(c.Name)
}
