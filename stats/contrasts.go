package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/assay-bench/assay/stats/dist"
)

// A ContrastAdjustment says how p-values and intervals of a family of contrasts
// account for their number.
type ContrastAdjustment int

// The adjustments. Holm and BH have no simultaneous interval: Bonferroni's is
// given beside them and named so.
const (
	// AdjustNone leaves each test alone.
	AdjustNone ContrastAdjustment = iota
	// AdjustHolm is Holm's step-down method.
	AdjustHolm
	// AdjustBonferroni multiplies by the number of contrasts.
	AdjustBonferroni
	// AdjustBH is Benjamini and Hochberg's false discovery rate.
	AdjustBH
	// AdjustTukey is exact for all pairs of independent means of equal error.
	AdjustTukey
	// AdjustScheffe covers every contrast that could be formed.
	AdjustScheffe
	// AdjustSidak is 1-(1-p)^m.
	AdjustSidak
)

// A ContrastSet is a family of contrasts of marginal means: one row of weights a
// contrast, one weight a mean.
type ContrastSet struct {
	// Names name the contrasts.
	Names []string
	// Weights are the coefficients of the means.
	Weights [][]float64
	// Means is the number of means that are compared, for Tukey's method.
	Means int
}

// label joins the levels of a mean.
func (m MarginalMean) label() string { return strings.Join(m.Levels, " ") }

// Pairwise are all differences of a mean and a later one.
func Pairwise(means []MarginalMean) ContrastSet {
	s := ContrastSet{Means: len(means)}
	for i := range means {
		for j := i + 1; j < len(means); j++ {
			s.add(means[i].label()+" - "+means[j].label(), len(means), map[int]float64{i: 1, j: -1})
		}
	}
	return s
}

// AgainstControl are the differences of every other mean and the one at control.
func AgainstControl(means []MarginalMean, control int) ContrastSet {
	s := ContrastSet{Means: len(means)}
	for i := range means {
		if i != control {
			s.add(means[i].label()+" - "+means[control].label(), len(means), map[int]float64{i: 1, control: -1})
		}
	}
	return s
}

// AgainstMean are the differences of every mean and the mean of all.
func AgainstMean(means []MarginalMean) ContrastSet {
	s := ContrastSet{Means: len(means)}
	for i := range means {
		w := constant(len(means), -1/float64(len(means)))
		w[i]++
		s.Names, s.Weights = append(s.Names, means[i].label()+" effect"), append(s.Weights, w)
	}
	return s
}

// InteractionPairwise are the differences of differences of means over two
// factors with the given numbers of levels, the first varying fastest.
func InteractionPairwise(means []MarginalMean, first, second int) ContrastSet {
	s := ContrastSet{Means: len(means)}
	for c := range second {
		for d := c + 1; d < second; d++ {
			for a := range first {
				for b := a + 1; b < first; b++ {
					at := func(i, j int) int { return i + j*first }
					name := fmt.Sprintf("%s - %s, %s - %s", means[a].Levels[0], means[b].Levels[0],
						means[at(0, c)].Levels[1], means[at(0, d)].Levels[1])
					s.add(name, len(means), map[int]float64{at(a, c): 1, at(b, c): -1, at(a, d): -1, at(b, d): 1})
				}
			}
		}
	}
	return s
}

// add appends a contrast given by its non-zero weights.
func (s *ContrastSet) add(name string, n int, weights map[int]float64) {
	w := make([]float64, n)
	for i, v := range weights {
		w[i] = v
	}
	s.Names, s.Weights = append(s.Names, name), append(s.Weights, w)
}

// Contrasts estimates a family of contrasts. P and CI of the result are
// adjusted. A contrast is estimable where the model determines it, even if the
// means it compares are not; the family counts the estimable ones.
func (m MarginalModel) Contrasts(means []MarginalMean, set ContrastSet, adjustment ContrastAdjustment, level float64) []Coefficient {
	out := make([]Coefficient, len(set.Weights))
	for i, w := range set.Weights {
		out[i] = m.contrast(means, set.Names[i], w, level)
	}
	set.adjust(out, adjustment, level)
	return out
}

// contrast estimates one contrast of means.
func (m MarginalModel) contrast(means []MarginalMean, name string, w []float64, level float64) Coefficient {
	value, gradient := 0.0, make([]float64, len(m.Kept))
	if row := combine(means, w, len(m.Design.Columns)); row != nil {
		if !estimable(row, m.nulls) {
			return Coefficient{Name: name, Reason: m.why()}
		}
		gradient = m.onKept(row)
		return m.coefficient(name, dot(gradient, m.Beta), gradient, level)
	}
	for i, v := range w {
		if v == 0 {
			continue
		}
		if means[i].Mean.Reason != "" {
			return Coefficient{Name: name, Reason: means[i].Mean.Reason}
		}
		value += v * means[i].value
		for k, g := range means[i].gradient {
			gradient[k] += v * g
		}
	}
	return m.coefficient(name, value, gradient, level)
}

// combine is the contrast's row over all columns, nil on the probability scale.
func combine(means []MarginalMean, w []float64, columns int) []float64 {
	out := make([]float64, columns)
	for i, v := range w {
		if means[i].row == nil {
			return nil
		}
		for j, x := range means[i].row {
			out[j] += v * x
		}
	}
	return out
}

// adjust replaces p and interval by their adjusted forms.
func (s ContrastSet) adjust(out []Coefficient, adjustment ContrastAdjustment, level float64) {
	ok, p := make([]bool, len(out)), make([]float64, len(out))
	for i, c := range out {
		ok[i], p[i] = c.Reason == "" && c.Uncertain == "", c.P
	}
	stepwise := map[ContrastAdjustment]Adjustment{AdjustHolm: Holm, AdjustBonferroni: Bonferroni, AdjustBH: BH}
	rule, isStepwise := stepwise[adjustment]
	_, count := Adjust(p, ok, Bonferroni)
	if isStepwise {
		p, _ = Adjust(p, ok, rule)
	}
	m, rank := float64(count), float64(rankOf(s.Weights))
	for i := range out {
		if !ok[i] {
			continue
		}
		c := &out[i]
		critical, method := 0.0, ""
		switch adjustment {
		case AdjustNone:
			continue
		case AdjustTukey:
			c.P = dist.TukeySurvival(math.Abs(c.Statistic)*math.Sqrt2, float64(s.Means), c.DF)
			critical, method = dist.TukeyQuantile(level, float64(s.Means), c.DF)/math.Sqrt2, "tukey"
		case AdjustScheffe:
			c.P = dist.FSurvival(c.Statistic*c.Statistic/rank, rank, c.DF)
			critical, method = math.Sqrt(rank*dist.FQuantile(level, rank, c.DF)), "scheffe"
		case AdjustSidak:
			c.P = -math.Expm1(m * math.Log1p(-p[i]))
			critical, method = quantileOf((1+math.Pow(level, 1/m))/2, c.DF), "sidak"
		default:
			c.P = p[i]
			critical, method = quantileOf(1-(1-level)/(2*m), c.DF), "bonferroni"
		}
		c.CI = Interval{Low: c.Estimate - critical*c.StdErr, High: c.Estimate + critical*c.StdErr, Level: level, Method: method}
	}
}

// quantileOf is the quantile of t, or of the normal where df is infinite.
func quantileOf(p, df float64) float64 {
	if math.IsInf(df, 1) {
		return dist.NormalQuantile(p)
	}
	return dist.StudentTQuantile(p, df)
}

// rankOf is the number of independent rows.
func rankOf(rows [][]float64) int {
	copies := make([][]float64, len(rows))
	for i, r := range rows {
		copies[i] = slices.Clone(r)
	}
	return factorize(copies, nil, false).rank()
}

// Probability turns a mean of log odds into a probability, its error by the
// delta method and its interval by its ends. This is the probability at the mean
// of the logits, not the mean of probabilities (see ProbabilityScale). Statistic
// and P stay those of the log odds.
func (c Coefficient) Probability() Coefficient {
	p := logisticOf(c.Estimate)
	c.StdErr *= p * (1 - p)
	c.Estimate = p
	c.CI.Low, c.CI.High = logisticOf(c.CI.Low), logisticOf(c.CI.High)
	return c
}

// Ratio turns a difference of log odds into an odds ratio in the same way.
func (c Coefficient) Ratio() Coefficient {
	c.Name = strings.ReplaceAll(c.Name, " - ", " / ")
	c.Estimate = math.Exp(c.Estimate)
	c.StdErr *= c.Estimate
	c.CI.Low, c.CI.High = math.Exp(c.CI.Low), math.Exp(c.CI.High)
	return c
}
