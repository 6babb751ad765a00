package stats

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReferenceLogistic(t *testing.T) {
	eachModelCase(t, "logistic", "logistic.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		formula := c.text("formula")
		var trials []float64
		if strings.HasPrefix(formula, "incidence of size") {
			formula = strings.Replace(formula, "incidence of size", "incidence", 1)
			trials = tab.numbers("size")
		}
		coding := TreatmentCoding
		if k := c.text("contrasts"); k != "" {
			coding = modelCodings[k]
		}
		d, y, _ := tab.design(t, formula, coding, "")
		fit := Logistic(d, y, trials, 0.95)
		if c.Expected["ml_exists"] == false {
			c.separated(t, d, y, fit)
			return
		}
		if fit.Reason != "" {
			t.Fatalf("have no fit: %s", fit.Reason)
		}
		c.logisticFit(t, c.Expected, fit)
		c.logisticTests(t, d, y, trials, fit)
		if want, ok := c.Expected["firth"]; ok {
			c.firth(t, want, Firth(d, y, trials, 0.95))
		}
	})
}

// logisticFit checks every number of a fitted logistic model.
func (c modelCase) logisticFit(t *testing.T, want any, fit *LogisticFit) {
	t.Helper()
	c.coefficients(t, at(want, "coefficients"), fit.Coefficients, "std_error", "z")
	for key, v := range map[string]Number{"deviance": fit.Deviance, "null_deviance": fit.NullDeviance, "loglik": fit.LogLik,
		"aic": fit.AIC, "bic": fit.BIC, "pearson_chisq": fit.Pearson, "dispersion_pearson": fit.Dispersion,
		"n": {Value: float64(fit.N)}, "rank": {Value: float64(fit.Rank)}, "df_residual": {Value: float64(fit.DFResidual)},
		"df_null": {Value: float64(fit.DFNull)}} {
		if w := at(want, key); w != nil {
			c.close(t, key, w, v.Value, v.Reason)
		}
	}
	c.matrix(t, "vcov", at(want, "vcov"), fit.Vcov)
	for _, g := range fit.Coefficients {
		if low := at(want, "ci95_wald", "lower", g.Name); low != nil {
			c.close(t, g.Name+" low", low, g.CI.Low, g.Reason)
			c.close(t, g.Name+" high", at(want, "ci95_wald", "upper", g.Name), g.CI.High, g.Reason)
		}
	}
	if at(want, "ci95_profile") == nil {
		return
	}
	intervals, why := fit.ProfileIntervals(0.95)
	for j, g := range fit.Coefficients {
		// R interpolates its profile by a spline, to 1e-3.
		c.closeAt(t, g.Name+" profile low", at(want, "ci95_profile", "lower", g.Name), intervals[j].Low, why[j], 1e-3, 1e-3)
		c.closeAt(t, g.Name+" profile high", at(want, "ci95_profile", "upper", g.Name), intervals[j].High, why[j], 1e-3, 1e-3)
	}
}

func (c modelCase) logisticTests(t *testing.T, d *Design, y, trials []float64, fit *LogisticFit) {
	t.Helper()
	if want, ok := c.Expected["anova_type_I"]; ok {
		c.deviances(t, want, LogisticTerms(d, y, trials, SumTypeI), "Deviance", "Pr(>Chi)")
	}
	if want, ok := c.Expected["type_II_LR"]; ok {
		c.deviances(t, want, LogisticTerms(d, y, trials, SumTypeII), "lr_chisq", "p")
	}
	if want, ok := c.Expected["drop1_LR"]; ok {
		// A term that is a margin of none is dropped as in type II.
		c.deviances(t, want, LogisticTerms(d, y, trials, SumTypeII), "LRT", "Pr(>Chi)")
	}
}

// deviances checks likelihood ratio rows by term.
func (c modelCase) deviances(t *testing.T, want any, got []TermTest, statistic, p string) {
	t.Helper()
	for _, g := range got {
		i := slices.Index(texts(at(want, "term")), g.Name)
		if i < 0 {
			continue
		}
		c.close(t, g.Name+" df", modelList(at(want, "df"))[i], g.DF1, "")
		c.closeAt(t, g.Name+" "+statistic, modelList(at(want, statistic))[i], g.Statistic, "", c.Tolerance.Rel, max(c.Tolerance.Abs, 1e-8))
		c.closeAt(t, g.Name+" p", modelList(at(want, p))[i], g.P, g.Reason, c.Tolerance.Rel, 0)
	}
}

// firth checks a penalised fit; the reference was optimised to rel 1e-6.
func (c modelCase) firth(t *testing.T, want any, fit *FirthFit) {
	t.Helper()
	if fit.Reason != "" {
		t.Fatalf("firth: %s", fit.Reason)
	}
	table := at(want, "coefficients")
	near := func(what string, want any, got float64) {
		t.Helper()
		c.closeAt(t, "firth "+what, want, got, "", 1e-6, 1e-8)
	}
	for i, term := range texts(at(table, "term")) {
		pick := func(key string) any { return modelList(at(table, key))[i] }
		g := fit.Coefficients[fit.Kept[i]]
		near(term, pick("estimate"), g.Estimate)
		near(term+" error", pick("std_error"), g.StdErr)
		near(term+" z", pick("wald_z"), g.Statistic)
		near(term+" p", pick("wald_p"), g.P)
		near(term+" penalised LR", pick("profile_penalised_lr_chisq"), fit.Tests[i].Statistic)
		near(term+" penalised p", pick("profile_penalised_lr_p"), fit.Tests[i].P)
		near(term+" profile low", pick("profile_ci_lower"), fit.Profiles[i].Low)
		near(term+" profile high", pick("profile_ci_upper"), fit.Profiles[i].High)
	}
	near("penalised log likelihood", at(want, "penalised_loglik"), fit.PenalizedLogLik)
	if m := at(want, "penalised_lr_model_vs_null_constrained"); m != nil {
		near("model chi", at(m, "chisq"), fit.Model.Statistic)
		near("model df", at(m, "df"), fit.Model.DF1)
		near("model p", at(m, "p"), fit.Model.P)
	}
	for i, w := range modelList(at(want, "fitted_first10")) {
		near("fitted", w, fit.Fitted[i])
	}
}

// separated checks that no maximum likelihood estimate is given.
func (c modelCase) separated(t *testing.T, d *Design, y []float64, fit *LogisticFit) {
	t.Helper()
	if fit.Reason != Separation || fit.Separation == nil {
		t.Fatalf("have %q, want separation", fit.Reason)
	}
	for _, g := range fit.Coefficients {
		if g.Reason != Separation {
			t.Errorf("%s: have an estimate", g.Name)
		}
	}
	if want := texts(at(c.Expected, "separation", "diverging")); want != nil && !slices.Equal(want, fit.Separation.Diverging) {
		t.Errorf("diverging: have %v, want %v", fit.Separation.Diverging, want)
	}
	c.closeAt(t, "limiting deviance", c.Expected["limiting_deviance"], fit.Separation.LimitingDeviance, "", 1e-9, 1e-8)
	if want, ok := c.Expected["firth"]; ok {
		c.firth(t, want, Firth(d, y, nil, 0.95))
	}
	if want, ok := c.Expected["firth_intercept_only"]; ok {
		c.close(t, "firth intercept", at(want, "estimate"), Firth(d, y, nil, 0.95).Coefficients[0].Estimate, "")
	}
}

// TestCaseCompleteSeparation: all runs of one arm pass and all (or some) of the
// other fail. No plain logistic coefficient is given.
func TestCaseCompleteSeparation(t *testing.T) {
	dir := filepath.Join(modelFolder(t, "ASSAY_CASES", "cases"), "086-complete-separation", "input")
	for file, complete := range map[string]bool{"runs.csv": true, "quasi.csv": false} {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Fatal(err)
		}
		tab := readModelTable(t, filepath.Join(dir, file))
		d, y, _ := tab.design(t, "pass ~ arm", TreatmentCoding, "")
		fit := Logistic(d, y, nil, 0.95)
		if fit.Reason != Separation || fit.Separation == nil || fit.Separation.Complete != complete {
			t.Errorf("%s: have %q %+v, want separation, complete %v", file, fit.Reason, fit.Separation, complete)
		}
		firth := Firth(d, y, nil, 0.95)
		if firth.Reason != "" || math.IsInf(firth.Coefficients[1].Estimate, 0) {
			t.Errorf("%s: Firth's estimate must exist: %+v", file, firth)
		}
	}
}
