package stats

import "math"

// A HomogeneityResult tests whether an odds ratio is the same in all strata.
type HomogeneityResult struct {
	// BreslowDay is the test without, Tarone with the correction that makes it
	// chi-squared. Their reason is TooFew with fewer than two strata that carry
	// information.
	BreslowDay Test
	// Tarone is the corrected test, the one to report.
	Tarone Test
	// OddsRatio is the Mantel-Haenszel estimate of the common odds ratio.
	OddsRatio float64
	// OddsRatioReason is Undefined where it is 0/0, 0 or infinite.
	OddsRatioReason Reason
	// Strata is the number of strata that carry information: those without an
	// empty margin.
	Strata int
}

// BreslowDay tests homogeneity of the odds ratio of two arms over strata, such
// as repositories (Breslow and Day, Statistical Methods in Cancer Research I,
// 1980, section 4.4; Tarone, Biometrika 72 (1985) 91-95; Mantel and Haenszel,
// JNCI 22 (1959) 719-748). Each stratum holds independent runs of both arms;
// for arms that share tasks the interaction of a model is the better test.
func BreslowDay(strata []TwoRates) HomogeneityResult {
	var r HomogeneityResult
	var used []TwoRates
	var above, below float64
	for _, s := range strata {
		k := s.X1 + s.X2
		if s.N1 == 0 || s.N2 == 0 || k == 0 || k == s.N1+s.N2 {
			continue
		}
		used = append(used, s)
		above += s.X1 * (s.N2 - s.X2) / (s.N1 + s.N2)
		below += (s.N1 - s.X1) * s.X2 / (s.N1 + s.N2)
	}
	r.Strata = len(used)
	if above == 0 || below == 0 {
		r.OddsRatioReason = Undefined
		r.BreslowDay, r.Tarone = Test{Reason: Undefined}, Test{Reason: Undefined}
		return r
	}
	r.OddsRatio = above / below
	if len(used) < 2 {
		r.BreslowDay, r.Tarone = Test{Reason: TooFew}, Test{Reason: TooFew}
		return r
	}
	var chi, excess, variance float64
	for _, s := range used {
		e := expectedCount(s, r.OddsRatio)
		k := s.X1 + s.X2
		v := 1 / (1/e + 1/(k-e) + 1/(s.N1-e) + 1/(s.N2-k+e))
		chi += (s.X1 - e) * (s.X1 - e) / v
		excess += s.X1 - e
		variance += v
	}
	df := float64(len(used) - 1)
	r.BreslowDay = chiSquaredTest(chi, df)
	r.Tarone = chiSquaredTest(math.Max(0, chi-excess*excess/variance), df)
	return r
}

// expectedCount is the first cell that has the given odds ratio and the margins
// of s: the root of a quadratic, in the form that does not cancel.
func expectedCount(s TwoRates, odds float64) float64 {
	k := s.X1 + s.X2
	// (1-odds) a^2 + b a - c = 0
	b := s.N2 - k + odds*(s.N1+k)
	c := odds * s.N1 * k
	return 2 * c / (b + math.Sqrt(b*b+4*(1-odds)*c))
}
