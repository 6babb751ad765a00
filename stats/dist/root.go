package dist

import "math"

// FallingRoot is the root of a falling function f between lo and hi, where
// f(lo) >= 0 >= f(hi) (Ridders, IEEE Trans. Circuits Syst. 26 (1979) 979-980).
func FallingRoot(f func(float64) float64, lo, hi float64) float64 {
	flo, fhi := f(lo), f(hi)
	for range 200 {
		if flo == 0 {
			return lo
		}
		if fhi == 0 {
			return hi
		}
		mid := lo + (hi-lo)/2
		fm := f(mid)
		x := mid + (mid-lo)*math.Copysign(1, flo-fhi)*fm/math.Sqrt(fm*fm-flo*fhi)
		fx := f(x)
		if fx == 0 {
			return x
		}
		switch {
		case math.Signbit(fm) != math.Signbit(fx):
			lo, flo, hi, fhi = mid, fm, x, fx
		case math.Signbit(flo) != math.Signbit(fx):
			hi, fhi = x, fx
		default:
			lo, flo = x, fx
		}
		if lo > hi {
			lo, hi, flo, fhi = hi, lo, fhi, flo
		}
		if hi-lo <= 1e-14*math.Max(1, math.Abs(lo)) {
			break
		}
	}
	return lo + (hi-lo)/2
}
