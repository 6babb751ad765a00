package stats

import (
	"fmt"
	"math"
	"slices"
)

// A FactorialDesign is a set of runs with the settings each was made under. All
// columns are of one length, one entry a run.
type FactorialDesign struct {
	// Factors are the treatments; in each, the first level is the reference.
	Factors []Factor
	// Response is one number a run, 0 or 1 for a binary outcome; NaN is missing.
	Response []float64
	// Block codes the task of each run, from 0; nil leaves blocks out. A negative
	// code is missing.
	Block []int
	// Cluster codes the sampled unit of each run; nil means the block, and without
	// a block each run by itself. Blocks must lie within clusters (tasks within
	// repositories).
	Cluster []int
	// Degree is the highest interaction in the model; 0 means 2.
	Degree int
	// Level is that of the intervals; 0 means 0.95.
	Level float64
}

// A FactorialTerm is a main effect or interaction of a factorial analysis.
type FactorialTerm struct {
	// Name is the term.
	Name string
	// Test is the test that the term's effect-coded coefficients are all zero.
	Test TermTest
	// PHolm is Test.P adjusted by Holm over the estimable terms of this analysis.
	PHolm float64
	// SS is the type III sum of squares, in squared units of the response.
	SS Number
	// PartialEtaSq is SS over SS plus the residual sum of squares of the same fit.
	PartialEtaSq Number
	// Reason is why the term is not estimable; EmptyCells then names the cells
	// without a run that it rests on, as factor=level.
	Reason Reason
	// EmptyCells are those cells.
	EmptyCells []string
}

// A FactorialLevel is the mean response at one level of a factor, cells of the
// other factors and tasks weighed equally.
type FactorialLevel struct {
	// Factor and Level name it.
	Factor string
	// Level is the level's name.
	Level string
	// Mean is its estimate.
	Mean Coefficient
	// EmptyCells are the cells that make it non-estimable.
	EmptyCells []string
}

// A FactorialContrast is the difference of the means of two levels of a factor.
type FactorialContrast struct {
	// Factor names the factor.
	Factor string
	// Level is the level whose mean is taken, Reference that which is subtracted.
	Level, Reference string
	// Difference is its estimate; for a 0/1 response it is a risk difference.
	Difference Coefficient
	// EmptyCells are the cells that make it non-estimable.
	EmptyCells []string
}

// A Factorial is the analysis of a factorial design.
type Factorial struct {
	// Method says how it was made.
	Method FactorialMethod
	// N is the number of runs used, Dropped those left out for a missing value.
	N int
	// Dropped is that number.
	Dropped int
	// Blocks is the number of tasks, Clusters that of sampled units.
	Blocks, Clusters int
	// Rank counts independent coefficients, the blocks' included.
	Rank int
	// DFResidual is N - Rank.
	DFResidual int
	// RSS is the residual sum of squares.
	RSS float64
	// Coefficients are the effect-coded coefficients beside intercept and blocks.
	Coefficients []Coefficient
	// Terms are the main effects and interactions by rising degree.
	Terms []FactorialTerm
	// HolmTests is the number of estimable terms that PHolm is adjusted for.
	HolmTests int
	// Means are the level means of every factor, in the order of its levels.
	Means []FactorialLevel
	// Contrasts are, for every factor, all differences of a level and one before it.
	Contrasts []FactorialContrast
	// Reason is why there is no analysis at all.
	Reason Reason
	// Notes are facts about the fit that a reader must know, such as the fallback
	// of a logistic model to Firth's penalty.
	Notes []string
}

// AnalyzeFactorial is the default analysis of a factorial experiment on coding
// agents: ordinary least squares in effect coding with main effects and
// interactions up to design.Degree, the task as a fixed block, CR2
// cluster-robust errors, Satterthwaite t for coefficients, means and contrasts,
// the HTZ test for terms, and partial eta squared from the type III sums of the
// same fit (Pustejovsky and Tipton 2018, JBES 36:672). A 0/1 response gives risk
// differences.
//
// It assumes that clusters are independent and that effects of tasks add to
// those of treatments. Level means weigh cells and tasks equally, not by runs.
// A term that rests on a cell without a run, the main effects of the factors
// that meet in it included, has the reason EmptyCell and names the cell. With
// fewer than two clusters the analysis has the reason TooFew.
//
// Blocks are absorbed by centring within them, which leaves errors and degrees
// of freedom as they are with one dummy a task.
func AnalyzeFactorial(design FactorialDesign) (*Factorial, error) {
	a, err := newAbsorbed(design)
	if err != nil {
		return nil, err
	}
	f := &Factorial{Method: MethodOLS, N: a.fit.N, Dropped: len(design.Response) - a.fit.N, Blocks: a.blocks,
		Rank: a.fit.Rank + a.blocks, DFResidual: a.fit.DFResidual, RSS: a.fit.RSS}
	if f.N == 0 {
		f.Reason = NoData
		return f, nil
	}
	robust, why := ClusterRobust(a.fit, a.cluster, CR2)
	if why != "" {
		f.Reason = why
		return f, nil
	}
	f.Clusters = robust.Clusters
	a.robust = robust
	for j, c := range a.full.Columns {
		if c.Term >= 0 {
			f.Coefficients = append(f.Coefficients, a.estimate(c.Name, unit(len(a.full.Columns), j), 0))
		}
	}
	for t := range a.full.Terms {
		f.Terms = append(f.Terms, a.term(t))
	}
	f.holm()
	for _, factor := range design.Factors {
		a.levels(f, factor)
	}
	return f, nil
}

// An absorbed is a linear fit after the blocks have been taken out.
type absorbed struct {
	design  FactorialDesign
	full    *Design    // columns as coded
	fit     *LinearFit // of the columns centred within blocks
	robust  *Robust
	cluster []int
	blocks  int
	// offset and centre give a mean over blocks as offset + (c - centre)'beta.
	offset float64
	centre []float64
	nulls  [][]float64
}

// newAbsorbed builds and fits the model.
func newAbsorbed(design FactorialDesign) (*absorbed, error) {
	a := &absorbed{design: design}
	if a.design.Degree == 0 {
		a.design.Degree = 2
	}
	if a.design.Level == 0 {
		a.design.Level = 0.95
	}
	full, err := a.designMatrix()
	if err != nil {
		return nil, err
	}
	a.full = full
	y := full.Pick(design.Response)
	cluster, err := a.clusters()
	if err != nil {
		return nil, err
	}
	a.cluster = cluster
	if design.Block == nil {
		a.fit = OLS(full, y, nil, a.design.Level)
		a.centre = make([]float64, len(full.Columns))
	} else {
		a.absorb(y)
	}
	a.nulls = a.fit.nullVectors()
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
	out := a.robust.Contrast(name, a.fit.onKept(c), a.design.Level)
	out.shift(offset)
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
	ss, _ := a.fit.droppedSum(a.full.termOf(t))
	out.SS, out.PartialEtaSq = Number{Value: ss}, Number{Value: ss / (ss + a.fit.RSS)}
	if ss+a.fit.RSS == 0 {
		out.PartialEtaSq = Number{Reason: NoVariation}
	}
	return out
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

// unit is the j-th unit vector.
func unit(n, j int) []float64 {
	v := make([]float64, n)
	v[j] = 1
	return v
}

// A FactorialMethod names a way to analyse a factorial design.
type FactorialMethod int

// The methods; the first is the default.
const (
	// MethodOLS is least squares with the task as block and CR2 errors.
	MethodOLS FactorialMethod = iota
	// MethodMixed is a linear mixed model with random intercepts, by REML.
	MethodMixed
	// MethodRepeated is a repeated-measures analysis of variance by task.
	MethodRepeated
	// MethodLogistic is a logistic regression with cluster-robust errors.
	MethodLogistic
)

// String names the method as the options write it.
func (m FactorialMethod) String() string {
	return [...]string{"ols", "lmm", "rm", "logistic"}[m]
}
