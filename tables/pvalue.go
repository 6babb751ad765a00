package tables

import (
	"fmt"
	"math"
)

// A PValue is a p-value. It is printed with four decimals, below 0.0001 as
// "< 0.0001", never as 0.
type PValue struct {
	// P is the p-value; absent if it is too small for a float64, when Log10 is known.
	P Number
	// Log10 is its decimal logarithm; may be absent if P is known.
	Log10 Number
}

// The digits of a printed p-value, and the smallest one printed as a number.
const (
	pDigits   = 4
	pSmallest = 1e-4
)

// Kind is KindPValue.
func (PValue) Kind() Kind        { return KindPValue }
func (v PValue) parts() []Scalar { return []Scalar{numeric(v.P), numeric(v.Log10)} }
func (v PValue) print(p printer) printed {
	f := printer{NumberFormat{Digits: pDigits}, p.minus}
	if smallest := Float(pSmallest); !v.P.Known() || v.P.Cmp(smallest) < 0 {
		return printed{main: "< " + f.number(smallest)}
	}
	return printed{main: f.number(v.P)}
}

func (v PValue) check() error {
	switch {
	case !v.P.Known() && (!v.Log10.Known() || v.Log10.Cmp(Float(math.Log10(pSmallest))) > 0):
		return fmt.Errorf("have no p and log10 p %q, want p, or the logarithm of a tiny one", v.Log10.Exact())
	case v.P.Known() && (v.P.Zero() || v.P.negative || v.P.Cmp(Int(1)) > 0):
		return fmt.Errorf("have p = %s, want 0 < p <= 1", v.P.Exact())
	}
	return nil
}
