package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Factor is a categorical column: one code a row into its levels.
type Factor struct {
	// Name is the column's name, unique in a Frame.
	Name string
	// Levels are the level names in their order: the first is the reference of
	// treatment coding, the last is coded -1 in sum coding.
	Levels []string
	// Codes index Levels, one a row; a negative code is a missing value.
	Codes []int
}

// NewFactor codes values by their place in levels. A value that is not a level
// is missing. Where levels is nil the levels are the sorted distinct values.
func NewFactor(name string, values, levels []string) Factor {
	if levels == nil {
		levels = slices.Compact(slices.Sorted(slices.Values(values)))
	}
	place := make(map[string]int, len(levels))
	for i, l := range levels {
		place[l] = i
	}
	codes := make([]int, len(values))
	for i, v := range values {
		code, ok := place[v]
		if !ok {
			code = -1
		}
		codes[i] = code
	}
	return Factor{Name: name, Levels: levels, Codes: codes}
}

// A Covariate is a numeric column. NaN marks a missing value.
type Covariate struct {
	// Name is the column's name, unique in a Frame.
	Name string
	// Values holds one number a row.
	Values []float64
}

// A Frame holds the explanatory columns of a model, all of one length.
type Frame struct {
	// Factors are the categorical columns.
	Factors []Factor
	// Covariates are the numeric columns.
	Covariates []Covariate
}

// A Term is a main effect (one column name) or an interaction (several).
type Term []string

// String joins the column names with colons, as R prints a term.
func (t Term) String() string { return strings.Join(t, ":") }

// contains reports whether every column of u is in t.
func (t Term) contains(u Term) bool {
	for _, name := range u {
		if !slices.Contains(t, name) {
			return false
		}
	}
	return true
}

// A Coding says how the levels of a factor become columns.
type Coding int

// The codings, each with R's names for its columns.
const (
	// TreatmentCoding compares each level with the first (contr.treatment).
	TreatmentCoding Coding = iota
	// SumCoding is effect coding: columns add to zero, the last level is -1 (contr.sum).
	SumCoding
	// HelmertCoding compares each level with the mean of those before it (contr.helmert).
	HelmertCoding
)

// A Model names the terms of a linear predictor and how factors are coded.
type Model struct {
	// Terms are the effects beside the intercept; they are used by rising degree, in the order given.
	Terms []Term
	// NoIntercept leaves the constant column out.
	NoIntercept bool
	// Coding applies to every factor whose margin is in the model.
	Coding Coding
}

// Crossed lists all main effects of names and all their interactions up to the
// given degree, in R's order.
func Crossed(names []string, degree int) []Term {
	var terms []Term
	for d := 1; d <= min(degree, len(names)); d++ {
		terms = append(terms, combinations(names, d)...)
	}
	return terms
}

// combinations lists the d-subsets of names in lexicographic order of position.
func combinations(names []string, d int) []Term {
	if d == 0 {
		return []Term{{}}
	}
	var out []Term
	for i := range names {
		for _, rest := range combinations(names[i+1:], d-1) {
			out = append(out, append(Term{names[i]}, rest...))
		}
	}
	return out
}

// A Column is one column of a design matrix.
type Column struct {
	// Name is R's name of the coefficient, such as "doseB" or "supp1:dose2".
	Name string
	// Term is the index of the term in Design.Terms, -1 for the intercept.
	Term int
	// Values holds one number a kept row.
	Values []float64
}

// A Design is the model matrix of a Model over the complete rows of a Frame.
type Design struct {
	// Columns are the columns in R's order, aliased ones included.
	Columns []Column
	// Terms are the model's terms by rising degree.
	Terms []Term
	// Rows are the rows of the frame that have no missing value, in order.
	Rows []int
	// Intercept reports whether the first column is the constant.
	Intercept bool

	frame Frame
	model Model
}

// NewDesign builds the model matrix. Rows with a missing value in a column of
// the model, or where keep is false (keep may be nil), are left out. An unknown
// column, or a factor with fewer than two levels in the model, is an error.
//
// A factor is coded by contrasts where the term without it is in the model and
// by indicators of all its levels where it is not, which is R's rule; without an
// intercept the first factor stands for it.
func NewDesign(frame Frame, model Model, keep []bool) (*Design, error) {
	d := &Design{Intercept: !model.NoIntercept, frame: frame, model: model}
	d.Terms = slices.Clone(model.Terms)
	slices.SortStableFunc(d.Terms, func(a, b Term) int { return len(a) - len(b) })
	for _, t := range d.Terms {
		for _, name := range t {
			if err := frame.check(name); err != nil {
				return nil, err
			}
		}
	}
	d.Rows = frame.completeRows(d.Terms, keep)
	if d.Intercept {
		d.Columns = append(d.Columns, Column{Name: "(Intercept)", Term: -1, Values: constant(len(d.Rows), 1)})
	}
	for i, t := range d.Terms {
		d.Columns = append(d.Columns, d.termColumns(i, t)...)
	}
	return d, nil
}

// N is the number of kept rows.
func (d *Design) N() int { return len(d.Rows) }

// Pick takes the kept rows of a column of the frame's length.
func (d *Design) Pick(values []float64) []float64 {
	out := make([]float64, len(d.Rows))
	for i, r := range d.Rows {
		out[i] = values[r]
	}
	return out
}

// PickCodes takes the kept rows of the codes of a factor of the frame's length.
func (d *Design) PickCodes(codes []int) []int {
	out := make([]int, len(d.Rows))
	for i, r := range d.Rows {
		out[i] = codes[r]
	}
	return out
}

// termOf lists the indices of the columns of term t (-1: the intercept).
func (d *Design) termOf(t int) []int {
	var at []int
	for i, c := range d.Columns {
		if c.Term == t {
			at = append(at, i)
		}
	}
	return at
}

// values lists the columns as plain slices.
func (d *Design) values() [][]float64 {
	out := make([][]float64, len(d.Columns))
	for i, c := range d.Columns {
		out[i] = c.Values
	}
	return out
}

// termColumns are the products of the codings of a term's columns, the first
// column of the term varying fastest.
func (d *Design) termColumns(index int, t Term) []Column {
	out := []Column{{Term: index, Values: constant(len(d.Rows), 1)}}
	for i, name := range t {
		part := d.coded(name, d.hasMargin(t, i))
		var next []Column
		for _, p := range part {
			for _, o := range out {
				next = append(next, Column{Name: joinNames(o.Name, p.Name), Term: index, Values: product(o.Values, p.Values)})
			}
		}
		out = next
	}
	return out
}

// hasMargin reports whether the term t without its i-th column is in the model.
func (d *Design) hasMargin(t Term, i int) bool {
	rest := slices.Delete(slices.Clone(t), i, i+1)
	if len(rest) == 0 {
		return d.Intercept || !d.isFirstFactor(t[i])
	}
	return slices.ContainsFunc(d.Terms, func(u Term) bool { return len(u) == len(rest) && u.contains(rest) })
}

// isFirstFactor reports whether a factor is the first main effect that is one:
// without an intercept it stands for it.
func (d *Design) isFirstFactor(name string) bool {
	for _, t := range d.Terms {
		if _, ok := d.frame.factor(t[0]); ok && len(t) == 1 {
			return t[0] == name
		}
	}
	return true
}

// coded gives the columns of one variable over the kept rows.
func (d *Design) coded(name string, contrasts bool) []Column {
	if c, ok := d.frame.covariate(name); ok {
		return []Column{{Name: name, Values: d.Pick(c.Values)}}
	}
	f, _ := d.frame.factor(name)
	codes := d.PickCodes(f.Codes)
	rows, names := codingRows(f, d.model.Coding, contrasts)
	out := make([]Column, len(names))
	for j := range names {
		v := make([]float64, len(codes))
		for i, c := range codes {
			v[i] = rows[c][j]
		}
		out[j] = Column{Name: names[j], Values: v}
	}
	return out
}

// codingRows gives, for each level of a factor, its entries in the factor's
// columns, and the columns' names.
func codingRows(f Factor, coding Coding, contrasts bool) (rows [][]float64, names []string) {
	k := len(f.Levels)
	rows = make([][]float64, k)
	if !contrasts {
		for i := range rows {
			rows[i] = make([]float64, k)
			rows[i][i] = 1
			names = append(names, f.Name+f.Levels[i])
		}
		return rows, names
	}
	for i := range rows {
		rows[i] = make([]float64, k-1)
		for j := range rows[i] {
			rows[i][j] = contrast(coding, i, j, k)
		}
	}
	for j := range k - 1 {
		if coding == TreatmentCoding {
			names = append(names, f.Name+f.Levels[j+1])
			continue
		}
		names = append(names, fmt.Sprintf("%s%d", f.Name, j+1))
	}
	return rows, names
}

// contrast is the entry of level i in column j of a factor with k levels.
func contrast(coding Coding, i, j, k int) float64 {
	switch {
	case coding == TreatmentCoding && i == j+1, coding == SumCoding && i == j:
		return 1
	case coding == SumCoding && i == k-1, coding == HelmertCoding && i <= j:
		return -1
	case coding == HelmertCoding && i == j+1:
		return float64(j + 1)
	}
	return 0
}

// check reports a column that is not there or cannot be coded.
func (f Frame) check(name string) error {
	if _, ok := f.covariate(name); ok {
		return nil
	}
	factor, ok := f.factor(name)
	if !ok {
		return fmt.Errorf("column %q: not in the data, want one of %s", name, strings.Join(f.names(), ", "))
	}
	if len(factor.Levels) < 2 {
		return fmt.Errorf("factor %q: have %d level, want 2 or more", name, len(factor.Levels))
	}
	return nil
}

// names lists the columns of the frame.
func (f Frame) names() []string {
	var out []string
	for _, c := range f.Factors {
		out = append(out, c.Name)
	}
	for _, c := range f.Covariates {
		out = append(out, c.Name)
	}
	return out
}

// factor finds a categorical column.
func (f Frame) factor(name string) (Factor, bool) {
	i := slices.IndexFunc(f.Factors, func(c Factor) bool { return c.Name == name })
	if i < 0 {
		return Factor{}, false
	}
	return f.Factors[i], true
}

// covariate finds a numeric column.
func (f Frame) covariate(name string) (Covariate, bool) {
	i := slices.IndexFunc(f.Covariates, func(c Covariate) bool { return c.Name == name })
	if i < 0 {
		return Covariate{}, false
	}
	return f.Covariates[i], true
}

// completeRows lists the rows without a missing value in the terms' columns.
func (f Frame) completeRows(terms []Term, keep []bool) []int {
	n := len(keep)
	if len(f.Factors) > 0 {
		n = len(f.Factors[0].Codes)
	} else if len(f.Covariates) > 0 {
		n = len(f.Covariates[0].Values)
	}
	ok := make([]bool, n)
	for i := range ok {
		ok[i] = keep == nil || keep[i]
	}
	for _, t := range terms {
		for _, name := range t {
			f.markMissing(name, ok)
		}
	}
	var rows []int
	for i, k := range ok {
		if k {
			rows = append(rows, i)
		}
	}
	return rows
}

// markMissing clears ok where the named column is missing.
func (f Frame) markMissing(name string, ok []bool) {
	if c, is := f.covariate(name); is {
		for i, v := range c.Values {
			ok[i] = ok[i] && !math.IsNaN(v)
		}
		return
	}
	c, _ := f.factor(name)
	for i, code := range c.Codes {
		ok[i] = ok[i] && code >= 0
	}
}

func joinNames(a, b string) string {
	if a == "" {
		return b
	}
	return a + ":" + b
}

func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i] * b[i]
	}
	return out
}

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
