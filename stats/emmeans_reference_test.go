package stats

import (
	"math"
	"slices"
	"strings"
	"testing"
)

var modelAdjustments = map[string]ContrastAdjustment{"pairwise_none": AdjustNone, "pairwise_holm": AdjustHolm,
	"pairwise_bonferroni": AdjustBonferroni, "pairwise_BH": AdjustBH, "pairwise_tukey": AdjustTukey,
	"pairwise_scheffe": AdjustScheffe, "pairwise_sidak": AdjustSidak}

func TestReferenceMarginalMeans(t *testing.T) {
	formulas := map[string]string{"warpbreaks_by_wool_tension": "breaks ~ wool * tension",
		"toothgrowth_unbalanced_equal_weights": "len ~ supp * dose", "toothgrowth_unbalanced_proportional": "len ~ supp * dose",
		"mtcars_ancova_at_mean_covariate": "mpg ~ wt + cyl", "edge_empty_cell_nonestimable": "y ~ a * c"}
	eachModelCase(t, "emmeans", "emmeans.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		fit := func(formula string) MarginalModel {
			d, y, _ := tab.design(t, formula, TreatmentCoding, "")
			return OLS(d, y, nil, 0.95).Marginal(nil)
		}
		m := fit(formulas[c.ID])
		options := MarginalOptions{}
		if strings.HasSuffix(c.ID, "proportional") {
			options.Weights = ProportionalWeights
		}
		for key, want := range c.Expected {
			names := strings.Split(key, "_x_")
			switch key {
			case "interaction":
				means := m.Means([]string{"wool", "tension"}, options)
				got := m.Contrasts(means, InteractionPairwise(means, 2, 3), AdjustNone, 0.95)
				c.marginalRows(t, key, want, got)
			case "wt_mean":
			case "cells":
				c.marginalMeans(t, key, want, m.Means([]string{"a", "c"}, options))
			case "additive_a":
				c.marginalMeans(t, key, want, fit("y ~ a + c").Means([]string{"a"}, options))
			default:
				means := m.Means(names, options)
				if at(want, "means") == nil {
					c.marginalMeans(t, key, want, means)
					continue
				}
				c.marginalSet(t, key, want, m, means)
			}
		}
		c.jointTests(t, tab, formulas[c.ID])
	})
}

// jointTests compares the reference's joint tests with type III.
func (c modelCase) jointTests(t *testing.T, tab *modelTable, formula string) {
	t.Helper()
	for key, block := range c.Expected {
		want := at(block, "joint_tests")
		if want == nil || at(want, "F.ratio") == nil {
			continue
		}
		_, terms, _ := modelFormula(formula)
		a := c.anova(t, tab, formula, SumTypeIII)
		for i, term := range texts(at(want, "model term")) {
			j := slices.IndexFunc(terms, func(u Term) bool { return u.String() == term })
			if j < 0 {
				continue
			}
			c.close(t, key+" joint "+term, modelList(at(want, "F.ratio"))[i], a.Rows[j].Test.Statistic, a.Rows[j].Test.Reason)
		}
	}
}

// marginalSet checks means and every family of contrasts of them.
func (c modelCase) marginalSet(t *testing.T, key string, want any, m MarginalModel, means []MarginalMean) {
	t.Helper()
	c.marginalMeans(t, key, at(want, "means"), means)
	for family, adjustment := range modelAdjustments {
		if table := at(want, family); table != nil {
			c.marginalRows(t, key+" "+family, table, m.Contrasts(means, Pairwise(means), adjustment, 0.95))
		}
	}
	if table := at(want, "eff_contrasts"); table != nil {
		c.marginalRows(t, key+" effects", table, m.Contrasts(means, AgainstMean(means), AdjustNone, 0.95))
	}
	if table := at(want, "trt_vs_ctrl_holm"); table != nil {
		c.marginalRows(t, key+" control", table, m.Contrasts(means, AgainstControl(means, 0), AdjustHolm, 0.95))
	}
}

func (c modelCase) marginalMeans(t *testing.T, key string, want any, got []MarginalMean) {
	t.Helper()
	rows := make([]Coefficient, len(got))
	for i, g := range got {
		rows[i] = g.Mean
	}
	c.marginalRows(t, key, want, rows)
}

// marginalRows checks a table of estimates by position: the order is R's.
func (c modelCase) marginalRows(t *testing.T, key string, want any, got []Coefficient) {
	t.Helper()
	tukey := strings.HasSuffix(key, "tukey")
	column := func(names ...string) []any {
		for _, n := range names {
			if l := modelList(at(want, n)); l != nil {
				return l
			}
		}
		return nil
	}
	for what, v := range map[string]func(g Coefficient) float64{
		"estimate": func(g Coefficient) float64 { return g.Estimate }, "SE": func(g Coefficient) float64 { return g.StdErr },
		"df": func(g Coefficient) float64 { return g.DF }, "statistic": func(g Coefficient) float64 { return g.Statistic },
		"lower": func(g Coefficient) float64 { return g.CI.Low }, "upper": func(g Coefficient) float64 { return g.CI.High }} {
		others := map[string][]string{"estimate": {"estimate", "emmean", "prob", "odds.ratio"}, "SE": {"SE"}, "df": {"df"},
			"statistic": {"statistic", "t.ratio"}, "lower": {"lower", "lower.CL"}, "upper": {"upper", "upper.CL"}}
		for i, w := range column(others[what]...) {
			rel := c.Tolerance.Rel
			if tukey && (what == "lower" || what == "upper") {
				rel = 1e-4 // R's qtukey stops at 1e-4
			}
			if math.IsInf(got[i].DF, 1) && what == "df" {
				continue
			}
			c.closeAt(t, key+" "+got[i].Name+" "+what, w, v(got[i]), got[i].Reason, rel, c.Tolerance.Abs)
		}
	}
	for i, w := range column("p", "p.value") {
		rel := c.Tolerance.Rel
		abs := 1e-321
		switch { // R forms these two as 1 - something: below 1e-8 and 1e-15 its digits are noise
		case tukey:
			rel, abs = 1e-6, 1e-11
		case strings.HasSuffix(key, "sidak"):
			abs = 1e-15
		}
		c.closeAt(t, key+" "+got[i].Name+" p", w, got[i].P, got[i].Reason, rel, abs)
	}
}
