package stats

// moments holds the products B'V^-k B of the columns B of random and fixed part.
type moments struct {
	first, second, third [][]float64
	parameters           [][][2][]int // of each variance parameter, pairs of column sets
	random, columns      int
	squaredTrace         float64 // trace of V^-2
}

// newMoments forms them; V^-1 maps the span of B to itself.
func newMoments(f *MixedFit) *moments {
	s := &moments{}
	part := f.model.part
	var columns [][]float64
	lambda := part.factors(f.Theta)
	var blocks [][]int
	for _, t := range part.terms {
		for a := range t.width() {
			var set []int
			for l := range t.levels {
				v := make([]float64, part.n)
				for i, c := range t.codes {
					if c == l {
						v[i] = t.z[a][i]
					}
				}
				set = append(set, len(columns))
				columns = append(columns, v)
			}
			blocks = append(blocks, set)
		}
		s.pairs(blocks[len(blocks)-t.width():])
	}
	s.random = len(columns)
	columns = append(columns, f.model.qr.q...)
	s.columns = len(columns)
	gram := grams(columns)
	relative := relativeCovariance(part, lambda, s.random)
	s.powers(gram, relative, f.Sigma*f.Sigma, part.n)
	return s
}

// pairs lists the variance parameters of one term: each variance, then each
// covariance.
func (s *moments) pairs(sets [][]int) {
	for i := range sets {
		for j := range i + 1 {
			p := [][2][]int{{sets[i], sets[j]}}
			if i != j {
				p = append(p, [2][]int{sets[j], sets[i]})
			}
			s.parameters = append(s.parameters, p)
		}
	}
}

// grams is B'B.
func grams(columns [][]float64) [][]float64 {
	out := square(len(columns))
	for i, a := range columns {
		for j := range i + 1 {
			v := plainDot(a, columns[j])
			out[i][j], out[j][i] = v, v
		}
	}
	return out
}

// relativeCovariance is Lambda Lambda' over all random effects, whose columns are
// ordered by term, effect and level.
func relativeCovariance(part *randomPart, lambda [][][]float64, n int) [][]float64 {
	out := square(n)
	at := 0
	for t, block := range part.terms {
		cov := times(lambda[t], transposed(lambda[t]))
		for a := range cov {
			for b := range cov {
				for l := range block.levels {
					out[at+a*block.levels+l][at+b*block.levels+l] = cov[a][b]
				}
			}
		}
		at += block.width() * block.levels
	}
	return out
}

// powers fills in the products. With G = Z'Z and S the relative covariance,
// V^-1 = (I - Z (I + S G)^-1 S Z') / sigma^2.
func (s *moments) powers(gram, relative [][]float64, sigma2 float64, n int) {
	q := s.random
	g := square(q)
	for i := range q {
		copy(g[i], gram[i][:q])
	}
	left := times(relative, g)
	for i := range q {
		left[i][i]++
	}
	inner := solveGeneral(left, relative) // (I + S G)^-1 S
	step := square(s.columns)
	for i := range s.columns {
		step[i][i] = 1
	}
	for i := range q {
		for j := range s.columns {
			for k := range q {
				step[i][j] -= inner[i][k] * gram[k][j]
			}
		}
	}
	for i := range step {
		for j := range step {
			step[i][j] /= sigma2
		}
	}
	s.first = times(gram, step)
	s.second = times(s.first, step)
	s.third = times(s.second, step)
	shrink := times(inner, g) // its trace is that of Z(..)Z'
	trace, squares := 0.0, 0.0
	for i := range q {
		trace += shrink[i][i]
	}
	squares = traceOf(shrink, shrink)
	s.squaredTrace = (float64(n) - 2*trace + squares) / (sigma2 * sigma2)
}

// fixed are the columns of the fixed part.
func (s *moments) fixed() []int {
	out := make([]int, s.columns-s.random)
	for i := range out {
		out[i] = s.random + i
	}
	return out
}

// block takes rows and columns of a matrix.
func (s *moments) block(a [][]float64, rows, columns []int) [][]float64 {
	out := make([][]float64, len(rows))
	for i, r := range rows {
		out[i] = make([]float64, len(columns))
		for j, c := range columns {
			out[i][j] = a[r][c]
		}
	}
	return out
}

// changeOf is P = -X'V^-1 G V^-1 X of a variance parameter, the residual's last.
func (s *moments) changeOf(r int) [][]float64 {
	x := s.fixed()
	out := square(len(x))
	if r == len(s.parameters) {
		subtract(out, s.block(s.second, x, x))
		return out
	}
	for _, p := range s.parameters[r] {
		subtract(out, times(s.block(s.first, x, p[0]), s.block(s.first, p[1], x)))
	}
	return out
}

// secondOf is Q = X'V^-1 G_r V^-1 G_s V^-1 X.
func (s *moments) secondOf(r, t int) [][]float64 {
	x, last := s.fixed(), len(s.parameters)
	out := square(len(x))
	switch {
	case r == last && t == last:
		subtract(out, s.block(s.third, x, x))
	case t == last:
		for _, p := range s.parameters[r] {
			subtract(out, times(s.block(s.first, x, p[0]), s.block(s.second, p[1], x)))
		}
	case r == last:
		for _, p := range s.parameters[t] {
			subtract(out, times(s.block(s.second, x, p[0]), s.block(s.first, p[1], x)))
		}
	default:
		for _, p := range s.parameters[r] {
			for _, k := range s.parameters[t] {
				middle := times(s.block(s.first, p[1], k[0]), s.block(s.first, k[1], x))
				subtract(out, times(s.block(s.first, x, p[0]), middle))
			}
		}
	}
	for i := range out {
		for j := range out {
			out[i][j] = -out[i][j]
		}
	}
	return out
}

// traceOf is the trace of V^-1 G_r V^-1 G_s.
func (s *moments) traceOf(r, t int) float64 {
	last := len(s.parameters)
	if r == last && t == last {
		return s.squaredTrace
	}
	if r == last {
		r, t = t, r
	}
	total := 0.0
	for _, p := range s.parameters[r] {
		if t == last {
			for i := range p[0] {
				total += s.second[p[1][i]][p[0][i]]
			}
			continue
		}
		for _, k := range s.parameters[t] {
			total += traceOf(s.block(s.first, p[1], k[0]), s.block(s.first, k[1], p[0]))
		}
	}
	return total
}

// subtract takes b from a in place.
func subtract(a, b [][]float64) {
	for i := range a {
		for j := range a[i] {
			a[i][j] -= b[i][j]
		}
	}
}
