package stats

import (
	"math"
	"testing"
)

// Known answers of the Random123 library (kat_vectors, philox4x64 10).
func TestPhiloxKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		counter [4]uint64
		k0, k1  uint64
		want    [4]uint64
	}{
		{[4]uint64{}, 0, 0, [4]uint64{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
		{[4]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}, math.MaxUint64, math.MaxUint64,
			[4]uint64{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
		{[4]uint64{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89}, 0x452821e638d01377, 0xbe5466cf34e90c6c,
			[4]uint64{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}},
	} {
		if got := philoxBlock(c.counter, c.k0, c.k1); got != c.want {
			t.Errorf("philox(%x) = %x, want %x", c.counter, got, c.want)
		}
	}
}

func TestBelowIsUniform(t *testing.T) {
	const n, draws = 7, 70000
	var counts [n]int
	g := newPhilox(1, 2)
	for range draws {
		counts[g.below(n)]++
	}
	var chi float64
	for _, c := range counts {
		d := float64(c) - draws/n
		chi += d * d / (draws / n)
	}
	if chi > 22.5 { // chi-squared with 6 df exceeds it with probability 0.001
		t.Errorf("chi-squared %.1f over %v", chi, counts)
	}
}
