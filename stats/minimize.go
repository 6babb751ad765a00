package stats

import (
	"math"
	"slices"
)

// minimize finds a minimum of a smooth function: quasi-Newton steps (BFGS) on
// numerical gradients, then Newton steps on numerical second derivatives to take
// the end to the precision of the function. ok is false where the function has
// no finite value at the end.
func minimize(f func([]float64) float64, start []float64) (x []float64, ok bool) {
	x, value := quasiNewton(f, start)
	for range 10 {
		g, h := derivatives(f, x, 1e-3)
		step, ok := newtonStep(g, h)
		if !ok {
			break
		}
		next, v := shorten(f, x, step, value)
		if next == nil {
			break
		}
		done := maxAbs(step) < 1e-8
		x, value = next, min(v, value)
		if done {
			break
		}
	}
	return x, !math.IsNaN(value) && !math.IsInf(value, 0)
}

// shorten halves a step until the function does not rise beyond rounding.
func shorten(f func([]float64) float64, x, step []float64, value float64) ([]float64, float64) {
	for range 20 {
		next := added(x, step, -1)
		if v := f(next); v <= value+1e-12*math.Abs(value) {
			return next, v
		}
		for k := range step {
			step[k] /= 2
		}
	}
	return nil, value
}

// quasiNewton runs BFGS with backtracking from start.
func quasiNewton(f func([]float64) float64, start []float64) (x []float64, value float64) {
	n := len(start)
	x, value = slices.Clone(start), f(start)
	g := gradient(f, x)
	inverse := scaledIdentity(n, 1/max(1, maxAbs(g)))
	for range 200 {
		step := apply(inverse, g)
		slope := plainDot(step, g)
		if slope <= 0 {
			inverse = scaledIdentity(n, 1/max(1, maxAbs(g)))
			step = apply(inverse, g)
			slope = plainDot(step, g)
		}
		if slope < 1e-10*(1+math.Abs(value))*1e-2 {
			break
		}
		next, v := backtrack(f, x, step, value, slope)
		if next == nil {
			break
		}
		after := gradient(f, next)
		update(inverse, added(next, x, -1), added(after, g, -1))
		x, value, g = next, v, after
	}
	return x, value
}

// backtrack halves a step until it lowers the function enough.
func backtrack(f func([]float64) float64, x, step []float64, value, slope float64) ([]float64, float64) {
	size := 1.0
	for range 40 {
		next := added(x, step, -size)
		if v := f(next); v <= value-1e-4*size*slope {
			return next, v
		}
		size /= 2
	}
	return nil, value
}

// update is the BFGS update of an inverse Hessian for a move and the change of
// the gradient over it.
func update(inverse [][]float64, move, change []float64) {
	curvature := plainDot(move, change)
	if curvature <= 1e-12 {
		return
	}
	hy := apply(inverse, change)
	factor := (1 + plainDot(change, hy)/curvature) / curvature
	for i := range inverse {
		for j := range inverse {
			inverse[i][j] += factor*move[i]*move[j] - (hy[i]*move[j]+move[i]*hy[j])/curvature
		}
	}
}

// scaledIdentity is s times the identity.
func scaledIdentity(n int, s float64) [][]float64 {
	out := square(n)
	for i := range out {
		out[i][i] = s
	}
	return out
}

// gradient is by central differences.
func gradient(f func([]float64) float64, x []float64) []float64 {
	g := make([]float64, len(x))
	for i := range x {
		e := 1e-4 * max(1, math.Abs(x[i]))
		y := slices.Clone(x)
		y[i] = x[i] + e
		up := f(y)
		y[i] = x[i] - e
		g[i] = (up - f(y)) / (2 * e)
	}
	return g
}

// newtonStep solves h step = g with the absolute values of the curvatures, so
// that it leads downhill; flat directions are left out.
func newtonStep(g []float64, h [][]float64) ([]float64, bool) {
	if !finite(h) {
		return nil, false
	}
	values, vectors := eigen(h)
	step := make([]float64, len(g))
	for k, v := range values {
		if math.Abs(v) <= 1e-8*largestEntry(h) {
			continue
		}
		w := plainDot(vectors[k], g) / math.Abs(v)
		for i := range step {
			step[i] += w * vectors[k][i]
		}
	}
	return step, true
}

// finite reports whether every entry is a number.
func finite(a [][]float64) bool {
	for _, row := range a {
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}

// largestEntry is the largest absolute entry of a matrix.
func largestEntry(a [][]float64) float64 {
	m := 0.0
	for _, row := range a {
		m = max(m, maxAbs(row))
	}
	return m
}

// derivatives are central differences of order four for the gradient and the
// diagonal of the Hessian, and of order two for the rest; step is relative to
// max(1, |x|).
func derivatives(f func([]float64) float64, x []float64, step float64) (g []float64, h [][]float64) {
	n := len(x)
	g, h = make([]float64, n), square(n)
	at := func(i int, a float64, j int, b float64) float64 {
		y := slices.Clone(x)
		y[i] += a
		y[j] += b
		return f(y)
	}
	size := make([]float64, n)
	for i := range x {
		size[i] = step * max(1, math.Abs(x[i]))
	}
	centre := f(x)
	for i := range x {
		e := size[i]
		p1, m1, p2, m2 := at(i, e, i, 0), at(i, -e, i, 0), at(i, 2*e, i, 0), at(i, -2*e, i, 0)
		g[i] = (8*(p1-m1) - (p2 - m2)) / (12 * e)
		h[i][i] = (16*(p1+m1) - (p2 + m2) - 30*centre) / (12 * e * e)
		for j := range i {
			d := size[j]
			h[i][j] = (at(i, e, j, d) - at(i, e, j, -d) - at(i, -e, j, d) + at(i, -e, j, -d)) / (4 * e * d)
			h[j][i] = h[i][j]
		}
	}
	return g, h
}
