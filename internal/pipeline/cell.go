package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// An arm is one combination of harness, model and treatment of an experiment.
type arm struct {
	name      string
	harness   string
	model     schema.Opt[string]
	treatment schema.Members[schema.Scalar]
}

// key tells arms apart: by levels as the factor columns hold them, so that 1.0
// and 1 are one level.
func (a *arm) key() string { return schema.ArmName(a.harness, a.model, a.treatment) }

// armOf returns the arm of a run, without a name.
func armOf(m *schema.Manifest) arm {
	a := arm{harness: m.HarnessID, model: m.ModelKey, treatment: slices.Clone(m.Treatment)}
	slices.SortFunc(a.treatment, func(x, y schema.Member[schema.Scalar]) int { return strings.Compare(x.Name, y.Name) })
	return a
}

// plannedArms are the arms of a plan: those it lists, else the harnesses and
// models seen with every combination of factor levels. Nil where it has neither.
func plannedArms(p *schema.Plan, seen []arm) (arms []arm, inferred bool) {
	for _, a := range p.Arms {
		arms = append(arms, arm{name: a.Name, harness: a.HarnessID, model: a.ModelKey, treatment: a.Treatment})
	}
	if arms != nil || len(p.Factors) == 0 {
		return arms, false
	}
	for _, base := range basesOf(seen) {
		for _, t := range treatments(p.Factors) {
			arms = append(arms, arm{harness: base.harness, model: base.model, treatment: t})
		}
	}
	return arms, true
}

// basesOf are the harnesses crossed with the models of the arms seen.
func basesOf(seen []arm) []arm {
	var harnesses []string
	var models []schema.Opt[string]
	for _, a := range seen {
		if !slices.Contains(harnesses, a.harness) {
			harnesses = append(harnesses, a.harness)
		}
		if !slices.Contains(models, a.model) {
			models = append(models, a.model)
		}
	}
	var list []arm
	for _, h := range harnesses {
		for _, m := range models {
			list = append(list, arm{harness: h, model: m})
		}
	}
	return list
}

// treatments are all combinations of the factors' levels.
func treatments(factors schema.Members[schema.Factor]) []schema.Members[schema.Scalar] {
	list := []schema.Members[schema.Scalar]{nil}
	for _, f := range factors {
		var next []schema.Members[schema.Scalar]
		for _, t := range list {
			for _, level := range f.Value.Levels {
				next = append(next, append(slices.Clone(t), schema.Member[schema.Scalar]{Name: f.Name, Value: level}))
			}
		}
		list = next
	}
	return list
}

// A cell is what one run is planned to fill.
type cell struct {
	arm        int32
	task       string
	repetition schema.Opt[int64]
}

// A grid is what an experiment plans: every arm on every task, some times.
type grid struct {
	arms  []arm
	tasks []string
	// repetitions is how often; 0 means once, without a number.
	repetitions int64
	// inferred is true where any of the three follows from the runs seen.
	inferred bool
	// armIndex finds an arm by its key.
	armIndex map[string]int32
}

// newGrid lays out the planned cells of an experiment; p is nil without a plan.
func newGrid(p *schema.Plan, seen *sightings) (*grid, error) {
	g := &grid{}
	if p != nil {
		g.arms, g.inferred = plannedArms(p, seen.arms)
		g.tasks = slices.Clone(p.Tasks)
		g.repetitions = p.Repetitions.Or(int64(len(p.Seeds)))
	}
	if g.arms == nil {
		g.arms, g.inferred = seen.arms, true
	}
	if g.tasks == nil {
		g.tasks, g.inferred = seen.tasks, true
	}
	if g.repetitions == 0 {
		g.repetitions, g.inferred = seen.maxRepetition, true
	}
	for i := range g.arms {
		if g.arms[i].name == "" {
			g.arms[i].name = g.arms[i].key()
		}
	}
	slices.SortStableFunc(g.arms, func(a, b arm) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.key(), b.key()))
	})
	g.arms = slices.CompactFunc(g.arms, func(a, b arm) bool { return a.key() == b.key() })
	slices.Sort(g.tasks)
	g.tasks = slices.Compact(g.tasks)
	g.armIndex = make(map[string]int32, len(g.arms))
	for i := range g.arms {
		if i > 0 && g.arms[i].name == g.arms[i-1].name {
			return nil, fmt.Errorf("arms: have two named %q (%s and %s), want one", g.arms[i].name, g.arms[i-1].key(), g.arms[i].key())
		}
		g.armIndex[g.arms[i].key()] = int32(i)
	}
	return g, nil
}

// size is the number of planned cells, or maxCells+1 where there are more.
func (g *grid) size() int64 {
	n := int64(len(g.arms)) * int64(len(g.tasks))
	if n > 0 && g.repetitions > maxCells/n {
		return maxCells + 1
	}
	return n * max(g.repetitions, 1)
}

// maxCells bounds the planned cells of an experiment: a repetition of 1e15 in one
// manifest must not fill the disk with absent cells.
const maxCells = 50_000_000

// cellOf finds the cell of a run. A run without a repetition is the first where
// repetitions are numbered.
func (g *grid) cellOf(armKey, task string, repetition schema.Opt[int64]) (cell, bool) {
	i, ok := g.armIndex[armKey]
	if !ok {
		return cell{}, false
	}
	if _, found := slices.BinarySearch(g.tasks, task); !found {
		return cell{}, false
	}
	n, numbered := repetition.Get()
	switch {
	case g.repetitions == 0:
		return cell{i, task, repetition}, !numbered
	case !numbered:
		n = 1
	}
	return cell{i, task, schema.Some(n)}, n >= 1 && n <= g.repetitions
}

// sightings are what the runs of one experiment show of its design.
type sightings struct {
	arms          []arm
	tasks         []string
	maxRepetition int64
	armSeen       map[string]bool
	taskSeen      map[string]bool
}

func newSightings() *sightings {
	return &sightings{armSeen: map[string]bool{}, taskSeen: map[string]bool{}}
}

func (s *sightings) add(a arm, key, task string, repetition schema.Opt[int64]) {
	if !s.armSeen[key] {
		s.armSeen[key] = true
		s.arms = append(s.arms, a)
	}
	if !s.taskSeen[task] {
		s.taskSeen[task] = true
		s.tasks = append(s.tasks, task)
	}
	s.maxRepetition = max(s.maxRepetition, repetition.Or(0))
}
