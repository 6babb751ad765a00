package dist_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/assay-bench/assay/stats/dist"
)

// close reports whether got is want to the relative tolerance.
func within(got, want, relative float64) bool {
	return got == want || math.Abs(got-want) <= relative*math.Abs(want)
}

// A quantile must be the inverse of its own tail, which the table of tails
// holds to outside values.
func TestQuantilesInvertTheirTails(t *testing.T) {
	for _, p := range []float64{1e-300, 1e-20, 1e-10, 1e-6, 0.01, 0.025, 0.2, 0.3, 0.49} {
		for _, df := range []float64{0.5, 1, 1.2, 6.9, 20, 1346, 4000, 1e6, 1e9} {
			q := dist.StudentTQuantile(p, df)
			if got := dist.StudentTCDF(q, df); !within(got, p, 1e-11) && !math.IsInf(q, 0) {
				t.Errorf("t: quantile(%g, %g) = %g, tail there %g", p, df, q, got)
			}
			x := dist.ChiSquaredUpperQuantile(p, df)
			if got := dist.ChiSquaredSurvival(x, df); !within(got, p, 3e-9) {
				t.Errorf("chi-squared: upper quantile(%g, %g) = %g, tail there %g", p, df, x, got)
			}
			if x = dist.ChiSquaredQuantile(p, df); x > 1e-300 {
				if got := dist.ChiSquaredCDF(x, df); !within(got, p, 3e-9) {
					t.Errorf("chi-squared: quantile(%g, %g) = %g, tail there %g", p, df, x, got)
				}
			}
			for _, d2 := range []float64{0.7, 5, 54.3, 1e5} {
				if x := dist.FQuantile(p, df, d2); x > 1e-300 && x < 1e300 {
					if got := dist.FCDF(x, df, d2); !within(got, p, 3e-9) {
						t.Errorf("f: quantile(%g, %g, %g) = %g, tail there %g", p, df, d2, x, got)
					}
				}
				if x := dist.BetaQuantile(p, df, d2); x > 1e-300 && x < 0.999 {
					if got := dist.BetaCDF(x, df, d2); !within(got, p, 1e-7) {
						t.Errorf("beta: quantile(%g, %g, %g) = %g, tail there %g", p, df, d2, x, got)
					}
				}
			}
		}
	}
	for _, p := range []float64{1e-8, 0.05, 0.5, 0.95, 0.999999} {
		q := dist.TukeyQuantile(p, 4, 12.5)
		if got := dist.TukeyCDF(q, 4, 12.5); !within(got, p, 1e-8) {
			t.Errorf("tukey: quantile(%g) = %g, cdf there %g", p, q, got)
		}
	}
}

// Closed forms, by hand.
func TestClosedForms(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"t with 1 df is Cauchy", dist.StudentTQuantile(1e-300, 1), -1 / (math.Pi * 1e-300)},
		{"t with 1 df, quartile", dist.StudentTQuantile(0.75, 1), 1},
		{"beta(1e6, 1) quantile is p^(1/a)", dist.BetaQuantile(1e-10, 1e6, 1), math.Pow(1e-10, 1e-6)},
		{"chi-squared with 2 df is exponential", dist.ChiSquaredSurvival(1400, 2), math.Exp(-700)},
		{"the same below the smallest number", dist.ChiSquaredLogSurvival(20000, 2), -10000},
		{"F(1,d) is t squared", dist.FSurvival(49, 1, 13.5), dist.StudentTTwoSided(7, 13.5)},
		{"infinite df is normal", dist.StudentTTwoSided(3, math.Inf(1)), dist.NormalTwoSided(3)},
		{"the range of two is sqrt 2 times a t", dist.TukeySurvival(5*math.Sqrt2, 2, 9), dist.StudentTTwoSided(5, 9)},
		{"the same in a far tail", dist.TukeySurvival(40*math.Sqrt2, 2, 30), dist.StudentTTwoSided(40, 30)},
		{"noncentral t at 0 is the normal", dist.NoncentralTSurvival(0, 4, 1.5), dist.NormalCDF(1.5)},
		{"noncentral t without noncentrality", dist.NoncentralTSurvival(60, 20, 0), dist.StudentTSurvival(60, 20)},
		{"binomial of 30 fair coins, all tails", dist.BinomialCDF(0, 30, 0.5), math.Exp2(-30)},
		{"binomial complement", dist.BinomialSurvival(29, 30, 0.5), math.Exp2(-30)},
		{"beta(1, 6) upper quantile is 1 - (1-q)^(1/b) in its mirror", 1 - dist.BetaUpperQuantile(0.3, 6, 1), 1 - math.Pow(0.7, 1.0/6)},
		{"beta quantile above one half", dist.BetaQuantile(0.9, 6, 1), math.Pow(0.9, 1.0/6)},
		{"F with infinite denominator df is chi-squared", dist.FSurvival(3, 4, math.Inf(1)), dist.ChiSquaredSurvival(12, 4)},
		{"F with infinite numerator df", dist.FSurvival(3, math.Inf(1), 4), dist.ChiSquaredCDF(4.0/3, 4)},
		{"F quantile with infinite df", dist.FQuantile(0.9, 3, math.Inf(1)), dist.ChiSquaredQuantile(0.9, 3) / 3},
		{"F quantile with infinite numerator df", dist.FCDF(dist.FQuantile(0.2, math.Inf(1), 5), math.Inf(1), 5), 0.2},
		{"F at its ends", dist.FSurvival(0, 2, 3) + dist.FSurvival(math.Inf(1), 2, 3), 1},
		{"F far out, where the odds overflow: 2 df is 1/(1+x/d)^d", dist.FLogSurvival(1e300, 2, 4), -2 * (300*math.Ln10 - math.Log(2))},
		{"t quantile with infinite df", dist.StudentTQuantile(0.1, math.Inf(1)), dist.NormalQuantile(0.1)},
		{"Cauchy tail where t^2 overflows", dist.StudentTTwoSided(1e200, 1), 2 / (math.Pi * 1e200)},
		{"binomial without chance", dist.BinomialPMF(0, 5, 0) + dist.BinomialPMF(5, 5, 1) + dist.BinomialPMF(1, 5, 0), 2},
		{"binomial, none of 5", dist.BinomialPMF(0, 5, 0.3), math.Pow(0.7, 5)},
		{"binomial below and above", dist.BinomialCDF(-1, 5, 0.5) + dist.BinomialSurvival(-1, 5, 0.5) + dist.BinomialCDF(5, 5, 0.5), 2},
		{"hypergeometric, all drawn", dist.HypergeometricPMF(3, 3, 4, 7), 1},
		{"range of infinite df, by mpmath", dist.TukeySurvival(3.6, 4, math.Inf(1)), 0.053194575439505796},
		{"hypergeometric: 1 of 4 aces in 5 cards of 52", dist.HypergeometricPMF(1, 4, 48, 5), 4.0 * 194580 / 2598960},
	} {
		if !within(c.got, c.want, 2e-12) {
			t.Errorf("%s: %.17g, want %.17g", c.name, c.got, c.want)
		}
	}
}

func TestOutsideTheDomainIsNaN(t *testing.T) {
	for i, got := range []float64{
		dist.StudentTTwoSided(1, 0), dist.StudentTQuantile(1.5, 3), dist.FSurvival(1, -1, 3),
		dist.FQuantile(math.NaN(), 1, 3), dist.ChiSquaredSurvival(math.NaN(), 3), dist.ChiSquaredQuantile(-0.1, 3),
		dist.BetaCDF(0.5, 0, 1), dist.BetaQuantile(0.5, 1, math.NaN()), dist.BinomialCDF(1, 2, 1.5),
		dist.TukeySurvival(1, 1, 3), dist.TukeyQuantile(2, 3, 3), dist.NoncentralTSurvival(math.NaN(), 1, 1), dist.NormalQuantile(2),
	} {
		if !math.IsNaN(got) {
			t.Errorf("call %d gave %g, want NaN", i, got)
		}
	}
}

func ExampleStudentTTwoSided() {
	fmt.Printf("%.4g\n", dist.StudentTTwoSided(40, 300))
	// Output: 2.852e-122
}
