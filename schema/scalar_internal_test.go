package schema

import (
	"math/big"
	"testing"
)

// FuzzExactUSD: the amounts read without rational numbers are those read with
// them, to the last decimal, and the usual spellings are among them.
func FuzzExactUSD(f *testing.F) {
	for _, s := range []string{"0", "-0", "0.000000001", "12.5", "-3.141592653", "999999999.999999999"} {
		if _, ok := exactUSD(s); !ok {
			f.Fatalf("%s: have no amount, want one", s)
		}
		f.Add(s)
	}
	for _, s := range []string{"", "-", ".5", "1.", "1e3", "0.0000000005", "1000000000", "--1", "1.-5", "+1"} {
		if u, ok := exactUSD(s); ok {
			f.Fatalf("%q: have %v, want it left to the other way", s, u)
		}
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, ok := exactUSD(s)
		if !ok {
			return
		}
		r, ok := new(big.Rat).SetString(s)
		if !ok {
			t.Fatalf("%q: have %v, want no number", s, u)
		}
		if want := roundHalfEven(r.Mul(r, big.NewRat(1e9, 1))); want.Int64() != int64(u) {
			t.Errorf("%q: have %d, want %d", s, int64(u), want)
		}
	})
}
