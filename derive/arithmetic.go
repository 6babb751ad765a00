package derive

import (
	"math"
	"slices"

	"github.com/assay-bench/assay/schema"
)

// A tally adds up a field of several events and counts those that carry it.
type tally struct {
	sum  int64
	n    int64
	over bool
}

func (t *tally) add(o schema.Opt[int64]) {
	v, ok := o.Get()
	if !ok {
		return
	}
	t.n++
	if v > 0 && t.sum > math.MaxInt64-v || v < 0 && t.sum < math.MinInt64-v {
		t.over = true
		return
	}
	t.sum += v
}

// fraction is a/b, or missing where the division, or a sum before it, leaves the
// range of a double.
func fraction(a, b float64) schema.Value {
	q := a / b
	if math.IsNaN(q) || math.IsInf(q, 0) || math.IsInf(b, 0) {
		return schema.Missing(&schema.MissingOverflow)
	}
	return schema.Double(q)
}

// quantile is the type-7 quantile of Hyndman and Fan (1996): linear between the
// order statistics around (n-1)p. The list must be sorted and not empty.
func quantile(sorted []float64, p float64) float64 {
	h := float64(len(sorted)-1) * p
	below := math.Floor(h)
	lo := sorted[int(below)]
	hi := sorted[min(int(below)+1, len(sorted)-1)]
	return lo + float64((h-below)*(hi-lo))
}

// near reports whether two amounts agree to a relative 1e-9.
func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

func sortedCopy(list []float64) []float64 {
	out := slices.Clone(list)
	slices.Sort(out)
	return out
}
