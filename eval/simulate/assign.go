package simulate

import "fmt"

// The plan's rule, and the language of the tasks that it leaves out.
const (
	ruleName      = "language"
	ruledLanguage = "cobol"
)

// assign gives the planted faults to tasks, then to runs of the other tasks: each
// one fault at most, drawn from the seed.
func (d *design) assign() error {
	if err := d.study.checkFaults(); err != nil || len(d.study.Faults) == 0 {
		return err
	}
	r := newStream(d.seed, streamFault, 0)
	if err := d.assignTasks(r); err != nil {
		return err
	}
	d.faults = make([]uint8, d.runs())
	order := r.Perm(d.runs())
	for at, p := range d.study.Faults {
		if p.Fault.Tasks {
			continue
		}
		left := p.Count
		for _, i := range order {
			if left > 0 && d.faults[i] == 0 && d.suits(p.Fault, i) {
				d.faults[i] = uint8(at + 1)
				left--
			}
		}
		if left > 0 {
			return fmt.Errorf("fault %s: have too few runs, by %d, want fewer faults or more runs", p.Fault.Name, left)
		}
	}
	return nil
}

func (d *design) assignTasks(r *stream) error {
	order := r.Perm(len(d.tasks))
	for _, p := range d.study.Faults {
		if !p.Fault.Tasks {
			continue
		}
		if p.Count > len(order) {
			return fmt.Errorf("fault %s: have %d tasks left, want %d", p.Fault.Name, len(order), p.Count)
		}
		for _, i := range order[:p.Count] {
			switch p.Fault {
			case &FaultRule:
				d.tasks[i].language, d.tasks[i].ruled = ruledLanguage, true
				d.ruled++
			case &FaultNoGold:
				d.tasks[i].noGold = true
			}
		}
		order = order[p.Count:]
	}
	return nil
}

// suits reports whether a planned run can have a fault.
func (d *design) suits(f *Fault, i int) bool {
	c := d.cell(i)
	t := &d.tasks[c.task]
	return !t.ruled && !t.noGold && !(f.listed && d.arms[c.arm].silent)
}

// fault is the fault of a planned run, or nil.
func (d *design) fault(i int) *Fault {
	if d.faults == nil || d.faults[i] == 0 {
		return nil
	}
	return d.study.Faults[d.faults[i]-1].Fault
}

// excluded reports whether a planned run is not among those that count.
func (d *design) excluded(i int) bool {
	f := d.fault(i)
	return d.tasks[d.cell(i).task].ruled || f != nil && f.Counts.Included < 0
}

// checkFaults holds the list to faults that there are, each once.
func (s *Study) checkFaults() error {
	seen := map[*Fault]bool{}
	for _, p := range s.Faults {
		switch {
		case p.Fault == nil:
			return fmt.Errorf("faults: have a count of %d of no fault, want a fault", p.Count)
		case p.Count < 0:
			return fmt.Errorf("fault %s: have %d, want a count from 0", p.Fault.Name, p.Count)
		case seen[p.Fault]:
			return fmt.Errorf("fault %s: have it twice, want it once", p.Fault.Name)
		}
		seen[p.Fault] = true
	}
	return nil
}
