package stats

import (
	"fmt"
	"math"
	"strings"

	"github.com/assay-bench/assay/stats/dist"
)

// A PairedMethod is a way to compare two arms on the same tasks.
type PairedMethod int

// The methods of a paired comparison; the first is the default.
const (
	// PairedDefault is PairedExact for 0/1 outcomes with one pair a task and no
	// clusters, and PairedStudentized for everything else, but with the sign-flip test
	// for 0/1 outcomes, and PairedHybrid for outcomes between 0 and 1 of which an arm has
	// few effective successes or failures.
	PairedDefault PairedMethod = iota
	// PairedExact is Newcombe's interval and the exact McNemar test.
	PairedExact
	// PairedMidP is the same with McNemar's mid-p.
	PairedMidP
	// PairedBootstrap is the mean over tasks with BCa limits expanded for few
	// tasks, and the sign-flip test.
	PairedBootstrap
	// PairedBCa is the mean over tasks with plain BCa limits.
	PairedBCa
	// PairedT is the mean over tasks with Student's t.
	PairedT
	// PairedWilcoxon is the Hodges-Lehmann centre with its exact interval, and the
	// signed rank test of the tasks' mean differences.
	PairedWilcoxon
	// PairedHybrid is the mean over tasks of outcomes between 0 and 1 with the hybrid
	// score limits of the two clustered rates, and the sign-flip test.
	PairedHybrid
	// PairedSign is the median of the tasks' mean differences without an interval,
	// and the sign test.
	PairedSign
	// PairedStudentized is the mean over tasks with StudentizedMean's symmetric
	// bootstrap-t limits and test.
	PairedStudentized
)

// pairedMethods are the methods with the names that options write.
var pairedMethods = [...]string{"default", "newcombe", "midp", "bootstrap", "bca", "t", "wilcoxon", "hybrid", "sign", "studentized"}

// String names the method as options write it.
func (m PairedMethod) String() string { return pairedMethods[m] }

// ParsePairedMethod finds the method that String writes so.
func ParsePairedMethod(name string) (PairedMethod, error) {
	for m, n := range pairedMethods {
		if n == name {
			return PairedMethod(m), nil
		}
	}
	return PairedDefault, fmt.Errorf("method: have %q, want one of %s", name, strings.Join(pairedMethods[:], ", "))
}

// Names of the tests of a paired comparison.
const (
	TestMcNemar           = "McNemar exact"
	TestMcNemarMidP       = "McNemar mid-p"
	TestSignFlipExact     = "sign flip, exact"
	TestSignFlipRandom    = "sign flip, Monte Carlo"
	TestPairedT           = "paired t"
	TestSignedRankExact   = "signed rank, exact"
	TestSignedRankNormal  = "signed rank, normal"
	TestSign              = "sign, exact"
	MethodPairedT         = "t over tasks"
	MethodMedianOfTasks   = "median over tasks"
	methodNotOnePairATask = "newcombe and mcnemar need 0/1 outcomes with one pair a task, without clusters"
)

// A PairedComparison is one arm against another on the same tasks.
type PairedComparison struct {
	// Differences are the matched pairs.
	Differences Differences
	// Estimate is the difference, first minus second.
	Estimate float64
	// Interval stands unless IntervalReason is given; Method is named there.
	Interval Interval
	// P is two-sided, Log10P its decimal logarithm.
	P, Log10P float64
	// Test names the test of P.
	Test string
	// SE is the standard error by tasks, 0 with one task.
	SE float64
	// Won and Lost count tasks whose mean difference is above and below zero.
	Won, Lost int
	// Seed and Draws are those of resampling; Draws is 0 without it.
	Seed uint64
	// Draws is that number.
	Draws int
	// Reason is NoData without a pair. IntervalReason and TestReason are why there
	// is an estimate but no interval or test.
	Reason, IntervalReason, TestReason Reason
}

// ComparePaired compares two arms by their runs of the same tasks and
// repetitions, as tables and SQL report it. clusters names the cluster of each
// task, such as its repository, whose tasks are resampled together; nil takes
// tasks to be independent. A method that the data do not admit is an error.
func ComparePaired(first, second []Observation, clusters map[string]string, method PairedMethod, level float64, r Resampling) (PairedComparison, error) {
	c := PairedComparison{Differences: MatchPairs(first, second)}
	d := c.Differences
	means := TaskMeans(d.ByTask)
	c.countSides(means)
	binary, shares := zeroOrOne(first) && zeroOrOne(second), zeroToOne(first) && zeroToOne(second)
	onePairATask := d.Pairs == len(d.Tasks) && clusters == nil && binary
	if method == PairedDefault && onePairATask {
		method = PairedExact
	}
	switch method {
	case PairedExact, PairedMidP:
		if !onePairATask {
			return c, fmt.Errorf("method %s: have other data, %s", method, methodNotOnePairATask)
		}
		c.rates(first, second, method, level)
	case PairedHybrid:
		if !shares {
			return c, fmt.Errorf("method %s: have other data, hybrid needs outcomes between 0 and 1", method)
		}
		c.means(clusters, method, level, r)
		c.hybrid(first, second, clusters, level, true)
		c.undrawn()
	case PairedDefault, PairedStudentized:
		c.studentized(clusters, method == PairedDefault && binary, level, r)
		if method == PairedDefault && shares {
			c.hybrid(first, second, clusters, level, false)
			if c.Interval.Method == MethodPairedHybrid && c.Test == MethodStudentized {
				// So few events leave draws without variation, and the bootstrap t rejects 1%.
				sums, _ := c.sums(clusters)
				c.flip(SignFlip(sums, r))
			}
			c.undrawn()
		}
	case PairedBootstrap, PairedBCa:
		c.means(clusters, method, level, r)
	default:
		if clusters != nil {
			return c, fmt.Errorf("method %s: have clusters, want method studentized, bootstrap, bca or hybrid for them", method)
		}
		c.tasks(means, method, largestValue(first, second), level)
	}
	return c, nil
}

func (c *PairedComparison) countSides(means []float64) {
	for _, m := range means {
		switch {
		case m > 0:
			c.Won++
		case m < 0:
			c.Lost++
		}
	}
}

// zeroToOne reports whether all outcomes lie between 0 and 1, so that score limits apply.
func zeroToOne(runs []Observation) bool {
	for _, o := range runs {
		if o.Value < 0 || o.Value > 1 {
			return false
		}
	}
	return true
}

func zeroOrOne(runs []Observation) bool {
	for _, o := range runs {
		if o.Value != 0 && o.Value != 1 {
			return false
		}
	}
	return true
}

// rates compares 0/1 outcomes with one pair a task.
func (c *PairedComparison) rates(first, second []Observation, method PairedMethod, level float64) {
	cells := CellsOf(first, second)
	var why Reason
	c.Estimate, why = cells.Difference()
	c.Interval, _ = cells.Newcombe(level)
	m := cells.McNemar()
	if c.P, c.Log10P, c.Test = m.Exact, m.Log10Exact, TestMcNemar; method == PairedMidP {
		c.P, c.Log10P, c.Test = m.MidP, math.Log10(m.MidP), TestMcNemarMidP
	}
	if n := float64(cells.Pairs()); n > 1 {
		discordant := float64(cells.FirstOnly+cells.SecondOnly) / n
		c.SE = math.Sqrt(math.Max(0, discordant-float64(c.Estimate*c.Estimate)) / (n - 1))
	}
	c.Reason, c.IntervalReason, c.TestReason = why, why, why
}

// CellsOf counts the pairs of 0/1 outcomes of the same task and repetition, which
// occur once in an arm. Runs of either arm without a partner count as left out.
func CellsOf(first, second []Observation) PairedCells {
	other := make(map[pairKey]float64, len(second))
	for _, o := range second {
		other[pairKey{o.Task, o.Repetition}] = o.Value
	}
	var cells PairedCells
	for _, o := range first {
		v, ok := other[pairKey{o.Task, o.Repetition}]
		switch {
		case !ok:
			cells.LeftOut++
		case o.Value == 1 && v == 1:
			cells.Both++
		case o.Value == 1:
			cells.FirstOnly++
		case v == 1:
			cells.SecondOnly++
		default:
			cells.Neither++
		}
	}
	cells.LeftOut += len(second) - cells.Pairs()
	return cells
}

// means compares amounts by resampling tasks or clusters of them.
func (c *PairedComparison) means(clusters map[string]string, method PairedMethod, level float64, r Resampling) {
	var m PairedMeanResult
	d := c.Differences
	if clusters == nil {
		m = PairedMean(d.ByTask, level, r)
	} else {
		m = PairedMeanByCluster(d.ByTask, c.clusterNames(clusters), level, r)
	}
	c.Estimate, c.SE, c.Interval = m.Estimate, m.SE, m.Interval
	c.Reason, c.IntervalReason = m.Reason, m.IntervalReason
	if method != PairedBCa {
		expanded := m.Bootstrap.BCaExpanded(level)
		c.Interval, c.IntervalReason = expanded.Interval, expanded.Reason
	}
	c.flip(m.SignFlip)
	c.Seed, c.Draws = m.Seed, m.Draws
}

// studentized compares amounts by the bootstrap t, with its own test or by sign flip.
// Where nothing varies, or there is one unit, the sign flip stands with its reason.
func (c *PairedComparison) studentized(clusters map[string]string, flip bool, level float64, r Resampling) {
	sums, counts := c.sums(clusters)
	s := StudentizedMean(sums, counts, level, r)
	c.Estimate, c.Interval, c.IntervalReason = s.Estimate, s.Interval, s.IntervalReason
	c.P, c.Test, c.Seed, c.Draws = s.P, MethodStudentized, r.Seed, s.Draws
	if s.Reason == NoData {
		c.Reason = NoData
	}
	means := TaskMeans(c.Differences.ByTask)
	if sd, why := SD(means); why.OK() {
		c.SE = sd / sqrtInt(len(means))
	}
	if flip || !s.Reason.OK() {
		c.flip(SignFlip(sums, r))
	}
	c.Log10P = math.Log10(c.P)
}

// sums are those of the mean differences of the tasks of each unit, and the counts of
// these tasks.
func (c *PairedComparison) sums(clusters map[string]string) (sums, counts []float64) {
	if clusters != nil {
		return sumsByCluster(c.Differences.ByTask, c.clusterNames(clusters))
	}
	sums = TaskMeans(c.Differences.ByTask)
	counts = make([]float64, len(sums))
	for i := range counts {
		counts[i] = 1
	}
	return sums, counts
}

// flip takes the sign-flip test.
func (c *PairedComparison) flip(f SignFlipResult) {
	c.P, c.Log10P, c.Test, c.TestReason = f.P, math.Log10(f.P), TestSignFlipRandom, f.Reason
	if f.Exact {
		c.Test = TestSignFlipExact
	}
}

// clusterNames are those of the tasks with a pair.
func (c *PairedComparison) clusterNames(clusters map[string]string) []string {
	names := make([]string, len(c.Differences.Tasks))
	for i, t := range c.Differences.Tasks {
		names[i] = clusters[t]
	}
	return names
}

// hybrid takes the score limits in place of the bootstrap's, always or where an arm
// has few effective successes or failures. Without variation there are none.
func (c *PairedComparison) hybrid(first, second []Observation, clusters map[string]string, level float64, always bool) {
	if !c.Reason.OK() || c.IntervalReason == NoVariation {
		return
	}
	if ci, few, why := hybridPairs(first, second, c.Differences, clusters, level); few || always || c.IntervalReason == TooFew {
		c.Interval, c.IntervalReason = ci, why
	}
}

// undrawn says that nothing was drawn for score limits and an exact test.
func (c *PairedComparison) undrawn() {
	if c.Interval.Method == MethodPairedHybrid && c.Test == TestSignFlipExact {
		c.Seed, c.Draws = 0, 0
	}
}

// largestValue is the largest size among the values that differences are made of.
func largestValue(arms ...[]Observation) float64 {
	most := 0.0
	for _, runs := range arms {
		for _, o := range runs {
			most = math.Max(most, math.Abs(o.Value))
		}
	}
	return most
}

// tasks compares by the mean differences of independent tasks alone; scale is
// that of SignedRank.
func (c *PairedComparison) tasks(means []float64, method PairedMethod, scale, level float64) {
	if len(means) == 0 {
		c.Reason, c.IntervalReason, c.TestReason = NoData, NoData, NoData
		return
	}
	if sd, why := SD(means); why.OK() {
		c.SE = sd / sqrtInt(len(means))
	}
	switch method {
	case PairedT:
		c.student(means, level)
	case PairedWilcoxon:
		h, s := HodgesLehmann(means, scale, level), SignedRank(means, scale)
		c.Estimate, c.Interval, c.IntervalReason = h.Estimate, h.Interval, h.IntervalReason
		c.Interval.Method = MethodHodgesLehmann
		c.P, c.TestReason = s.P, s.Reason
		if c.Test = TestSignedRankNormal; s.Exact {
			c.Test = TestSignedRankExact
		}
	case PairedSign:
		c.Estimate, _ = Median(means)
		c.P, c.Test = SignTest(means, scale).P, TestSign
		c.Interval.Method, c.IntervalReason = MethodMedianOfTasks, Undefined
	}
	c.Log10P = math.Log10(c.P)
}

// student is the mean over tasks with t on tasks-1 degrees of freedom.
func (c *PairedComparison) student(means []float64, level float64) {
	c.Estimate, c.Test = mean(means), TestPairedT
	c.Interval.Method = MethodPairedT
	switch {
	case len(means) < 2:
		c.IntervalReason, c.TestReason = TooFew, TooFew
		return
	case allEqual(means):
		c.IntervalReason, c.TestReason = NoVariation, NoVariation
		return
	}
	df := float64(len(means) - 1)
	half := -dist.StudentTQuantile((1-level)/2, df) * c.SE
	c.Interval = Interval{Low: c.Estimate - half, High: c.Estimate + half, Level: level, Method: MethodPairedT}
	c.P = dist.StudentTTwoSided(c.Estimate/c.SE, df)
}
