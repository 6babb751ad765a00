package stats

import "math"

// A twofold is a sum kept in twice the working precision (Ogita, Rump and Oishi
// 2005, SIAM J. Sci. Comput. 26:1955).
type twofold struct{ high, low float64 }

// add adds x.
func (s *twofold) add(x float64) {
	t := s.high + x
	z := t - s.high
	s.low += (s.high - (t - z)) + (x - z)
	s.high = t
}

// addProduct adds the product a*b without rounding it first.
func (s *twofold) addProduct(a, b float64) {
	p := a * b
	s.add(p)
	s.low += math.FMA(a, b, -p)
}

// value is the sum rounded once.
func (s *twofold) value() float64 { return s.high + s.low }

// sumOf adds v in doubled precision, left to right.
func sumOf(v []float64) float64 {
	var s twofold
	for _, x := range v {
		s.add(x)
	}
	return s.value()
}

// dot is the inner product, in doubled precision.
func dot(a, b []float64) float64 {
	var s twofold
	for i, x := range a {
		s.addProduct(x, b[i])
	}
	return s.value()
}

// sumSquares is the squared length of v.
func sumSquares(v []float64) float64 { return dot(v, v) }

// square is an n by n matrix of zeros.
func square(n int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
	}
	return out
}
