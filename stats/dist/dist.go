// Package dist gives the tails and quantiles of the distributions behind the
// tests of package stats.
//
// Every tail is computed as a tail and never as one minus the other, so a p of
// 1e-200 carries as many digits as a p of 0.2 (about thirteen), and each has a
// logarithm that goes on where the number itself underflows. Parameters are
// real, since Satterthwaite degrees of freedom are; infinite degrees of freedom
// mean the limiting distribution.
//
// An argument outside the domain of a distribution gives NaN.
//
// The incomplete beta and gamma functions follow Didonato and Morris, ACM TOMS
// 18 (1992) 360-373, with the leading factor in the deviance form of Loader,
// "Fast and accurate computation of binomial probabilities" (2000), which does
// not cancel for large parameters.
package dist

import "math"

const (
	machineEpsilon = 0x1p-53
	// lnSqrt2Pi is log(sqrt(2 pi)).
	lnSqrt2Pi = 0.91893853320467274178032973640561763986139747363778
	// maxTerms bounds every series and continued fraction. The longest one
	// needed is of the order of the square root of the largest parameter.
	maxTerms = 20_000_000
)

// stirlingError is log Gamma(z+1) minus Stirling's formula
// (z+1/2) log z - z + log sqrt(2 pi), for z > 0.
func stirlingError(z float64) float64 {
	if z < 16 {
		lg, _ := math.Lgamma(z + 1)
		if z < 1 {
			// Gamma(z+1) is near 1: log z must not meet it before the halves do.
			return lg - z*math.Log(z) - 0.5*math.Log(z) + z - lnSqrt2Pi
		}
		return lg - (z+0.5)*math.Log(z) + z - lnSqrt2Pi
	}
	const (
		c0 = 1.0 / 12
		c1 = 1.0 / 360
		c2 = 1.0 / 1260
		c3 = 1.0 / 1680
		c4 = 1.0 / 1188
		c5 = 691.0 / 360360
		c6 = 1.0 / 156
	)
	w := 1 / (z * z)
	return (c0 - w*(c1-w*(c2-w*(c3-w*(c4-w*(c5-w*c6)))))) / z
}

// deviance is x log(x/m) + m - x, where d = x - m is given because the caller
// can often know it better than the subtraction would.
func deviance(x, m, d float64) float64 {
	if x == 0 {
		return m
	}
	if math.Abs(d) >= 0.1*(x+m) {
		return x*math.Log(x/m) - d
	}
	v := d / (x + m)
	sum, term, v2 := d*v, 2*x*v, v*v
	for j := 1; j < 1000; j++ {
		term *= v2
		next := sum + term/float64(2*j+1)
		if next == sum {
			break
		}
		sum = next
	}
	return sum
}

// logComplement is log(1 - exp(l)) for l <= 0, the logarithm of the other tail.
func logComplement(l float64) float64 {
	if l >= 0 {
		return math.Inf(-1)
	}
	if l > -math.Ln2 {
		return math.Log(-math.Expm1(l))
	}
	return math.Log1p(-math.Exp(l))
}

// tails are the logarithms of both tails of a distribution at a point.
type tails struct{ lower, upper float64 }

func (t tails) swap() tails { return tails{t.upper, t.lower} }

// fromLower completes a lower tail that is known.
func fromLower(l float64) tails { return tails{math.Min(l, 0), logComplement(l)} }

// solveLogTail finds the root of log F(z) = want for a distribution of z with a
// log-concave density: log F is then concave, so Newton's iteration never
// overshoots to the right and converges from any start. at gives log F and its
// derivative.
func solveLogTail(start, want float64, at func(z float64) (logF, slope float64)) float64 {
	z := start
	for range 200 {
		l, slope := at(z)
		if math.IsNaN(l) || math.IsNaN(slope) {
			return math.NaN()
		}
		if math.IsInf(l, -1) || slope <= 0 || math.IsInf(slope, 0) {
			z = z/2 + start/2 + 1
			continue
		}
		step := (want - l) / slope
		z += step
		if math.Abs(step) <= 4*machineEpsilon*math.Max(1, math.Abs(z)) || step == 0 {
			break
		}
	}
	return z
}
