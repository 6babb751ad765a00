package stats

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/stats/dist"
)

// A KappaResult is the agreement of two raters beyond chance.
type KappaResult struct {
	// Kappa is 1 for perfect agreement, 0 for what chance gives.
	Kappa float64
	// Observed and Expected are the shares of agreement.
	Observed, Expected float64
	// SE is the large-sample standard error (Fleiss, Cohen and Everitt,
	// Psychological Bulletin 72 (1969) 323-327).
	SE float64
	// Linear and Quadratic weigh disagreements by the distance of categories,
	// in the order of their values (Cohen, Psychological Bulletin 70 (1968) 213-220).
	Linear, Quadratic float64
	// Reason is NoData without an item, or Undefined where both raters use one
	// and the same category.
	Reason Reason
}

// CohenKappa is the agreement of two raters on the same items (Cohen,
// Educational and Psychological Measurement 20 (1960) 37-46). Categories are the
// values that occur; weighted kappas take their ranks as distances.
func CohenKappa(first, second []int) KappaResult {
	if len(first) != len(second) {
		panic("stats: raters with different numbers of items")
	}
	if len(first) == 0 {
		return KappaResult{Reason: NoData}
	}
	categories := slices.Concat(first, second)
	slices.Sort(categories)
	categories = slices.Compact(categories)
	k, n := len(categories), float64(len(first))
	p := square(k)
	rows, columns := make([]float64, k), make([]float64, k)
	for i := range first {
		a, _ := slices.BinarySearch(categories, first[i])
		b, _ := slices.BinarySearch(categories, second[i])
		p[a][b] += 1 / n
		rows[a] += 1 / n
		columns[b] += 1 / n
	}
	var r KappaResult
	for i := range k {
		r.Observed += p[i][i]
		r.Expected += rows[i] * columns[i]
	}
	if k == 1 {
		r.Reason = Undefined
		return r
	}
	r.Kappa = (r.Observed - r.Expected) / (1 - r.Expected)
	r.SE = kappaSE(p, rows, columns, r, n)
	r.Linear = weightedKappa(p, rows, columns, func(d float64) float64 { return d })
	r.Quadratic = weightedKappa(p, rows, columns, func(d float64) float64 { return d * d })
	return r
}

func kappaSE(p [][]float64, rows, columns []float64, r KappaResult, n float64) float64 {
	var same, other float64
	for i := range p {
		for j := range p {
			if i == j {
				d := 1 - (rows[i]+columns[i])*(1-r.Kappa)
				same += p[i][i] * d * d
			} else {
				d := columns[i] + rows[j]
				other += p[i][j] * d * d
			}
		}
	}
	rest := r.Kappa - r.Expected*(1-r.Kappa)
	variance := same + (1-r.Kappa)*(1-r.Kappa)*other - rest*rest
	return math.Sqrt(math.Max(0, variance)/n) / (1 - r.Expected)
}

func weightedKappa(p [][]float64, rows, columns []float64, weight func(distance float64) float64) float64 {
	var observed, expected float64
	for i := range p {
		for j := range p {
			w := weight(math.Abs(float64(i - j)))
			observed += w * p[i][j]
			expected += w * rows[i] * columns[j]
		}
	}
	return 1 - observed/expected
}

// A FleissResult is the agreement of several raters.
type FleissResult struct {
	// Kappa is 1 for perfect agreement, 0 for what chance gives.
	Kappa float64
	// Observed and Expected are the shares of agreeing pairs of raters.
	Observed, Expected float64
	// Reason is NoData without a subject, TooFew with fewer than two ratings a
	// subject, or Undefined where only one category is used.
	Reason Reason
}

// FleissKappa is the agreement of several raters (Fleiss, Psychological Bulletin
// 76 (1971) 378-382). Rows are subjects, columns the number of ratings in each
// category; all rows have the same sum, or it panics.
func FleissKappa(counts [][]int) FleissResult {
	if len(counts) == 0 {
		return FleissResult{Reason: NoData}
	}
	raters := 0
	for _, n := range counts[0] {
		raters += n
	}
	if raters < 2 {
		return FleissResult{Reason: TooFew}
	}
	totals := make([]float64, len(counts[0]))
	var r FleissResult
	for _, row := range counts {
		sum, pairs := 0, 0
		for j, n := range row {
			sum += n
			pairs += n * (n - 1)
			totals[j] += float64(n)
		}
		if sum != raters {
			panic("stats: subjects with different numbers of ratings")
		}
		r.Observed += float64(pairs) / float64(raters*(raters-1)) / float64(len(counts))
	}
	for _, t := range totals {
		share := t / float64(len(counts)*raters)
		r.Expected += share * share
	}
	if r.Expected == 1 {
		r.Reason = Undefined
		return r
	}
	r.Kappa = (r.Observed - r.Expected) / (1 - r.Expected)
	return r
}

// An ICC is an intraclass correlation with its F test and interval.
type ICC struct {
	// Name is that of Shrout and Fleiss: ICC1, ICC2, ICC3, ICC1k, ICC2k, ICC3k.
	Name string
	// Value is the correlation; it may be negative.
	Value float64
	// F tests that it is 0; DF is its numerator and DF2 its denominator df.
	F Test
	// DF2 is the denominator df of F.
	DF2 float64
	// Interval stands where Reason is empty.
	Interval Interval
	// Reason is TooFew below two subjects or raters, or Undefined without residual variation.
	Reason Reason
}

// IntraclassCorrelations are the six forms of Shrout and Fleiss, Psychological
// Bulletin 86 (1979) 420-428: rows are subjects, columns raters (or
// repetitions), no value missing. 1: raters differ by subject; 2: the same
// random raters; 3: the same fixed raters; k: of the mean over raters.
func IntraclassCorrelations(subjectsByRaters [][]float64, level float64) []ICC {
	names := []string{"ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k"}
	out := make([]ICC, len(names))
	for i, name := range names {
		out[i].Name = name
	}
	if len(subjectsByRaters) < 2 || len(subjectsByRaters[0]) < 2 {
		for i := range out {
			out[i].Reason = TooFew
		}
		return out
	}
	s := newIccSquares(subjectsByRaters)
	for i, f := range []func(*ICC, float64){s.icc1, s.icc2, s.icc3, s.icc1k, s.icc2k, s.icc3k} {
		f(&out[i], level)
		if s.within == 0 || s.residual == 0 {
			out[i] = ICC{Name: names[i], Reason: Undefined}
		}
	}
	return out
}

// iccSquares are the mean squares of subjects by raters.
type iccSquares struct {
	n, k                               float64
	subjects, raters, residual, within float64
}

func newIccSquares(x [][]float64) iccSquares {
	s := iccSquares{n: float64(len(x)), k: float64(len(x[0]))}
	var all []float64
	bySubject, byRater := make([]float64, len(x)), make([]float64, len(x[0]))
	for i, row := range x {
		all = append(all, row...)
		bySubject[i] = mean(row)
		for j, v := range row {
			byRater[j] += v / s.n
		}
	}
	total := sumOfSquaredDeviations(all)
	subjects, raters := s.k*sumOfSquaredDeviations(bySubject), s.n*sumOfSquaredDeviations(byRater)
	s.subjects = subjects / (s.n - 1)
	s.raters = raters / (s.k - 1)
	s.residual = math.Max(0, total-subjects-raters) / ((s.n - 1) * (s.k - 1))
	s.within = math.Max(0, total-subjects) / (s.n * (s.k - 1))
	return s
}

func (s iccSquares) icc1(c *ICC, level float64) {
	f, df1, df2 := s.subjects/s.within, s.n-1, s.n*(s.k-1)
	c.Value = (s.subjects - s.within) / (s.subjects + (s.k-1)*s.within)
	c.F, c.DF2 = fUpperTail(f, df1, df2), df2
	low, high := fLimits(f, df1, df2, level)
	c.Interval = Interval{Low: (low - 1) / (low + s.k - 1), High: (high - 1) / (high + s.k - 1), Level: level, Method: "shrout-fleiss"}
}

func (s iccSquares) icc3(c *ICC, level float64) {
	f, df1, df2 := s.subjects/s.residual, s.n-1, (s.n-1)*(s.k-1)
	c.Value = (s.subjects - s.residual) / (s.subjects + (s.k-1)*s.residual)
	c.F, c.DF2 = fUpperTail(f, df1, df2), df2
	low, high := fLimits(f, df1, df2, level)
	c.Interval = Interval{Low: (low - 1) / (low + s.k - 1), High: (high - 1) / (high + s.k - 1), Level: level, Method: "shrout-fleiss"}
}

func (s iccSquares) icc2(c *ICC, level float64) {
	s.icc3(c, level) // the same F test
	c.Value = (s.subjects - s.residual) / (s.subjects + (s.k-1)*s.residual + s.k*(s.raters-s.residual)/s.n)
	fj := s.raters / s.residual
	a := s.k * c.Value * fj
	b := s.n*(1+(s.k-1)*c.Value) - s.k*c.Value
	v := (s.k - 1) * (s.n - 1) * (a + b) * (a + b) / ((s.n-1)*a*a + b*b)
	tail := 1 - (1-level)/2
	up, down := dist.FQuantile(tail, s.n-1, v), dist.FQuantile(tail, v, s.n-1)
	rest := s.k*s.raters + (s.k*s.n-s.k-s.n)*s.residual
	c.Interval.Low = s.n * (s.subjects - up*s.residual) / (up*rest + s.n*s.subjects)
	c.Interval.High = s.n * (down*s.subjects - s.residual) / (rest + s.n*down*s.subjects)
}

func (s iccSquares) icc1k(c *ICC, level float64) {
	s.icc1(c, level)
	c.Value = (s.subjects - s.within) / s.subjects
	s.ofMeans(c)
}

func (s iccSquares) icc2k(c *ICC, level float64) {
	s.icc2(c, level)
	c.Value = (s.subjects - s.residual) / (s.subjects + (s.raters-s.residual)/s.n)
	s.ofMeans(c)
}

func (s iccSquares) icc3k(c *ICC, level float64) {
	s.icc3(c, level)
	c.Value = (s.subjects - s.residual) / s.subjects
	s.ofMeans(c)
}

// ofMeans takes the limits of one rating to those of the mean of k (Spearman and Brown).
func (s iccSquares) ofMeans(c *ICC) {
	up := func(r float64) float64 { return s.k * r / (1 + (s.k-1)*r) }
	c.Interval.Low, c.Interval.High = up(c.Interval.Low), up(c.Interval.High)
}

// fLimits bound a ratio of variances whose estimate is f.
func fLimits(f, df1, df2, level float64) (low, high float64) {
	tail := 1 - (1-level)/2
	return f / dist.FQuantile(tail, df1, df2), f * dist.FQuantile(tail, df2, df1)
}
