package stats

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// exactSignedRankUnits is the largest number of non-zero differences for which
// the exact distribution is computed; beyond it the normal one is as good.
const exactSignedRankUnits = 400

// MethodHodgesLehmann names the interval of HodgesLehmann.
const MethodHodgesLehmann = "Hodges-Lehmann, exact signed rank"

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
	var nonzero, sizes []float64
	for _, d := range differences {
		if math.Abs(d) > width {
			nonzero, sizes = append(nonzero, d), append(sizes, math.Abs(d))
		}
	}
	r.Zeros = r.Units - len(nonzero)
	if len(nonzero) == 0 {
		none := TailTest{Reason: NoVariation}
		r.Reason, r.Exact, r.Normal, r.NormalCorrected, r.Pratt = NoVariation, true, none, none, none
		return r
	}
	ranks, groups := midRanks(sizes, width)
	r.Ties = len(groups) < len(sizes)
	for i, d := range nonzero {
		if d > 0 {
			r.V += ranks[i]
		}
	}
	r.Pratt = pratt(differences, width)
	r.test(ranks, groups)
	return r
}

// test fills in what follows from V and the ranks of the non-zero differences.
func (r *SignedRankResult) test(ranks []float64, groups []int) {
	n := float64(len(ranks))
	middle := n * (n + 1) / 4
	r.RankBiserial = (r.V - middle) / middle
	sd := math.Sqrt(n*(n+1)*(2*n+1)/24 - tieSum(groups)/48)
	r.Normal = normalTails(r.V, middle, sd, 0)
	r.NormalCorrected = normalTails(r.V, middle, sd, 0.5)
	r.P, r.PGreater, r.PLess = r.Normal.P, r.Normal.PGreater, r.Normal.PLess
	if len(ranks) <= exactSignedRankUnits {
		r.Exact = true
		r.PLess, r.PGreater = signedRankTails(ranks, r.V)
		r.P = math.Min(1, 2*math.Min(r.PLess, r.PGreater))
	}
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

// pratt ranks all differences and drops the zeros afterwards.
func pratt(differences []float64, width float64) TailTest {
	sizes := make([]float64, len(differences))
	for i, d := range differences {
		sizes[i] = math.Abs(d)
	}
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
	cut, tail := walshCut(n, len(walsh), (1-level)/2)
	if cut == 0 {
		r.IntervalReason = TooFew
		return r
	}
	r.Achieved = 1 - 2*tail
	r.Interval = Interval{Low: walsh[cut-1], High: walsh[len(walsh)-cut], Level: level, Method: MethodHodgesLehmann}
	return r
}

// walshCut is the largest number of averages that may be cut off at each end of
// n values without ties, and the probability of a tail that large.
func walshCut(n, averages int, alpha float64) (cut int, tail float64) {
	ranks := make([]float64, n)
	for i := range ranks {
		ranks[i] = float64(i + 1)
	}
	upTo := func(v int) float64 { less, _ := signedRankTails(ranks, float64(v)); return less }
	for low, high := 0, averages/2; low < high; {
		if mid := (low + high + 1) / 2; upTo(mid-1) <= alpha {
			low, cut = mid, mid
		} else {
			high = mid - 1
		}
	}
	if cut > 0 {
		tail = upTo(cut - 1)
	}
	return cut, tail
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
