package main

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/assay-bench/assay/stats"
)

// A study is one drawn study of a design: its tasks, and what chance they share.
type study struct {
	design Design
	random *rand.Rand
	// repository is that of each task, or the task itself without repositories.
	repository []int
}

// newStudy draws who belongs where; the numbers follow from the seed and the
// three indexes alone.
func newStudy(d Design, seed, design, question, draw uint64) *study {
	s := &study{design: d, random: rand.New(rand.NewPCG(seed<<32|design<<16|question, draw))}
	for t := range d.Tasks {
		r := t
		if d.Repositories > 0 {
			// Every repository has a task; the others fall where they fall, so that sizes differ.
			if r = t; t >= d.Repositories {
				r = s.random.IntN(d.Repositories)
			}
		}
		s.repository = append(s.repository, r)
	}
	return s
}

// clusters are the sampled units of the tasks, as the analysis takes them.
func (s *study) clusters() []int {
	if s.design.Repositories > 0 && !s.design.ByTask {
		return s.repository
	}
	out := make([]int, s.design.Tasks)
	for t := range out {
		out[t] = t
	}
	return out
}

// byTask reports whether tasks are the sampled units.
func (s *study) byTask() bool { return s.design.Repositories == 0 || s.design.ByTask }

// runs is how many runs a task has in an arm, and how many of them have no value.
func (s *study) runs() (n int) {
	for range s.design.Least + s.random.IntN(s.design.Most-s.design.Least+1) {
		if s.random.Float64() >= s.design.Lost {
			n++
		}
	}
	return n
}

// A coin gives 0 or 1 with one probability, alike within a task and a repository:
// a run copies its task's outcome with the probability sqrt(Agreement), a task
// copies its repository's with sqrt(Shared). So the correlations of the design
// hold, and the mean is the probability exactly.
type coin struct {
	s      *study
	p      float64
	byTask []bool
}

func (s *study) coin(p float64) coin {
	of := make([]bool, s.design.Tasks)
	for r := range of {
		of[r] = s.random.Float64() < p
	}
	c := coin{s: s, p: p}
	for _, r := range s.repository {
		own := s.random.Float64() < p
		if s.random.Float64() < math.Sqrt(s.design.Shared) {
			own = of[r]
		}
		c.byTask = append(c.byTask, own)
	}
	return c
}

// toss is the outcome of a run of a task.
func (c coin) toss(task int) bool {
	if c.s.random.Float64() < math.Sqrt(c.s.design.Agreement) {
		return c.byTask[task]
	}
	return c.s.random.Float64() < c.p
}

// An outcomes gives 0/1 outcomes of the baseline and of an arm with a planted effect.
type outcomes struct {
	base, lift coin
	down       bool
}

func (s *study) outcomes() outcomes {
	return outcomes{base: s.coin(s.design.Rate), lift: s.coin(s.design.lift()), down: s.design.Rate > 0.5}
}

// run is the outcome of a run with or without the effect.
func (o outcomes) run(task int, planted bool) float64 {
	success := o.base.toss(task)
	if planted && o.lift.toss(task) {
		success = !o.down
	}
	if success {
		return 1
	}
	return 0
}

// mostFiles is the largest number of files that a task asks for.
const mostFiles = 3

// A recalls gives the recall of runs whose tasks ask for one, two or three files: the
// share of them that is found. Each file is found like an outcome.
type recalls [mostFiles]outcomes

func (s *study) recalls() (r recalls) {
	for f := range r {
		r[f] = s.outcomes()
	}
	return r
}

// run is the recall of a run with or without the effect; its mean is that of an outcome.
func (r recalls) run(task int, planted bool) float64 {
	files := 1 + task%mostFiles
	found := 0.0
	for f := range files {
		found += r[f].run(task, planted)
	}
	return found / float64(files)
}

// response gives recall or, where it is binary, a 0/1 outcome.
func (s *study) response(binary bool) func(task int, planted bool) float64 {
	if binary {
		return s.outcomes().run
	}
	return s.recalls().run
}

// A normals gives standard normal numbers, correlated as the design says.
type normals struct {
	s      *study
	byTask []float64
}

func (s *study) normals() normals {
	of := make([]float64, s.design.Tasks)
	for r := range of {
		of[r] = s.random.NormFloat64()
	}
	n := normals{s: s}
	for _, r := range s.repository {
		n.byTask = append(n.byTask, math.Sqrt(s.design.Shared)*of[r]+math.Sqrt(1-s.design.Shared)*s.random.NormFloat64())
	}
	return n
}

// run is the number of a run of a task.
func (n normals) run(task int) float64 {
	a := n.s.design.Agreement
	return math.Sqrt(a)*n.byTask[task] + math.Sqrt(1-a)*n.s.random.NormFloat64()
}

// arm draws the observed runs of one arm, with the value that each has.
func (s *study) arm(value func(task int) float64) []stats.Observation {
	var out []stats.Observation
	for t := range s.design.Tasks {
		for r := range s.runs() {
			out = append(out, stats.Observation{Task: taskName(t), Repetition: fmt.Sprint(r), Value: value(t)})
		}
	}
	return out
}

func taskName(t int) string { return fmt.Sprintf("t%04d", t) }

// clusterNames are the clusters of the tasks by name, nil where tasks are the units.
func (s *study) clusterNames() map[string]string {
	if s.byTask() {
		return nil
	}
	names := map[string]string{}
	for t, c := range s.clusters() {
		names[taskName(t)] = fmt.Sprint(c)
	}
	return names
}

// byUnit groups values by the sampled unit.
func (s *study) byUnit(runs []stats.Observation) [][]float64 {
	units := s.clusters()
	at := map[string]int{}
	for t := range units {
		at[taskName(t)] = units[t]
	}
	all := make([][]float64, s.design.Tasks)
	for _, o := range runs {
		all[at[o.Task]] = append(all[at[o.Task]], o.Value)
	}
	var out [][]float64
	for _, v := range all {
		if len(v) > 0 {
			out = append(out, v)
		}
	}
	return out
}
