package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestReferenceMixedLogistic(t *testing.T) {
	eachModelCase(t, "glmm", "glmm.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		fixed, random := mixedParts(t, tab, c.text("formula"))
		d, _, _ := tab.design(t, fixed, TreatmentCoding, "")
		response, _, _ := modelFormula(fixed)
		y, trials := tab.numbers(response), []float64(nil)
		if w := c.text("weights"); w != "" {
			trials = tab.numbers(w)
			for i := range y {
				y[i] = math.Round(y[i] * trials[i])
			}
		}
		c.laplacePoints(t, c.Expected["laplace_minus2loglik_at_fixed_parameters"], d, y, trials, random)
		f, err := MixedLogistic(d, y, trials, random, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		c.laplaceOptimum(t, c.Expected["laplace_exact_optimum"], f)
		c.laplaceFit(t, c.Expected, f)
		for _, e := range f.Random {
			want := at(c.Expected["ranef_modes"], e.Group)
			for i, level := range texts(at(want, "rows")) {
				w := modelList(modelList(at(want, "values"))[i])[0]
				c.closeAt(t, "mode of "+level, w, e.Modes[slices.Index(e.Levels, level)][0], "", 2e-3, 1e-4)
			}
		}
	})
}

// laplacePoints checks the criterion at fixed parameters to rel 1e-9.
func (c modelCase) laplacePoints(t *testing.T, points any, d *Design, y, trials []float64, random []RandomTerm) {
	t.Helper()
	floats := func(v any) []float64 {
		var out []float64
		for _, x := range modelList(v) {
			f, _ := number(x)
			out = append(out, f)
		}
		return out
	}
	for _, p := range modelList(points) {
		got, err := MixedLogisticCriterion(d, y, trials, random, floats(at(p, "theta")), floats(at(p, "beta")))
		if err != nil {
			t.Fatal(err)
		}
		c.closeAt(t, fmt.Sprintf("at theta %v", at(p, "theta")), at(p, "minus2loglik"), got, "", 1e-9, 0)
	}
}

// laplaceOptimum checks against the polished optimum: criterion abs 1e-6, estimates rel 1e-4.
func (c modelCase) laplaceOptimum(t *testing.T, want any, f *MixedLogisticFit) {
	t.Helper()
	if f.Reason != "" {
		t.Fatalf("no fit: %s", f.Reason)
	}
	c.closeAt(t, "optimum", at(want, "minus2loglik"), f.Minus2LogLik, "", 0, 1e-6)
	for i, w := range modelList(at(want, "theta")) {
		c.closeAt(t, "theta", w, f.Theta[i], "", 1e-4, 1e-4)
	}
	table := at(want, "fixed")
	for i, term := range texts(at(table, "term")) {
		g := f.Coefficients[f.Kept[i]]
		pick := func(name string) any { return modelList(at(table, name))[i] }
		c.closeAt(t, term, pick("estimate"), g.Estimate, g.Reason, 1e-4, 1e-6)
		c.closeAt(t, term+" error", pick("std_error_hessian"), g.StdErr, g.Reason, 1e-4, 0)
		c.closeAt(t, term+" z", pick("z"), g.Statistic, g.Reason, 2e-4, 1e-5)
		c.closeAt(t, term+" p", pick("p"), g.P, g.Reason, 2e-3, 0)
	}
}

// laplaceFit checks against lme4's own optimum: 2e-3.
func (c modelCase) laplaceFit(t *testing.T, want any, f *MixedLogisticFit) {
	t.Helper()
	c.closeAt(t, "-2 log likelihood", at(want, "minus2loglik"), f.Minus2LogLik, "", 0, 1e-3)
	c.closeAt(t, "AIC", at(want, "aic"), f.AIC, "", 0, 1e-3)
	c.closeAt(t, "BIC", at(want, "bic"), f.BIC, "", 0, 1e-3)
	if w, ok := at(want, "singular").(bool); ok && w != f.Singular {
		t.Errorf("singular: have %v, want %v", f.Singular, w)
	}
	for i := range texts(at(want, "random", "group")) {
		c.closeAt(t, "variance", modelList(at(want, "random", "vcov"))[i], f.Components[i].Variance, "", 4e-3, 1e-4)
	}
	for _, key := range []string{"vcov_fixed_hessian", "vcov_fixed"} {
		for i, row := range modelList(at(want, key, "values")) {
			for j, w := range modelList(row) {
				c.closeAt(t, "covariance", w, f.Vcov[i][j], "", 0, 4e-3*math.Sqrt(f.Vcov[i][i]*f.Vcov[j][j]))
			}
		}
	}
	table := at(want, "fixed")
	for i, term := range texts(at(table, "term")) {
		g := f.Coefficients[f.Kept[i]]
		c.closeAt(t, "lme4 "+term, modelList(at(table, "estimate"))[i], g.Estimate, g.Reason, 2e-3, 1e-4)
		c.closeAt(t, "lme4 "+term+" error", modelList(at(table, "std_error"))[i], g.StdErr, g.Reason, 2e-3, 1e-4)
	}
}

func TestReferenceMixedLogisticEdges(t *testing.T) {
	eachModelCase(t, "glmm", "edge.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		fixed, random := mixedParts(t, tab, c.text("formula"))
		d, _, _ := tab.design(t, fixed, TreatmentCoding, "")
		f, err := MixedLogistic(d, tab.numbers("y"), nil, random, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		if f.Reason != Separation || f.Coefficients[1].Reason != Separation || !slices.Contains(f.Separation.Diverging, "armon") {
			t.Errorf("have %q %+v, want separation along the arm", f.Reason, f.Separation)
		}
	})
}
