package stats

import "math"

// A randomPart is the random effects of a mixed model in the form the solver
// uses: terms by falling number of levels, as lme4 orders them.
type randomPart struct {
	terms []randomBlock
	n     int
}

// A randomBlock is one term: r columns that vary by the levels of one factor.
type randomBlock struct {
	levels int
	codes  []int
	z      [][]float64 // r columns of n
	offset int         // first column in the rest of the system; -1 for the first term
}

// width is the number of columns of a term.
func (b randomBlock) width() int { return len(b.z) }

// thetas is the number of parameters of the terms: the lower triangles of their
// relative Cholesky factors, column by column.
func (p *randomPart) thetas() int {
	n := 0
	for _, t := range p.terms {
		n += t.width() * (t.width() + 1) / 2
	}
	return n
}

// factors unpacks theta into one lower triangle a term.
func (p *randomPart) factors(theta []float64) [][][]float64 {
	var out [][][]float64
	k := 0
	for _, t := range p.terms {
		l := square(t.width())
		for j := range t.width() {
			for i := j; i < t.width(); i++ {
				l[i][j] = theta[k]
				k++
			}
		}
		out = append(out, l)
	}
	return out
}

// restWidth is the number of random effects beyond the first term.
func (p *randomPart) restWidth() int {
	n := 0
	for _, t := range p.terms[1:] {
		n += t.levels * t.width()
	}
	return n
}

// A crossSystem holds Z'WZ and its products with further columns, with the first
// term's block diagonal kept apart: the cost of a factorization is that of the
// other terms, however many levels the first has (as in MixedModels.jl, Bates
// 2024).
type crossSystem struct {
	part    *randomPart
	first   [][][]float64 // one r x r block a level of the first term
	side    [][]float64   // products of the first term with the rest
	rest    [][]float64   // products of the rest, lower triangle
	pattern [][]int       // columns of side that a level of the first term meets
	owner   []int         // term of each column of the rest; -1 for a further column
}

// crossProducts forms the system of the random part and further columns.
// Weights may be nil.
func (p *randomPart) crossProducts(further [][]float64, weights []float64) *crossSystem {
	s := &crossSystem{part: p}
	s.layout(len(further))
	head := p.terms[0]
	s.first = make([][][]float64, head.levels)
	for l := range s.first {
		s.first[l] = square(head.width())
	}
	s.side = make([][]float64, head.levels*head.width())
	for i := range s.side {
		s.side[i] = make([]float64, len(s.owner))
	}
	s.rest = square(len(s.owner))
	met := make([][]bool, head.levels)
	for l := range met {
		met[l] = make([]bool, len(s.owner))
	}
	for i := range p.n {
		s.addRow(i, further, weights, met)
	}
	s.pattern = make([][]int, head.levels)
	for l, m := range met {
		for c, yes := range m {
			if yes {
				s.pattern[l] = append(s.pattern[l], c)
			}
		}
	}
	return s
}

// layout numbers the columns of the rest: the effects of every term but the first,
// then the further columns.
func (s *crossSystem) layout(further int) {
	at := 0
	for t := range s.part.terms {
		if t == 0 {
			s.part.terms[0].offset = -1
			continue
		}
		width := s.part.terms[t].levels * s.part.terms[t].width()
		s.part.terms[t].offset = at
		for range width {
			s.owner = append(s.owner, t)
		}
		at += width
	}
	for range further {
		s.owner = append(s.owner, -1)
	}
}

// addRow adds one row's products.
func (s *crossSystem) addRow(i int, further [][]float64, weights []float64, met [][]bool) {
	head := s.part.terms[0]
	w := 1.0
	if weights != nil {
		w = weights[i]
	}
	var columns []int
	var values []float64
	for _, t := range s.part.terms[1:] {
		for c := range t.width() {
			columns = append(columns, t.offset+t.codes[i]*t.width()+c)
			values = append(values, t.z[c][i])
		}
	}
	base := len(s.owner) - len(further)
	for k, f := range further {
		columns, values = append(columns, base+k), append(values, f[i])
	}
	l := head.codes[i]
	for a := range head.width() {
		za := head.z[a][i] * w
		for b := range head.width() {
			s.first[l][a][b] += za * head.z[b][i]
		}
		row := s.side[l*head.width()+a]
		for k, c := range columns {
			row[c] += za * values[k]
		}
	}
	for k, c := range columns {
		met[l][c] = true
		for j, d := range columns {
			if d <= c {
				s.rest[c][d] += w * values[k] * values[j]
			}
		}
	}
}

// A factoredSystem is the Cholesky factorization of Lambda'Z'WZ Lambda + I
// bordered by the further columns.
type factoredSystem struct {
	head   [][][]float64 // triangles of the first term's levels
	side   [][]float64   // first term's rows after elimination
	rest   [][]float64   // triangle of the rest, further columns last
	logDet float64       // log determinant of the random part
	lambda [][][]float64
}

// factor factorizes the system at the given relative Cholesky factors; ok is
// false where a further column depends on the others.
func (s *crossSystem) factor(lambda [][][]float64) (*factoredSystem, bool) {
	f := &factoredSystem{lambda: lambda}
	schur := s.scaledRest(lambda)
	r := s.part.terms[0].width()
	f.side = make([][]float64, len(s.side))
	for l := range s.first {
		block := times(times(transposed(lambda[0]), s.first[l]), lambda[0])
		for a := range block {
			block[a][a]++
		}
		triangle, ok := cholesky(block)
		if !ok {
			return nil, false
		}
		f.head = append(f.head, triangle)
		for a := range triangle {
			f.logDet += 2 * math.Log(triangle[a][a])
		}
		rows := s.eliminate(lambda, l, triangle)
		copy(f.side[l*r:], rows)
		subtractOuter(schur, rows, s.pattern[l])
	}
	var ok bool
	f.rest, ok = cholesky(schur)
	if !ok {
		return nil, false
	}
	for c, t := range s.owner {
		if t > 0 {
			f.logDet += 2 * math.Log(f.rest[c][c])
		}
	}
	return f, true
}

// eliminate gives L^-1 Lambda' A Lambda_rest for the rows of level l.
func (s *crossSystem) eliminate(lambda [][][]float64, l int, triangle [][]float64) [][]float64 {
	r := len(triangle)
	rows := make([][]float64, r)
	for a := range rows {
		rows[a] = make([]float64, len(s.owner))
		for b := a; b < r; b++ {
			x := lambda[0][b][a]
			for _, c := range s.pattern[l] {
				rows[a][c] += x * s.side[l*r+b][c]
			}
		}
		s.scaleRow(lambda, rows[a], s.pattern[l])
	}
	for a := range rows {
		for _, c := range s.pattern[l] {
			v := rows[a][c]
			for b := range a {
				v -= triangle[a][b] * rows[b][c]
			}
			rows[a][c] = v / triangle[a][a]
		}
	}
	return rows
}

// scaleRow multiplies a row by Lambda of the rest, in place; pattern lists whole
// blocks.
func (s *crossSystem) scaleRow(lambda [][][]float64, row []float64, pattern []int) {
	for i := 0; i < len(pattern); {
		t := s.owner[pattern[i]]
		if t < 0 {
			i++
			continue
		}
		r := s.part.terms[t].width()
		for j := range r { // ascending: entry j needs the old entries from j on
			v := 0.0
			for k := j; k < r; k++ {
				v += row[pattern[i+k]] * lambda[t][k][j]
			}
			row[pattern[i+j]] = v
		}
		i += r
	}
}

// scaledRest is Lambda'(rest)Lambda + I on the random columns.
func (s *crossSystem) scaledRest(lambda [][][]float64) [][]float64 {
	n := len(s.owner)
	out := square(n)
	all := make([]int, n)
	for c := range all {
		all[c] = c
		for d := range c + 1 {
			out[c][d], out[d][c] = s.rest[c][d], s.rest[c][d]
		}
	}
	for c := range out {
		s.scaleRow(lambda, out[c], all)
	}
	column := make([]float64, n)
	for d := range out {
		for c := range out {
			column[c] = out[c][d]
		}
		s.scaleRow(lambda, column, all)
		for c := range out {
			out[c][d] = column[c]
		}
	}
	for c, t := range s.owner {
		if t > 0 {
			out[c][c]++
		}
	}
	return out
}

// subtractOuter takes the products of the rows out of the lower triangle.
func subtractOuter(a, rows [][]float64, pattern []int) {
	for _, row := range rows {
		for i, c := range pattern {
			x := row[c]
			if x == 0 {
				continue
			}
			for _, d := range pattern[:i+1] {
				a[c][d] -= x * row[d]
			}
		}
	}
}
