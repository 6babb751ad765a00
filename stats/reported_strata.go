package stats

import (
	"math"
	"slices"
)

// Names of the methods for strata.
const (
	MethodStratumLinear = "linear model, cr2, t"
	MethodStratumRates  = "hybrid score at the effective number of runs, t"
	TestStrataLinear    = "htz f, cr2"
	TestStrataPermuted  = "permutation of tasks between strata"
)

// A StratumDifference is the response of one stratum against that of all others.
type StratumDifference struct {
	// Estimate is the mean response of the stratum minus that of the others, runs
	// weighing equally.
	Estimate float64
	// Interval stands unless IntervalReason is given.
	Interval Interval
	// Reason is TooFew with fewer than two strata, NoData where one side is empty.
	Reason Reason
	// IntervalReason is why there is an estimate but no interval.
	IntervalReason Reason
}

// StratumAgainstRest is the mean response of one stratum minus that of all others
// together. Columns have one entry a run, as for StratumHeterogeneity; clusters
// are taken to be independent.
//
// For 0/1 outcomes the limits of the difference come from those of the two rates
// (Newcombe, Statistics in Medicine 17 (1998) 873-890; with clusters that have runs
// on both sides by their correlation, Zou and Donner, Statistics in Medicine 27
// (2008) 1693-1702), each being ReportedRate's: they hold where a stratum has
// hardly a success or a failure, when the errors of a linear model do not. Other
// responses have a linear model's, with CR2 errors and Satterthwaite's t
// (Pustejovsky and Tipton 2018, JBES 36:672).
func StratumAgainstRest(response []float64, strata Factor, stratum string, cluster []int, level float64) (StratumDifference, error) {
	at := slices.Index(strata.Levels, stratum)
	if at < 0 || len(strata.Levels) < 2 {
		return StratumDifference{Reason: TooFew}, nil
	}
	side := Factor{Name: strata.Name, Levels: []string{"rest", stratum}, Codes: make([]int, len(strata.Codes))}
	binary := true
	for i, c := range strata.Codes {
		switch {
		case c < 0:
			side.Codes[i] = -1
		case c == at:
			side.Codes[i] = 1
		}
		binary = binary && (response[i] == 0 || response[i] == 1 || math.IsNaN(response[i]))
	}
	if binary {
		return clusteredRateDifference(response, side.Codes, cluster, level), nil
	}
	f, err := AnalyzeFactorial(FactorialDesign{Factors: []Factor{side}, Response: response, Cluster: cluster, Level: level})
	if err != nil {
		return StratumDifference{}, err
	}
	if !f.Reason.OK() || len(f.Contrasts) == 0 {
		return StratumDifference{Reason: TooFew}, nil
	}
	c := f.Contrasts[0].Difference
	out := StratumDifference{Estimate: c.Estimate, Interval: c.CI, Reason: c.Reason, IntervalReason: c.Uncertain}
	out.Interval.Method = MethodStratumLinear
	return out, nil
}

// sideCounts are the successes and runs of each cluster on one side.
type sideCounts struct{ successes, runs []int }

// clusteredRateDifference is the rate of side 1 minus that of side 0.
func clusteredRateDifference(response []float64, side, cluster []int, level float64) StratumDifference {
	top := -1
	for _, c := range cluster {
		top = max(top, c)
	}
	var sides [2]sideCounts
	for s := range sides {
		sides[s] = sideCounts{make([]int, top+1), make([]int, top+1)}
	}
	for i, y := range response {
		if side[i] >= 0 && cluster[i] >= 0 && !math.IsNaN(y) {
			sides[side[i]].successes[cluster[i]] += int(y)
			sides[side[i]].runs[cluster[i]]++
		}
	}
	one, rest := ReportedRate(sides[1].successes, sides[1].runs, level), ReportedRate(sides[0].successes, sides[0].runs, level)
	if !one.Reason.OK() || !rest.Reason.OK() {
		return StratumDifference{Reason: NoData}
	}
	out := StratumDifference{Estimate: one.Estimate - rest.Estimate}
	if !one.IntervalReason.OK() || !rest.IntervalReason.OK() {
		out.IntervalReason = TooFew
		return out
	}
	r := sideCorrelation(sides, one.Estimate, rest.Estimate)
	hybrid := func(a, b float64) float64 { return math.Sqrt(math.Max(0, a*a+b*b-2*r*a*b)) }
	out.Interval = Interval{
		Low:   out.Estimate - hybrid(one.Estimate-one.Interval.Low, rest.Interval.High-rest.Estimate),
		High:  out.Estimate + hybrid(one.Interval.High-one.Estimate, rest.Estimate-rest.Interval.Low),
		Level: level, Method: MethodStratumRates}
	return out
}

// sideCorrelation is the correlation of the two rates through clusters with runs
// on both sides, 0 where there is none.
func sideCorrelation(sides [2]sideCounts, one, rest float64) float64 {
	var both, first, second float64
	for c := range sides[0].runs {
		a := float64(sides[1].successes[c]) - one*float64(sides[1].runs[c])
		b := float64(sides[0].successes[c]) - rest*float64(sides[0].runs[c])
		both += a * b
		first += a * a
		second += b * b
	}
	if first == 0 || second == 0 {
		return 0
	}
	return both / math.Sqrt(first*second)
}

// A StrataTest is the test that the response is the same in all strata.
type StrataTest struct {
	// P is that of the test.
	P float64
	// Statistic, DF1 and DF2 are those of HTZ; a permutation has none.
	Statistic, DF1, DF2 Number
	// Test names the test.
	Test string
	// Runs and Clusters count what was used.
	Runs, Clusters int
	// Draws and Seed are those of a permutation.
	Draws int
	// Seed is that seed.
	Seed uint64
	// Reason is why there is no test.
	Reason Reason
}

// ReportedStrata is the test of strata as tables and SQL report it. Where every
// cluster lies in one stratum and the outcome is 0/1, whole clusters are permuted
// between the strata, and the statistic is the spread of the strata's rates about
// the common one, runs weighing equally: it holds its level however rare successes
// are (Pitman, JRSS Supplement 4 (1937) 119-130; p as by Phipson and Smyth, SAGMB 9
// (2010) 39). Otherwise it is StratumHeterogeneity, which rejects too often where a
// stratum has hardly a success or a failure.
func ReportedStrata(response []float64, strata Factor, cluster []int, level float64, r Resampling) StrataTest {
	p := newStrataPermutation(response, strata, cluster)
	if p.nested && p.binary {
		return p.test(r)
	}
	h := StratumHeterogeneity(response, strata, cluster, level)
	why := h.Reason
	if why.OK() {
		why = h.Test.Reason
	}
	number := func(x float64) Number { return Number{Value: x, Reason: why} }
	return StrataTest{P: h.Test.P, Statistic: number(h.Test.Statistic), DF1: number(h.Test.DF1), DF2: number(h.Test.DF2),
		Test: TestStrataLinear, Runs: h.Runs, Clusters: h.Clusters, Reason: why}
}

// strataPermutation holds the clusters of 0/1 outcomes by stratum.
type strataPermutation struct {
	stratum         []int // of each cluster that has a run
	successes, runs []float64
	strata          int
	total, rate     float64
	nested, binary  bool
}

func newStrataPermutation(response []float64, strata Factor, cluster []int) strataPermutation {
	p := strataPermutation{nested: true, binary: true, strata: len(strata.Levels)}
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
		p.binary = p.binary && (y == 0 || y == 1)
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
	case p.rate == 0 || p.rate == 1:
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
