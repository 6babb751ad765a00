package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A McNemarResult compares two arms by the tasks on which they disagree.
type McNemarResult struct {
	// Discordant is the number of tasks on which they disagree.
	Discordant int
	// Exact is the two-sided binomial p, at most 1; it is 1 without a
	// discordant pair.
	Exact float64
	// Log10Exact is its decimal logarithm.
	Log10Exact float64
	// ExactGreater is the one-sided p that the first arm is better.
	ExactGreater float64
	// MidP is the two-sided mid-p, which is less conservative than Exact and
	// does not hold its level strictly; 1 where the arms are even.
	MidP float64
	// ChiSquared is McNemar's statistic; Undefined without a discordant pair.
	ChiSquared Test
	// ChiSquaredCorrected is the same with continuity correction.
	ChiSquaredCorrected Test
	// Reason is NoData without a single pair.
	Reason Reason
}

// McNemar tests whether the two arms have the same rate, one run a task and arm
// (McNemar, Psychometrika 12 (1947) 153-157; the mid-p by Fagerland, Lydersen and
// Laake, BMC Medical Research Methodology 13 (2013) 91). Only discordant pairs
// count. Exact is the default.
func (c PairedCells) McNemar() McNemarResult {
	if c.Pairs() == 0 {
		none := Test{Reason: NoData}
		return McNemarResult{Reason: NoData, ChiSquared: none, ChiSquaredCorrected: none}
	}
	b, cc := float64(c.FirstOnly), float64(c.SecondOnly)
	n, k := b+cc, math.Min(b, cc)
	r := McNemarResult{Discordant: c.FirstOnly + c.SecondOnly, Exact: 1, ExactGreater: 1, MidP: 1}
	if n == 0 {
		r.ChiSquared, r.ChiSquaredCorrected = Test{Reason: Undefined}, Test{Reason: Undefined}
		return r
	}
	logTail := dist.LogBinomialCDF(k, n, 0.5)
	if b != cc {
		r.Exact = math.Min(1, 2*math.Exp(logTail))
		r.Log10Exact = math.Min(0, (logTail+math.Ln2)/math.Ln10)
		r.MidP = 2*math.Exp(logTail) - dist.BinomialPMF(k, n, 0.5)
	}
	r.ExactGreater = math.Exp(dist.LogBinomialCDF(cc, n, 0.5))
	r.ChiSquared = chiSquaredTest((b-cc)*(b-cc)/n, 1)
	corrected := math.Max(0, math.Abs(b-cc)-1)
	r.ChiSquaredCorrected = chiSquaredTest(corrected*corrected/n, 1)
	return r
}
