package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// A KendallResult is the rank correlation of pairs.
type KendallResult struct {
	// S is the number of concordant minus that of discordant pairs.
	S float64
	// TauA is S over all pairs.
	TauA float64
	// TauB corrects for ties; see TauBReason.
	TauB float64
	// TauBReason is Undefined where one side is constant.
	TauBReason Reason
	// Normal is the test by the tie-corrected variance, without continuity correction.
	Normal Test
	// PExact is the exact two-sided p, for fewer than 50 pairs without ties.
	PExact float64
	// PExactReason is Undefined where there are ties or 50 pairs.
	PExactReason Reason
	// Reason is TooFew for fewer than two pairs.
	Reason Reason
}

// Kendall is the rank correlation tau (Kendall, Rank Correlation Methods, 4th
// ed., 1970). Pairs are taken to be independent.
func Kendall(x, y []float64) KendallResult {
	samePairs(x, y)
	if len(x) < 2 {
		return KendallResult{Reason: TooFew}
	}
	n := float64(len(x))
	pairs := n * (n - 1) / 2
	r := KendallResult{S: concordance(x, y)}
	r.TauA = r.S / pairs
	_, tx := midRanks(x, 0)
	_, ty := midRanks(y, 0)
	freeX, freeY := pairs-tiedPairs(tx), pairs-tiedPairs(ty)
	if freeX == 0 || freeY == 0 {
		r.TauBReason, r.PExactReason = Undefined, Undefined
		r.Normal.Reason = Undefined
		return r
	}
	r.TauB = r.S / math.Sqrt(freeX) / math.Sqrt(freeY)
	r.Normal = normalTest(r.S / math.Sqrt(kendallVariance(n, tx, ty)))
	if len(tx) < len(x) || len(ty) < len(y) || len(x) >= 50 {
		r.PExactReason = Undefined
	} else {
		r.PExact = kendallExact(len(x), int(r.S))
	}
	return r
}

func samePairs(x, y []float64) {
	if len(x) != len(y) {
		panic("stats: the two sides of pairs differ in length")
	}
}

func concordance(x, y []float64) float64 {
	s := 0
	for i := range x {
		for j := range i {
			s += cmp.Compare(x[i], x[j]) * cmp.Compare(y[i], y[j])
		}
	}
	return float64(s)
}

func tiedPairs(groups []int) float64 {
	var sum float64
	for _, g := range groups {
		sum += float64(g) * float64(g-1) / 2
	}
	return sum
}

func kendallVariance(n float64, tx, ty []int) float64 {
	var vx, vy, x1, y1, x2, y2 float64
	for _, g := range tx {
		t := float64(g)
		vx += t * (t - 1) * (2*t + 5)
		x1 += t * (t - 1)
		x2 += t * (t - 1) * (t - 2)
	}
	for _, g := range ty {
		t := float64(g)
		vy += t * (t - 1) * (2*t + 5)
		y1 += t * (t - 1)
		y2 += t * (t - 1) * (t - 2)
	}
	v := (n*(n-1)*(2*n+5)-vx-vy)/18 + x1*y1/(2*n*(n-1))
	if n > 2 {
		v += x2 * y2 / (9 * n * (n - 1) * (n - 2))
	}
	return v
}

// kendallExact is the two-sided p of S, from the number of permutations with
// each number of inversions.
func kendallExact(n, s int) float64 {
	most := n * (n - 1) / 2
	p := make([]float64, most+1) // by inversions
	p[0] = 1
	for i := 2; i <= n; i++ {
		next := make([]float64, most+1)
		for inv := range next {
			for k := 0; k < i && k <= inv; k++ {
				next[inv] += p[inv-k] / float64(i)
			}
		}
		p = next
	}
	inversions := (most - abs(s)) / 2 // the tail on the side of s
	var tail float64
	for _, q := range p[:inversions+1] {
		tail += q
	}
	return math.Min(1, 2*tail)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// A CorrelationResult is a product-moment correlation.
type CorrelationResult struct {
	// R is the correlation.
	R float64
	// Test is Student's t with n-2 degrees of freedom. It has the reason TooFew
	// below three pairs, and where |R| is 1 its statistic is infinite.
	Test Test
	// Interval is Fisher's z interval.
	Interval Interval
	// IntervalReason is TooFew below four pairs, or NoVariation where |R| is 1
	// and both limits are R.
	IntervalReason Reason
	// Reason is TooFew below two pairs, or Undefined where one side is constant.
	Reason Reason
}

// Pearson is the correlation of values; its test and interval take them to be
// bivariate normal (Fisher, Metron 1 (1921) 3-32).
func Pearson(x, y []float64, level float64) CorrelationResult {
	samePairs(x, y)
	if len(x) < 2 {
		return CorrelationResult{Reason: TooFew, IntervalReason: TooFew, Test: Test{Reason: TooFew}}
	}
	mx, my := mean(x), mean(y)
	var xx, yy, xy twofold
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx.addProduct(dx, dx)
		yy.addProduct(dy, dy)
		xy.addProduct(dx, dy)
	}
	if allEqual(x) || allEqual(y) {
		return CorrelationResult{Reason: Undefined, IntervalReason: Undefined, Test: Test{Reason: Undefined}}
	}
	r := CorrelationResult{R: xy.value() / math.Sqrt(xx.value()*yy.value())}
	r.R = math.Max(-1, math.Min(1, r.R))
	n := float64(len(x))
	if n < 3 {
		r.Test.Reason = TooFew
	} else {
		r.Test = studentTest(r.R*math.Sqrt((n-2)/((1-r.R)*(1+r.R))), n-2)
	}
	switch {
	case n < 4:
		r.IntervalReason = TooFew
	default:
		if math.Abs(r.R) == 1 {
			r.IntervalReason = NoVariation
		}
		half := normalCritical(level) / math.Sqrt(n-3)
		z := math.Atanh(r.R)
		r.Interval = Interval{Low: math.Tanh(z - half), High: math.Tanh(z + half), Level: level, Method: "fisher z"}
	}
	return r
}

// studentTest is the two-sided test of a t statistic.
func studentTest(t, df float64) Test {
	return Test{Statistic: t, DF: df, P: dist.StudentTTwoSided(t, df), Log10P: dist.StudentTLogTwoSided(t, df) / math.Ln10}
}

// Spearman is the correlation of mid-ranks, with Student's t as an
// approximation of its test (Spearman, American Journal of Psychology 15 (1904)
// 72-101). There is no interval.
func Spearman(x, y []float64) CorrelationResult {
	samePairs(x, y)
	rx, _ := midRanks(slices.Clone(x), 0)
	ry, _ := midRanks(slices.Clone(y), 0)
	r := Pearson(rx, ry, 0.95)
	r.Interval = Interval{}
	if r.IntervalReason.OK() {
		r.IntervalReason = Undefined
	}
	return r
}
