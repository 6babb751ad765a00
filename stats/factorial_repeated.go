package stats

import (
	"fmt"
	"math"
	"slices"
)

// factorialRepeated is the analysis by repeated measures.
func factorialRepeated(design FactorialDesign) (*Factorial, error) {
	a, err := unabsorbed(design)
	if err != nil {
		return nil, err
	}
	if design.Block == nil {
		return nil, fmt.Errorf("method rm: have no block, want the task as block")
	}
	f := a.begin(MethodRepeated)
	if f.Reason != "" {
		return f, nil
	}
	keep := make([]float64, len(design.Response))
	for i := range keep {
		keep[i] = math.NaN()
	}
	for _, r := range a.full.Rows {
		keep[r] = design.Response[r]
	}
	repeated := RepeatedDesign{Subject: codedFactor("block", design.Block), Within: design.Factors, Response: keep, Type: SumTypeIII}
	r, err := RepeatedANOVA(repeated)
	if err != nil {
		return nil, err
	}
	f.Blocks, f.Clusters, f.Reason = r.Subjects, r.Subjects, r.Reason
	f.Notes = append(f.Notes, fmt.Sprintf("%d tasks without a run in some condition are left out", len(r.Dropped)))
	if f.Reason != "" {
		return f, nil
	}
	for _, e := range r.Effects {
		f.Terms = append(f.Terms, FactorialTerm{Name: e.Name, Test: e.TestGG, SS: Number{Value: e.SS}, PartialEtaSq: e.PartialEtaSq})
	}
	f.holm()
	cells, _, err := repeated.table()
	if err != nil {
		return nil, err
	}
	a.pairedLevels(f, cells)
	return f, nil
}

// pairedLevels gives level means and differences over the complete tasks, by t.
func (a *absorbed) pairedLevels(f *Factorial, cells [][]float64) {
	for at, factor := range a.design.Factors {
		means := a.taskMeans(cells, at)
		for l, level := range factor.Levels {
			f.Means = append(f.Means, FactorialLevel{Factor: factor.Name, Level: level, Mean: meanByT(level, means[l], a.design.Level)})
			for k := range l {
				d := FactorialContrast{Factor: factor.Name, Level: level, Reference: factor.Levels[k]}
				d.Difference = meanByT(level+" - "+d.Reference, added(means[l], means[k], -1), a.design.Level)
				f.Contrasts = append(f.Contrasts, d)
			}
		}
	}
}

// taskMeans are, for each level of one factor, the means of every complete task
// over the other factors.
func (a *absorbed) taskMeans(cells [][]float64, at int) [][]float64 {
	inner := 1
	for _, f := range a.design.Factors[at+1:] {
		inner *= len(f.Levels)
	}
	k := len(a.design.Factors[at].Levels)
	out := make([][]float64, k)
	for _, row := range cells {
		if slices.ContainsFunc(row, math.IsNaN) {
			continue
		}
		sums := make([]float64, k)
		for c, v := range row {
			sums[c/inner%k] += v
		}
		for l := range sums {
			out[l] = append(out[l], sums[l]/float64(len(row)/k))
		}
	}
	return out
}

// meanByT is a mean with its t interval.
func meanByT(name string, v []float64, level float64) Coefficient {
	c := Coefficient{Name: name, Estimate: weightedMean(v, nil), DF: float64(len(v) - 1)}
	w := slices.Clone(v)
	centre(w, nil)
	c.StdErr = math.Sqrt(sumSquares(w) / c.DF / float64(len(v)))
	if c.StdErr == 0 {
		c.Uncertain = NoVariation
		return c
	}
	c.test(level, "paired t")
	return c
}
