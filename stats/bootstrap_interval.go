package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// Names of the bootstrap intervals.
const (
	MethodPercentile      = "bootstrap percentile"
	MethodBasic           = "bootstrap basic"
	MethodBootstrapNormal = "bootstrap normal"
	MethodBCa             = "bootstrap BCa"
	MethodExpanded        = "bootstrap percentile, expanded for few tasks"
	MethodBCaExpanded     = "bootstrap BCa, expanded for few tasks"
)

// A LimitRule is how a quantile of the replicates is read off.
type LimitRule uint8

const (
	// LimitType7 interpolates linearly at (B-1)p: the default.
	LimitType7 LimitRule = iota
	// LimitOrderStatistics interpolates order statistics at (B+1)p on the
	// normal scale (Davison and Hinkley, Bootstrap Methods and their
	// Application, 1997, equation 5.8), as R's boot.ci does.
	LimitOrderStatistics
)

// A TieRule is how BCa counts replicates equal to the estimate.
type TieRule uint8

const (
	// TiesHalf counts them half: the default.
	TiesHalf TieRule = iota
	// TiesNone leaves them out, which shifts z0 for discrete statistics.
	TiesNone
)

func (b Bootstrap) limit(p float64, rule LimitRule) float64 {
	if rule == LimitType7 {
		return quantile7(b.Replicates, p)
	}
	n := len(b.Replicates)
	rank := float64(n+1) * p
	k := int(rank)
	switch {
	case k < 1:
		return b.Replicates[0]
	case k >= n:
		return b.Replicates[n-1]
	case rank == float64(k):
		return b.Replicates[k-1]
	}
	at := func(k int) float64 { return dist.NormalQuantile(float64(k) / float64(n+1)) }
	share := (dist.NormalQuantile(p) - at(k)) / (at(k+1) - at(k))
	return b.Replicates[k-1] + share*(b.Replicates[k]-b.Replicates[k-1])
}

// degenerate gives what all intervals give where there is nothing to take quantiles of.
func (b Bootstrap) degenerate(level float64, method string) (Interval, Reason) {
	if b.Reason == NoVariation {
		return Interval{Low: b.Estimate, High: b.Estimate, Level: level, Method: method}, NoVariation
	}
	return Interval{}, b.Reason
}

// Percentile takes the quantiles of the replicates as limits.
func (b Bootstrap) Percentile(level float64) (Interval, Reason) {
	return b.PercentileBy(level, LimitType7)
}

// PercentileBy does so by the given rule.
func (b Bootstrap) PercentileBy(level float64, rule LimitRule) (Interval, Reason) {
	if !b.Reason.OK() {
		return b.degenerate(level, MethodPercentile)
	}
	tail := (1 - level) / 2
	return Interval{Low: b.limit(tail, rule), High: b.limit(1-tail, rule), Level: level, Method: MethodPercentile}, ""
}

// Basic reflects the percentile limits at the estimate.
func (b Bootstrap) Basic(level float64) (Interval, Reason) {
	if !b.Reason.OK() {
		return b.degenerate(level, MethodBasic)
	}
	p, _ := b.Percentile(level)
	return Interval{Low: 2*b.Estimate - p.High, High: 2*b.Estimate - p.Low, Level: level, Method: MethodBasic}, ""
}

// Normal is the estimate less the bias, and z standard errors.
func (b Bootstrap) Normal(level float64) (Interval, Reason) {
	if !b.Reason.OK() {
		return b.degenerate(level, MethodBootstrapNormal)
	}
	bias, _ := b.Bias()
	se, _ := b.SE()
	half := normalCritical(level) * se
	return Interval{Low: b.Estimate - bias - half, High: b.Estimate - bias + half, Level: level, Method: MethodBootstrapNormal}, ""
}

// A BCaInterval is a bias-corrected and accelerated interval with its parts.
type BCaInterval struct {
	// Interval are the limits.
	Interval Interval
	// Z0 is the bias correction.
	Z0 float64
	// Acceleration comes from the jackknife.
	Acceleration float64
	// LowAt is the quantile of the replicates that is the lower limit.
	LowAt float64
	// HighAt is the quantile that is the upper limit.
	HighAt float64
	// Reason is that of the Bootstrap, or Undefined where all replicates lie on
	// one side of the estimate or the jackknife is not defined everywhere.
	Reason Reason
}

// BCa is the bias-corrected and accelerated interval (Efron, JASA 82 (1987)
// 171-185); tables take BCaExpanded. With few units it covers less
// than its level: means of normal differences, at a nominal 95%, 87% with 8
// units, 91% with 12, 93% with 20 and 94% with 40 (2,000 simulated samples each).
func (b Bootstrap) BCa(level float64) BCaInterval { return b.BCaBy(level, TiesHalf, LimitType7) }

// BCaExpanded is BCa read further out, at the normal quantile
// sqrt(n/(n-1)) t(n-1) for n units in place of z: resamples of n values vary less
// than the population by (n-1)/n, and t allows for the estimated spread
// (Hesterberg, The American Statistician 69 (2015) 371-386, section 3.3, does
// this to the percentile interval). In the simulation named at BCa it covers
// 94%, 94%, 95% and 96%; for many units it is BCa.
func (b Bootstrap) BCaExpanded(level float64) BCaInterval {
	if b.Units < 2 {
		return b.BCa(level)
	}
	r := b.bca(level, b.expandedCritical(level), TiesHalf, LimitType7)
	r.Interval.Method = MethodBCaExpanded
	return r
}

// expandedCritical is what stands for z in the expanded intervals.
func (b Bootstrap) expandedCritical(level float64) float64 {
	n := float64(b.Units)
	return -dist.StudentTQuantile((1-level)/2, n-1) * math.Sqrt(n/(n-1))
}

// PercentileExpanded is Percentile read further out in the same way: Hesterberg's
// own proposal.
func (b Bootstrap) PercentileExpanded(level float64) (Interval, Reason) {
	if !b.Reason.OK() {
		return b.degenerate(level, MethodExpanded)
	}
	tail := dist.NormalSurvival(b.expandedCritical(level))
	return Interval{Low: b.limit(tail, LimitType7), High: b.limit(1-tail, LimitType7), Level: level, Method: MethodExpanded}, ""
}

// BCaBy is BCa by the given rules, for comparison with other software.
func (b Bootstrap) BCaBy(level float64, ties TieRule, rule LimitRule) BCaInterval {
	return b.bca(level, normalCritical(level), ties, rule)
}

// bca takes the limits at -z and z on the corrected normal scale.
func (b Bootstrap) bca(level, z float64, ties TieRule, rule LimitRule) BCaInterval {
	if !b.Reason.OK() {
		i, reason := b.degenerate(level, MethodBCa)
		return BCaInterval{Interval: i, Reason: reason}
	}
	z0 := dist.NormalQuantile(b.shareBelow(ties))
	a, ok := acceleration(b.Jackknife)
	if math.IsInf(z0, 0) || !ok {
		return BCaInterval{Reason: Undefined}
	}
	at := func(z float64) float64 { return dist.NormalCDF(z0 + (z0+z)/(1-a*(z0+z))) }
	if 1-a*(z0+z) <= 0 || 1-a*(z0-z) <= 0 {
		return BCaInterval{Reason: Undefined}
	}
	r := BCaInterval{Z0: z0, Acceleration: a, LowAt: at(-z), HighAt: at(z)}
	r.Interval = Interval{Low: b.limit(r.LowAt, rule), High: b.limit(r.HighAt, rule), Level: level, Method: MethodBCa}
	return r
}

// shareBelow is the share of replicates below the estimate. Replicates that
// differ from it by rounding only are ties.
func (b Bootstrap) shareBelow(ties TieRule) float64 {
	width := b.tieWidth()
	var below, tied float64
	for _, v := range b.Replicates {
		switch {
		case math.Abs(v-b.Estimate) <= width:
			tied++
		case v < b.Estimate:
			below++
		}
	}
	if ties == TiesHalf {
		below += tied / 2
	}
	return below / float64(len(b.Replicates))
}

// acceleration is a sixth of the skewness of the jackknife values.
func acceleration(jackknife []float64) (float64, bool) {
	m := mean(jackknife)
	var squares, cubes twofold
	for _, v := range jackknife {
		d := m - v
		squares.addProduct(d, d)
		cubes.addProduct(d*d, d)
	}
	s := squares.value()
	if math.IsNaN(s) || s == 0 {
		return 0, false
	}
	return cubes.value() / (6 * math.Pow(s, 1.5)), true
}
