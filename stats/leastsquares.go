package stats

import "math"

// rankTolerance is the share of a column's own length that must remain after
// the columns before it are taken out for it to count as independent. NIST's
// Filip set, whose columns are real but nearly dependent, stays at full rank.
const rankTolerance = 1e-11

// A factorization is the thin QR decomposition of the weighted columns of a
// design: the columns kept, in order, satisfy W^(1/2) X = Q R.
//
// With an intercept the other columns are centred first, and every column is
// scaled to unit length, so that the triangle is as well conditioned as the
// data allow (Björck 1996, Numerical Methods for Least Squares Problems, 2.7).
// A column that depends on those before it is set aside, as R's lm does.
type factorization struct {
	kept []int       // columns of X in R's order, a subset of 0..p-1, rising
	q    [][]float64 // orthonormal columns, one a kept column
	r    [][]float64 // upper triangle, rank x rank, of the uncentred, unscaled columns
	root []float64   // square roots of the weights, nil when all are one
	cols [][]float64 // the design's own columns
}

// factorize decomposes the columns; with intercept, columns[0] is the constant.
// Weights may be nil.
func factorize(columns [][]float64, weights []float64, intercept bool) *factorization {
	f := &factorization{cols: columns}
	if weights != nil {
		f.root = make([]float64, len(weights))
		for i, w := range weights {
			f.root[i] = math.Sqrt(w)
		}
	}
	work, means := f.prepared(weights, intercept)
	first := 0
	if intercept {
		first = 1
	}
	h := newHouseholder(work[first:])
	f.assemble(h, means, intercept, first)
	return f
}

// prepared weighs and, with an intercept, centres the columns.
func (f *factorization) prepared(weights []float64, intercept bool) (work [][]float64, means []float64) {
	means = make([]float64, len(f.cols))
	work = make([][]float64, len(f.cols))
	for j, c := range f.cols {
		v := append([]float64(nil), c...)
		if intercept && j > 0 {
			means[j] = centre(v, weights)
		}
		f.weigh(v)
		work[j] = v
	}
	return work, means
}

// weigh multiplies v by the square roots of the weights.
func (f *factorization) weigh(v []float64) {
	if f.root == nil {
		return
	}
	for i := range v {
		v[i] *= f.root[i]
	}
}

// assemble puts the intercept and the centred columns together.
func (f *factorization) assemble(h *householder, means []float64, intercept bool, first int) {
	q := h.thinQ()
	if intercept && len(f.cols[0]) > 0 {
		one := append([]float64(nil), f.cols[0]...)
		f.weigh(one)
		length := math.Sqrt(sumSquares(one))
		for i := range one {
			one[i] /= length
		}
		f.kept, f.q = append(f.kept, 0), append(f.q, one)
		f.r = append(f.r, []float64{length})
		for _, k := range h.kept {
			f.r[0] = append(f.r[0], length*means[k+first])
		}
	}
	for i, k := range h.kept {
		f.kept = append(f.kept, k+first)
		f.q = append(f.q, q[i])
		row := make([]float64, first+len(h.kept))
		if !intercept {
			row = row[:len(h.kept)]
		}
		for j := i; j < len(h.kept); j++ {
			row[j+first] = h.r[j][i] * h.scale[h.kept[j]]
		}
		f.r = append(f.r, row)
	}
}

// rank is the number of independent columns.
func (f *factorization) rank() int { return len(f.kept) }

// solve finds the least squares coefficients of the kept columns and the
// weighted residuals, refined on the augmented system with residuals in twice
// the working precision (Björck 1967, BIT 7:257).
func (f *factorization) solve(y []float64) (beta, residuals []float64) {
	beta = make([]float64, f.rank())
	residuals = make([]float64, len(y))
	for range 3 {
		top, bottom := f.defects(y, beta, residuals)
		d := f.solveTransposed(bottom)
		c := f.project(top)
		step := make([]float64, len(c))
		for i := range c {
			step[i] = c[i] - d[i]
		}
		for i, v := range f.solveUpper(step) {
			beta[i] += v
		}
		f.correct(residuals, top, step)
	}
	return beta, residuals
}

// correct adds top - Q step to the residuals.
func (f *factorization) correct(residuals, top, step []float64) {
	for i := range residuals {
		v := top[i]
		for j, q := range f.q {
			v -= q[i] * step[j]
		}
		residuals[i] += v
	}
}

// defects are y - r - X beta and -X'r, both with the weights in, accumulated in
// doubled precision.
func (f *factorization) defects(y, beta, r []float64) (top, bottom []float64) {
	top = make([]float64, len(y))
	for i := range y {
		var s twofold
		s.add(y[i])
		for k, j := range f.kept {
			s.addProduct(-f.cols[j][i], beta[k])
		}
		if f.root != nil {
			top[i] = s.value()*f.root[i] - r[i]
			continue
		}
		s.add(-r[i])
		top[i] = s.value()
	}
	bottom = make([]float64, len(f.kept))
	for k, j := range f.kept {
		var s twofold
		for i, x := range f.cols[j] {
			if f.root != nil {
				x *= f.root[i]
			}
			s.addProduct(-x, r[i])
		}
		bottom[k] = s.value()
	}
	return top, bottom
}

// project gives Q'v.
func (f *factorization) project(v []float64) []float64 {
	out := make([]float64, len(f.q))
	for j, q := range f.q {
		out[j] = dot(q, v)
	}
	return out
}

// solveUpper solves R x = b.
func (f *factorization) solveUpper(b []float64) []float64 {
	x := append([]float64(nil), b...)
	for i := len(x) - 1; i >= 0; i-- {
		for j := i + 1; j < len(x); j++ {
			x[i] -= f.r[i][j] * x[j]
		}
		x[i] /= f.r[i][i]
	}
	return x
}

// solveTransposed solves R'x = b.
func (f *factorization) solveTransposed(b []float64) []float64 {
	x := append([]float64(nil), b...)
	for i := range x {
		for j := range i {
			x[i] -= f.r[j][i] * x[j]
		}
		x[i] /= f.r[i][i]
	}
	return x
}

// inverse gives (X'WX)^-1 of the kept columns.
func (f *factorization) inverse() [][]float64 {
	n := f.rank()
	rows := make([][]float64, n) // rows[j] solves R x = e_j: column j of R^-1
	for j := range n {
		e := make([]float64, n)
		e[j] = 1
		rows[j] = f.solveUpper(e)
	}
	out := square(n)
	for a := range n {
		for b := range n {
			for j := max(a, b); j < n; j++ {
				out[a][b] += rows[j][a] * rows[j][b]
			}
		}
	}
	return out
}

// A householder is a QR decomposition by Householder reflections that sets a
// column aside when too little of it is left (LINPACK's limited pivoting).
type householder struct {
	n     int
	kept  []int
	v     [][]float64 // reflection vectors, one a kept column
	r     [][]float64 // r[j] is the j-th kept column of the triangle
	scale []float64   // the length each column was divided by
}

// newHouseholder decomposes the columns, which it overwrites.
func newHouseholder(columns [][]float64) *householder {
	h := &householder{scale: make([]float64, len(columns))}
	if len(columns) > 0 {
		h.n = len(columns[0])
	}
	for j, c := range columns {
		h.scale[j] = math.Sqrt(sumSquares(c))
		if h.scale[j] == 0 {
			continue
		}
		for i := range c {
			c[i] /= h.scale[j]
		}
		h.take(j, c)
	}
	return h
}

// take reflects a column of unit length and keeps it if it is independent.
func (h *householder) take(j int, c []float64) {
	for k, v := range h.v {
		reflect(v, c, k)
	}
	k := len(h.v)
	if k >= h.n {
		return
	}
	left := math.Sqrt(sumSquares(c[k:]))
	if left < rankTolerance {
		return
	}
	alpha := -math.Copysign(left, c[k])
	v := append([]float64(nil), c[k:]...)
	v[0] -= alpha
	length := math.Sqrt(sumSquares(v))
	for i := range v {
		v[i] /= length
	}
	h.v = append(h.v, v)
	h.r = append(h.r, append(append([]float64(nil), c[:k]...), alpha))
	h.kept = append(h.kept, j)
}

// thinQ forms the orthonormal columns.
func (h *householder) thinQ() [][]float64 {
	q := make([][]float64, len(h.v))
	for j := range q {
		e := make([]float64, h.n)
		e[j] = 1
		for k := len(h.v) - 1; k >= 0; k-- {
			reflect(h.v[k], e, k)
		}
		q[j] = e
	}
	return q
}

// reflect applies I - 2vv' to c from row k on.
func reflect(v, c []float64, k int) {
	s := 2 * dot(v, c[k:])
	for i, x := range v {
		c[k+i] -= s * x
	}
}

// centre takes the (weighted) mean out of v in two passes and returns it.
func centre(v, weights []float64) float64 {
	total := 0.0
	for range 2 {
		m := weightedMean(v, weights)
		total += m
		for i := range v {
			v[i] -= m
		}
	}
	return total
}

// weightedMean is the mean of v under the weights, or the plain mean when they are nil.
func weightedMean(v, weights []float64) float64 {
	var s, w twofold
	for i, x := range v {
		if weights == nil {
			s.add(x)
			w.add(1)
			continue
		}
		s.addProduct(x, weights[i])
		w.add(weights[i])
	}
	return s.value() / w.value()
}
