package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A scoredMean is a mean of outcomes between 0 and 1 with score limits, and what each
// independent unit adds to it.
type scoredMean struct {
	mean, low, high float64
	// effective is the number of independent 0/1 runs that would tell as much, fewest
	// of which are successes or failures, whichever are fewer.
	effective, fewest float64
	// df are the degrees of freedom of the limits.
	df        float64
	residuals []float64
}

// scoreMean has Wilson's limits at the effective number of runs, t on units-1: the
// number of 0/1 runs whose rate would have the variance that the units show. Outcomes
// between 0 and 1 vary less than 0/1 outcomes of the same mean, so that a run may
// count for several; most is the bound for 0/1 outcomes, the number of runs.
// residuals add up to what the mean is off by.
func scoreMean(mean float64, residuals []float64, units int, most, level float64) scoredMean {
	k := float64(units)
	s := scoredMean{mean: mean, residuals: residuals, df: k - 1}
	variance := 0.0
	for _, r := range residuals {
		variance += r * r
	}
	variance *= k / (k - 1)
	s.effective = most
	switch {
	case mean <= 0 || mean >= 1:
		s.effective = k
	case variance > 0:
		s.effective = math.Min(most, mean*(1-mean)/variance)
	}
	s.fewest = math.Min(mean, 1-mean) * s.effective
	return s.at(level)
}

// at has the limits of another level.
func (s scoredMean) at(level float64) scoredMean {
	if math.IsInf(s.effective, 1) {
		s.low, s.high = s.mean, s.mean
		return s
	}
	t := -dist.StudentTQuantile((1-level)/2, s.df)
	s.low, s.high = wilsonLimits(s.mean*s.effective, s.effective, t)
	return s
}

// exact takes Clopper and Pearson's limits at the effective number times (z/t)^2 in
// place of Wilson's, as KornGraubard does.
func (s *scoredMean) exact(units int, level float64) {
	shrink := dist.NormalQuantile((1-level)/2) / dist.StudentTQuantile((1-level)/2, float64(units-1))
	n := s.effective * shrink * shrink
	ci, _ := ClopperPearson(s.mean*n, n, level)
	s.low, s.high = ci.Low, ci.High
}

// hybridLimits bounds the difference of two such means by the limits of each and
// their correlation through the units (Zou and Donner, Statistics in Medicine 27
// (2008) 1693-1702).
func hybridLimits(difference float64, one, two scoredMean) (low, high float64) {
	var both, a, b float64
	for i := range one.residuals {
		both += one.residuals[i] * two.residuals[i]
		a += one.residuals[i] * one.residuals[i]
		b += two.residuals[i] * two.residuals[i]
	}
	r := 0.0
	if a > 0 && b > 0 {
		r = both / math.Sqrt(a*b)
	}
	half := func(x, y float64) float64 { return math.Sqrt(math.Max(0, x*x+y*y-2*r*x*y)) }
	return difference - half(one.mean-one.low, two.high-two.mean), difference + half(one.high-one.mean, two.mean-two.low)
}

// hybridP is the p of no difference that agrees with hybridLimits: one minus the
// level at which they first reach 0. It is never below 1e-15.
func hybridP(difference float64, one, two scoredMean) float64 {
	excludes := func(p float64) bool {
		low, high := hybridLimits(difference, one.at(1-p), two.at(1-p))
		return low > 0 || high < 0
	}
	small, large := 1e-15, 1.0
	if excludes(small) {
		return small
	}
	// Halving the exponent finds small values as well as large ones.
	for range 60 {
		if p := math.Sqrt(small * large); excludes(p) {
			large = p
		} else {
			small = p
		}
	}
	return large
}

// mostEffective is the bound of scoreMean for n runs: n where all are 0 or 1.
func mostEffective(n float64, binary bool) float64 {
	if binary {
		return n
	}
	return math.Inf(1)
}
