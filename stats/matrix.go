package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// cholesky is the lower triangle L of a positive definite matrix, A = LL'; ok
// is false where A is not positive definite to working precision.
func cholesky(a [][]float64) (l [][]float64, ok bool) {
	l = square(len(a))
	for i, row := range a {
		for j := range i {
			l[i][j] = (row[j] - plainDot(l[i][:j], l[j])) / l[j][j]
		}
		s := row[i] - plainDot(l[i][:i], l[i])
		if !(s > 1e-14*math.Abs(row[i])) {
			return nil, false
		}
		l[i][i] = math.Sqrt(s)
	}
	return l, true
}

// forward solves L x = b.
func forward(l [][]float64, b []float64) []float64 {
	x := append([]float64(nil), b...)
	for i := range x {
		for j := range i {
			x[i] -= l[i][j] * x[j]
		}
		x[i] /= l[i][i]
	}
	return x
}

// backward solves L' x = b.
func backward(l [][]float64, b []float64) []float64 {
	x := append([]float64(nil), b...)
	for i := len(x) - 1; i >= 0; i-- {
		for j := i + 1; j < len(x); j++ {
			x[i] -= l[j][i] * x[j]
		}
		x[i] /= l[i][i]
	}
	return x
}

// quadraticInverse is b' A^-1 b for a positive definite A.
func quadraticInverse(a [][]float64, b []float64) (float64, bool) {
	l, ok := cholesky(a)
	if !ok {
		return 0, false
	}
	return sumSquares(forward(l, b)), true
}

// inverseOf inverts a positive definite matrix.
func inverseOf(a [][]float64) ([][]float64, bool) {
	l, ok := cholesky(a)
	if !ok {
		return nil, false
	}
	out := square(len(a))
	for j := range out {
		e := make([]float64, len(a))
		e[j] = 1
		for i, v := range backward(l, forward(l, e)) {
			out[i][j] = v
		}
	}
	symmetrize(out)
	return out, true
}

// symmetrize replaces a by the mean of itself and its transpose.
func symmetrize(a [][]float64) {
	for i := range a {
		for j := range i {
			m := (a[i][j] + a[j][i]) / 2
			a[i][j], a[j][i] = m, m
		}
	}
}

// powerOf is the symmetric power of a symmetric matrix, with the directions
// whose eigenvalue is at most tolerance left out (Moore-Penrose).
func powerOf(a [][]float64, power, tolerance float64) [][]float64 {
	n := len(a)
	out := square(n)
	if n == 0 {
		return out
	}
	values, vectors := eigen(a)
	for k, v := range values {
		if v <= tolerance {
			continue
		}
		w := math.Pow(v, power)
		for i := range n {
			x := vectors[k][i] * w
			for j := range n {
				out[i][j] += x * vectors[k][j]
			}
		}
	}
	return out
}

// times is the matrix product.
func times(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i, row := range a {
		out[i] = make([]float64, len(b[0]))
		for k, x := range row {
			for j, y := range b[k] {
				out[i][j] += x * y
			}
		}
	}
	return out
}

// transposed is the transpose.
func transposed(a [][]float64) [][]float64 {
	if len(a) == 0 {
		return nil
	}
	out := make([][]float64, len(a[0]))
	for j := range out {
		out[j] = make([]float64, len(a))
		for i := range a {
			out[j][i] = a[i][j]
		}
	}
	return out
}

// apply is the product of a matrix and a vector.
func apply(a [][]float64, x []float64) []float64 {
	out := make([]float64, len(a))
	for i, row := range a {
		for j, v := range row {
			out[i] += v * x[j]
		}
	}
	return out
}

// form is x' A y.
func form(x []float64, a [][]float64, y []float64) float64 {
	s := 0.0
	for i, v := range apply(a, y) {
		s += x[i] * v
	}
	return s
}

// solveGeneral solves A Y = B by elimination with row pivoting; a singular A
// gives infinities.
func solveGeneral(a, b [][]float64) [][]float64 {
	n := len(a)
	m, y := make([][]float64, n), make([][]float64, n)
	for i := range n {
		m[i], y[i] = append([]float64(nil), a[i]...), append([]float64(nil), b[i]...)
	}
	for k := range n {
		best := k
		for i := k + 1; i < n; i++ {
			if math.Abs(m[i][k]) > math.Abs(m[best][k]) {
				best = i
			}
		}
		m[k], m[best], y[k], y[best] = m[best], m[k], y[best], y[k]
		for i := k + 1; i < n; i++ {
			f := m[i][k] / m[k][k]
			for j := k; j < n; j++ {
				m[i][j] -= f * m[k][j]
			}
			for j := range y[i] {
				y[i][j] -= f * y[k][j]
			}
		}
	}
	for k := n - 1; k >= 0; k-- {
		for j := range y[k] {
			for i := k + 1; i < n; i++ {
				y[k][j] -= m[k][i] * y[i][j]
			}
			y[k][j] /= m[k][k]
		}
	}
	return y
}

// addMatrices is the sum of two matrices.
func addMatrices(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = make([]float64, len(a[i]))
		for j := range a[i] {
			out[i][j] = a[i][j] + b[i][j]
		}
	}
	return out
}

// plainDot is the inner product in working precision, for inner loops.
func plainDot(a, b []float64) float64 {
	s := 0.0
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// maxAbs is the largest absolute value.
func maxAbs(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

// eigen gives the eigenvalues of a symmetric matrix, rising, and its eigenvectors.
func eigen(a [][]float64) (values []float64, vectors [][]float64) {
	n := len(a)
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, (a[i][j]+a[j][i])/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, true) {
		panic("stats: the eigenvalues of a symmetric matrix did not converge")
	}
	var v mat.Dense
	e.VectorsTo(&v)
	vectors = make([][]float64, n)
	for k := range vectors {
		vectors[k] = make([]float64, n)
		for i := range n {
			vectors[k][i] = v.At(i, k)
		}
	}
	return e.Values(nil), vectors
}

// traceOf is the trace of the product.
func traceOf(a, b [][]float64) float64 {
	s := 0.0
	for i := range a {
		for j := range b {
			s += a[i][j] * b[j][i]
		}
	}
	return s
}

// unit is the j-th unit vector.
func unit(n, j int) []float64 {
	v := make([]float64, n)
	v[j] = 1
	return v
}
