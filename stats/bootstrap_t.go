package stats

import (
	"math"
	"slices"
)

// MethodStudentized names the interval and the test of StudentizedMean.
const MethodStudentized = "bootstrap t, symmetric"

// A StudentizedResult is a mean with its symmetric bootstrap-t interval and test.
type StudentizedResult struct {
	// Estimate is the sum of all numerators over that of all denominators.
	Estimate float64
	// SE is its standard error by units.
	SE float64
	// Interval stands unless IntervalReason is given. With the reason NoVariation
	// it holds the estimate twice.
	Interval Interval
	// IntervalReason is TooFew also where so many draws show no variation at all
	// that no finite limit has the level.
	IntervalReason Reason
	// P is two-sided, of the mean being zero: zero lies outside an interval of level
	// 1-P and inside a wider one. It is never 0.
	P float64
	// Draws is their number.
	Draws int
	// Reason is NoData without a unit, TooFew with one, NoVariation where all units
	// say the same; there is then no test.
	Reason Reason
}

// StudentizedMean is the mean over rows of units that have sums and counts of rows,
// such as the mean differences of the tasks of a repository. A draw resamples units
// and says how many of its own standard errors its mean is away from that of the
// sample; the limits are as many standard errors to either side as a share level of the
// draws stays within (Hall, JRSS B 50 (1988) 35-45; the percentile-t of Efron and
// Tibshirani, An Introduction to the Bootstrap, 1993, ch. 12, without regard to
// sign). It follows how far few values or long tails make the standard error
// too small, in the study at hand, where Student's t supposes a normal distribution
// and a percentile interval resamples that never reach beyond the sample. Units are
// taken to be independent; their distribution need not be symmetric.
func StudentizedMean(sums, counts []float64, level float64, r Resampling) StudentizedResult {
	out := StudentizedResult{Draws: r.draws(), P: 1, Interval: Interval{Level: level, Method: MethodStudentized}}
	switch len(sums) {
	case 0:
		out.Reason, out.IntervalReason = NoData, NoData
		return out
	case 1:
		out.Estimate, out.Reason, out.IntervalReason = sums[0]/counts[0], TooFew, TooFew
		return out
	}
	u := newStudentized(sums, counts)
	out.Estimate, out.SE = u.estimate, u.se
	out.Interval.Low, out.Interval.High = u.estimate, u.estimate
	if u.se == 0 {
		out.Reason, out.IntervalReason = NoVariation, NoVariation
		return out
	}
	distances := u.draw(r)
	rank := int(math.Ceil(float64(len(distances)+1)*level - 1e-9))
	if rank > len(distances) || math.IsInf(distances[rank-1], 1) {
		out.IntervalReason = TooFew
	} else {
		out.Interval.Low -= distances[rank-1] * u.se
		out.Interval.High += distances[rank-1] * u.se
	}
	// Values that differ by rounding only count as equal.
	below, _ := slices.BinarySearch(distances, math.Abs(u.estimate)/u.se*(1-1e-12))
	out.P = float64(1+len(distances)-below) / float64(1+len(distances))
	return out
}

// studentizedUnits are the units as residuals from the estimate, whose mean is zero.
type studentizedUnits struct {
	residuals, counts []float64
	estimate, se      float64
	still             float64 // sums of squares up to this are rounding
}

func newStudentized(sums, counts []float64) studentizedUnits {
	u := studentizedUnits{counts: counts, residuals: make([]float64, len(sums))}
	u.estimate = sumOf(sums) / sumOf(counts)
	squares, size := make([]float64, len(sums)), 0.0
	for i, s := range sums {
		u.residuals[i] = s - u.estimate*counts[i]
		squares[i] = u.residuals[i] * u.residuals[i]
		size = math.Max(size, math.Abs(s))
	}
	total := sumOf(squares)
	u.still = math.Max(1e-20*total, float64(len(sums))*0x1p-96*size*size)
	if total > u.still {
		k := float64(len(sums))
		u.se = math.Sqrt(k/(k-1)*total) / sumOf(counts)
	}
	return u
}

// draw gives the distances of the draws from the estimate in their own standard
// errors, in rising order; infinite where all units of a draw say the same other thing.
func (u studentizedUnits) draw(r Resampling) []float64 {
	distances := make([]float64, r.draws())
	units := len(u.residuals)
	k := float64(units)
	drawEach(len(distances), r.Workers, func() func(i int) {
		drawn := make([]int32, units)
		return func(i int) {
			g := newPhilox(r.Seed, uint64(i))
			var sum, count, ss float64
			for j := range drawn {
				at := int32(g.below(uint32(units)))
				drawn[j] = at
				sum += u.residuals[at]
				count += u.counts[at]
			}
			mean := sum / count
			for _, at := range drawn {
				d := u.residuals[at] - mean*u.counts[at]
				ss += d * d
			}
			switch away := math.Abs(mean); {
			case ss > u.still:
				distances[i] = away * count / math.Sqrt(k/(k-1)*ss)
			case away > 1e-9*u.se:
				distances[i] = math.Inf(1)
			}
		}
	})
	slices.Sort(distances)
	return distances
}
