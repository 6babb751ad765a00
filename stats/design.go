package stats

import (
	"slices"
	"strings"
)

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
	keep  []bool // which rows of the frame were kept
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
	d.keep = frame.completeRows(d.Terms, keep)
	for i, k := range d.keep {
		if k {
			d.Rows = append(d.Rows, i)
		}
	}
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
