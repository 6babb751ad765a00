package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A MeanDifferenceResult is the difference of the means of two independent samples.
type MeanDifferenceResult struct {
	// Estimate is the first mean minus the second.
	Estimate float64
	// Reason is NoData where a sample is empty.
	Reason Reason
	// Test is Welch's t. Its reason is TooFew where a sample has one value, or
	// NoVariation where both are constant.
	Test Test
	// Interval stands where the test does.
	Interval Interval
}

// MeanDifference compares two independent samples without taking their
// variances to be equal (Welch, Biometrika 34 (1947) 28-35). For arms that share
// tasks PairedMean is right, and this is not.
func MeanDifference(first, second []float64, level float64) MeanDifferenceResult {
	a, reasonA := Mean(first)
	b, reasonB := Mean(second)
	if !reasonA.OK() || !reasonB.OK() {
		return MeanDifferenceResult{Reason: NoData, Test: Test{Reason: NoData}}
	}
	r := MeanDifferenceResult{Estimate: a - b}
	sa, reasonA := SD(first)
	sb, reasonB := SD(second)
	m, n := float64(len(first)), float64(len(second))
	va, vb := sa*sa/m, sb*sb/n
	switch {
	case !reasonA.OK() || !reasonB.OK():
		r.Test.Reason = TooFew
	case va+vb == 0:
		r.Test.Reason = NoVariation
	default:
		df := (va + vb) * (va + vb) / (va*va/(m-1) + vb*vb/(n-1))
		se := math.Sqrt(va + vb)
		r.Test = studentTest(r.Estimate/se, df)
		half := -dist.StudentTQuantile((1-level)/2, df) * se
		r.Interval = Interval{Low: r.Estimate - half, High: r.Estimate + half, Level: level, Method: "welch t"}
	}
	return r
}
