package stats

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// mixedParts splits a mixed formula into its fixed part and its random terms.
func mixedParts(t *testing.T, tab *modelTable, formula string) (string, []RandomTerm) {
	t.Helper()
	left, right, _ := strings.Cut(formula, "~")
	var fixed []string
	var random []RandomTerm
	for _, part := range splitTop(right) {
		part = strings.TrimSpace(part)
		inner, ok := strings.CutPrefix(part, "(")
		if !ok || !strings.Contains(part, "|") {
			fixed = append(fixed, part)
			continue
		}
		effects, group, _ := strings.Cut(strings.TrimSuffix(inner, ")"), "|")
		group = strings.TrimSpace(group)
		r := RandomTerm{Group: tab.factor(group)}
		for _, e := range strings.Split(effects, "+") {
			switch e = strings.TrimSpace(e); e {
			case "1":
			case "0":
				r.NoIntercept = true
			default:
				r.Slopes = append(r.Slopes, Covariate{Name: e, Values: tab.numbers(e)})
			}
		}
		random = append(random, r)
	}
	return left + "~ " + strings.Join(fixed, " + "), random
}

func TestReferenceMixed(t *testing.T) {
	eachModelCase(t, "lmm", "lmm.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		fixed, random := mixedParts(t, tab, c.text("formula"))
		d, _, _ := tab.design(t, fixed, modelCodings[c.text("contrasts")], "")
		response, _, _ := modelFormula(fixed)
		y := tab.numbers(response)
		for key, reml := range map[string]bool{"reml": true, "ml": false} {
			f, err := Mixed(d, y, random, reml, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			c.mixedFit(t, key, c.Expected[key], f)
			points := map[bool]string{true: "reml_criterion_at_fixed_theta", false: "ml_deviance_at_fixed_theta"}[reml]
			for _, p := range modelList(c.Expected[points]) {
				c.criterion(t, p, d, y, random, reml)
			}
			if reml {
				c.mixedREML(t, f)
			}
		}
	})
}

// criterion checks the criterion at one theta to rel 1e-9.
func (c modelCase) criterion(t *testing.T, point any, d *Design, y []float64, random []RandomTerm, reml bool) {
	t.Helper()
	var theta []float64
	for _, v := range modelList(at(point, "theta")) {
		x, _ := number(v)
		theta = append(theta, x)
	}
	got, err := MixedCriterion(d, y, random, reml, theta)
	if err != nil {
		t.Fatal(err)
	}
	c.closeAt(t, fmt.Sprintf("criterion at %v", theta), at(point, "criterion"), got, "", 1e-9, 0)
}

// mixedFit checks a fit at its optimum.
func (c modelCase) mixedFit(t *testing.T, key string, want any, f *MixedFit) {
	t.Helper()
	check := func(what string, want any, got float64) {
		t.Helper()
		if want != nil {
			c.close(t, key+" "+what, want, got, "")
		}
	}
	for i, w := range modelList(at(want, "theta")) {
		c.closeAt(t, key+" theta", w, f.Theta[i], "", 1e-5, 1e-4)
	}
	for _, name := range []string{"criterion", "criterion_minus2loglik"} {
		if w := at(want, name); w != nil {
			c.closeAt(t, key+" criterion", w, f.Criterion, "", 0, 1e-6)
		}
	}
	check("n", at(want, "n"), float64(f.N))
	check("loglik", at(want, "loglik"), f.LogLik)
	check("aic", at(want, "aic"), f.AIC)
	check("bic", at(want, "bic"), f.BIC)
	check("sigma", at(want, "sigma"), f.Sigma)
	if w, ok := at(want, "singular").(bool); ok && w != f.Singular {
		t.Errorf("%s singular: have %v, want %v", key, f.Singular, w)
	}
	if w := at(want, "random"); w != nil {
		c.components(t, key, w, f.Components)
	}
	table := at(want, "fixed")
	for i, term := range texts(at(table, "term")) {
		g := f.Coefficients[f.Kept[i]]
		if g.Name != term {
			t.Errorf("%s fixed effect: have %s, want %s", key, g.Name, term)
		}
		pick := func(name string) any {
			if l := modelList(at(table, name)); l != nil {
				return l[i]
			}
			return nil
		}
		check(term, pick("estimate"), g.Estimate)
		check(term+" error", pick("std_error"), g.StdErr)
		check(term+" t", pick("t"), g.Statistic)
		if w := pick("df"); w != nil {
			c.closeAt(t, key+" "+term+" df", w, g.DF, "", 1e-3, 0)
			c.closeAt(t, key+" "+term+" p", pick("p"), g.P, "", 1e-3, 0)
		}
	}
	if w := at(want, "vcov_fixed"); w != nil {
		rows := modelList(at(w, "values"))
		for i := range rows {
			for j, x := range modelList(rows[i]) {
				c.closeAt(t, fmt.Sprintf("%s vcov[%d][%d]", key, i, j), x, f.Vcov[i][j], "",
					c.Tolerance.Rel, c.Tolerance.Abs+1e-5*math.Sqrt(f.Vcov[i][i]*f.Vcov[j][j]))
			}
		}
	}
}

// components checks variances by position: the order is lme4's.
func (c modelCase) components(t *testing.T, key string, want any, got []VarianceComponent) {
	t.Helper()
	groups := texts(at(want, "group"))
	if len(groups) != len(got) {
		t.Errorf("%s: have %d components, want %d", key, len(got), len(groups))
		return
	}
	for i, g := range groups {
		// lme4 numbers the terms of one group apart: subject, subject.1
		if name, _, _ := strings.Cut(g, "."); name != got[i].Group {
			t.Errorf("%s component %d: have %s, want %s", key, i, got[i].Group, g)
		}
		c.closeAt(t, key+" variance "+g, modelList(at(want, "vcov"))[i], got[i].Variance, "", 1e-5, c.Tolerance.Abs)
		c.closeAt(t, key+" sd "+g, modelList(at(want, "sdcor"))[i], got[i].SDCor.Value, got[i].SDCor.Reason, 1e-5, c.Tolerance.Abs)
	}
}

// mixedREML checks what the reference has for the restricted fit only.
func (c modelCase) mixedREML(t *testing.T, f *MixedFit) {
	t.Helper()
	for key, kind := range map[string]SumType{"anova_type3_satterthwaite": SumTypeIII, "anova_type1_satterthwaite": SumTypeI, "anova_type2_satterthwaite": SumTypeII} {
		if want, ok := c.Expected[key]; ok {
			c.mixedTerms(t, key, want, f.Terms(kind))
		}
	}
	if want, ok := c.Expected["anova_type3_kenward_roger"]; ok {
		c.kenwardRoger(t, want, c.Expected["fixed_kenward_roger"], f)
	}
	if r, ok := c.Expected["ranef"].(map[string]any); ok {
		for _, e := range f.Random {
			c.ranef(t, r[e.Group], e)
		}
	}
	for i, w := range modelList(c.Expected["fitted_first5"]) {
		c.close(t, "fitted", w, f.Fitted[i], "")
	}
	for i, w := range modelList(c.Expected["marginal_fitted_first5"]) {
		c.close(t, "marginal fitted", w, f.Marginal[i], "")
	}
	if means, ok := c.Expected["emmeans"].(map[string]any); ok {
		for factor, want := range means {
			m := f.MarginalMeans()
			got := m.Means([]string{factor}, MarginalOptions{})
			loose := c
			loose.Tolerance.Rel = 1e-3
			loose.marginalMeans(t, "means of "+factor, at(want, "means"), got)
			loose.marginalRows(t, "pairs of "+factor, at(want, "pairwise_holm"), m.Contrasts(got, Pairwise(got), AdjustHolm, 0.95))
		}
	}
}

func (c modelCase) mixedTerms(t *testing.T, key string, want any, got []MixedTermTest) {
	t.Helper()
	for i, term := range texts(at(want, "term")) {
		j := slices.IndexFunc(got, func(g MixedTermTest) bool { return g.Test.Name == term })
		if j < 0 {
			t.Errorf("%s %s: missing", key, term)
			continue
		}
		g := got[j]
		pick := func(name string) any { return modelList(at(want, name))[i] }
		c.closeAt(t, key+" "+term+" F", pick("f"), g.Test.Statistic, g.Test.Reason, 1e-5, 1e-9)
		c.closeAt(t, key+" "+term+" df1", pick("num_df"), g.Test.DF1, "", 0, 0)
		c.closeAt(t, key+" "+term+" df2", pick("den_df"), g.Test.DF2, "", 1e-3, 0)
		c.closeAt(t, key+" "+term+" ss", pick("ss"), g.SS, "", 1e-5, 1e-9)
		c.closeAt(t, key+" "+term+" ms", pick("ms"), g.MS, "", 1e-5, 1e-9)
		c.closeAt(t, key+" "+term+" p", pick("p"), g.Test.P, "", 1e-3, 0)
	}
}

func (c modelCase) ranef(t *testing.T, want any, e RandomEffects) {
	t.Helper()
	values := at(want, "values")
	if values == nil {
		values = want
	}
	rows := texts(at(values, "rows"))
	sd := modelList(at(want, "cond_sd"))
	for i, level := range rows {
		l := slices.Index(e.Levels, level)
		if l < 0 {
			t.Errorf("random effect of %s: missing", level)
			continue
		}
		for j, w := range modelList(modelList(at(values, "values"))[i]) {
			c.closeAt(t, "mode of "+level, w, e.Modes[l][j], "", 1e-5, c.Tolerance.Abs)
			if sd != nil {
				c.closeAt(t, "sd of "+level, modelList(sd[i])[j], e.CondSD[l][j], "", 1e-5, c.Tolerance.Abs)
			}
		}
	}
}

func TestReferenceMixedEdges(t *testing.T) {
	eachModelCase(t, "lmm", "edge.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		fixed, random := mixedParts(t, tab, c.text("formula"))
		d, _, _ := tab.design(t, fixed, TreatmentCoding, "")
		response, _, _ := modelFormula(fixed)
		f, err := Mixed(d, tab.numbers(response), random, true, 0.95)
		if _, refused := c.Expected["error"]; refused {
			if err == nil || !strings.Contains(err.Error(), random[0].Group.Name) {
				t.Errorf("have %v, want an error that names %s", err, random[0].Group.Name)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range f.Coefficients {
			want := at(c.Expected["fixed"], g.Name)
			if want == nil {
				if g.Reason != Aliased {
					t.Errorf("%s: have %+v, want it aliased", g.Name, g)
				}
				continue
			}
			c.close(t, g.Name, want, g.Estimate, g.Reason)
		}
		if c.ID == "constant_response" && (f.Reason != NoVariation || f.Coefficients[0].Uncertain != NoVariation) {
			t.Errorf("have %q, want no variation", f.Reason)
		}
		if w, ok := c.Expected["reml_criterion"]; ok {
			c.closeAt(t, "criterion", w, f.Criterion, "", 0, 1e-6)
		}
	})
}

// kenwardRoger checks scaled F tests and adjusted t tests. The reference's own
// optimum is good to 1e-6, and so are its degrees of freedom.
func (c modelCase) kenwardRoger(t *testing.T, terms, fixed any, f *MixedFit) {
	t.Helper()
	k, why := f.KenwardRoger()
	if why != "" {
		t.Fatal(why)
	}
	c.mixedTerms(t, "kenward-roger", terms, k.Terms())
	for i, g := range k.Terms() {
		c.closeAt(t, "kenward-roger df "+g.Test.Name, modelList(at(terms, "den_df"))[i], g.Test.DF2, g.Test.Reason, 1e-6, 0)
	}
	for _, g := range k.Coefficients(0.95) {
		i := slices.Index(texts(at(fixed, "term")), g.Name)
		if i < 0 {
			continue
		}
		pick := func(name string) any { return modelList(at(fixed, name))[i] }
		c.closeAt(t, "kenward-roger "+g.Name+" error", pick("std_error"), g.StdErr, g.Reason, 1e-6, 0)
		c.closeAt(t, "kenward-roger "+g.Name+" df", pick("df"), g.DF, g.Uncertain, 1e-6, 0)
		c.closeAt(t, "kenward-roger "+g.Name+" t", pick("t"), g.Statistic, g.Uncertain, 1e-6, 0)
		c.closeAt(t, "kenward-roger "+g.Name+" p", pick("p"), g.P, g.Uncertain, 1e-3, 0)
	}
}
