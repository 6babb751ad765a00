package stats

import (
	"fmt"
	"slices"
	"strings"
)

// A FactorialMethod names a way to analyse a factorial design.
type FactorialMethod int

// The methods; the first is the default.
const (
	// MethodOLS is least squares with the task as block and CR2 errors.
	MethodOLS FactorialMethod = iota
	// MethodMixed is a linear mixed model with random intercepts of blocks and
	// clusters, by REML, with Satterthwaite's degrees of freedom.
	MethodMixed
	// MethodRepeated is a repeated-measures analysis of variance by block with
	// Greenhouse and Geisser's correction.
	MethodRepeated
	// MethodLogistic is a logistic regression with CR2 errors by cluster, and
	// Firth's penalty where the response is separated.
	MethodLogistic
)

// String names the method as options write it.
func (m FactorialMethod) String() string {
	switch m {
	case MethodOLS:
		return "ols"
	case MethodMixed:
		return "lmm"
	case MethodRepeated:
		return "rm"
	case MethodLogistic:
		return "logistic"
	}
	return "unknown"
}

// ParseFactorialMethod finds the method that String writes so.
func ParseFactorialMethod(name string) (FactorialMethod, error) {
	all := []FactorialMethod{MethodOLS, MethodMixed, MethodRepeated, MethodLogistic}
	var names []string
	for _, m := range all {
		if m.String() == name {
			return m, nil
		}
		names = append(names, m.String())
	}
	return MethodOLS, fmt.Errorf("method: have %q, want one of %s", name, strings.Join(names, ", "))
}

// AnalyzeFactorialBy analyses a factorial design by the named method. Only
// MethodOLS gives partial eta squared with the type III sums of its fit, and
// MethodRepeated its own; the others have none, there being no agreed one.
//
// MethodMixed takes blocks, and clusters where they are other than the blocks, as
// crossed or nested random intercepts, and keeps tasks that lack a condition;
// level means are then of the population of tasks. MethodRepeated needs a block,
// drops a task that lacks a condition (the count is in Notes), and has all
// interactions. MethodLogistic has no block: effects are log odds ratios over
// tasks, not within them. A 0/1 response is the caller's duty there.
func AnalyzeFactorialBy(design FactorialDesign, method FactorialMethod) (*Factorial, error) {
	switch method {
	case MethodMixed:
		return factorialMixed(design)
	case MethodRepeated:
		return factorialRepeated(design)
	case MethodLogistic:
		return factorialLogistic(design)
	}
	return AnalyzeFactorial(design)
}

// unabsorbed prepares the design matrix and clusters without fitting.
func unabsorbed(design FactorialDesign) (*absorbed, error) {
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
	a.cluster, err = a.clusters()
	return a, err
}

// begin counts what every method counts.
func (a *absorbed) begin(method FactorialMethod) *Factorial {
	f := &Factorial{Method: method, N: a.full.N(), Dropped: len(a.design.Response) - a.full.N()}
	f.Clusters = distinctCodes(a.cluster)
	if a.design.Block != nil {
		f.Blocks = distinctCodes(a.full.PickCodes(a.design.Block))
	}
	if f.N == 0 {
		f.Reason = NoData
	}
	return f
}

// distinctCodes counts the codes that occur.
func distinctCodes(codes []int) int { return len(slices.Compact(slices.Sorted(slices.Values(codes)))) }

// factorialMixed is the analysis by a linear mixed model.
func factorialMixed(design FactorialDesign) (*Factorial, error) {
	a, err := unabsorbed(design)
	if err != nil {
		return nil, err
	}
	f := a.begin(MethodMixed)
	if f.Reason != "" {
		return f, nil
	}
	var random []RandomTerm
	if design.Block != nil {
		random = append(random, RandomTerm{Group: codedFactor("block", design.Block)})
	}
	if design.Cluster != nil && (design.Block == nil || f.Clusters != f.Blocks) {
		random = append(random, RandomTerm{Group: codedFactor("cluster", design.Cluster)})
	}
	if len(random) == 0 {
		return nil, fmt.Errorf("method lmm: have neither block nor cluster, want one to be random")
	}
	for _, t := range random {
		used, _ := usedLevels(t.Group, a.full.PickCodes(t.Group.Codes))
		if n := len(used.Levels); n < 2 || n >= f.N {
			f.Reason = TooFew
			f.Notes = append(f.Notes, fmt.Sprintf("%d levels of the random %s for %d runs", n, t.Group.Name, f.N))
			return f, nil
		}
	}
	fit, err := Mixed(a.full, design.Response, random, true, a.design.Level)
	if err != nil {
		return nil, err
	}
	f.Reason = fit.Reason
	if f.Reason != "" {
		return f, nil
	}
	if fit.Singular {
		f.Notes = append(f.Notes, "a variance between tasks or clusters is estimated as zero")
	}
	m := fit.MarginalMeans()
	f.Rank, f.RSS, f.DFResidual = len(fit.Kept), 0, f.N-len(fit.Kept)
	f.fromMarginal(a, m, func(name string, rows [][]float64) TermTest { return fit.Wald(name, rows) })
	return f, nil
}

// codedFactor is a factor whose levels are its codes.
func codedFactor(name string, codes []int) Factor {
	top := -1
	for _, c := range codes {
		top = max(top, c)
	}
	f := Factor{Name: name, Codes: codes}
	for l := range top + 1 {
		f.Levels = append(f.Levels, fmt.Sprint(l))
	}
	return f
}

// fromMarginal fills in coefficients, terms, means and contrasts of a model in
// effect coding from its marginal form and its test of contrasts.
func (f *Factorial) fromMarginal(a *absorbed, m MarginalModel, test func(name string, rows [][]float64) TermTest) {
	columns := len(a.full.Columns)
	a.nulls = m.nulls
	for j, c := range a.full.Columns {
		if c.Term < 0 {
			continue
		}
		if row := unit(columns, j); estimable(row, m.nulls) {
			kept := m.onKept(row)
			f.Coefficients = append(f.Coefficients, m.coefficient(c.Name, dot(kept, m.Beta), kept, a.design.Level))
			continue
		}
		f.Coefficients = append(f.Coefficients, Coefficient{Name: c.Name, Reason: Aliased})
	}
	for t := range a.full.Terms {
		f.Terms = append(f.Terms, a.marginalTerm(m, t, test))
	}
	f.holm()
	for _, factor := range a.design.Factors {
		means := m.Means([]string{factor.Name}, MarginalOptions{Level: a.design.Level})
		for _, g := range means {
			level := FactorialLevel{Factor: factor.Name, Level: g.Levels[0], Mean: g.Mean}
			level.EmptyCells = a.blame(&level.Mean, Term{factor.Name})
			f.Means = append(f.Means, level)
		}
		a.marginalContrasts(f, factor, m, means)
	}
}

// marginalTerm tests one term.
func (a *absorbed) marginalTerm(m MarginalModel, t int, test func(name string, rows [][]float64) TermTest) FactorialTerm {
	out := FactorialTerm{Name: a.full.Terms[t].String()}
	var rows [][]float64
	for _, j := range a.full.termOf(t) {
		c := unit(len(a.full.Columns), j)
		if !estimable(c, m.nulls) {
			return a.refuse(out, t)
		}
		rows = append(rows, m.onKept(c))
	}
	out.Test = test(out.Name, rows)
	out.SS, out.PartialEtaSq = Number{Reason: Undefined}, Number{Reason: Undefined}
	return out
}

// marginalContrasts adds the differences of a level and those before it.
func (a *absorbed) marginalContrasts(f *Factorial, factor Factor, m MarginalModel, means []MarginalMean) {
	for l := range means {
		for k := range l {
			w := make([]float64, len(means))
			w[l], w[k] = 1, -1
			d := FactorialContrast{Factor: factor.Name, Level: factor.Levels[l], Reference: factor.Levels[k]}
			d.Difference = m.contrast(means, d.Level+" - "+d.Reference, w, a.design.Level)
			d.EmptyCells = a.blame(&d.Difference, Term{factor.Name})
			f.Contrasts = append(f.Contrasts, d)
		}
	}
}
