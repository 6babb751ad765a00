package dist

import "math"

// overChi is the integral of g(s) over the density of s = sqrt(X/df), X
// chi-squared with df degrees of freedom, by the trapezoid rule in log s. The
// integrand is analytic and decays at both ends, so the rule converges
// geometrically (Trefethen and Weideman, SIAM Review 56 (2014) 385-458).
func overChi(df float64, g func(s float64) float64) float64 {
	a := df / 2
	logNorm := math.Ln2 + 0.5*math.Log(a) - lnSqrt2Pi - stirlingError(a)
	h := 0.1 * math.Min(1, 2/math.Sqrt(df))
	if df < 4 {
		h = 0.08
	}
	var sum float64
	side := func(from, step float64) {
		for i := 0; i < 100000; i++ {
			u := from + step*float64(i)
			// Density of u = log s: 2 (a^a / Gamma(a)) exp(2au - a exp(2u)).
			e := math.Expm1(2 * u)
			logf := logNorm - a*(e-2*u)
			sum += math.Exp(logf) * g(math.Exp(u))
			// g is a probability, so the density alone bounds what is left.
			if logf < -760 || math.Exp(logf) <= sum*1e-18 {
				break
			}
		}
	}
	side(0, h)
	side(-h, -h)
	return sum * h
}

// rangeSurvival is P(range of k standard normals > w).
func rangeSurvival(w, k float64) float64 {
	if w <= 0 {
		return 1
	}
	const h = 0.125
	var sum float64
	low := math.Min(-8.5, w/2-8.5)
	if w > 20 {
		low = w/2 - 10
	}
	for z := low; z < w/2+9; z += h {
		below := NormalCDF(z)
		if below == 0 {
			continue
		}
		r := NormalCDF(z-w) / below
		sum += NormalDensity(z) * math.Pow(below, k-1) * -math.Expm1((k-1)*math.Log1p(-r))
	}
	return math.Min(1, k*h*sum)
}

// TukeySurvival is P(Q > q) for the studentized range of k means with df
// degrees of freedom (Tukey 1953; Copenhaver and Holland, J. Stat. Comput.
// Simul. 30 (1988) 1-15). k need not be whole.
func TukeySurvival(q, k, df float64) float64 {
	switch {
	case math.IsNaN(q) || !(k >= 2) || !(df > 0):
		return math.NaN()
	case q <= 0:
		return 1
	case math.IsInf(q, 1):
		return 0
	case math.IsInf(df, 1) || df > 1e8:
		return rangeSurvival(q, k)
	}
	return math.Min(1, overChi(df, func(s float64) float64 { return rangeSurvival(q*s, k) }))
}

// TukeyCDF is P(Q <= q); see TukeySurvival.
func TukeyCDF(q, k, df float64) float64 { return 1 - TukeySurvival(q, k, df) }

// TukeyQuantile is the q with TukeyCDF(q,k,df) = p.
func TukeyQuantile(p, k, df float64) float64 {
	if !(p >= 0 && p <= 1) || !(k >= 2) || !(df > 0) {
		return math.NaN()
	}
	if p == 0 {
		return 0
	}
	if p == 1 {
		return math.Inf(1)
	}
	want := math.Log1p(-p)
	f := func(u float64) float64 { return math.Log(TukeySurvival(math.Exp(u), k, df)) - want }
	lo, hi := -1.0, 1.5
	for f(lo) < 0 {
		lo -= 2
	}
	for f(hi) > 0 {
		hi += 1
	}
	return math.Exp(FallingRoot(f, lo, hi))
}

// NoncentralTSurvival is P(T > t) for the noncentral t with df degrees of
// freedom and noncentrality delta: the power of a t test.
func NoncentralTSurvival(t, df, delta float64) float64 {
	switch {
	case math.IsNaN(t) || math.IsNaN(delta) || !(df > 0):
		return math.NaN()
	case math.IsInf(df, 1):
		return NormalSurvival(t - delta)
	}
	return math.Min(1, overChi(df, func(s float64) float64 { return NormalSurvival(t*s - delta) }))
}
