package dist

import "math"

// LogBinomialPMF is log P(X = k) for k successes of n with probability p
// (Loader 2000). Counts are float64 so that they may exceed an int's use.
func LogBinomialPMF(k, n, p float64) float64 {
	return logBinomialPMF(k, n, p, 1-p)
}

func logBinomialPMF(k, n, p, q float64) float64 {
	switch {
	case math.IsNaN(p) || p < 0 || p > 1 || !(n >= 0):
		return math.NaN()
	case k < 0 || k > n || k != math.Floor(k):
		return math.Inf(-1)
	case p == 0:
		return indicatorLog(k == 0)
	case q == 0:
		return indicatorLog(k == n)
	case k == 0:
		if p < 0.1 {
			return n * math.Log1p(-p)
		}
		return n * math.Log(q)
	case k == n:
		if q < 0.1 {
			return n * math.Log1p(-q)
		}
		return n * math.Log(p)
	}
	d := meanDistance(k, n-k, p, q)
	dev := deviance(k, n*p, d) + deviance(n-k, n*q, -d)
	return stirlingError(n) - stirlingError(k) - stirlingError(n-k) - dev -
		lnSqrt2Pi - 0.5*(math.Log(k)+math.Log1p(-k/n))
}

func indicatorLog(yes bool) float64 {
	if yes {
		return 0
	}
	return math.Inf(-1)
}

// BinomialPMF is P(X = k).
func BinomialPMF(k, n, p float64) float64 { return math.Exp(LogBinomialPMF(k, n, p)) }

// BinomialCDF is P(X <= k).
func BinomialCDF(k, n, p float64) float64 { return math.Exp(LogBinomialCDF(k, n, p)) }

// LogBinomialCDF is log P(X <= k).
func LogBinomialCDF(k, n, p float64) float64 {
	k = math.Floor(k)
	switch {
	case math.IsNaN(p) || p < 0 || p > 1 || !(n >= 0):
		return math.NaN()
	case k < 0:
		return math.Inf(-1)
	case k >= n:
		return 0
	}
	return logBetaTails(n-k, k+1, 1-p, p).lower
}

// BinomialSurvival is P(X > k).
func BinomialSurvival(k, n, p float64) float64 {
	k = math.Floor(k)
	switch {
	case math.IsNaN(p) || p < 0 || p > 1 || !(n >= 0):
		return math.NaN()
	case k < 0:
		return 1
	case k >= n:
		return 0
	}
	return math.Exp(logBetaTails(n-k, k+1, 1-p, p).upper)
}

// LogHypergeometricPMF is log P(X = x) for x white balls among k drawn without
// replacement from white and black ones, as a ratio of binomial terms.
func LogHypergeometricPMF(x, white, black, k float64) float64 {
	n := white + black
	switch {
	case x < 0 || x > k || x > white || k-x > black:
		return math.Inf(-1)
	case n == 0 || k == 0:
		return 0
	}
	if k == n {
		return indicatorLog(x == white)
	}
	p, q := k/n, (n-k)/n
	return logBinomialPMF(x, white, p, q) + logBinomialPMF(k-x, black, p, q) - logBinomialPMF(k, n, p, q)
}

// HypergeometricPMF is P(X = x); see LogHypergeometricPMF.
func HypergeometricPMF(x, white, black, k float64) float64 {
	return math.Exp(LogHypergeometricPMF(x, white, black, k))
}
