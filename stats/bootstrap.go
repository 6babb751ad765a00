package stats

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// DefaultDraws is the number of bootstrap draws where nothing else is asked for.
const DefaultDraws = 10000

// A Resampling says how to draw. The draws are a function of Seed, the number
// of the draw and the number of units alone; the number of workers does not matter.
type Resampling struct {
	// Draws is the number of resamples; 0 means DefaultDraws.
	Draws int
	// Seed selects the stream of random numbers. It is printed beside results.
	Seed uint64
	// Workers is the number of goroutines; 0 means one a processor.
	Workers int
}

func (r Resampling) draws() int {
	if r.Draws == 0 {
		return DefaultDraws
	}
	return r.Draws
}

// A Statistic makes functions of resampled units, one for each worker, so that
// each may keep its own scratch space. The function gets the indices of the
// drawn units, with repeats, and gives NaN where the statistic does not exist
// for them. It must not keep the slice.
type Statistic func() func(units []int32) float64

// A Bootstrap holds the replicates of a statistic under resampling of its
// units, the tasks (Efron and Tibshirani, An Introduction to the Bootstrap, 1993).
type Bootstrap struct {
	// Estimate is the statistic of all units once.
	Estimate float64
	// Units is the number of sampled units.
	Units int
	// Replicates are the values that exist, in rising order.
	Replicates []float64
	// Undefined counts draws for which the statistic did not exist.
	Undefined int
	// Jackknife is the statistic without unit i.
	Jackknife []float64
	// Reason is NoData without units, TooFew with one, Undefined where the
	// statistic does not exist for the sample, and NoVariation where all
	// replicates are equal; in the last case the intervals hold the estimate twice.
	Reason Reason
}

// NewBootstrap draws units with replacement. For clustered data the units are
// the clusters, and the statistic takes all rows of each drawn cluster.
func NewBootstrap(units int, r Resampling, s Statistic) Bootstrap {
	values := make([]float64, r.draws())
	if units > 1 {
		drawEach(len(values), r.Workers, func() func(i int) {
			f, drawn := s(), make([]int32, units)
			return func(i int) {
				g := newPhilox(r.Seed, uint64(i))
				for j := range drawn {
					drawn[j] = int32(g.below(uint32(units)))
				}
				values[i] = f(drawn)
			}
		})
	}
	return finishBootstrap(units, values, s)
}

// GivenBootstrap uses the given draws, which makes a result of other software
// repeatable.
func GivenBootstrap(units int, draws [][]int32, s Statistic) Bootstrap {
	values := make([]float64, len(draws))
	f := s()
	for i, d := range draws {
		values[i] = f(d)
	}
	return finishBootstrap(units, values, s)
}

// drawEach runs work for 0..n-1 on some workers. Work i writes only what
// belongs to i, so the result does not depend on who did it.
func drawEach(n, workers int, newWorker func() func(i int)) {
	const block = 32
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, (n+block-1)/block)
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			work := newWorker()
			for {
				from := int(next.Add(block)) - block
				if from >= n {
					return
				}
				for i := from; i < min(from+block, n); i++ {
					work(i)
				}
			}
		})
	}
	all.Wait()
}

func finishBootstrap(units int, values []float64, s Statistic) Bootstrap {
	b := Bootstrap{Units: units}
	if units == 0 {
		b.Reason = NoData
		return b
	}
	f := s()
	every := make([]int32, units)
	for i := range every {
		every[i] = int32(i)
	}
	b.Estimate = f(every)
	switch {
	case math.IsNaN(b.Estimate):
		b.Estimate, b.Reason = 0, Undefined
		return b
	case units == 1:
		b.Reason = TooFew
		return b
	}
	b.keep(values)
	b.Jackknife = leaveOneOut(every, f)
	return b
}

// keep sorts the replicates that exist and says whether they vary.
func (b *Bootstrap) keep(values []float64) {
	for _, v := range values {
		if math.IsNaN(v) {
			b.Undefined++
		} else {
			b.Replicates = append(b.Replicates, v)
		}
	}
	slices.Sort(b.Replicates)
	if len(b.Replicates) == 0 {
		b.Reason = Undefined
	} else if b.Replicates[len(b.Replicates)-1]-b.Replicates[0] <= b.tieWidth() {
		b.Reason = NoVariation
	}
}

// leaveOneOut is the statistic without each unit.
func leaveOneOut(every []int32, f func([]int32) float64) []float64 {
	out := make([]float64, len(every))
	others := make([]int32, len(every)-1)
	for leave := range every {
		copy(others, every[:leave])
		copy(others[leave:], every[leave+1:])
		out[leave] = f(others)
	}
	return out
}

// tieWidth is the distance within which two replicates differ by rounding only.
func (b Bootstrap) tieWidth() float64 {
	spread := b.Replicates[len(b.Replicates)-1] - b.Replicates[0]
	return math.Max(1e-11*spread, 0x1p-48*math.Abs(b.Estimate))
}

// SE is the standard deviation of the replicates.
func (b Bootstrap) SE() (float64, Reason) {
	switch b.Reason {
	case "":
		return SD(b.Replicates)
	case NoVariation:
		return 0, ""
	}
	return 0, b.Reason
}

// Bias is the mean of the replicates minus the estimate.
func (b Bootstrap) Bias() (float64, Reason) {
	if !b.Reason.OK() && b.Reason != NoVariation {
		return 0, b.Reason
	}
	return mean(b.Replicates) - b.Estimate, ""
}

// SignP is twice the smaller share of replicates on one side of zero: what a
// percentile interval would need to touch zero. It is no exact test.
func (b Bootstrap) SignP() (float64, Reason) {
	if !b.Reason.OK() {
		return 0, b.Reason
	}
	below, above := 0, 0
	for _, v := range b.Replicates {
		if v <= 0 {
			below++
		}
		if v >= 0 {
			above++
		}
	}
	return math.Min(1, 2*float64(min(below, above))/float64(len(b.Replicates))), ""
}
