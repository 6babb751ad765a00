package dist

import "math"

// fTails are both log tails of the F distribution.
func fTails(x, d1, d2 float64) tails {
	switch {
	case math.IsNaN(x) || !(d1 > 0) || !(d2 > 0):
		return tails{math.NaN(), math.NaN()}
	case x <= 0:
		return tails{math.Inf(-1), 0}
	case math.IsInf(x, 1):
		return tails{0, math.Inf(-1)}
	case math.IsInf(d1, 1) && math.IsInf(d2, 1):
		if x < 1 {
			return tails{math.Inf(-1), 0}
		}
		return tails{0, math.Inf(-1)}
	case math.IsInf(d2, 1):
		return logGammaTails(d1/2, x*d1/2)
	case math.IsInf(d1, 1):
		return logGammaTails(d2/2, d2/(2*x)).swap()
	}
	w := d1 * x / d2
	if w < 1e-280 || w > 1e280 {
		return logBetaTailsOdds(d1/2, d2/2, math.Log(d1)+math.Log(x)-math.Log(d2))
	}
	return logBetaTails(d1/2, d2/2, w/(1+w), 1/(1+w))
}

// FCDF is P(F <= x) for the F distribution with d1 and d2 degrees of freedom.
func FCDF(x, d1, d2 float64) float64 { return math.Exp(fTails(x, d1, d2).lower) }

// FSurvival is P(F > x), the p of an observed F.
func FSurvival(x, d1, d2 float64) float64 { return math.Exp(fTails(x, d1, d2).upper) }

// FLogSurvival is the natural logarithm of FSurvival.
func FLogSurvival(x, d1, d2 float64) float64 { return fTails(x, d1, d2).upper }

// FQuantile is the x with FCDF(x,d1,d2) = p.
func FQuantile(p, d1, d2 float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(d1 > 0) || !(d2 > 0):
		return math.NaN()
	case math.IsInf(d1, 1) && math.IsInf(d2, 1):
		return 1
	case math.IsInf(d2, 1):
		return ChiSquaredQuantile(p, d1) / d1
	case math.IsInf(d1, 1):
		return d2 / ChiSquaredUpperQuantile(p, d2)
	}
	return math.Exp(betaOdds(p, d1/2, d2/2) + math.Log(d2) - math.Log(d1))
}
