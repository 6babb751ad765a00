package dist

import "math"

// logGammaKernel is the logarithm of x^a exp(-x) / Gamma(a).
func logGammaKernel(a, x float64) float64 {
	return 0.5*math.Log(a) - lnSqrt2Pi - stirlingError(a) - deviance(a, x, a-x)
}

// logGammaTails gives both tails of the gamma distribution with shape a.
func logGammaTails(a, x float64) tails {
	switch {
	case math.IsNaN(x) || !(a > 0):
		return tails{math.NaN(), math.NaN()}
	case x <= 0:
		return tails{math.Inf(-1), 0}
	case math.IsInf(x, 1):
		return tails{0, math.Inf(-1)}
	}
	k := logGammaKernel(a, x)
	if x < a+1 {
		t := fromLower(k + math.Log(gammaSeries(a, x)))
		if t.upper > -1 || x < 0.1 {
			return t
		}
		// For a small shape the upper tail is small below the mean too.
	}
	return fromLower(k + math.Log(gammaFraction(a, x))).swap()
}

// gammaSeries is P(a,x) divided by the kernel.
func gammaSeries(a, x float64) float64 {
	term := 1 / a
	sum := term
	for i := 1; i < maxTerms; i++ {
		term *= x / (a + float64(i))
		sum += term
		if term < sum*machineEpsilon {
			break
		}
	}
	return sum
}

// gammaFraction is Q(a,x) divided by the kernel (Legendre's continued
// fraction, modified Lentz).
func gammaFraction(a, x float64) float64 {
	const tiny = 1e-300
	b := x + 1 - a
	if b == 0 {
		b = tiny
	}
	c, d := 1/tiny, 1/b
	f := d
	for i := 1; i < maxTerms; i++ {
		m := float64(i)
		an := -m * (m - a)
		b += 2
		d = an*d + b
		if d == 0 {
			d = tiny
		}
		c = b + an/c
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
	return f
}

// ChiSquaredCDF is P(X <= x) for chi-squared with df degrees of freedom.
func ChiSquaredCDF(x, df float64) float64 { return math.Exp(logGammaTails(df/2, x/2).lower) }

// ChiSquaredSurvival is P(X > x), the p of an observed chi-squared.
func ChiSquaredSurvival(x, df float64) float64 { return math.Exp(logGammaTails(df/2, x/2).upper) }

// ChiSquaredLogSurvival is the natural logarithm of ChiSquaredSurvival.
func ChiSquaredLogSurvival(x, df float64) float64 { return logGammaTails(df/2, x/2).upper }

// ChiSquaredQuantile is the x with ChiSquaredCDF(x,df) = p.
func ChiSquaredQuantile(p, df float64) float64 {
	if !(p >= 0 && p <= 1) || !(df > 0) {
		return math.NaN()
	}
	if p > 0.5 {
		return ChiSquaredUpperQuantile(1-p, df)
	}
	if p == 0 {
		return 0
	}
	a := df / 2
	z := solveLogTail(math.Log(a), math.Log(p), func(z float64) (float64, float64) {
		if z < -600 {
			lg, _ := math.Lgamma(a + 1)
			return a*z - lg, a
		}
		x := math.Exp(z)
		l := logGammaTails(a, x).lower
		return l, math.Exp(logGammaKernel(a, x) - l)
	})
	return 2 * math.Exp(z)
}

// ChiSquaredUpperQuantile is the x with ChiSquaredSurvival(x,df) = q.
func ChiSquaredUpperQuantile(q, df float64) float64 {
	if !(q >= 0 && q <= 1) || !(df > 0) {
		return math.NaN()
	}
	if q > 0.5 {
		return ChiSquaredQuantile(1-q, df)
	}
	if q == 0 {
		return math.Inf(1)
	}
	a, want := df/2, math.Log(q)
	if logGammaTails(a, a).upper < want {
		// The upper tail is the lower tail of -log x, whose density is log-concave as well.
		z := solveLogTail(-math.Log(a), want, func(z float64) (float64, float64) {
			x := math.Exp(-z)
			l := logGammaTails(a, x).upper
			return l, math.Exp(logGammaKernel(a, x) - l)
		})
		return 2 * math.Exp(-z)
	}
	// Above the mean the log tail is nearly linear in x itself.
	x := -solveLogTail(-a, want, func(z float64) (float64, float64) {
		l := logGammaTails(a, -z).upper
		return l, math.Exp(logGammaKernel(a, -z)-l) / -z
	})
	return 2 * x
}
