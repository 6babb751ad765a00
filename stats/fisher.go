package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A FisherResult is Fisher's exact test of two independent rates.
type FisherResult struct {
	// P sums the tables at most as probable as the observed one.
	P float64
	// Log10P is its decimal logarithm.
	Log10P float64
	// OddsRatio is the conditional maximum likelihood estimate, not the cross
	// product; it may be 0 or +Inf.
	OddsRatio float64
	// Interval is the exact conditional interval of the odds ratio; its upper
	// limit may be +Inf.
	Interval Interval
	// Reason is NoData where a sample is empty.
	Reason Reason
}

// Fisher is the exact test that conditions on both margins (Fisher, Statistical
// Methods for Research Workers, 5th ed., 1934, section 21.02). Tables whose
// probability exceeds the observed one by less than 1e-7 relatively count as
// equally probable. The two-sided p and the interval, which inverts two
// one-sided tests, may disagree at the margin.
func (c TwoRates) Fisher(level float64) FisherResult {
	if _, reason := c.Difference(); !reason.OK() {
		return FisherResult{Reason: reason}
	}
	h := newConditional(c)
	r := FisherResult{}
	r.P, r.Log10P = h.twoSided()
	r.OddsRatio = h.mle()
	r.Interval = Interval{Low: h.lower((1 - level) / 2), High: h.upper((1 - level) / 2), Level: level, Method: MethodFisher}
	return r
}

// conditional is the distribution of X1 given the margins.
type conditional struct {
	low, high, x float64
	logP         []float64 // central, at low, low+1, ...
}

func newConditional(c TwoRates) conditional {
	k := c.X1 + c.X2
	h := conditional{low: math.Max(0, k-c.N2), high: math.Min(k, c.N1), x: c.X1}
	for s := h.low; s <= h.high; s++ {
		h.logP = append(h.logP, dist.LogHypergeometricPMF(s, c.N1, c.N2, k))
	}
	return h
}

func (h conditional) twoSided() (p, log10P float64) {
	observed := h.logP[int(h.x-h.low)]
	limit := observed + math.Log1p(1e-7)
	all := true
	var sum float64 // relative to the observed table, so that it cannot underflow
	for _, l := range h.logP {
		if l <= limit {
			sum += math.Exp(l - observed)
		} else {
			all = false
		}
	}
	if all {
		return 1, 0
	}
	log10P = math.Min(0, (observed+math.Log(sum))/math.Ln10)
	return math.Min(1, math.Exp(observed)*sum), log10P
}

// weights are the probabilities at log odds ratio theta, up to a factor.
func (h conditional) weights(theta float64, each func(s, w float64)) {
	top := math.Inf(-1)
	for i, l := range h.logP {
		top = math.Max(top, l+theta*(h.low+float64(i)))
	}
	for i, l := range h.logP {
		s := h.low + float64(i)
		each(s, math.Exp(l+theta*s-top))
	}
}

func (h conditional) mle() float64 {
	if h.x == h.low {
		return 0
	}
	if h.x == h.high {
		return math.Inf(1)
	}
	return math.Exp(h.solve(func(theta float64) float64 {
		var sum, mean float64
		h.weights(theta, func(s, w float64) { sum += w; mean += w * s })
		return h.x - mean/sum
	}))
}

// lower is the odds ratio at which P(X >= x) = alpha.
func (h conditional) lower(alpha float64) float64 {
	if h.x == h.low {
		return 0
	}
	return math.Exp(h.solve(func(theta float64) float64 {
		return alpha - h.share(theta, func(s float64) bool { return s >= h.x })
	}))
}

// upper is the odds ratio at which P(X <= x) = alpha.
func (h conditional) upper(alpha float64) float64 {
	if h.x == h.high {
		return math.Inf(1)
	}
	return math.Exp(h.solve(func(theta float64) float64 {
		return h.share(theta, func(s float64) bool { return s <= h.x }) - alpha
	}))
}

func (h conditional) share(theta float64, counts func(s float64) bool) float64 {
	var sum, part float64
	h.weights(theta, func(s, w float64) {
		sum += w
		if counts(s) {
			part += w
		}
	})
	return part / sum
}

// solve finds the root of a function that falls in theta.
func (h conditional) solve(f func(theta float64) float64) float64 {
	lo, hi := -1.0, 1.0
	for f(lo) < 0 {
		lo *= 2
	}
	for f(hi) > 0 {
		hi *= 2
	}
	return dist.FallingRoot(f, lo, hi)
}
