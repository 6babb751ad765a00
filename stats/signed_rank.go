package stats

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// exactSignedRankUnits is the largest number of non-zero differences for which
// the exact distribution is computed; beyond it the normal one is as good.
const exactSignedRankUnits = 400

// A SignedRankResult is Wilcoxon's signed rank test of paired differences.
type SignedRankResult struct {
	// V is the sum of the ranks of the positive differences.
	V float64
	// Units is the number of differences, Zeros how many of them are zero.
	Units, Zeros int
	// Ties says that two non-zero differences have the same size.
	Ties bool
	// Exact says that P, PGreater and PLess are exact given the mid-ranks;
	// above 400 non-zero differences they are Normal's.
	Exact bool
	// P is two-sided: twice the smaller tail, at most 1. It is 1 without a
	// non-zero difference.
	P float64
	// PGreater is the one-sided p that differences are above zero.
	PGreater float64
	// PLess is the one-sided p that they are below.
	PLess float64
	// Normal is the approximation with the tie-corrected variance.
	Normal TailTest
	// NormalCorrected is the same with V half a rank nearer to its mean.
	NormalCorrected TailTest
	// Pratt ranks zeros before dropping them, and is normal.
	Pratt TailTest
	// RankBiserial is the difference between the shares of positive and negative ranks.
	RankBiserial float64
	// Reason is NoData without a difference. Without a non-zero one it is
	// NoVariation: the rank-biserial and the normal tests are then not defined.
	Reason Reason
}

// A TailTest is a normal test with its one-sided p-values.
type TailTest struct {
	// V is the statistic.
	V float64
	// Z is the standardised statistic of the two-sided test.
	Z float64
	// P is two-sided.
	P float64
	// PGreater is the upper tail.
	PGreater float64
	// PLess is the lower tail.
	PLess float64
	// Reason is NoVariation where the variance is 0.
	Reason Reason
}

// SignedRank tests whether differences are symmetric around zero (Wilcoxon,
// Biometrics Bulletin 1 (1945) 80-83; zeros after ranking by Pratt, JASA 54
// (1959) 655-667). Zeros are dropped before ranking. The exact p conditions on
// the observed mid-ranks, so that it holds with ties too. Differences whose
// sizes differ by rounding only are ties; scale is the largest value that was
// subtracted to make them, or 0 where they are the data.
func SignedRank(differences []float64, scale float64) SignedRankResult {
	width := math.Max(roundingWidth(differences), scale*1e-13)
	r := SignedRankResult{Units: len(differences), P: 1, PGreater: 1, PLess: 1}
	if r.Units == 0 {
		return SignedRankResult{Reason: NoData}
	}
	var nonzero, sizes, all []float64
	for _, d := range differences {
		all = append(all, math.Abs(d))
		if math.Abs(d) > width {
			nonzero, sizes = append(nonzero, d), append(sizes, math.Abs(d))
		}
	}
	r.Zeros = r.Units - len(nonzero)
	if len(nonzero) == 0 {
		r.Reason, r.Exact = NoVariation, true
		none := TailTest{Reason: NoVariation}
		r.Normal, r.NormalCorrected, r.Pratt = none, none, none
		return r
	}
	ranks, groups := midRanks(sizes, width)
	r.Ties = len(groups) < len(sizes)
	n, negative := float64(len(sizes)), 0.0
	for i, d := range nonzero {
		if d > 0 {
			r.V += ranks[i]
		} else {
			negative += ranks[i]
		}
	}
	r.RankBiserial = (r.V - negative) / (r.V + negative)
	sd := math.Sqrt(n*(n+1)*(2*n+1)/24 - tieSum(groups)/48)
	r.Normal = normalTails(r.V, n*(n+1)/4, sd, 0)
	r.NormalCorrected = normalTails(r.V, n*(n+1)/4, sd, 0.5)
	r.Pratt = pratt(differences, all, width)
	r.P, r.PGreater, r.PLess = r.Normal.P, r.Normal.PGreater, r.Normal.PLess
	if len(sizes) <= exactSignedRankUnits {
		r.Exact = true
		r.PLess, r.PGreater = signedRankTails(ranks, r.V)
		r.P = math.Min(1, 2*math.Min(r.PLess, r.PGreater))
	}
	return r
}

// normalTails standardises a statistic, moved towards its mean by the correction.
func normalTails(v, mean, sd, correction float64) TailTest {
	if sd == 0 {
		return TailTest{V: v, Reason: NoVariation}
	}
	sign := 0.0
	if v > mean {
		sign = 1
	} else if v < mean {
		sign = -1
	}
	z := (v - mean - sign*correction) / sd
	return TailTest{V: v, Z: z, P: dist.NormalTwoSided(z),
		PGreater: dist.NormalSurvival((v - mean - correction) / sd),
		PLess:    dist.NormalCDF((v - mean + correction) / sd)}
}

func pratt(differences, sizes []float64, width float64) TailTest {
	ranks, _ := midRanks(sizes, width)
	var v, mean, variance float64
	for i, d := range differences {
		if math.Abs(d) <= width {
			continue
		}
		mean += ranks[i] / 2
		variance += ranks[i] * ranks[i] / 4
		if d > 0 {
			v += ranks[i]
		}
	}
	return normalTails(v, mean, math.Sqrt(variance), 0)
}

// signedRankTails are P(V <= v) and P(V >= v) when each rank counts with
// probability one half. Doubled mid-ranks are whole numbers.
func signedRankTails(ranks []float64, v float64) (less, greater float64) {
	total := 0
	doubled := make([]int, len(ranks))
	for i, r := range ranks {
		doubled[i] = int(math.Round(2 * r))
		total += doubled[i]
	}
	p := make([]float64, total+1)
	p[0] = 1
	reach := 0
	for _, d := range doubled {
		reach += d
		for s := reach; s >= 0; s-- {
			p[s] /= 2
			if s >= d {
				p[s] += p[s-d] / 2
			}
		}
	}
	at := int(math.Round(2 * v))
	for s, q := range p {
		if s <= at {
			less += q
		}
	}
	for s := total; s >= at; s-- { // from the small end, which keeps the digits of a tail
		greater += p[s]
	}
	return math.Min(1, less), math.Min(1, greater)
}

// A HodgesLehmannResult is the median of the Walsh averages.
type HodgesLehmannResult struct {
	// Estimate is the pseudo-median.
	Estimate float64
	// WalshAverages is their number, n(n+1)/2.
	WalshAverages int
	// Interval inverts the exact signed rank test for data without ties.
	Interval Interval
	// Achieved is the exact coverage of Interval, at least its level.
	Achieved float64
	// Reason is NoData without a value.
	Reason Reason
	// IntervalReason is Undefined with ties or zeros, for which the limits
	// are not exact, and TooFew where no interval reaches the level.
	IntervalReason Reason
}

// HodgesLehmann estimates the centre of symmetric differences by the median of
// all averages of two of them, each with itself included (Hodges and Lehmann,
// Annals of Mathematical Statistics 34 (1963) 598-611; the interval by Hollander
// and Wolfe, Nonparametric Statistical Methods, 1973, section 3.3). It needs
// space for n(n+1)/2 numbers. For scale see SignedRank.
func HodgesLehmann(differences []float64, scale, level float64) HodgesLehmannResult {
	n := len(differences)
	if n == 0 {
		return HodgesLehmannResult{Reason: NoData, IntervalReason: NoData}
	}
	walsh := make([]float64, 0, n*(n+1)/2)
	for i, a := range differences {
		for _, b := range differences[i:] {
			walsh = append(walsh, (a+b)/2)
		}
	}
	slices.Sort(walsh)
	r := HodgesLehmannResult{Estimate: quantile7(walsh, 0.5), WalshAverages: len(walsh)}
	test := SignedRank(differences, scale)
	if test.Ties || test.Zeros > 0 || n > exactSignedRankUnits {
		r.IntervalReason = Undefined
		return r
	}
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	// The limits cut off as many averages at each end as the test may.
	cut := 0
	tail := func(v int) float64 { less, _ := signedRankTails(ranks, float64(v)); return less }
	for lo, hi := 0, len(walsh)/2; lo < hi; {
		mid := (lo + hi + 1) / 2
		if tail(mid-1) <= (1-level)/2 {
			lo, cut = mid, mid
		} else {
			hi = mid - 1
		}
	}
	if cut == 0 {
		r.IntervalReason = TooFew
		return r
	}
	r.Achieved = 1 - 2*tail(cut-1)
	r.Interval = Interval{Low: walsh[cut-1], High: walsh[len(walsh)-cut], Level: level, Method: "hodges-lehmann, exact signed rank"}
	return r
}

// A SignTestResult counts the signs of paired differences.
type SignTestResult struct {
	// Positive and Negative count differences; zeros are left out.
	Positive, Negative int
	// P is the two-sided exact p, 1 without a non-zero difference.
	P float64
}

// SignTest tests whether a difference is as often positive as negative
// (Arbuthnot 1710). It assumes independent differences and nothing else.
func SignTest(differences []float64, scale float64) SignTestResult {
	width := math.Max(roundingWidth(differences), scale*1e-13)
	var c PairedCells
	for _, d := range differences {
		switch {
		case d > width:
			c.FirstOnly++
		case d < -width:
			c.SecondOnly++
		default:
			c.Both++
		}
	}
	r := SignTestResult{Positive: c.FirstOnly, Negative: c.SecondOnly, P: 1}
	if c.FirstOnly+c.SecondOnly > 0 {
		r.P = c.McNemar().Exact
	}
	return r
}
