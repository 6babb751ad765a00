package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-bench/assay/stats/dist"
)

// A SumType names how the sums of squares of an analysis of variance are formed.
type SumType int

// The three types of sums of squares.
const (
	// SumTypeI adjusts each term for those before it.
	SumTypeI SumType = 1
	// SumTypeII adjusts each term for all terms that do not contain it.
	SumTypeII SumType = 2
	// SumTypeIII drops each term's effect-coded columns from the full model.
	SumTypeIII SumType = 3
)

// An ANOVARow is one row of an analysis of variance table.
type ANOVARow struct {
	// Test is the F test of the term against the residual of the full model.
	Test TermTest
	// SS is the sum of squares, in squared units of the response.
	SS float64
	// MS is SS over the term's degrees of freedom.
	MS float64
	// PartialEtaSq is SS/(SS+RSS).
	PartialEtaSq Number
	// EtaSq is SS over the sum of the listed terms and the residual.
	EtaSq Number
	// PartialOmegaSq is (SS-df*MSE)/(SS+(N-df)*MSE); it can be negative.
	PartialOmegaSq Number
	// CohensF is sqrt(SS/RSS), the partial effect size f.
	CohensF Number
	// Reduced says that the term has fewer degrees of freedom than without empty cells.
	Reduced bool
	// Reason is why the term has no row: an empty cell under type III.
	Reason Reason
	// EmptyCells name the combinations of levels without a row that the term rests on.
	EmptyCells []string
}

// An ANOVA is an analysis of variance table.
type ANOVA struct {
	// Type is how the sums of squares were formed.
	Type SumType
	// Intercept tests a grand mean of zero; only type III has it.
	Intercept *ANOVARow
	// Rows are the terms by rising degree.
	Rows []ANOVARow
	// RSS and DFResidual are those of the full model, the error of every row.
	RSS float64
	// DFResidual are the degrees of freedom of the error.
	DFResidual int
	// N is the number of rows used.
	N int
}

// AnalysisOfVariance forms the table of the model over the complete rows of the
// frame; y has the frame's length, NaN where missing.
//
// Type III is formed in effect coding whatever the model's coding (with
// treatment contrasts the lower-order rows would test something else, see
// Venables 2000, Exegeses on Linear Models). Where a cell of a term's factors is
// empty, type III has no row for what rests on it; types I and II keep their
// rows with fewer degrees of freedom and say so. Errors are taken to be
// independent with one variance. An unknown column is an error.
func AnalysisOfVariance(frame Frame, y []float64, model Model, kind SumType) (*ANOVA, error) {
	if kind == SumTypeIII {
		model.Coding = SumCoding
	}
	keep := make([]bool, len(y))
	for i, v := range y {
		keep[i] = !math.IsNaN(v)
	}
	d, err := NewDesign(frame, model, keep)
	if err != nil {
		return nil, err
	}
	fit := OLS(d, d.Pick(y), nil, 0.95)
	a := &ANOVA{Type: kind, RSS: fit.RSS, DFResidual: fit.DFResidual, N: fit.N}
	for t := range d.Terms {
		a.Rows = append(a.Rows, a.row(fit, t))
	}
	if kind == SumTypeIII && d.Intercept {
		row := a.row(fit, -1)
		a.Intercept = &row
	}
	a.shares(fit)
	return a, nil
}

// row computes the sum of squares and test of one term.
func (a *ANOVA) row(fit *LinearFit, t int) ANOVARow {
	name := "(Intercept)"
	var cells []string
	if t >= 0 {
		name = fit.Design.Terms[t].String()
		cells = fit.Design.emptyCellsUnder(fit.Design.Terms[t])
	}
	row := ANOVARow{Test: TermTest{Name: name}, EmptyCells: cells}
	ss, df := a.sum(fit, t)
	if a.Type == SumTypeIII && df < len(fit.Design.termOf(t)) || a.Type == SumTypeIII && len(cells) > 0 {
		row.Reason, row.Test.Reason = Aliased, Aliased
		if len(cells) > 0 {
			row.Reason, row.Test.Reason = EmptyCell, EmptyCell
		}
		return row
	}
	row.SS, row.Reduced = ss, df < len(fit.Design.termOf(t))
	row.Test.DF1, row.Test.DF2 = float64(df), float64(fit.DFResidual)
	row.MS = ss / float64(df)
	row.Test.Reason = a.untestable(fit, df)
	if row.Test.Reason == "" {
		row.Test = termF(name, row.MS/(fit.RSS/row.Test.DF2), row.Test.DF1, row.Test.DF2)
	}
	return row
}

// untestable is the reason why a term with df degrees of freedom has no F.
func (a *ANOVA) untestable(fit *LinearFit, df int) Reason {
	switch {
	case df == 0:
		return Aliased
	case fit.DFResidual == 0:
		return TooFew
	case fit.totalSS() <= roundingShare*fit.scaleSS():
		return NoVariation
	case fit.RSS <= roundingShare*fit.scaleSS():
		return Undefined
	}
	return ""
}

// sum is the sum of squares and degrees of freedom of a term.
func (a *ANOVA) sum(fit *LinearFit, t int) (ss float64, df int) {
	switch a.Type {
	case SumTypeI:
		return sequentialSum(fit.qr, fit, func(col int) bool { return fit.Design.Columns[col].Term == t })
	case SumTypeII:
		return fit.addedSum(t)
	}
	return fit.droppedSum(fit.Design.termOf(t))
}

// sequentialSum adds the squared projections of the centred response on the
// orthonormal columns that belong to a term.
func sequentialSum(qr *factorization, fit *LinearFit, belongs func(col int) bool) (ss float64, df int) {
	y := append([]float64(nil), fit.y...)
	if fit.Design.Intercept {
		centre(y, fit.weights)
	}
	qr.weigh(y)
	for k, j := range qr.kept {
		if belongs(j) {
			v := dot(qr.q[k], y)
			ss += v * v
			df++
		}
	}
	return ss, df
}

// addedSum is what term t adds to the model of all terms that do not contain it.
func (f *LinearFit) addedSum(t int) (ss float64, df int) {
	d := f.Design
	var columns [][]float64
	for _, c := range d.Columns {
		if c.Term != t && (c.Term < 0 || !d.Terms[c.Term].contains(d.Terms[t])) {
			columns = append(columns, c.Values)
		}
	}
	from := len(columns)
	for _, j := range d.termOf(t) {
		columns = append(columns, d.Columns[j].Values)
	}
	qr := factorize(columns, f.weights, d.Intercept)
	return sequentialSum(qr, f, func(col int) bool { return col >= from })
}

// droppedSum is the increase of the residual sum of squares when the given
// columns are dropped: beta' V^-1 beta over those that are estimable.
func (f *LinearFit) droppedSum(columns []int) (ss float64, df int) {
	var at []int
	for k, j := range f.Kept {
		if slices.Contains(columns, j) {
			at = append(at, k)
		}
	}
	beta, block := make([]float64, len(at)), square(len(at))
	for a, i := range at {
		beta[a] = f.beta[i]
		for b, j := range at {
			block[a][b] = f.unscale[i][j]
		}
	}
	ss, ok := quadraticInverse(block, beta)
	if !ok {
		return 0, 0
	}
	return ss, len(at)
}

// shares fills in the effect sizes.
func (a *ANOVA) shares(fit *LinearFit) {
	total := a.RSS
	for _, r := range a.Rows {
		if r.Reason == "" {
			total += r.SS
		}
	}
	for i := range a.Rows {
		r := &a.Rows[i]
		why := r.Reason
		if why == "" && fit.totalSS() <= roundingShare*fit.scaleSS() {
			why = NoVariation
		}
		if why == "" && r.Test.DF1 == 0 {
			why = Aliased
		}
		if why != "" {
			r.PartialEtaSq, r.EtaSq = Number{Reason: why}, Number{Reason: why}
			r.PartialOmegaSq, r.CohensF = Number{Reason: why}, Number{Reason: why}
			continue
		}
		r.PartialEtaSq = Number{Value: r.SS / (r.SS + a.RSS)}
		r.EtaSq = Number{Value: r.SS / total}
		r.PartialOmegaSq, r.CohensF = a.omega(*r)
	}
}

// omega is partial omega squared and Cohen's f of a row.
func (a *ANOVA) omega(r ANOVARow) (omega, f Number) {
	if a.DFResidual == 0 {
		return Number{Reason: TooFew}, Number{Reason: TooFew}
	}
	mse := a.RSS / float64(a.DFResidual)
	omega.Value = (r.SS - r.Test.DF1*mse) / (r.SS + (float64(a.N)-r.Test.DF1)*mse)
	if a.RSS == 0 {
		return omega, Number{Reason: Undefined}
	}
	return omega, Number{Value: math.Sqrt(r.SS / a.RSS)}
}

// emptyCellsUnder names the cells without a row in the terms of the model that
// contain t, written factor=level.
func (d *Design) emptyCellsUnder(t Term) []string {
	var out []string
	for _, u := range d.Terms {
		if !u.contains(t) {
			continue
		}
		for _, cell := range d.emptyCells(u) {
			if !slices.Contains(out, cell) {
				out = append(out, cell)
			}
		}
	}
	return out
}

// emptyCells names the combinations of the levels of a term's factors that no
// kept row has, skipping those that lie in an empty combination of fewer factors.
func (d *Design) emptyCells(t Term) []string {
	var factors []Factor
	for _, name := range t {
		if f, ok := d.frame.factor(name); ok {
			factors = append(factors, f)
		}
	}
	if len(factors) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, r := range d.Rows {
		seen[cellName(factors, func(i int) int { return factors[i].Codes[r] })] = true
	}
	var out []string
	code := make([]int, len(factors))
	for {
		cell := cellName(factors, func(i int) int { return code[i] })
		if !seen[cell] {
			out = append(out, cell)
		}
		if !nextCell(code, factors) {
			return out
		}
	}
}

// nextCell steps to the next combination of levels, the last factor fastest.
func nextCell(code []int, factors []Factor) bool {
	for i := len(code) - 1; i >= 0; i-- {
		code[i]++
		if code[i] < len(factors[i].Levels) {
			return true
		}
		code[i] = 0
	}
	return false
}

// cellName writes a cell as factor=level, factor=level.
func cellName(factors []Factor, code func(i int) int) string {
	parts := make([]string, len(factors))
	for i, f := range factors {
		parts[i] = fmt.Sprintf("%s=%s", f.Name, f.Levels[code(i)])
	}
	return strings.Join(parts, ", ")
}

// Levene tests equal variances across groups by an analysis of variance of the
// absolute deviations from the group medians (Brown and Forsythe 1974). Groups
// are coded 0..k-1. It is not defined without a residual degree of freedom or
// where no deviation varies.
func Levene(y []float64, group []int, k int) TermTest {
	values := make([][]float64, k)
	for i, g := range group {
		values[g] = append(values[g], y[i])
	}
	medians, used := make([]float64, k), 0
	for g, v := range values {
		if len(v) > 0 {
			medians[g], _ = Median(v)
			used++
		}
	}
	for g, v := range values {
		for i := range v {
			v[i] = math.Abs(v[i] - medians[g])
		}
	}
	between, within := oneWay(values)
	t := TermTest{Name: "levene", DF1: float64(used - 1), DF2: float64(len(y) - used)}
	switch {
	case t.DF1 < 1 || t.DF2 < 1:
		t.Reason = TooFew
	case within == 0:
		t.Reason = NoVariation
	default:
		t.Statistic = between / t.DF1 / (within / t.DF2)
		t.P = dist.FSurvival(t.Statistic, t.DF1, t.DF2)
	}
	return t
}

// oneWay splits the total sum of squares of grouped values.
func oneWay(groups [][]float64) (between, within float64) {
	var all []float64
	for _, g := range groups {
		all = append(all, g...)
	}
	grand := weightedMean(all, nil)
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		v := append([]float64(nil), g...)
		for i := range v {
			v[i] -= grand
		}
		m := centre(v, nil)
		between += float64(len(v)) * m * m
		within += sumSquares(v)
	}
	return between, within
}
