package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// assignCells gives each run its cell, and marks the runs that are extra or in
// no plan. The first of a cell by (created_at, run_id), null times last, stays:
// what the runs found plays no part.
func (p *Plan) assignCells() error {
	seen := make([]*sightings, len(p.experiments))
	for i := range seen {
		seen[i] = newSightings()
	}
	for i := range p.runs {
		r := &p.runs[i]
		seen[r.experiment].add(p.arms[r.arm], p.armKeys[r.arm], r.task, r.repetition)
	}
	for i, e := range p.experiments {
		var err error
		if e.grid, err = newGrid(e.plan, seen[i]); err != nil {
			return fmt.Errorf("experiment %s: %w", e.id, err)
		}
		if n := e.grid.size(); n > maxCells {
			return fmt.Errorf("experiment %s: have %d arms x %d tasks x %d repetitions, want at most %d planned cells",
				e.id, len(e.grid.arms), len(e.grid.tasks), e.grid.repetitions, int64(maxCells))
		}
		p.counts.Planned += e.grid.size()
		e.filled = map[cell]int32{}
	}
	for _, i := range p.byAge() {
		r := &p.runs[i]
		e := p.experiments[r.experiment]
		c, planned := e.grid.cellOf(p.armKeys[r.arm], r.task, r.repetition)
		if i, ok := e.grid.armIndex[p.armKeys[r.arm]]; ok {
			r.armName = e.grid.arms[i].name
		}
		if !planned {
			r.unplanned = true
			p.counts.Unplanned++
			continue
		}
		if first, taken := e.filled[c]; taken {
			r.extraOf = schema.Some(first)
			p.counts.Extra++
			continue
		}
		e.filled[c] = i
	}
	for _, e := range p.experiments {
		p.counts.Absent += e.grid.size() - int64(len(e.filled))
	}
	return nil
}

// byAge lists the runs by (created_at, run_id), null times last.
func (p *Plan) byAge() []int32 {
	order := make([]int32, len(p.runs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &p.runs[a], &p.runs[b]
		tx, okX := x.created.Get()
		ty, okY := y.created.Get()
		if okX != okY {
			if okX {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(tx, ty), strings.Compare(x.id, y.id))
	})
	return order
}

// findFactors gives every factor seen or planned its column.
func (p *Plan) findFactors() (err error) {
	var names []string
	for _, e := range p.experiments {
		if e.plan != nil {
			for _, f := range e.plan.Factors {
				names = append(names, f.Name)
			}
		}
		for _, a := range e.grid.arms {
			names = appendFactors(names, a.treatment)
		}
	}
	for _, a := range p.arms {
		names = appendFactors(names, a.treatment)
	}
	p.factors, err = dataset.Factors(names)
	return err
}

func appendFactors(names []string, t schema.Members[schema.Scalar]) []string {
	for _, level := range t {
		names = append(names, level.Name)
	}
	return names
}

// exclusions are the reasons of the plan for leaving a run out, without rules.
func (p *Plan) exclusions(r *plannedRun) []derive.Exclusion {
	switch first, extra := r.extraOf.Get(); {
	case extra:
		return []derive.Exclusion{{Reason: schema.ExclusionExtraRun.Name, Have: "run " + p.runs[first].id + " came first"}}
	case r.unplanned:
		return []derive.Exclusion{{Reason: schema.ExclusionUnplanned.Name, Have: "no planned cell of arm " + p.armKeys[r.arm] + ", task " + r.task}}
	}
	return nil
}

// inferred is the number of planned cells of experiments without a plan.
func (p *Plan) inferred() int64 {
	n := int64(0)
	for _, e := range p.experiments {
		if e.grid.inferred {
			n += e.grid.size()
		}
	}
	return n
}
