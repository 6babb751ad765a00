package stats

import (
	"math"
	"math/bits"
	"slices"
)

// ExactSignFlipUnits is the largest number of non-zero differences for which
// SignFlip enumerates all sign vectors: 2^20 of them.
const ExactSignFlipUnits = 20

// A SignFlipResult is the permutation test of paired differences.
type SignFlipResult struct {
	// Units is the number of differences.
	Units int
	// Exact says that all 2^Units sign vectors were counted.
	Exact bool
	// Draws is the number of random sign vectors where it is not exact.
	Draws int
	// AtLeast counts sign vectors with an absolute sum at least as large as the
	// observed one: of 2^Units where exact, else of Draws.
	AtLeast float64
	// P is two-sided. It is never 0: (1+AtLeast)/(1+Draws) where not exact.
	P float64
	// PGreater is the one-sided p that the mean is above zero.
	PGreater float64
	// PLess is the one-sided p that it is below.
	PLess float64
	// PMid counts sign vectors equal to the observed one half. It is set for
	// exact tests only.
	PMid float64
	// Reason is NoData without a difference. Where all differences are equal it
	// is NoVariation, and the numbers stand.
	Reason Reason
}

// SignFlip tests whether independent differences are symmetric around zero, by
// their sum under all changes of sign (Fisher, The Design of Experiments, 1935,
// section 21). The unit is what one sign belongs to: one value a task. Sums
// that differ by rounding only, such as .1+.2 and .3, count as equal. Above
// ExactSignFlipUnits the draws are random and the observed one is counted among
// them (Phipson and Smyth, SAGMB 9 (2010) 39).
func SignFlip(differences []float64, r Resampling) SignFlipResult {
	f := newFlip(differences)
	if f.units == 0 {
		return SignFlipResult{Reason: NoData}
	}
	var out SignFlipResult
	if len(f.values) <= ExactSignFlipUnits {
		out = f.exact()
	} else {
		out = f.random(r)
	}
	out.Units = f.units
	if f.constant {
		out.Reason = NoVariation
	}
	return out
}

// MonteCarloP is (1+hits)/(1+draws): hits are the random draws at least as
// extreme as the observed value, ties included, and the observed one counts too.
func MonteCarloP(hits, draws int) float64 { return float64(1+hits) / float64(1+draws) }

// flip is the test of some differences. Zeros change no sum and are left out.
type flip struct {
	values   []float64
	units    int
	sum      float64 // observed
	width    float64 // within which sums are equal
	constant bool
}

func newFlip(differences []float64) flip {
	f := flip{units: len(differences), sum: sumOf(differences), constant: allEqual(differences)}
	for _, d := range differences {
		if d != 0 {
			f.values = append(f.values, d)
			f.width += math.Abs(d) * 1e-12
		}
	}
	return f
}

// allEqual reports whether values differ by no more than rounding.
func allEqual(x []float64) bool {
	if len(x) == 0 {
		return true
	}
	low, high := slices.Min(x), slices.Max(x)
	return high-low <= 1e-12*math.Max(math.Abs(low), math.Abs(high))
}

// exact meets in the middle: the sums of each half are listed and sorted, and
// pairs are counted with two pointers.
func (f flip) exact() SignFlipResult {
	half := len(f.values) / 2
	left, right := signedSums(f.values[:half]), signedSums(f.values[half:])
	total := float64(len(left)) * float64(len(right))
	atLeast := func(limit float64) float64 { return countPairs(left, right, limit) }
	beyond := func(limit float64) float64 { return atLeast(math.Nextafter(limit, math.Inf(1))) }
	size := math.Abs(f.sum)
	out := SignFlipResult{Exact: true}
	reached, above := total, total-atLeast(-f.width)+beyond(f.width) // for a sum of zero
	if size > f.width {
		reached = 2 * atLeast(size-f.width)
		above = 2 * beyond(size+f.width)
	}
	out.P = reached / total
	out.PMid = (reached + above) / 2 / total
	out.PGreater = atLeast(f.sum-f.width) / total
	out.PLess = atLeast(-f.sum-f.width) / total // by symmetry
	out.AtLeast = reached * math.Exp2(float64(f.units-len(f.values)))
	return out
}

// signedSums are the sums of the values under all signs, in rising order.
func signedSums(values []float64) []float64 {
	out := make([]float64, 1<<len(values))
	for s := range out {
		for i, v := range values {
			if s>>i&1 == 1 {
				v = -v
			}
			out[s] += v
		}
	}
	slices.Sort(out)
	return out
}

// countPairs counts pairs of a left and a right sum that reach the limit.
func countPairs(left, right []float64, limit float64) float64 {
	count, j := 0, len(right)
	for _, l := range left {
		for j > 0 && l+right[j-1] >= limit {
			j--
		}
		count += len(right) - j
	}
	return float64(count)
}

func (f flip) random(r Resampling) SignFlipResult {
	n := r.draws()
	sums := make([]float64, n)
	drawEach(n, r.Workers, func() func(int) {
		return func(i int) {
			g := newPhilox(r.Seed, uint64(i))
			sums[i] = f.draw(&g)
		}
	})
	var both, greater, less int
	for _, s := range sums {
		if math.Abs(s) >= math.Abs(f.sum)-f.width {
			both++
		}
		if s >= f.sum-f.width {
			greater++
		}
		if s <= f.sum+f.width {
			less++
		}
	}
	return SignFlipResult{Draws: n, AtLeast: float64(both),
		P: MonteCarloP(both, n), PGreater: MonteCarloP(greater, n), PLess: MonteCarloP(less, n)}
}

// draw is one sum under random signs.
func (f flip) draw(g *philox) float64 {
	var sum float64
	for from := 0; from < len(f.values); from += 64 {
		signs := g.next64()
		for _, v := range f.values[from:min(from+64, len(f.values))] {
			// The low bit becomes the sign bit.
			sum += math.Float64frombits(math.Float64bits(v) ^ signs<<63)
			signs = bits.RotateLeft64(signs, -1)
		}
	}
	return sum
}
