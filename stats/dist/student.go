package dist

import "math"

// logStudentTwoSided is log P(|T| > |t|).
func logStudentTwoSided(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case t == 0:
		return 0
	case math.IsInf(t, 0):
		return math.Inf(-1)
	case math.IsInf(df, 1):
		return math.Ln2 + NormalLogSurvival(math.Abs(t))
	}
	return studentTails(t, df).lower
}

// studentTails are the logarithms of P(|T| > |t|) and P(|T| < |t|).
func studentTails(t, df float64) tails {
	t = math.Abs(t)
	t2 := t * t
	if t2/df > 1e280 || t2 == 0 || math.IsInf(t2, 1) {
		return logBetaTailsOdds(df/2, 0.5, math.Log(df)-2*math.Log(t))
	}
	return logBetaTails(df/2, 0.5, df/(df+t2), t2/(df+t2))
}

// StudentTTwoSided is P(|T| > |t|) for Student's t with df degrees of freedom:
// the two-sided p of an observed t.
func StudentTTwoSided(t, df float64) float64 { return math.Exp(logStudentTwoSided(t, df)) }

// StudentTLogTwoSided is the natural logarithm of StudentTTwoSided.
func StudentTLogTwoSided(t, df float64) float64 { return logStudentTwoSided(t, df) }

// StudentTSurvival is P(T > t).
func StudentTSurvival(t, df float64) float64 {
	p := StudentTTwoSided(t, df) / 2
	if t < 0 {
		return 1 - p
	}
	return p
}

// StudentTCDF is P(T <= t).
func StudentTCDF(t, df float64) float64 { return StudentTSurvival(-t, df) }

// StudentTQuantile is the t with StudentTCDF(t,df) = p.
func StudentTQuantile(p, df float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !(df > 0):
		return math.NaN()
	case p == 0.5:
		return 0
	case p > 0.5:
		return -StudentTQuantile(1-p, df)
	case p == 0:
		return math.Inf(-1)
	case math.IsInf(df, 1):
		return NormalQuantile(p)
	}
	// P(|T| > t) = I_x(df/2, 1/2) with odds x/(1-x) = df/t^2.
	var z float64
	if p < 0.25 {
		z = betaQuantileOdds(df/2, 0.5, math.Log(2*p))
	} else {
		z = -betaQuantileOdds(0.5, df/2, math.Log(1-2*p))
	}
	return -math.Exp((math.Log(df) - z) / 2)
}
