package simulate

import (
	"fmt"

	"github.com/assay-bench/assay/record"
	"github.com/assay-bench/assay/schema"
)

// A course is one run while it is written.
type course struct {
	design     *design
	arm        *Arm
	task       *task
	repetition int64
	place      int64
	// again is above 0 in a further run of the same cell.
	again   int64
	outcome outcome
	// fault is what is planted in the run, or nil.
	fault *Fault
	// random decides everything that no planted outcome depends on.
	random  *stream
	started schema.Time
	out     *record.Writer
	// path is the run directory's place under the root.
	path string
	// events counts the events written, calls the calls.
	events, calls int64
	// reached is the gold file that the run works on, or -1.
	reached int
	end     ending
	// steps is the number of model calls of this run.
	steps int
}

// write writes the events and files of the run.
func (c *course) write() error {
	c.end = c.ending()
	c.steps = max(leastSteps, c.design.study.Steps-2+c.random.IntN(5))
	steps := []func() error{c.start, c.index, c.search}
	for i := range c.steps {
		steps = append(steps, func() error { return c.step(i) })
	}
	steps = append(steps, c.evaluate, c.finish)
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// append writes one event at its time: the run's time, in equal parts.
func (c *course) append(p schema.Payload) error {
	c.events++
	return c.out.Append(schema.Some(c.now()), p)
}

// now is the time of the last event written; a run has about eventsPerStep
// events a step, and never reaches its end.
func (c *course) now() schema.Time {
	all := float64(c.steps*eventsPerStep + 2*c.design.study.Candidates + 20)
	return c.started + schema.Time(float64(c.outcome.wallMS)*1000*min(float64(c.events-1)/all, 1))
}

// eventsPerStep bounds the events of a step.
const eventsPerStep = 4

func (c *course) start() error {
	return c.append(schema.RunStarted{
		Limits:         &schema.Limits{MaxWallMS: schema.Some(int64(2e9)), MaxModelCalls: schema.Some(int64(10 * c.design.study.Steps))},
		ExecutionOrder: schema.Some(c.place + 1), Task: c.task.document(),
	})
}

// index measures the index of arms that have one: the larger the repository, the
// longer it takes, in proportion. An index is named by its configuration.
func (c *course) index() error {
	if c.arm.index == "" {
		return nil
	}
	lines := float64(c.task.repo.lines) * c.arm.cost
	noise := 0.9 + 0.2*c.random.Float64()
	return c.append(schema.ResourceSample{Scope: schema.ScopeIndex.Name, IndexID: schema.Some(c.indexID()), Measurements: schema.Members[schema.Quantity]{
		{Name: "index_build_ms", Value: schema.NumberQuantity(round(lines*0.08*noise, 1))},
		{Name: "index_update_ms", Value: schema.NumberQuantity(round(150*c.arm.cost*noise, 1))},
		{Name: "rss_bytes", Value: schema.IntegerQuantity(int64(2e8 + lines*900*noise))},
		{Name: "disk_bytes", Value: schema.IntegerQuantity(int64(lines * 350))},
	}})
}

func (c *course) indexID() string { return hexOf(c.arm.index)[:16] }

func (c *course) call() string {
	c.calls++
	return fmt.Sprintf("call_%d", c.calls)
}

// round keeps some decimals, so that raw files are readable.
func round(v float64, decimals int) float64 {
	scale := 1.0
	for range decimals {
		scale *= 10
	}
	return float64(int64(v*scale+0.5)) / scale
}
