package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A CochranResult compares several arms with one 0/1 outcome a task and arm.
type CochranResult struct {
	// Test is Q with its chi-squared p; Undefined where every task has the same
	// outcome under all arms.
	Test Test
	// Successes of each arm.
	Successes []int
	// Tasks is the number of tasks.
	Tasks int
	// Informative is the number of tasks whose outcomes differ between arms;
	// the others do not count.
	Informative int
}

// CochranQ tests whether all arms have the same rate over the same tasks
// (Cochran, Biometrika 37 (1950) 256-266). Rows are tasks, columns arms; tasks
// with a missing outcome must be left out, and counted, by the caller. With two
// arms it is McNemar's chi-squared. NoData without tasks, TooFew with one arm.
func CochranQ(tasksByArms [][]bool) CochranResult {
	if len(tasksByArms) == 0 {
		return CochranResult{Test: Test{Reason: NoData}}
	}
	k := len(tasksByArms[0])
	r := CochranResult{Successes: make([]int, k), Tasks: len(tasksByArms)}
	total, spread := 0, 0 // spread: sum of row totals times what is missing to k
	for _, row := range tasksByArms {
		n := r.countRow(row)
		total += n
		spread += n * (k - n)
	}
	if k < 2 {
		r.Test = Test{Reason: TooFew}
		return r
	}
	if spread == 0 {
		r.Test = Test{Reason: Undefined, DF: float64(k - 1)}
		return r
	}
	squares := 0
	for _, s := range r.Successes {
		squares += s * s
	}
	q := float64(k-1) * float64(k*squares-total*total) / float64(spread)
	r.Test = chiSquaredTest(q, float64(k-1))
	return r
}

// countRow counts the outcomes of one task and gives its successes.
func (r *CochranResult) countRow(row []bool) int {
	if len(row) != len(r.Successes) {
		panic("stats: rows of different length")
	}
	n := 0
	for arm, yes := range row {
		if yes {
			r.Successes[arm]++
			n++
		}
	}
	if n > 0 && n < len(row) {
		r.Informative++
	}
	return n
}

// A FriedmanResult compares several arms by ranks within tasks.
type FriedmanResult struct {
	// Test is the tie-corrected chi-squared; Undefined where all values of
	// every task are tied.
	Test Test
	// MeanRanks of the arms.
	MeanRanks []float64
	// KendallsW is the agreement of the tasks about the order of arms.
	KendallsW float64
	// ImanDavenport is the F form, less conservative for few tasks (Iman and
	// Davenport, Communications in Statistics A9 (1980) 571-595). DF is its
	// numerator, DF2 its denominator. It is Undefined where all tasks agree.
	ImanDavenport Test
	// DF2 is the denominator df of ImanDavenport.
	DF2 float64
}

// Friedman tests whether all arms have the same distribution over the same
// tasks (Friedman, JASA 32 (1937) 675-701). Rows are tasks, columns arms, one
// value each: repetitions are averaged first. NoData without tasks, TooFew with
// one arm.
func Friedman(tasksByArms [][]float64) FriedmanResult {
	if len(tasksByArms) == 0 {
		return FriedmanResult{Test: Test{Reason: NoData}, ImanDavenport: Test{Reason: NoData}}
	}
	n, k := float64(len(tasksByArms)), float64(len(tasksByArms[0]))
	if k < 2 {
		return FriedmanResult{Test: Test{Reason: TooFew}, ImanDavenport: Test{Reason: TooFew}}
	}
	r := FriedmanResult{MeanRanks: make([]float64, len(tasksByArms[0])), DF2: (k - 1) * (n - 1)}
	ties := rankSums(tasksByArms, r.MeanRanks)
	var squares float64
	for arm, sum := range r.MeanRanks {
		squares += (sum - n*(k+1)/2) * (sum - n*(k+1)/2)
		r.MeanRanks[arm] = sum / n
	}
	r.Test, r.ImanDavenport = Test{Reason: Undefined, DF: k - 1}, Test{Reason: Undefined, DF: k - 1}
	scale := n*k*(k+1) - ties/(k-1)
	if scale == 0 {
		return r
	}
	chi := 12 * squares / scale
	r.Test = chiSquaredTest(chi, k-1)
	r.KendallsW = chi / (n * (k - 1))
	if rest := n*(k-1) - chi; rest > 0 && n > 1 {
		r.ImanDavenport = fUpperTail((n-1)*chi/rest, k-1, r.DF2)
	}
	return r
}

// rankSums adds the ranks within each task to the sums of the arms, and gives the
// sum over ties.
func rankSums(tasksByArms [][]float64, sums []float64) (ties float64) {
	for _, row := range tasksByArms {
		if len(row) != len(sums) {
			panic("stats: rows of different length")
		}
		ranks, groups := midRanks(row, 0)
		ties += tieSum(groups)
		for arm, rank := range ranks {
			sums[arm] += rank
		}
	}
	return ties
}

// fUpperTail is the upper tail of an F statistic; the denominator df is the caller's to report.
func fUpperTail(f, df1, df2 float64) Test {
	return Test{Statistic: f, DF: df1, P: dist.FSurvival(f, df1, df2), Log10P: dist.FLogSurvival(f, df1, df2) / math.Ln10}
}
