package stats

import "math"

// strataPermutation holds the clusters of outcomes between 0 and 1 by stratum.
type strataPermutation struct {
	stratum         []int // of each cluster that has a run
	successes, runs []float64
	strata          int
	total, rate     float64
	lowest, highest float64 // of the outcomes
	nested, shares  bool
}

func newStrataPermutation(response []float64, strata Factor, cluster []int) strataPermutation {
	p := strataPermutation{nested: true, shares: true, strata: len(strata.Levels), lowest: math.Inf(1), highest: math.Inf(-1)}
	at := map[int]int{}
	for i, y := range response {
		if math.IsNaN(y) || strata.Codes[i] < 0 || cluster[i] < 0 {
			continue
		}
		k, seen := at[cluster[i]]
		if !seen {
			k = len(p.stratum)
			at[cluster[i]] = k
			p.stratum, p.successes, p.runs = append(p.stratum, strata.Codes[i]), append(p.successes, 0), append(p.runs, 0)
		}
		p.nested = p.nested && p.stratum[k] == strata.Codes[i]
		p.shares = p.shares && y >= 0 && y <= 1
		p.lowest, p.highest = math.Min(p.lowest, y), math.Max(p.highest, y)
		p.successes[k] += y
		p.runs[k]++
		p.rate += y
		p.total++
	}
	p.rate /= p.total
	return p
}

func (p strataPermutation) test(r Resampling) StrataTest {
	out := StrataTest{Test: TestStrataPermuted, Runs: int(p.total), Clusters: len(p.stratum), Draws: r.draws(), Seed: r.Seed}
	none := Number{Reason: Undefined}
	out.Statistic, out.DF1, out.DF2 = none, none, none
	present := map[int]bool{}
	for _, s := range p.stratum {
		present[s] = true
	}
	switch {
	case len(p.stratum) == 0:
		out.Reason = NoData
	case len(present) < 2 || len(p.stratum) < 3:
		out.Reason = TooFew
	case p.lowest == p.highest:
		out.Reason = NoVariation
	}
	if !out.Reason.OK() {
		return out
	}
	observed := p.spread(p.stratum)
	reached := make([]bool, out.Draws)
	drawEach(out.Draws, r.Workers, func() func(int) {
		shuffled := make([]int, len(p.stratum))
		return func(i int) {
			g := newPhilox(r.Seed, uint64(i))
			copy(shuffled, p.stratum)
			for k := len(shuffled) - 1; k > 0; k-- {
				j := g.below(uint32(k + 1))
				shuffled[k], shuffled[j] = shuffled[j], shuffled[k]
			}
			reached[i] = p.spread(shuffled) >= observed*(1-1e-12)
		}
	})
	hits := 0
	for _, yes := range reached {
		if yes {
			hits++
		}
	}
	out.P = MonteCarloP(hits, out.Draws)
	return out
}

// spread is the sum over strata of runs times the squared distance of their rate
// to the common one.
func (p strataPermutation) spread(stratum []int) float64 {
	excess, runs := make([]float64, p.strata), make([]float64, p.strata)
	for k, s := range stratum {
		excess[s] += p.successes[k] - p.rate*p.runs[k]
		runs[s] += p.runs[k]
	}
	sum := 0.0
	for s := range excess {
		if runs[s] > 0 {
			sum += excess[s] * excess[s] / runs[s]
		}
	}
	return sum
}
