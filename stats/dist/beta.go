package dist

import "math"

// logBetaKernel is the logarithm of x^a y^b / B(a,b) with y = 1-x.
func logBetaKernel(a, b, x, y float64) float64 {
	if x <= 0 || y <= 0 {
		return math.Inf(-1)
	}
	n := a + b
	// The smaller of x and y is the one that is known to full relative
	// precision, so the distance of x from the mean is taken through it.
	d := meanDistance(a, b, x, y)
	dev := deviance(a, n*x, d) + deviance(b, n*y, -d)
	return 0.5*math.Log(a/n) + 0.5*math.Log(b) - lnSqrt2Pi + (stirlingError(n) - stirlingError(a) - stirlingError(b)) - dev
}

// meanDistance is a - (a+b) x, without cancellation in 1-x.
func meanDistance(a, b, x, y float64) float64 {
	n := a + b
	if x <= y {
		return -math.FMA(n, x, -a)
	}
	return math.FMA(n, y, -b)
}

// betaFraction is the continued fraction (9) of Didonato and Morris: the lower
// tail divided by the kernel. It converges fast for x below the mean.
func betaFraction(a, b, x, y float64) float64 {
	lambda := meanDistance(a, b, x, y)
	const tiny = 1e-300
	// Modified Lentz on b0 + a1/(b1 + a2/(b2 + ...)).
	f := a * (lambda + 1) / (a + 1)
	if f == 0 {
		f = tiny
	}
	c, d := f, 0.0
	for i := 1; i < maxTerms; i++ {
		m := float64(i)
		den := a + 2*m - 1
		alpha := ((a + m - 1) / den) * ((a + b + m - 1) / den) * m * (b - m) * x * x
		beta := m + m*(b-m)*x/den + (a+m)*(lambda+1+m*(1+y))/(a+2*m+1)
		d = beta + alpha*d
		if d == 0 {
			d = tiny
		}
		c = beta + alpha/c
		if c == 0 {
			c = tiny
		}
		d = 1 / d
		delta := c * d
		f *= delta
		if math.Abs(delta-1) < 2*machineEpsilon {
			break
		}
	}
	return 1 / f
}

// logBetaTails gives both tails of Beta(a,b) at x, with y = 1-x given so that
// neither end loses digits.
func logBetaTails(a, b, x, y float64) tails {
	switch {
	case math.IsNaN(x) || math.IsNaN(y) || !(a > 0) || !(b > 0):
		return tails{math.NaN(), math.NaN()}
	case x <= 0:
		return tails{math.Inf(-1), 0}
	case y <= 0:
		return tails{0, math.Inf(-1)}
	}
	if meanDistance(a, b, x, y) < 0 {
		return logBetaTails1(b, a, y, x).swap()
	}
	return logBetaTails1(a, b, x, y)
}

// logBetaTails1 does so for x not above the mean.
func logBetaTails1(a, b, x, y float64) tails {
	k := logBetaKernel(a, b, x, y)
	t := fromLower(k + math.Log(betaFraction(a, b, x, y)))
	if t.upper < -9 && a < 1 {
		// A mean close to 0 leaves a small upper tail below it as well.
		if u := k + math.Log(betaFraction(b, a, y, x)); !math.IsNaN(u) {
			t.upper = u
		}
	}
	return t
}

// logBeta is log B(a,b).
func logBeta(a, b float64) float64 {
	n := a + b
	// The kernel at the mean, inverted.
	return -(0.5*math.Log(a/n) + 0.5*math.Log(b) - lnSqrt2Pi + stirlingError(n) - stirlingError(a) - stirlingError(b)) +
		a*math.Log(a/n) + b*math.Log(b/n)
}

// extremeOdds is where x underflows while log(x/(1-x)) does not.
const extremeOdds = 650

// logBetaTailsOdds gives both tails at z = log(x/(1-x)).
func logBetaTailsOdds(a, b, z float64) tails {
	switch {
	case z < -extremeOdds:
		return fromLower(a*z - math.Log(a) - logBeta(a, b))
	case z > extremeOdds:
		return fromLower(-b*z - math.Log(b) - logBeta(a, b)).swap()
	}
	x, y := oddsToShares(z)
	return logBetaTails(a, b, x, y)
}

func oddsToShares(z float64) (x, y float64) {
	if z < 0 {
		w := math.Exp(z)
		return w / (1 + w), 1 / (1 + w)
	}
	w := math.Exp(-z)
	return 1 / (1 + w), w / (1 + w)
}

// betaQuantileOdds is log(x/(1-x)) at the point with lower tail exp(logP).
// It is meant for the smaller tail.
func betaQuantileOdds(a, b, logP float64) float64 {
	return solveLogTail(math.Log(a/b), logP, func(z float64) (float64, float64) {
		l := logBetaTailsOdds(a, b, z).lower
		if z < -extremeOdds {
			return l, a
		}
		x, y := oddsToShares(z)
		return l, math.Exp(logBetaKernel(a, b, x, y) - l)
	})
}

// betaOdds is the log odds of the quantile p, through the smaller tail.
func betaOdds(p, a, b float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(a > 0) || !(b > 0):
		return math.NaN()
	case p == 0:
		return math.Inf(-1)
	case p == 1:
		return math.Inf(1)
	case p <= 0.5:
		return betaQuantileOdds(a, b, math.Log(p))
	}
	return -betaQuantileOdds(b, a, math.Log1p(-p))
}

// BetaCDF is the regularised incomplete beta function I_x(a,b).
func BetaCDF(x, a, b float64) float64 { return math.Exp(logBetaTails(a, b, x, 1-x).lower) }

// BetaSurvival is 1 - I_x(a,b), computed as such.
func BetaSurvival(x, a, b float64) float64 { return math.Exp(logBetaTails(a, b, x, 1-x).upper) }

// BetaQuantile is the x with BetaCDF(x,a,b) = p.
func BetaQuantile(p, a, b float64) float64 {
	x, _ := oddsToShares(betaOdds(p, a, b))
	return x
}

// BetaUpperQuantile is the x with BetaSurvival(x,a,b) = q, for a q that
// 1-q would round away.
func BetaUpperQuantile(q, a, b float64) float64 {
	_, x := oddsToShares(betaOdds(q, b, a))
	return x
}
