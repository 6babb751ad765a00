package stats

import (
	"math"
)

// degenerate fills in what a response without residual variation has.
func (f *MixedFit) degenerate() {
	f.Reason = NoVariation
	f.beta, _ = f.model.qr.solve(f.model.y)
	f.Theta = make([]float64, f.model.part.thetas())
	for _, c := range f.Design.Columns {
		f.Coefficients = append(f.Coefficients, Coefficient{Name: c.Name, Reason: Aliased})
	}
	for k, j := range f.Kept {
		f.Coefficients[j] = Coefficient{Name: f.Design.Columns[j].Name, Estimate: f.beta[k], Uncertain: NoVariation}
	}
}

// fill derives the estimates at the optimum.
func (f *MixedFit) fill() {
	m := f.model
	p, _ := m.at(f.Theta)
	f.Criterion, _ = m.criterion(f.Theta)
	f.LogLik = -f.Criterion / 2
	parameters := float64(m.qr.rank() + len(f.Theta) + 1)
	f.AIC, f.BIC = f.Criterion+2*parameters, f.Criterion+math.Log(float64(f.N))*parameters
	f.Sigma = math.Sqrt(p.rss / m.df())
	f.Vcov = m.fixedCovariance(p.factored)
	for i := range f.Vcov {
		for j := range f.Vcov {
			f.Vcov[i][j] *= f.Sigma * f.Sigma
		}
	}
	u, gamma := p.factored.solution(m.part, m.qr.rank())
	for k := range gamma {
		gamma[k] += m.shift[k]
	}
	f.beta = m.qr.solveUpper(gamma)
	f.effects(p.factored, u)
	f.components(p.factored.lambda)
	f.predictions()
}

// fixedCovariance is (X'V^-1X)^-1 in units of sigma squared.
func (m *mixedModel) fixedCovariance(f *factoredSystem) [][]float64 {
	p := m.qr.rank()
	at := len(f.rest) - 1 - p
	block := square(p)
	for i := range p {
		for j := range i + 1 {
			block[i][j] = f.rest[at+i][at+j]
		}
	}
	// cov = R^-1 (LL')^-1 R^-T with L the triangle of the orthonormal columns.
	half := make([][]float64, p) // half[k] = L^-1 R^-T e_k
	for k := range p {
		e := make([]float64, p)
		e[k] = 1
		half[k] = forward(block, m.qr.solveTransposed(e))
	}
	out := square(p)
	for i := range p {
		for j := range p {
			out[i][j] = plainDot(half[i], half[j])
		}
	}
	return out
}

// solution gives the spherical random effects, terms in order, and the
// coefficients of the orthonormal columns.
func (f *factoredSystem) solution(part *randomPart, p int) (u [][]float64, gamma []float64) {
	last := len(f.rest) - 1
	x := append([]float64(nil), f.rest[last][:last]...)
	for i := last - 1; i >= 0; i-- {
		x[i] /= f.rest[i][i]
		for j := range i {
			x[j] -= f.rest[i][j] * x[i]
		}
	}
	gamma = x[last-p:]
	head := part.terms[0]
	first := make([]float64, head.levels*head.width())
	for l := range head.levels {
		b := make([]float64, head.width())
		for a := range b {
			row := f.side[l*head.width()+a]
			b[a] = row[last] - plainDot(row[:last], x)
		}
		copy(first[l*head.width():], backward(f.head[l], b))
	}
	u = append(u, first)
	for _, t := range part.terms[1:] {
		u = append(u, x[t.offset:t.offset+t.levels*t.width()])
	}
	return u, gamma
}

// effects turns spherical effects into conditional modes and their errors.
func (f *MixedFit) effects(factored *factoredSystem, u [][]float64) {
	sd := f.model.conditionalSD(factored)
	for t, block := range f.model.part.terms {
		group := f.model.sorted[t]
		e := RandomEffects{Group: group.Group.Name, Levels: group.Group.Levels, Effects: group.effects()}
		r := block.width()
		for l := range block.levels {
			e.Modes = append(e.Modes, apply(factored.lambda[t], u[t][l*r:(l+1)*r]))
			row := make([]float64, r)
			for a := range row {
				row[a] = f.Sigma * sd[t][l][a]
			}
			e.CondSD = append(e.CondSD, row)
		}
		f.Random = append(f.Random, e)
	}
}

// effects names a term's effects.
func (t RandomTerm) effects() []string {
	var out []string
	if !t.NoIntercept {
		out = append(out, "(Intercept)")
	}
	for _, s := range t.Slopes {
		out = append(out, s.Name)
	}
	return out
}

// conditionalSD are the conditional standard deviations of the effects, over
// sigma, the fixed part being known.
func (m *mixedModel) conditionalSD(f *factoredSystem) [][][]float64 {
	width := m.part.restWidth()
	triangle := make([][]float64, width)
	for i := range triangle {
		triangle[i] = f.rest[i][:width]
	}
	out := make([][][]float64, len(m.part.terms))
	head := m.part.terms[0]
	r := head.width()
	for l := range head.levels {
		var columns [][]float64 // of the root of the covariance of u at this level
		inverse := make([][]float64, r)
		for a := range r {
			e := make([]float64, r)
			e[a] = 1
			inverse[a] = backward(f.head[l], e) // column a of L^-T
			columns = append(columns, inverse[a])
		}
		if width > 0 {
			columns = append(columns, m.throughRest(f, triangle, inverse, l)...)
		}
		out[0] = append(out[0], rootLengths(f.lambda[0], columns))
	}
	if width > 0 {
		m.restSD(f, triangle, out)
	}
	return out
}

// restSD fills in the terms beyond the first.
func (m *mixedModel) restSD(f *factoredSystem, triangle [][]float64, out [][][]float64) {
	covariance := make([][]float64, len(triangle)) // columns of T^-1 for the rest
	for c := range triangle {
		covariance[c] = forward(triangle, unit(len(triangle), c))
	}
	for t, block := range m.part.terms[1:] {
		for l := range block.levels {
			at := block.offset + l*block.width()
			columns := transposed(covariance[at : at+block.width()])
			out[t+1] = append(out[t+1], rootLengths(f.lambda[t+1], columns))
		}
	}
}

// throughRest are the columns that uncertainty of the other terms adds.
func (m *mixedModel) throughRest(f *factoredSystem, triangle, inverse [][]float64, l int) [][]float64 {
	r, width := len(inverse), len(triangle)
	rows := make([][]float64, r)
	for a := range r {
		rows[a] = forward(triangle, f.side[l*r+a][:width])
	}
	var columns [][]float64
	for c := range width {
		column := make([]float64, r)
		for a := range r {
			for b := range r {
				column[b] += inverse[a][b] * rows[a][c]
			}
		}
		columns = append(columns, column)
	}
	return columns
}

// rootLengths are the square roots of the diagonal of Lambda C C' Lambda', C by columns.
func rootLengths(lambda, columns [][]float64) []float64 {
	out := make([]float64, len(lambda))
	for _, c := range columns {
		for a, v := range apply(lambda, c) {
			out[a] += v * v
		}
	}
	for a := range out {
		out[a] = math.Sqrt(out[a])
	}
	return out
}

// components lists variances and covariances.
func (f *MixedFit) components(lambda [][][]float64) {
	s2 := f.Sigma * f.Sigma
	for t := range f.model.part.terms {
		cov := times(lambda[t], transposed(lambda[t]))
		names := f.model.sorted[t].effects()
		group := f.model.sorted[t].Group.Name
		for i := range cov {
			f.Singular = f.Singular || lambda[t][i][i] < 1e-4
			f.Components = append(f.Components, VarianceComponent{Group: group, First: names[i], Variance: s2 * cov[i][i],
				SDCor: Number{Value: f.Sigma * math.Sqrt(cov[i][i])}})
		}
		for i := range cov {
			for j := i + 1; j < len(cov); j++ {
				c := VarianceComponent{Group: group, First: names[i], Second: names[j], Variance: s2 * cov[i][j], SDCor: Number{Reason: Undefined}}
				if cov[i][i] > 0 && cov[j][j] > 0 {
					c.SDCor = Number{Value: cov[i][j] / math.Sqrt(cov[i][i]*cov[j][j])}
				}
				f.Components = append(f.Components, c)
			}
		}
	}
	f.Components = append(f.Components, VarianceComponent{Group: "Residual", Variance: s2, SDCor: Number{Value: f.Sigma}})
}

// predictions are the fitted values with and without random effects.
func (f *MixedFit) predictions() {
	f.Marginal = make([]float64, f.N)
	for k, j := range f.Kept {
		for i, v := range f.Design.Columns[j].Values {
			f.Marginal[i] += v * f.beta[k]
		}
	}
	f.Fitted = append([]float64(nil), f.Marginal...)
	for t, block := range f.model.part.terms {
		for i, l := range block.codes {
			for a, z := range block.z {
				f.Fitted[i] += z[i] * f.Random[t].Modes[l][a]
			}
		}
	}
}
