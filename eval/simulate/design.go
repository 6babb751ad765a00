package simulate

// A design is a study laid out for one seed: its arms, its tasks, and what every
// run of it expects.
type design struct {
	study *Study
	seed  uint64
	arms  []Arm
	tasks []task
	// means holds, for each stratum, what each arm expects there.
	means map[stratum][]mean
	// faults says for each planned run which fault it has, as a place in the
	// study's list plus 1; 0 is none. It is nil where none is planted.
	faults []uint8
	// ruled counts the tasks that the plan's rule leaves out.
	ruled int
}

// A stratum is a scenario with a difficulty.
type stratum struct{ scenario, difficulty string }

// A cell is a planned run.
type cell struct{ arm, task, repetition int }

// lay lays a study out.
func (s *Study) lay(seed uint64) (*design, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	d := &design{study: s, seed: seed, arms: s.arms(), tasks: s.tasks(seed), means: map[stratum][]mean{}}
	for i := range d.tasks {
		t := &d.tasks[i]
		key := stratum{t.scenario, t.difficulty}
		if d.means[key] != nil {
			continue
		}
		list := make([]mean, len(d.arms))
		for a := range d.arms {
			list[a] = s.means(&d.arms[a], t.levels())
		}
		d.means[key] = list
	}
	return d, d.assign()
}

// runs is the number of planned runs.
func (d *design) runs() int { return len(d.arms) * len(d.tasks) * d.study.Repetitions }

// cell is the planned run at a place: arms change fastest, tasks slowest.
func (d *design) cell(i int) cell {
	return cell{arm: i % len(d.arms), repetition: i / len(d.arms) % d.study.Repetitions, task: i / len(d.arms) / d.study.Repetitions}
}

// outcome is what happens in a planned run.
func (d *design) outcome(r *stream, i int) outcome {
	c := d.cell(i)
	r.restart(d.seed, streamOutcome, i)
	return d.study.draw(r, d.mean(c), &d.tasks[c.task])
}

// mean is what the runs of a cell expect over tasks of its stratum.
func (d *design) mean(c cell) *mean {
	t := &d.tasks[c.task]
	return &d.means[stratum{t.scenario, t.difficulty}][c.arm]
}
