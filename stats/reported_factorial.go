package stats

import (
	"math"
	"slices"
)

// MethodOuterLimits names an interval that has, on each side, the outer of the limits
// of the linear model and the hybrid score limits.
const MethodOuterLimits = "the outer of cluster-robust t and hybrid score limits"

// ReportedFactorial is the analysis as tables and SQL report it: that of
// AnalyzeFactorialBy, where MethodOLS has wider limits for the difference of two levels
// of which one has few effective successes or failures, outcomes lying between 0
// and 1: on each side the outer of its own limit and of the hybrid score limit (Zou and
// Donner, Statistics in Medicine 27 (2008) 1693-1702). The errors of a linear model are
// too small there, for what varies hangs on a handful of tasks; score limits alone fall
// short with few tasks and rates in the middle. With fewer than 12 units, where t
// rejects too often, the p is the larger of both, so that it and the interval agree;
// with more it is that of t, which holds its level there. Estimate and terms stay.
// What it covers stands in docs/validity.md.
func ReportedFactorial(design FactorialDesign, method FactorialMethod) (*Factorial, error) {
	f, err := AnalyzeFactorialBy(design, method)
	if err != nil || method != MethodOLS || !f.Reason.OK() {
		return f, err
	}
	s, ok := newLevelScores(design)
	if !ok {
		return f, nil
	}
	for i, factor := range design.Factors {
		scores := make([]scoredMean, len(factor.Levels))
		for l := range scores {
			scores[l] = s.level(i, l)
		}
		for j := range f.Contrasts {
			c := &f.Contrasts[j]
			d := &c.Difference
			if c.Factor != factor.Name || !d.Reason.OK() || !d.Uncertain.OK() {
				continue
			}
			one, two := scores[slices.Index(factor.Levels, c.Level)], scores[slices.Index(factor.Levels, c.Reference)]
			if math.Min(one.fewest, two.fewest) >= fewEffective {
				continue
			}
			low, high := hybridLimits(d.Estimate, one, two)
			d.CI.Method = MethodOuterLimits
			d.CI.Low, d.CI.High = math.Min(d.CI.Low, math.Max(-1, low)), math.Max(d.CI.High, math.Min(1, high))
			if s.units < fewTasks {
				d.P = math.Max(d.P, hybridP(d.Estimate, one, two))
			}
		}
	}
	return f, nil
}

// levelScores are the rows that the analysis uses, each with its unit.
type levelScores struct {
	design FactorialDesign
	rows   []int
	unit   []int // of each of rows
	units  int
	binary bool
}

// newLevelScores refuses outcomes that do not lie between 0 and 1.
func newLevelScores(design FactorialDesign) (levelScores, bool) {
	s := levelScores{design: design, binary: true}
	code := map[int]int{}
	for i, y := range design.Response {
		if !complete(design, i) {
			continue
		}
		if y < 0 || y > 1 {
			return s, false
		}
		s.binary = s.binary && (y == 0 || y == 1)
		unit := i
		switch {
		case design.Cluster != nil:
			unit = design.Cluster[i]
		case design.Block != nil:
			unit = design.Block[i]
		}
		at, seen := code[unit]
		if !seen {
			at = len(code)
			code[unit] = at
		}
		s.rows, s.unit = append(s.rows, i), append(s.unit, at)
	}
	s.units = len(code)
	return s, true
}

// complete says whether the analysis uses a row.
func complete(design FactorialDesign, row int) bool {
	if math.IsNaN(design.Response[row]) || design.Block != nil && design.Block[row] < 0 || design.Cluster != nil && design.Cluster[row] < 0 {
		return false
	}
	for _, f := range design.Factors {
		if f.Codes[row] < 0 {
			return false
		}
	}
	return true
}

// level is the mean at one level of a factor, cells of the other factors weighing
// equally, with score limits. What a unit adds is linearized cell by cell
// (Cochran, Sampling Techniques, 3rd ed., 1977, section 6.3). With all runs there it
// is the level mean of the linear model.
func (s levelScores) level(factor, level int) scoredMean {
	type cell struct{ sum, runs float64 }
	var cells []cell
	var own, in []int // places in rows, and their cells
	at := map[int]int{}
	for place, i := range s.rows {
		if s.design.Factors[factor].Codes[i] != level {
			continue
		}
		key := 0
		for k, f := range s.design.Factors {
			if k != factor {
				key = key*len(f.Levels) + f.Codes[i]
			}
		}
		c, seen := at[key]
		if !seen {
			c = len(cells)
			at[key] = c
			cells = append(cells, cell{})
		}
		cells[c].sum += s.design.Response[i]
		cells[c].runs++
		own, in = append(own, place), append(in, c)
	}
	mean, weight := 0.0, 1/float64(len(cells))
	for _, c := range cells {
		mean += c.sum / c.runs * weight
	}
	residuals := make([]float64, s.units)
	for j, place := range own {
		c := cells[in[j]]
		residuals[s.unit[place]] += (s.design.Response[s.rows[place]] - c.sum/c.runs) / c.runs * weight
	}
	confidence := s.design.Level
	if confidence == 0 {
		confidence = 0.95
	}
	return scoreMean(mean, residuals, s.units, mostEffective(float64(len(own)), s.binary), confidence)
}
