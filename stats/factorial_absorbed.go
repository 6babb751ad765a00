package stats

import (
	"fmt"
	"math"
	"slices"
)

// An absorbed is a linear fit after the blocks have been taken out.
type absorbed struct {
	design  FactorialDesign
	full    *Design    // columns as coded
	fit     *LinearFit // of the columns centred within blocks
	robust  *Robust
	cluster []int
	blocks  int
	perfect bool // the residuals are rounding errors
	// offset and centre give a mean over blocks as offset + (c - centre)'beta.
	offset float64
	centre []float64
	nulls  [][]float64
}

// newAbsorbed builds and fits the model.
func newAbsorbed(design FactorialDesign) (*absorbed, error) {
	a, err := unabsorbed(design)
	if err != nil {
		return nil, err
	}
	y := a.full.Pick(design.Response)
	if design.Block == nil {
		a.fit = OLS(a.full, y, nil, a.design.Level)
		a.centre = make([]float64, len(a.full.Columns))
	} else {
		a.absorb(y)
	}
	a.nulls = a.fit.nullVectors()
	a.perfect = a.fit.RSS <= 1e-26*sumSquares(y)
	return a, nil
}

// designMatrix is effect coded, of the rows with a response, a block and a cluster.
func (a *absorbed) designMatrix() (*Design, error) {
	keep := make([]bool, len(a.design.Response))
	for i, v := range a.design.Response {
		keep[i] = !math.IsNaN(v) && (a.design.Block == nil || a.design.Block[i] >= 0) &&
			(a.design.Cluster == nil || a.design.Cluster[i] >= 0)
	}
	var names []string
	for _, f := range a.design.Factors {
		names = append(names, f.Name)
	}
	model := Model{Terms: Crossed(names, a.design.Degree), Coding: SumCoding}
	return NewDesign(Frame{Factors: a.design.Factors}, model, keep)
}

// clusters codes the clusters of the kept rows and checks that blocks nest in them.
func (a *absorbed) clusters() ([]int, error) {
	switch {
	case a.design.Cluster == nil && a.design.Block != nil:
		return a.full.PickCodes(a.design.Block), nil
	case a.design.Cluster == nil:
		out := make([]int, a.full.N())
		for i := range out {
			out[i] = i
		}
		return out, nil
	}
	cluster := a.full.PickCodes(a.design.Cluster)
	if a.design.Block == nil {
		return cluster, nil
	}
	home := map[int]int{}
	for i, b := range a.full.PickCodes(a.design.Block) {
		c, ok := home[b]
		if ok && c != cluster[i] {
			return nil, fmt.Errorf("block %d: have rows in clusters %d and %d, want each block in one cluster", b, c, cluster[i])
		}
		home[b] = cluster[i]
	}
	return cluster, nil
}

// absorb centres response and columns within blocks and fits what is left.
func (a *absorbed) absorb(y []float64) {
	groups := (&Robust{}).group(a.full.PickCodes(a.design.Block))
	a.blocks = len(groups)
	within := &Design{Rows: a.full.Rows, Terms: a.full.Terms, frame: a.full.frame, model: a.full.model}
	a.centre = make([]float64, len(a.full.Columns))
	for j, c := range a.full.Columns {
		v, mean := centredWithin(c.Values, groups)
		a.centre[j] = mean
		within.Columns = append(within.Columns, Column{Name: c.Name, Term: c.Term, Values: v})
	}
	centred, mean := centredWithin(y, groups)
	a.offset = mean
	a.fit = OLS(within, centred, nil, a.design.Level)
	a.fit.DFResidual = a.fit.N - a.fit.Rank - a.blocks
}

// centredWithin takes the mean out of each group and returns the mean of the means.
func centredWithin(values []float64, groups [][]int) (centred []float64, mean float64) {
	centred = make([]float64, len(values))
	means := make([]float64, len(groups))
	for g, rows := range groups {
		v := make([]float64, len(rows))
		for k, i := range rows {
			v[k] = values[i]
		}
		means[g] = centre(v, nil)
		for k, i := range rows {
			centred[i] = v[k]
		}
	}
	return centred, weightedMean(means, nil)
}

// nullVectors span the combinations of columns that are zero on every row.
func (f *LinearFit) nullVectors() [][]float64 {
	var out [][]float64
	for j := range f.Design.Columns {
		if slices.Contains(f.Kept, j) {
			continue
		}
		v := make([]float64, len(f.Design.Columns))
		v[j] = 1
		g, _ := f.qr.solve(f.qr.cols[j])
		for k, i := range f.Kept {
			v[i] = -g[k]
		}
		out = append(out, v)
	}
	return out
}

// estimable reports whether c'beta, over all columns, does not depend on which
// of the dependent columns was set aside.
func estimable(c []float64, nulls [][]float64) bool {
	for _, n := range nulls {
		if math.Abs(dot(c, n)) > 1e-8*math.Sqrt(sumSquares(c)*sumSquares(n)) {
			return false
		}
	}
	return true
}

// onKept takes the entries of a contrast over all columns that were kept.
func (f *LinearFit) onKept(c []float64) []float64 {
	out := make([]float64, len(f.Kept))
	for k, j := range f.Kept {
		out[k] = c[j]
	}
	return out
}

// estimate is offset + c'beta with its cluster-robust test.
func (a *absorbed) estimate(name string, c []float64, offset float64) Coefficient {
	if !estimable(c, a.nulls) {
		return Coefficient{Name: name, Reason: Aliased}
	}
	kept := a.fit.onKept(c)
	out := a.robust.Contrast(name, kept, a.design.Level)
	out.shift(offset)
	if a.perfect || out.StdErr <= a.rounding() {
		return Coefficient{Name: name, Estimate: out.Estimate, Uncertain: NoVariation}
	}
	if out.Uncertain == "" && !a.robust.Identified(kept) {
		out = Coefficient{Name: name, Estimate: out.Estimate, Uncertain: TooFew}
	}
	return out
}

// shift adds a constant to the estimate. The test of zero is made again.
func (c *Coefficient) shift(offset float64) {
	c.Estimate += offset
	if c.Uncertain == "" && c.StdErr > 0 {
		c.test(c.CI.Level, c.CI.Method)
	}
}

// term tests one term.
func (a *absorbed) term(t int) FactorialTerm {
	name := a.full.Terms[t].String()
	out := FactorialTerm{Name: name}
	var rows [][]float64
	for _, j := range a.full.termOf(t) {
		c := unit(len(a.full.Columns), j)
		if !estimable(c, a.nulls) {
			return a.refuse(out, t)
		}
		rows = append(rows, a.fit.onKept(c))
	}
	out.Test = a.robust.Wald(name, rows)
	if a.perfect || a.still(rows) {
		out.Test = TermTest{Name: name, DF1: float64(len(rows)), Reason: NoVariation}
	}
	for _, c := range rows {
		if out.Test.Reason == "" && !a.robust.Identified(c) {
			out.Test = TermTest{Name: name, DF1: float64(len(rows)), Reason: TooFew}
		}
	}
	ss, _ := a.fit.droppedSum(a.full.termOf(t))
	out.SS, out.PartialEtaSq = Number{Value: ss}, Number{Value: ss / (ss + a.fit.RSS)}
	if ss+a.fit.RSS == 0 {
		out.PartialEtaSq = Number{Reason: NoVariation}
	}
	return out
}

// rounding is the size of a standard error that is nothing but rounding: a factor
// that leaves every task's response as it is has an effect of zero in each, and
// its computed error is noise in the last digits.
func (a *absorbed) rounding() float64 {
	return 1e-9 * math.Sqrt(a.fit.RSS/float64(max(a.fit.N, 1)))
}

// still reports whether no contrast of a term varies between clusters.
func (a *absorbed) still(rows [][]float64) bool {
	for _, c := range rows {
		if math.Sqrt(max(form(c, a.robust.Vcov, c), 0)) > a.rounding() {
			return false
		}
	}
	return true
}

// refuse says why a term is not estimable.
func (a *absorbed) refuse(out FactorialTerm, t int) FactorialTerm {
	out.Reason = Aliased
	out.EmptyCells = a.full.emptyCellsUnder(a.full.Terms[t])
	if len(out.EmptyCells) > 0 {
		out.Reason = EmptyCell
	}
	out.Test = TermTest{Name: out.Name, Reason: out.Reason}
	out.SS, out.PartialEtaSq = Number{Reason: out.Reason}, Number{Reason: out.Reason}
	return out
}

// holm adjusts the terms that have a test.
func (f *Factorial) holm() {
	p, ok := make([]float64, len(f.Terms)), make([]bool, len(f.Terms))
	for i, t := range f.Terms {
		p[i], ok[i] = t.Test.P, t.Test.Reason == ""
	}
	adjusted, m := Adjust(p, ok, Holm)
	f.HolmTests = m
	for i := range f.Terms {
		f.Terms[i].PHolm = adjusted[i]
	}
}

// levels adds the means and differences of one factor.
func (a *absorbed) levels(f *Factorial, factor Factor) {
	rows := make([][]float64, len(factor.Levels))
	for l := range rows {
		rows[l] = a.full.gridMean(map[string]int{factor.Name: l})
	}
	for l, level := range factor.Levels {
		c := append([]float64(nil), rows[l]...)
		for j := range c {
			c[j] -= a.centre[j]
		}
		m := FactorialLevel{Factor: factor.Name, Level: level, Mean: a.estimate(level, c, a.offset)}
		m.EmptyCells = a.blame(&m.Mean, Term{factor.Name})
		f.Means = append(f.Means, m)
	}
	for l := range rows {
		for k := range l {
			c := make([]float64, len(rows[l]))
			for j := range c {
				c[j] = rows[l][j] - rows[k][j]
			}
			d := FactorialContrast{Factor: factor.Name, Level: factor.Levels[l], Reference: factor.Levels[k]}
			d.Difference = a.estimate(d.Level+" - "+d.Reference, c, 0)
			d.EmptyCells = a.blame(&d.Difference, Term{factor.Name})
			f.Contrasts = append(f.Contrasts, d)
		}
	}
}

// blame names the empty cells behind a quantity that is not estimable: those of
// the terms that contain its factor, else any.
func (a *absorbed) blame(c *Coefficient, t Term) []string {
	if c.Reason == "" {
		return nil
	}
	cells := a.full.emptyCellsUnder(t)
	if len(cells) == 0 {
		cells = a.full.emptyCellsUnder(Term{})
	}
	if len(cells) > 0 {
		c.Reason = EmptyCell
	}
	return cells
}
