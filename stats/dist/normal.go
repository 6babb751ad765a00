package dist

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// NormalCDF is P(Z <= z) for the standard normal.
func NormalCDF(z float64) float64 { return 0.5 * math.Erfc(-z/math.Sqrt2) }

// NormalSurvival is P(Z > z).
func NormalSurvival(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }

// NormalTwoSided is P(|Z| > |z|), the two-sided p of an observed z.
func NormalTwoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// NormalLogSurvival is the natural logarithm of NormalSurvival.
func NormalLogSurvival(z float64) float64 {
	switch {
	case z < 0:
		return math.Log1p(-NormalSurvival(-z))
	case z < 10:
		return math.Log(NormalSurvival(z))
	case math.IsInf(z, 1):
		return math.Inf(-1)
	}
	// Laplace's continued fraction for Mills' ratio, from the far end.
	r := z
	for k := 100; k >= 1; k-- {
		r = z + float64(k)/r
	}
	return -z*z/2 - lnSqrt2Pi - math.Log(r)
}

// NormalDensity is the standard normal density.
func NormalDensity(z float64) float64 { return math.Exp(-z*z/2 - lnSqrt2Pi) }

// NormalQuantile is the z with NormalCDF(z) = p.
func NormalQuantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return distuv.UnitNormal.Quantile(p)
}
