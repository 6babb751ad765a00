package simulate

import (
	"math"

	"github.com/assay-bench/assay/schema"
)

// A TermTruth is a main effect, or the interaction of two factors.
type TermTruth struct {
	// Factors are one or two names; harness and model count as factors.
	Factors []string `json:"factors"`
	// Null is true where nothing is planted: a test that rejects errs.
	Null bool `json:"null"`
	// Contrasts are, for a main effect, the levels against the reference; for an
	// interaction, differences of differences against both references.
	Contrasts []ContrastTruth `json:"contrasts"`
}

// A ContrastTruth is one planted difference.
type ContrastTruth struct {
	// Levels are the levels, in the order of the term's factors.
	Levels []string `json:"levels"`
	// Mean is the mean at the levels, cells weighed equally.
	Mean float64 `json:"mean"`
	// Difference is that to the reference, or the difference of differences.
	Difference float64 `json:"difference"`
}

// An axis is a factor, harness or model with the levels to which a metric applies,
// the reference first.
type axis struct {
	name   string
	levels []string
}

// axes are those with two levels or more among arms that have a value.
func (d *design) axes(values []schema.Opt[float64]) []axis {
	s := d.study
	all := []axis{}
	for _, f := range s.Factors {
		all = append(all, axis{f.Name, referenceFirst(levelNames(f.Levels), f.Reference)})
	}
	all = append(all, axis{harnessKey, s.Harnesses}, axis{modelKey, s.Models})
	var list []axis
	for _, x := range all {
		var applies []string
		for _, level := range x.levels {
			if _, ok := d.levelMean(values, schema.Member[string]{Name: x.name, Value: level}).Get(); ok {
				applies = append(applies, level)
			}
		}
		if len(applies) > 1 {
			list = append(list, axis{x.name, applies})
		}
	}
	return list
}

func referenceFirst(levels []string, reference string) []string {
	out := []string{reference}
	for _, l := range levels {
		if l != reference {
			out = append(out, l)
		}
	}
	return out
}

// levelMean is the mean over the arms at these levels, each arm weighed equally.
func (d *design) levelMean(values []schema.Opt[float64], at ...schema.Member[string]) schema.Opt[float64] {
	e := Effect{At: at}
	sum, n := 0.0, 0
	for i := range d.arms {
		if v, ok := values[i].Get(); ok && e.meets(d.arms[i].levels) {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return schema.None[float64]()
	}
	return schema.Some(sum / float64(n))
}

// terms are the main effects, then the interactions of pairs.
func (d *design) terms(values []schema.Opt[float64]) []TermTruth {
	axes := d.axes(values)
	var list []TermTruth
	for _, x := range axes {
		t := TermTruth{Factors: []string{x.name}, Null: true}
		for _, level := range x.levels {
			m := d.levelMean(values, schema.Member[string]{Name: x.name, Value: level}).Or(0)
			t.add(m, m-d.levelMean(values, schema.Member[string]{Name: x.name, Value: x.levels[0]}).Or(0), level)
		}
		list = append(list, t)
	}
	for i, x := range axes {
		for _, y := range axes[i+1:] {
			list = append(list, d.interaction(values, x, y))
		}
	}
	return list
}

func (d *design) interaction(values []schema.Opt[float64], x, y axis) TermTruth {
	t := TermTruth{Factors: []string{x.name, y.name}, Null: true}
	mean := func(a, b string) float64 {
		return d.levelMean(values, schema.Member[string]{Name: x.name, Value: a}, schema.Member[string]{Name: y.name, Value: b}).Or(0)
	}
	for _, a := range x.levels[1:] {
		for _, b := range y.levels[1:] {
			difference := mean(a, b) - mean(x.levels[0], b) - mean(a, y.levels[0]) + mean(x.levels[0], y.levels[0])
			t.add(mean(a, b), difference, a, b)
		}
	}
	return t
}

// add adds a contrast. What is below 1e-9 is the rounding of sums of sizes.
func (t *TermTruth) add(mean, difference float64, levels ...string) {
	if math.Abs(difference) < 1e-9 {
		difference = 0
	}
	t.Null = t.Null && difference == 0
	t.Contrasts = append(t.Contrasts, ContrastTruth{Levels: levels, Mean: roundSigned(mean), Difference: roundSigned(difference)})
}

// roundSigned keeps 12 decimals.
func roundSigned(v float64) float64 { return math.Round(v*1e12) / 1e12 }
