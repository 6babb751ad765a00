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

// completeRows marks the rows without a missing value in the terms' columns.
func (f Frame) completeRows(terms []Term, keep []bool) []bool {
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
	return ok
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
