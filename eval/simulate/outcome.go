package simulate

import (
	"math"

	"github.com/assay-bench/assay/schema"
)

// An outcome is what happens in a run.
type outcome struct {
	// rank is the place of each gold file among the candidates; 0: not returned.
	rank [mostGold]int
	// named says whether the candidate of a gold file names its function.
	named    [mostGold]bool
	gold     int
	resolved bool
	input    int64
	output   int64
	wallMS   int64
}

// nameShare is the probability that a candidate at a gold file names the gold
// function: function_recall_at_10 is this share of file_recall_at_10.
const nameShare = 0.7

// An amount is a skewed amount: log-normal about a median, with the standard
// deviations of its logarithm between runs, and by how much the logarithm falls
// from the hardest task to the easiest.
type amount struct {
	metric        *schema.Metric
	median        float64
	sigma, slope  float64
	largest       float64
	smallestValue float64
}

// The amounts of a run. Medians and spreads are of the order that published
// trajectories of coding agents show; nothing rests on them.
var (
	inputAmount  = amount{metric: &schema.InputTokens, median: 60000, sigma: 0.6, slope: 0.5, largest: 5e8, smallestValue: 500}
	outputAmount = amount{metric: &schema.OutputTokens, median: 4000, sigma: 0.5, slope: 0.4, largest: 1e8, smallestValue: 50}
	wallAmount   = amount{metric: &schema.WallTimeS, median: 240, sigma: 0.5, slope: 0.4, largest: 1e6, smallestValue: 5}
)

// A mean is what the runs of one arm on tasks of one stratum expect.
type mean struct {
	recall, resolved    float64
	input, output, wall float64
}

// means adds up the effects for an arm on tasks with these strata.
func (s *Study) means(a *Arm, strata schema.Members[string]) mean {
	levels := append(a.levels[:len(a.levels):len(a.levels)], strata...)
	return mean{
		recall: s.Recall + s.sum(&schema.FileRecallAt10, levels), resolved: s.Resolved + s.sum(&schema.ResolvedAt1, levels),
		input: inputAmount.expected(s.sum(&schema.InputTokens, levels)), output: outputAmount.expected(s.sum(&schema.OutputTokens, levels)),
		wall: wallAmount.expected(s.sum(&schema.WallTimeS, levels)),
	}
}

// expected is the median where effects of this sum are planted.
func (a *amount) expected(effects float64) float64 { return a.median * math.Exp(effects) }

// draw is the amount of one run on a task.
func (a *amount) draw(r *stream, median, ease float64) float64 {
	return min(max(median*math.Exp(a.sigma*r.NormFloat64()-a.slope*ease), a.smallestValue), a.largest)
}

// probability is that of a task with an ease, where the mean over tasks is m.
func (s *Study) probability(m, ease float64) float64 {
	return m + s.Spread*min(m, 1-m)*ease
}

// draw is what happens in a run of an arm on a task.
func (s *Study) draw(r *stream, m *mean, t *task) outcome {
	var o outcome
	o.gold = len(t.gold)
	o.resolved = r.Float64() < s.probability(m.resolved, t.ease)
	p := s.probability(m.recall, t.ease)
	head, tail := newPlaces(1, ranked), newPlaces(ranked+1, leastCandidates)
	for g := range o.gold {
		switch {
		case r.Float64() < p:
			o.rank[g] = head.take(r)
		case r.Float64() < 0.5:
			o.rank[g] = tail.take(r)
		}
		o.named[g] = r.Float64() < nameShare
	}
	o.input = int64(inputAmount.draw(r, m.input, t.ease))
	o.output = int64(outputAmount.draw(r, m.output, t.ease))
	o.wallMS = int64(1000 * wallAmount.draw(r, m.wall, t.ease))
	return o
}

// places are the ranks that are still free.
type places struct {
	free [ranked]int
	n    int
}

func newPlaces(from, to int) places {
	var p places
	for rank := from; rank <= to; rank++ {
		p.free[p.n] = rank
		p.n++
	}
	return p
}

// take takes one of the free ranks, each as likely as the others.
func (p *places) take(r *stream) int {
	i := r.IntN(p.n)
	rank := p.free[i]
	p.n--
	p.free[i] = p.free[p.n]
	return rank
}

// within is the share of gold whose rank is at most k.
func (o *outcome) within(k int) float64 {
	n := 0
	for _, rank := range o.rank[:o.gold] {
		if rank > 0 && rank <= k {
			n++
		}
	}
	return float64(n) / float64(o.gold)
}

// functions is function_recall_at_10.
func (o *outcome) functions() float64 {
	n := 0
	for g, rank := range o.rank[:o.gold] {
		if rank > 0 && rank <= ranked && o.named[g] {
			n++
		}
	}
	return float64(n) / float64(o.gold)
}
