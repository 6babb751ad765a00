package stats

import (
	"math"
	"strings"
)

// A MarginalModel is what marginal means need of a fitted model.
type MarginalModel struct {
	// Design is the fitted model matrix.
	Design *Design
	// Beta are the kept coefficients, Kept their columns, Vcov their covariance.
	Beta []float64
	// Kept are the estimable columns.
	Kept []int
	// Vcov is over the kept coefficients.
	Vcov [][]float64
	// DF gives the degrees of freedom of a contrast of the kept coefficients.
	DF func(c []float64) float64

	nulls [][]float64
}

// Marginal prepares marginal means of a least squares fit, with residual degrees
// of freedom and the covariance vcov, or the fit's own where vcov is nil.
func (f *LinearFit) Marginal(vcov [][]float64) MarginalModel {
	if vcov == nil {
		vcov = f.Vcov
	}
	df := float64(f.DFResidual)
	return MarginalModel{Design: f.Design, Beta: f.beta, Kept: f.Kept, Vcov: vcov,
		DF: func([]float64) float64 { return df }, nulls: f.nullVectors()}
}

// MarginalRobust prepares marginal means with cluster-robust errors and
// Satterthwaite degrees of freedom.
func (f *LinearFit) MarginalRobust(r *Robust) MarginalModel {
	return MarginalModel{Design: f.Design, Beta: f.beta, Kept: f.Kept, Vcov: r.Vcov, DF: r.DF, nulls: f.nullVectors()}
}

// Marginal prepares marginal means on the scale of log odds, with normal tests.
func (f *LogisticFit) Marginal() MarginalModel {
	qr := factorize(f.Design.values(), nil, f.Design.Intercept)
	shadow := &LinearFit{Design: f.Design, Kept: f.Kept, qr: qr}
	return MarginalModel{Design: f.Design, Beta: f.beta, Kept: f.Kept, Vcov: f.Vcov,
		DF: func([]float64) float64 { return math.Inf(1) }, nulls: shadow.nullVectors()}
}

// A MarginalWeight says how the levels of the other factors are weighed.
type MarginalWeight int

// The weights.
const (
	// EqualWeights averages over cells, as the tables do.
	EqualWeights MarginalWeight = iota
	// ProportionalWeights weighs combinations of the other factors by their rows.
	ProportionalWeights
)

// A MarginalScale says on which scale a logistic model is averaged.
type MarginalScale int

// The scales.
const (
	// LinkScale averages linear predictors.
	LinkScale MarginalScale = iota
	// ProbabilityScale averages probabilities; differences are risk differences.
	ProbabilityScale
)

// A MarginalMean is the mean response at a combination of levels.
type MarginalMean struct {
	// Levels are the levels of the factors asked for, in their order.
	Levels []string
	// Mean is its estimate.
	Mean Coefficient

	value    float64
	gradient []float64 // over the kept coefficients
	row      []float64 // over all columns; nil on the probability scale
}

// MarginalOptions say how means are formed.
type MarginalOptions struct {
	// Weights are those of the other factors.
	Weights MarginalWeight
	// Scale is LinkScale but for logistic models.
	Scale MarginalScale
	// Level is that of the intervals; 0 means 0.95.
	Level float64
}

// Means estimates the marginal means at all combinations of the levels of the
// named factors, the first varying fastest (Searle, Speed and Milliken 1980, The
// American Statistician 34:216). Covariates are at their means. A mean over a
// cell without a row, where the model needs it, has the reason EmptyCell (or
// Aliased) and no value: it is not the mean of the rest.
func (m MarginalModel) Means(names []string, options MarginalOptions) []MarginalMean {
	if options.Level == 0 {
		options.Level = 0.95
	}
	factors := m.factors(names)
	var out []MarginalMean
	code := make([]int, len(factors))
	for {
		at, mean := map[string]int{}, MarginalMean{}
		for i, f := range factors {
			at[f.Name] = code[i]
			mean.Levels = append(mean.Levels, f.Levels[code[i]])
		}
		m.estimate(&mean, at, options)
		out = append(out, mean)
		if !nextFirstFastest(code, factors) {
			return out
		}
	}
}

// factors finds the named factors of the design.
func (m MarginalModel) factors(names []string) []Factor {
	out := make([]Factor, 0, len(names))
	for _, n := range names {
		if f, ok := m.Design.frame.factor(n); ok {
			out = append(out, f)
		}
	}
	return out
}

// nextFirstFastest steps to the next combination, the first factor fastest.
func nextFirstFastest(code []int, factors []Factor) bool {
	for i := range code {
		code[i]++
		if code[i] < len(factors[i].Levels) {
			return true
		}
		code[i] = 0
	}
	return false
}

// estimate fills in one mean.
func (m MarginalModel) estimate(mean *MarginalMean, at map[string]int, options MarginalOptions) {
	name := strings.Join(mean.Levels, " ")
	cells := m.grid(at, options.Weights)
	total := make([]float64, len(m.Design.Columns))
	mean.gradient = make([]float64, len(m.Kept))
	for _, cell := range cells {
		for j, v := range cell.row {
			total[j] += cell.weight * v
		}
		if options.Scale == ProbabilityScale {
			kept := m.onKept(cell.row)
			p := logisticOf(plainDot(kept, m.Beta))
			mean.value += cell.weight * p
			for k, v := range kept {
				mean.gradient[k] += cell.weight * p * (1 - p) * v
			}
		}
		if options.Scale == ProbabilityScale && !estimable(cell.row, m.nulls) {
			mean.Mean = Coefficient{Name: name, Reason: m.why()}
			return
		}
	}
	if options.Scale == LinkScale {
		mean.row = total
	}
	if !estimable(total, m.nulls) {
		mean.Mean = Coefficient{Name: name, Reason: m.why()}
		return
	}
	if options.Scale == LinkScale {
		mean.gradient = m.onKept(total)
		mean.value = dot(mean.gradient, m.Beta)
	}
	mean.Mean = m.coefficient(name, mean.value, mean.gradient, options.Level)
}

// why is the reason of what is not estimable.
func (m MarginalModel) why() Reason {
	if len(m.Design.emptyCellsUnder(Term{})) > 0 {
		return EmptyCell
	}
	return Aliased
}

// onKept takes the kept entries.
func (m MarginalModel) onKept(row []float64) []float64 {
	out := make([]float64, len(m.Kept))
	for k, j := range m.Kept {
		out[k] = row[j]
	}
	return out
}

// coefficient is an estimate with the error of its gradient.
func (m MarginalModel) coefficient(name string, value float64, gradient []float64, level float64) Coefficient {
	c := Coefficient{Name: name, Estimate: value, DF: m.DF(gradient)}
	c.StdErr = math.Sqrt(max(form(gradient, m.Vcov, gradient), 0))
	c.test(level, "t")
	return c
}

// A gridCell is a combination of levels of all factors, with its design row.
type gridCell struct {
	row    []float64
	weight float64
}

// grid lists the combinations of all factors of the design that agree with at.
func (m MarginalModel) grid(at map[string]int, weights MarginalWeight) []gridCell {
	var others []Factor
	for _, f := range m.Design.frame.Factors {
		if _, held := at[f.Name]; !held && m.uses(f.Name) {
			others = append(others, f)
		}
	}
	counts := m.counts(others)
	var out []gridCell
	code := make([]int, len(others))
	for {
		full := map[string]int{}
		for k, v := range at {
			full[k] = v
		}
		for i, f := range others {
			full[f.Name] = code[i]
		}
		w := 1.0
		if weights == ProportionalWeights {
			w = counts[cellName(others, func(i int) int { return code[i] })]
		}
		if w > 0 {
			out = append(out, gridCell{row: m.Design.gridMean(full), weight: w})
		}
		if !nextFirstFastest(code, others) {
			break
		}
	}
	total := 0.0
	for _, c := range out {
		total += c.weight
	}
	for i := range out {
		out[i].weight /= total
	}
	return out
}

// uses reports whether a factor is in a term of the design.
func (m MarginalModel) uses(name string) bool {
	for _, t := range m.Design.Terms {
		if t.contains(Term{name}) {
			return true
		}
	}
	return false
}

// counts are the numbers of rows in each combination of some factors.
func (m MarginalModel) counts(factors []Factor) map[string]float64 {
	out := map[string]float64{}
	for _, r := range m.Design.Rows {
		out[cellName(factors, func(i int) int { return factors[i].Codes[r] })]++
	}
	return out
}

// gridMean is the row of the design, averaged over all combinations of levels
// with equal weight, with the given factors held at the given levels. Covariates
// are at their means.
func (d *Design) gridMean(at map[string]int) []float64 {
	out := make([]float64, len(d.Columns))
	if d.Intercept {
		out[0] = 1
	}
	for t, term := range d.Terms {
		entries := []float64{1}
		for i, name := range term {
			var next []float64
			for _, v := range d.averaged(name, d.hasMargin(term, i), at) {
				for _, e := range entries {
					next = append(next, e*v)
				}
			}
			entries = next
		}
		for k, j := range d.termOf(t) {
			out[j] = entries[k]
		}
	}
	return out
}

// averaged are the entries of one variable's columns at its level, or averaged
// over its levels, or at the mean of a covariate.
func (d *Design) averaged(name string, contrasts bool, at map[string]int) []float64 {
	if c, ok := d.frame.covariate(name); ok {
		return []float64{weightedMean(d.Pick(c.Values), nil)}
	}
	f, _ := d.frame.factor(name)
	rows, names := codingRows(f, d.model.Coding, contrasts)
	if l, ok := at[name]; ok {
		return rows[l]
	}
	out := make([]float64, len(names))
	for _, r := range rows {
		for j := range out {
			out[j] += r[j] / float64(len(rows))
		}
	}
	return out
}
