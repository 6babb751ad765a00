package pipeline

import (
	"context"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/schema"
)

// learnFromRuns makes what the first run of a task says of it, by run id, hold
// for the task's other runs; tasks.jsonl goes before it. It opens the first run
// of each task that has several.
func (p *Plan) learnFromRuns(ctx context.Context) error {
	groups := p.runsByTask()
	readers := newFreeList(func() *ingest.Reader { return ingest.NewReader(ingest.Options{}) })
	return ordered(ctx, p.options.workers(), len(groups), func(i int) (*schema.Task, error) {
		r := readers.take()
		defer readers.give(r)
		for _, run := range groups[i] {
			t, err := r.ReadTask(p.runs[run].dir)
			if err != nil {
				return nil, err
			}
			if t != nil && t.ID == p.runs[run].task {
				first := derive.CloneTask(t)
				return &first, nil
			}
		}
		return nil, nil
	}, func(i int, first *schema.Task) error {
		if first == nil {
			return nil
		}
		run := &p.runs[groups[i][0]]
		e := p.experiments[run.experiment]
		if known := e.tasks[run.task]; known != nil {
			merged, _ := derive.MergeTask(known, first)
			first = &merged
		}
		if e.tasks == nil {
			e.tasks = map[string]*schema.Task{}
		}
		e.tasks[run.task] = first
		return nil
	})
}

// runsByTask lists the runs of each task that has several, in the order of their ids.
func (p *Plan) runsByTask() [][]int32 {
	type task struct {
		experiment int32
		id         string
	}
	place := map[task]int{}
	var groups [][]int32
	for i := range p.runs {
		t := task{p.runs[i].experiment, p.runs[i].task}
		at, ok := place[t]
		if !ok {
			at = len(groups)
			place[t] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], int32(i))
	}
	several := groups[:0]
	for _, g := range groups {
		if len(g) > 1 {
			several = append(several, g)
		}
	}
	return several
}
