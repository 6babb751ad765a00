package stats

import (
	"slices"
	"strings"
	"testing"
)

const (
	fullExperiment     = " ~ retrieval * model * prompt"
	additiveExperiment = " ~ retrieval + model + prompt"
	twoWayExperiment   = " ~ (retrieval + model + prompt)^2"
)

// An experimentCase is a case on the simulated study, without its excluded runs.
type experimentCase struct {
	modelCase
	tab *modelTable
}

func TestReferenceExperiment(t *testing.T) {
	checks := map[string]func(experimentCase, *testing.T){
		"cells": experimentCase.cells, "lpm_sum": experimentCase.linear, "lpm_treatment": experimentCase.linear,
		"lpm_treatment_cluster_task": experimentCase.clustered, "lpm_treatment_cluster_repo": experimentCase.clustered,
		"lpm_sum_cluster_task": experimentCase.clustered, "lpm_sum_wald_terms_CR2_task": experimentCase.waldTerms,
		"lpm_treatment_vcovCL": experimentCase.vcovCL, "anova_recall": experimentCase.sums, "anova_resolved": experimentCase.sums,
		"glm_logit_treatment": experimentCase.logit, "glm_logit_sum": experimentCase.logit,
		"glm_lrt_interactions": experimentCase.lrt, "glm_logit_cluster_task": experimentCase.logitClustered,
		"rm_anova_recall": experimentCase.rm, "lmm_recall_crossed": experimentCase.mixed, "lmm_resolved_lpm": experimentCase.mixed,
		"lmm_recall_ml_lrt": experimentCase.mixedLRT, "glmm_resolved_laplace": experimentCase.laplace,
		"emmeans_lm_recall": experimentCase.means, "emmeans_lm_recall_proportional": experimentCase.means,
		"emmeans_lpm_cr2": experimentCase.means, "emmeans_glm_link": experimentCase.means, "emmeans_lmm_recall": experimentCase.means,
		"emmeans_glm_response": experimentCase.response, "interaction_contrasts": experimentCase.interaction,
	}
	eachModelCase(t, "experiment", "experiment_a.json", func(t *testing.T, c modelCase) {
		check, ok := checks[strings.TrimPrefix(c.ID, "experiment_a_")]
		if !ok {
			t.Fatal("no check for this case")
		}
		e := experimentCase{c, c.table(t)}
		e.tab.keep(func(i int) bool { return e.tab.columns["excluded"][i] == "0" })
		check(e, t)
	})
}

// coding is sum where the case's name says so.
func (c experimentCase) coding() Coding {
	if strings.Contains(c.ID, "_sum") || strings.Contains(c.ID, "_recall") {
		return SumCoding
	}
	return TreatmentCoding
}

// response is the outcome that the case's name says.
func (c experimentCase) outcome() string {
	if strings.Contains(c.ID, "recall") || strings.Contains(c.ID, "interaction_contrasts") {
		return "recall_at_10"
	}
	return "resolved"
}

func (c experimentCase) fit(t *testing.T, coding Coding) *LinearFit {
	t.Helper()
	d, y, _ := c.tab.design(t, c.outcome()+fullExperiment, coding, "")
	return OLS(d, y, nil, 0.95)
}

func (c experimentCase) cells(t *testing.T) {
	want := c.Expected["cells"]
	for i, retrieval := range texts(at(want, "retrieval")) {
		var resolved, recall []float64
		for r := range c.tab.rows {
			if c.tab.columns["retrieval"][r] == retrieval && c.tab.columns["model"][r] == texts(at(want, "model"))[i] &&
				c.tab.columns["prompt"][r] == texts(at(want, "prompt"))[i] {
				resolved = append(resolved, c.tab.numbers("resolved")[r])
				recall = append(recall, c.tab.numbers("recall_at_10")[r])
			}
		}
		for key, v := range map[string][]float64{"resolved": resolved, "recall": recall} {
			d, _ := NewDesign(Frame{}, Model{}, slices.Repeat([]bool{true}, len(v)))
			fit := OLS(d, v, nil, 0.95)
			c.close(t, key+" mean", modelList(at(want, key+"_mean"))[i], fit.Coefficients[0].Estimate, "")
			c.close(t, key+" sd", modelList(at(want, key+"_sd"))[i], fit.Sigma.Value, fit.Sigma.Reason)
		}
		c.close(t, "n", modelList(at(want, "n"))[i], float64(len(resolved)), "")
	}
}

func (c experimentCase) linear(t *testing.T) { c.linearFit(t, "", c.Expected, c.fit(t, c.coding())) }

func (c experimentCase) clustered(t *testing.T) {
	unit := "task"
	if strings.HasSuffix(c.ID, "repo") {
		unit = "repo"
	}
	fit := c.fit(t, c.coding())
	for name, kind := range modelClusterKinds {
		want, ok := c.Expected[name]
		if !ok {
			continue
		}
		r, why := ClusterRobust(fit, c.tab.factor(unit).Codes, kind)
		if why != "" {
			t.Fatal(why)
		}
		c.close(t, "clusters", c.Expected["n_clusters"], float64(r.Clusters), "")
		c.satterthwaite(t, name, want, r)
	}
}

// satterthwaite checks a covariance and its t tests.
func (c experimentCase) satterthwaite(t *testing.T, name string, want any, r *Robust) {
	t.Helper()
	c.matrix(t, name, at(want, "vcov"), r.Vcov)
	table := at(want, "coef_test_satterthwaite")
	for i, g := range r.Coefficients(0.95) {
		c.contrastRow(t, table, "term", g.Name, g, "std_error", "df")
		naive := g
		naive.DF = float64(r.Clusters - 1)
		naive.test(0.95, "t")
		if texts(at(table, "term"))[i] != g.Name {
			t.Errorf("term %d: have %s", i, g.Name)
		}
		c.closeAt(t, name+" "+g.Name+" naive p", at(want, "t_df_clusters_minus_1_p", g.Name), naive.P, naive.Uncertain, c.Tolerance.Rel, 0)
	}
}

func (c experimentCase) waldTerms(t *testing.T) {
	fit := c.fit(t, SumCoding)
	r, why := ClusterRobust(fit, c.tab.factor("task").Codes, CR2)
	if why != "" {
		t.Fatal(why)
	}
	for term, want := range c.Expected {
		rows := fit.termContrasts(term)
		c.modelCase.wald(t, term, at(want, "HTZ"), r.Wald(term, rows))
		f, chi := r.NaiveWald(term, rows)
		c.modelCase.wald(t, term+" naive", at(want, "naive_F"), f)
		c.close(t, term+" chi", at(want, "wald_chisq", "chisq"), chi.Statistic, chi.Reason)
		c.closeAt(t, term+" chi p", at(want, "wald_chisq", "p"), chi.P, chi.Reason, c.Tolerance.Rel, 0)
	}
}

func (c experimentCase) vcovCL(t *testing.T) {
	fit := c.fit(t, TreatmentCoding)
	both := make([]string, c.tab.rows)
	for i := range both {
		both[i] = c.tab.columns["task"][i] + "|" + c.tab.columns["rep"][i]
	}
	robust := func(codes []int, kind ClusterKind) *Robust {
		r, why := ClusterRobust(fit, codes, kind)
		if why != "" {
			t.Fatal(why)
		}
		return r
	}
	task := c.tab.factor("task").Codes
	c.matrix(t, "HC0 by task", c.Expected["HC0_task_cadjust_false"], robust(task, CR0).Vcov)
	c.matrix(t, "HC1 by task", c.Expected["HC1_task_cadjust_true"], robust(task, CR1S).Vcov)
	two := TwoWay(robust(task, CR0), robust(NewFactor("rep", c.tab.columns["rep"], nil).Codes, CR0), robust(NewFactor("both", both, nil).Codes, CR0))
	c.matrix(t, "two way", c.Expected["two_way_task_rep_HC0_cadjust_false_multi0_false"], two)
}

func (c experimentCase) sums(t *testing.T) {
	for key, kind := range map[string]SumType{"type_I": SumTypeI, "type_II": SumTypeII, "type_III_sum_contrasts": SumTypeIII} {
		a := c.anova(t, c.tab, c.outcome()+fullExperiment, kind)
		want := c.Expected[key].(map[string]any)
		terms := texts(want["term"])
		for _, r := range a.Rows {
			i := slices.Index(terms, r.Test.Name)
			pick := func(name string) any { return modelList(want[name])[i] }
			c.close(t, key+" "+r.Test.Name, pick("ss"), r.SS, r.Reason)
			c.close(t, key+" "+r.Test.Name+" df", pick("df"), r.Test.DF1, r.Reason)
			c.close(t, key+" "+r.Test.Name+" F", pick("f"), r.Test.Statistic, r.Test.Reason)
			c.closeAt(t, key+" "+r.Test.Name+" p", pick("p"), r.Test.P, r.Test.Reason, c.Tolerance.Rel, 0)
			c.close(t, key+" "+r.Test.Name+" eta", pick("partial_eta_sq"), r.PartialEtaSq.Value, r.PartialEtaSq.Reason)
			c.close(t, key+" "+r.Test.Name+" omega", pick("omega_sq_partial"), r.PartialOmegaSq.Value, r.PartialOmegaSq.Reason)
		}
		if a.Intercept != nil {
			c.close(t, key+" intercept", modelList(want["ss"])[0], a.Intercept.SS, "")
		}
	}
}

func (c experimentCase) logistic(t *testing.T, formula string, coding Coding) (*LogisticFit, *Design, []float64) {
	t.Helper()
	d, y, _ := c.tab.design(t, "resolved"+formula, coding, "")
	return Logistic(d, y, nil, 0.95), d, y
}

func (c experimentCase) logit(t *testing.T) {
	fit, d, y := c.logistic(t, fullExperiment, c.coding())
	c.logisticFit(t, c.Expected, fit)
	if want, ok := c.Expected["anova_type_I_chisq"]; ok {
		c.deviances(t, want, LogisticTerms(d, y, nil, SumTypeI), "Deviance", "Pr(>Chi)")
		c.deviances(t, c.Expected["anova_type_II_LR"], LogisticTerms(d, y, nil, SumTypeII), "lr_chisq", "p")
		c.deviances(t, c.Expected["anova_type_III_LR"], LogisticTerms(d, y, nil, SumTypeIII), "lr_chisq", "p")
		c.deviances(t, c.Expected["anova_type_III_wald"], fit.WaldTerms(), "Chisq", "p")
	}
}

func (c experimentCase) lrt(t *testing.T) {
	full, _, _ := c.logistic(t, fullExperiment, TreatmentCoding)
	two, _, _ := c.logistic(t, twoWayExperiment, TreatmentCoding)
	additive, _, _ := c.logistic(t, additiveExperiment, TreatmentCoding)
	for key, pair := range map[string][2]*LogisticFit{"all_interactions_vs_additive": {additive, full},
		"two_way_vs_additive": {additive, two}, "highest_order_vs_two_way": {two, full}} {
		g := CompareLogistic(key, pair[0], pair[1])
		c.close(t, key, at(c.Expected[key], "lr_chisq"), g.Statistic, g.Reason)
		c.close(t, key+" df", at(c.Expected[key], "df"), g.DF1, g.Reason)
		c.close(t, key+" p", at(c.Expected[key], "p"), g.P, g.Reason)
	}
}

func (c experimentCase) logitClustered(t *testing.T) {
	fit, _, _ := c.logistic(t, fullExperiment, TreatmentCoding)
	codes := c.tab.factor("task").Codes
	for name, kind := range map[string]ClusterKind{"CR0": CR0, "CR1": CR1, "CR2": CR2} {
		r, why := LogisticClusterRobust(fit, codes, kind)
		if why != "" {
			t.Fatal(why)
		}
		c.satterthwaite(t, name, at(c.Expected["clubSandwich"], name), r)
		switch kind {
		case CR0:
			c.matrix(t, "HC0", c.Expected["vcovCL_HC0_nocadj"], r.Vcov)
		case CR1:
			c.matrix(t, "HC0 adjusted", c.Expected["vcovCL_HC0_cadj"], r.Vcov)
		}
	}
}

func (c experimentCase) rm(t *testing.T) {
	d := RepeatedDesign{Subject: c.tab.factor("task"), Response: c.tab.numbers("recall_at_10"), Type: SumTypeIII}
	for _, name := range []string{"retrieval", "model", "prompt"} {
		d.Within = append(d.Within, c.tab.factor(name))
	}
	r, err := RepeatedANOVA(d)
	if err != nil {
		t.Fatal(err)
	}
	c.repeated(t, r)
	if !slices.Equal(r.Dropped, texts(c.Expected["dropped_tasks"])) {
		t.Errorf("dropped: have %v, want %v", r.Dropped, c.Expected["dropped_tasks"])
	}
	c.close(t, "tasks", c.Expected["n_complete"], float64(r.Subjects), "")
}

// random are the study's crossed random intercepts.
func (c experimentCase) random() []RandomTerm {
	return []RandomTerm{{Group: c.tab.factor("task")}, {Group: c.tab.factor("repo")}}
}

func (c experimentCase) mixedModel(t *testing.T, formula string, reml bool) *MixedFit {
	t.Helper()
	d, _, _ := c.tab.design(t, c.outcome()+formula, c.coding(), "")
	f, err := Mixed(d, c.tab.numbers(c.outcome()), c.random(), reml, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// lmeTable renames the columns of lme4's coefficient table.
func lmeTable(want any) map[string]any {
	table := at(want, "fixed")
	out := map[string]any{"term": at(table, "term")}
	for from, to := range map[string]string{"Estimate": "estimate", "Std. Error": "std_error", "df": "df", "t value": "t",
		"z value": "z", "Pr(>|t|)": "p"} {
		if v := at(table, from); v != nil {
			out[to] = v
		}
	}
	return out
}

// renamed is an expected fit with lme4's coefficient table renamed.
func renamed(want any) map[string]any {
	out := map[string]any{}
	for k, v := range want.(map[string]any) {
		out[k] = v
	}
	out["fixed"] = lmeTable(want)
	return out
}

func (c experimentCase) mixed(t *testing.T) {
	f := c.mixedModel(t, fullExperiment, true)
	c.mixedFit(t, "reml", renamed(c.Expected), f)
	for key, kind := range map[string]SumType{"anova_type3_satterthwaite": SumTypeIII, "anova_type1_satterthwaite": SumTypeI, "anova_type2_satterthwaite": SumTypeII} {
		if want, ok := c.Expected[key]; ok {
			c.mixedTerms(t, key, want, f.Terms(kind))
		}
	}
	if want, ok := c.Expected["anova_type3_kenward_roger"]; ok {
		c.kenwardRoger(t, want, nil, f)
	}
	for _, e := range f.Random {
		c.ranef(t, at(c.Expected["ranef"], e.Group), e)
		for l, w := range modelList(at(c.Expected["ranef"], e.Group, "cond_var_diag")) {
			c.closeAt(t, "conditional variance", w, e.CondSD[l][0]*e.CondSD[l][0], "", 1e-4, 0)
		}
	}
	c.points(t, c.Expected["reml_criterion_at_fixed_theta"], true)
}

// points checks the criterion at fixed theta.
func (c experimentCase) points(t *testing.T, want any, reml bool) {
	t.Helper()
	d, _, _ := c.tab.design(t, c.outcome()+fullExperiment, c.coding(), "")
	for _, p := range modelList(at(want, "points")) {
		c.criterion(t, p, d, c.tab.numbers(c.outcome()), c.random(), reml)
	}
}

func (c experimentCase) mixedLRT(t *testing.T) {
	full, additive := c.mixedModel(t, fullExperiment, false), c.mixedModel(t, additiveExperiment, false)
	c.mixedFit(t, "full", renamed(c.Expected["full"]), full)
	c.mixedFit(t, "additive", renamed(c.Expected["additive"]), additive)
	g := CompareMixed("interactions", additive, full)
	c.closeAt(t, "chi", at(c.Expected["lrt"], "chisq"), g.Statistic, g.Reason, 1e-5, 1e-6)
	c.close(t, "df", at(c.Expected["lrt"], "df"), g.DF1, g.Reason)
	c.closeAt(t, "p", at(c.Expected["lrt"], "p"), g.P, g.Reason, 1e-5, 0)
	c.points(t, c.Expected["ml_deviance_at_fixed_theta"], false)
}

func (c experimentCase) laplace(t *testing.T) {
	y := c.tab.numbers("resolved")
	fit := func(formula string) (*MixedLogisticFit, *Design) {
		d, _, _ := c.tab.design(t, "resolved"+formula, TreatmentCoding, "")
		f, err := MixedLogistic(d, y, nil, c.random(), 0.95)
		if err != nil {
			t.Fatal(err)
		}
		return f, d
	}
	full, d := fit(fullExperiment)
	c.laplacePoints(t, at(c.Expected["laplace_deviance_at_fixed_parameters"], "points"), d, y, nil, c.random())
	c.laplaceOptimum(t, c.Expected["laplace_exact_optimum"], full)
	c.laplaceFit(t, renamed(c.Expected), full)
	additive, _ := fit(additiveExperiment)
	c.laplaceOptimum(t, c.Expected["additive_laplace_exact_optimum"], additive)
	g := CompareMixedLogistic("interactions", additive, full)
	c.close(t, "chi", at(c.Expected["lrt_full_vs_additive"], "chisq"), g.Statistic, g.Reason)
	c.close(t, "p", at(c.Expected["lrt_full_vs_additive"], "p"), g.P, g.Reason)
}

// marginal is the model that the case's name says.
func (c experimentCase) marginal(t *testing.T) MarginalModel {
	t.Helper()
	switch {
	case strings.Contains(c.ID, "_glm_"):
		fit, _, _ := c.logistic(t, fullExperiment, TreatmentCoding)
		return fit.Marginal()
	case strings.Contains(c.ID, "_lmm_"):
		return c.mixedModel(t, fullExperiment, true).MarginalMeans()
	case strings.HasSuffix(c.ID, "cr2"):
		fit := c.fit(t, TreatmentCoding)
		r, _ := ClusterRobust(fit, c.tab.factor("task").Codes, CR2)
		return fit.Marginal(r.Vcov)
	}
	return c.fit(t, TreatmentCoding).Marginal(nil)
}

func (c experimentCase) means(t *testing.T) {
	m := c.marginal(t)
	options := MarginalOptions{}
	if strings.HasSuffix(c.ID, "proportional") {
		options.Weights = ProportionalWeights
	}
	if strings.Contains(c.ID, "_lmm_") {
		c.Tolerance.Rel = 1e-3 // df of the reference come from a numerical Hessian
	}
	for key, want := range c.Expected {
		c.marginalSet(t, key, want, m, m.Means(strings.Split(key, ":"), options))
	}
}

func (c experimentCase) response(t *testing.T) {
	m := c.marginal(t)
	each := func(rows []Coefficient, f func(Coefficient) Coefficient) []Coefficient {
		var out []Coefficient
		for _, r := range rows {
			out = append(out, f(r))
		}
		return out
	}
	for _, factor := range []string{"retrieval", "model", "prompt"} {
		link := m.Means([]string{factor}, MarginalOptions{})
		var rows []Coefficient
		for _, g := range link {
			rows = append(rows, g.Mean.Probability())
		}
		want := at(c.Expected["type_response"], factor)
		c.marginalRows(t, factor+" probability", at(want, "means"), rows)
		c.marginalRows(t, factor+" odds ratio", at(want, "pairwise_odds_ratio_holm"),
			each(m.Contrasts(link, Pairwise(link), AdjustHolm, 0.95), Coefficient.Ratio))
		averaged := m.Means([]string{factor}, MarginalOptions{Scale: ProbabilityScale})
		want = at(c.Expected["regrid_response"], factor)
		c.marginalMeans(t, factor+" mean probability", at(want, "means"), averaged)
		c.marginalRows(t, factor+" risk difference", at(want, "pairwise_risk_difference_holm"),
			m.Contrasts(averaged, Pairwise(averaged), AdjustHolm, 0.95))
	}
}

func (c experimentCase) interaction(t *testing.T) {
	m := c.marginal(t)
	means := m.Means([]string{"retrieval", "model"}, MarginalOptions{})
	c.marginalRows(t, "interaction", c.Expected["lm_recall"], m.Contrasts(means, InteractionPairwise(means, 2, 2), AdjustHolm, 0.95))
}
