package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// A KenwardRoger is the small-sample correction of a restricted maximum
// likelihood fit: a larger covariance of the fixed effects, and scaled F tests.
type KenwardRoger struct {
	// Vcov is the adjusted covariance over the kept coefficients.
	Vcov [][]float64

	fit    *MixedFit
	phi    [][]float64   // unadjusted, in the basis of the orthonormal columns
	change [][][]float64 // P of every variance parameter, in that basis
	weight [][]float64   // covariance of the variance parameters
}

// KenwardRoger computes the correction (Kenward and Roger 1997, Biometrics
// 53:983; Halekoh and Højsgaard 2014, JSS 59:9). It holds for REML fits; for
// others, and where the information on the variances is singular, it is
// Undefined. The cost grows with the cube of the number of random effects.
func (f *MixedFit) KenwardRoger() (*KenwardRoger, Reason) {
	if f.Reason != "" {
		return nil, f.Reason
	}
	if !f.REML {
		return nil, Undefined
	}
	s := newMoments(f)
	k := &KenwardRoger{fit: f}
	k.phi, _ = inverseOf(s.block(s.first, s.fixed(), s.fixed()))
	n := len(s.parameters) + 1
	for r := range n {
		k.change = append(k.change, s.changeOf(r))
	}
	information := square(n)
	second := make([][][][]float64, n)
	for a := range n {
		second[a] = make([][][]float64, n)
		for b := range n {
			second[a][b] = s.secondOf(a, b)
			pp := times(times(k.phi, k.change[a]), times(k.phi, k.change[b]))
			information[a][b] = s.traceOf(a, b) - 2*traceOf(k.phi, second[a][b]) + traceOf(pp, scaledIdentity(len(pp), 1))
		}
	}
	symmetrize(information)
	inverse, ok := inverseOf(information)
	if !ok {
		return nil, Undefined
	}
	k.weight = inverse
	for a := range n {
		for b := range n {
			k.weight[a][b] *= 2
		}
	}
	k.adjust(second)
	return k, ""
}

// adjust forms the adjusted covariance.
func (k *KenwardRoger) adjust(second [][][][]float64) {
	p := len(k.phi)
	u := square(p)
	for a := range k.change {
		for b := range k.change {
			pp := times(times(k.change[a], k.phi), k.change[b])
			for i := range p {
				for j := range p {
					u[i][j] += k.weight[a][b] * (second[a][b][i][j] - pp[i][j])
				}
			}
		}
	}
	symmetrize(u)
	extra := times(times(k.phi, u), k.phi)
	adjusted := square(p)
	for i := range p {
		for j := range p {
			adjusted[i][j] = k.phi[i][j] + 2*extra[i][j]
		}
	}
	k.Vcov = square(p)
	for i := range p {
		for j := range p {
			k.Vcov[i][j] = form(k.rotate(unit(p, i)), adjusted, k.rotate(unit(p, j)))
		}
	}
}

// rotate takes a contrast of coefficients to the basis of the orthonormal columns.
func (k *KenwardRoger) rotate(c []float64) []float64 { return k.fit.model.qr.solveTransposed(c) }

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

// Wald is the scaled F test that contrasts of the kept coefficients are all zero.
func (k *KenwardRoger) Wald(name string, contrasts [][]float64) TermTest {
	q := len(contrasts)
	est, adjusted, plain := make([]float64, q), square(q), square(q)
	rotated := make([][]float64, q)
	for i, c := range contrasts {
		est[i] = plainDot(c, k.fit.beta)
		rotated[i] = k.rotate(c)
	}
	for i := range q {
		for j := range q {
			adjusted[i][j] = form(contrasts[i], k.Vcov, contrasts[j])
			plain[i][j] = form(rotated[i], k.phi, rotated[j])
		}
	}
	chi, ok := quadraticInverse(adjusted, est)
	inverse, fine := inverseOf(plain)
	if !ok || !fine {
		return TermTest{Name: name, DF1: float64(q), Reason: Undefined}
	}
	df, scale := k.denominator(times(times(transposed(rotated), inverse), rotated), float64(q))
	if !(df > 0) {
		return TermTest{Name: name, DF1: float64(q), Reason: Undefined}
	}
	f := scale * chi / float64(q)
	return TermTest{Name: name, Statistic: f, DF1: float64(q), DF2: df, P: dist.FSurvival(f, float64(q), df)}
}

// denominator matches the moments of the statistic to those of a scaled F.
func (k *KenwardRoger) denominator(theta [][]float64, q float64) (df, scale float64) {
	a1, a2 := 0.0, 0.0
	parts := make([][][]float64, len(k.change))
	for r, p := range k.change {
		parts[r] = times(times(times(theta, k.phi), p), k.phi)
	}
	identity := scaledIdentity(len(k.phi), 1)
	for r := range parts {
		for s := range parts {
			w := k.weight[r][s]
			a1 += w * traceOf(parts[r], identity) * traceOf(parts[s], identity)
			a2 += w * traceOf(parts[r], parts[s])
		}
	}
	b := (a1 + 6*a2) / (2 * q)
	g := ((q+1)*a1 - (q+4)*a2) / ((q + 2) * a2)
	d := 3*q + 2*(1-g)
	v0, v1, v2 := 1+g/d*b, 1-(q-g)/d*b, 1-(q+2-g)/d*b
	if math.Abs(v0) < 1e-10 {
		v0 = 0
	}
	ratio := 1.0
	if numerator := 1 - a2/q; math.Abs(numerator) > 1e-14 || math.Abs(v1) > 1e-14 {
		ratio = numerator / v1
	}
	rho := ratio * ratio * v0 / v2 / q
	df = 4 + (q+2)/(q*rho-1)
	scale = 1
	if math.Abs(df-2) >= 1e-2 {
		scale = df * (1 - a2/q) / (df - 2)
	}
	return df, scale
}

// Coefficients tests the kept coefficients with adjusted errors.
func (k *KenwardRoger) Coefficients(level float64) []Coefficient {
	out := make([]Coefficient, len(k.fit.Kept))
	for i, j := range k.fit.Kept {
		c := Coefficient{Name: k.fit.Design.Columns[j].Name, Estimate: k.fit.beta[i], StdErr: math.Sqrt(k.Vcov[i][i])}
		test := k.Wald(c.Name, [][]float64{unit(len(out), i)})
		c.DF, c.Uncertain = test.DF2, test.Reason
		if c.Uncertain == "" {
			c.test(level, "kenward-roger t")
		}
		out[i] = c
	}
	return out
}

// Terms tests the terms of the fixed part by type III hypotheses.
func (k *KenwardRoger) Terms() []MixedTermTest {
	var out []MixedTermTest
	for t := range k.fit.Design.Terms {
		name := k.fit.Design.Terms[t].String()
		rows, why := k.fit.hypothesis(t, SumTypeIII)
		if why != "" {
			out = append(out, MixedTermTest{Test: TermTest{Name: name, Reason: why}})
			continue
		}
		test := k.Wald(name, rows)
		ms := test.Statistic * k.fit.Sigma * k.fit.Sigma
		out = append(out, MixedTermTest{Test: test, MS: ms, SS: ms * test.DF1})
	}
	return out
}
