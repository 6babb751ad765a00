package stats

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestReferenceNISTANOVA(t *testing.T) {
	eachModelCase(t, "nist", "anova.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		g := tab.factor("group")
		a, err := AnalysisOfVariance(Frame{Factors: []Factor{g}}, tab.numbers("y"), Model{Terms: []Term{{"group"}}}, SumTypeI)
		if err != nil {
			t.Fatal(err)
		}
		want := c.Expected["exact_from_binary64_inputs"]
		check := func(what string, want any, got float64) {
			t.Helper()
			c.closeAt(t, what, want, got, "", c.Exact.Rel, c.Exact.Abs)
		}
		check("between", at(want, "ss_between"), a.Rows[0].SS)
		check("within", at(want, "ss_within"), a.RSS)
		check("F", at(want, "f"), a.Rows[0].Test.Statistic)
		check("R2", at(want, "r_squared"), a.Rows[0].EtaSq.Value)
		check("sd", at(want, "residual_sd"), math.Sqrt(a.RSS/float64(a.DFResidual)))
		check("df", c.Expected["df_between"], a.Rows[0].Test.DF1)
		check("df", c.Expected["df_within"], float64(a.DFResidual))
	})
}

// anovaTable checks a table of sums of squares by term name.
func (c modelCase) anovaTable(t *testing.T, what string, want any, a *ANOVA) {
	t.Helper()
	rows := map[string]ANOVARow{}
	for _, r := range a.Rows {
		rows[r.Test.Name] = r
	}
	if a.Intercept != nil {
		rows["(Intercept)"] = *a.Intercept
	}
	for i, term := range texts(at(want, "term")) {
		pick := func(keys ...string) any {
			for _, key := range keys {
				if l := modelList(at(want, key)); l != nil {
					return l[i]
				}
			}
			return nil
		}
		label := what + " " + term
		if term == "Residuals" {
			c.close(t, label, pick("ss", "Sum Sq"), a.RSS, "")
			c.close(t, label+" df", pick("df", "Df"), float64(a.DFResidual), "")
			continue
		}
		r, ok := rows[strings.TrimSpace(term)]
		if !ok {
			t.Errorf("%s: missing", label)
			continue
		}
		c.close(t, label, pick("ss"), r.SS, r.Reason)
		c.close(t, label+" df", pick("df"), r.Test.DF1, r.Reason)
		c.close(t, label+" F", pick("f"), r.Test.Statistic, r.Test.Reason)
		c.closeAt(t, label+" p", pick("p"), r.Test.P, r.Test.Reason, c.Tolerance.Rel, 0)
		if term == "(Intercept)" || at(want, "partial_eta_sq") == nil {
			continue
		}
		c.close(t, label+" partial eta", pick("partial_eta_sq"), r.PartialEtaSq.Value, r.PartialEtaSq.Reason)
		c.close(t, label+" eta", pick("eta_sq_of_listed_total"), r.EtaSq.Value, r.EtaSq.Reason)
		c.close(t, label+" partial omega", pick("partial_omega_sq"), r.PartialOmegaSq.Value, r.PartialOmegaSq.Reason)
		c.close(t, label+" f", pick("cohens_f_partial"), r.CohensF.Value, r.CohensF.Reason)
	}
}

func TestReferenceANOVA(t *testing.T) {
	eachModelCase(t, "anova", "anova.json", func(t *testing.T, c modelCase) {
		if c.text("formula") == "" || strings.HasPrefix(c.ID, "edge_") {
			c.anovaEdge(t)
			return
		}
		tab := c.table(t)
		for _, kind := range []SumType{SumTypeI, SumTypeII, SumTypeIII} {
			a := c.anova(t, tab, c.text("formula"), kind)
			key := "type_" + strings.Repeat("I", int(kind))
			c.anovaTable(t, key, c.Expected[key], a)
		}
		c.levene(t, tab)
	})
}

func (c modelCase) anova(t *testing.T, tab *modelTable, formula string, kind SumType) *ANOVA {
	t.Helper()
	response, terms, _ := modelFormula(formula)
	a, err := AnalysisOfVariance(tab.frame(termNames(terms)...), tab.numbers(response), Model{Terms: terms}, kind)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// levene checks the median-centred test over the cells of all factors.
func (c modelCase) levene(t *testing.T, tab *modelTable) {
	t.Helper()
	want, ok := c.Expected["levene_median_centred"]
	if !ok {
		return
	}
	response, terms, _ := modelFormula(c.text("formula"))
	var cells []string
	group := make([]int, tab.rows)
	for i := range group {
		var key []string
		for _, name := range termNames(terms) {
			if tab.isFactor(name) {
				key = append(key, tab.columns[name][i])
			}
		}
		cell := strings.Join(key, "|")
		if !slices.Contains(cells, cell) {
			cells = append(cells, cell)
		}
		group[i] = slices.Index(cells, cell)
	}
	got := Levene(tab.numbers(response), group, len(cells))
	c.close(t, "levene F", at(want, "f"), got.Statistic, got.Reason)
	c.close(t, "levene df1", at(want, "df1"), got.DF1, "")
	c.close(t, "levene df2", at(want, "df2"), got.DF2, "")
	c.closeAt(t, "levene p", at(want, "p"), got.P, got.Reason, c.Tolerance.Rel, 0)
}

func (c modelCase) anovaEdge(t *testing.T) {
	switch c.ID {
	case "edge_empty_cell":
		tab := c.table(t)
		c.anovaTable(t, "type I", c.Expected["type_I"], c.anova(t, tab, c.text("formula"), SumTypeI))
		two := c.anova(t, tab, c.text("formula"), SumTypeII)
		c.anovaTable(t, "type II", at(c.Expected["type_II_car"], "value"), two)
		if !two.Rows[2].Reduced {
			t.Errorf("the interaction's reduced df are not flagged")
		}
		for _, r := range c.anova(t, tab, c.text("formula"), SumTypeIII).Rows {
			if r.Reason != EmptyCell || !slices.Contains(r.EmptyCells, "a=a2, c=c3") {
				t.Errorf("type III %s: have %q %v, want refused for the empty cell a2:c3", r.Test.Name, r.Reason, r.EmptyCells)
			}
		}
	case "edge_single_level_factor":
		tab := c.table(t)
		_, err := NewDesign(tab.frame("g"), Model{Terms: []Term{{"g"}}}, nil)
		if err == nil || !strings.Contains(err.Error(), `"g"`) {
			t.Errorf("have %v, want an error naming g", err)
		}
	case "edge_constant_response":
		a := c.anova(t, c.table(t), c.text("formula"), SumTypeI)
		if a.Rows[0].Test.Reason != NoVariation || a.Rows[0].EtaSq.Reason != NoVariation {
			t.Errorf("constant response: have %+v, want no variation", a.Rows[0])
		}
	case "edge_n1":
		d, _ := NewDesign(Frame{}, Model{}, []bool{true})
		c.edgeFit(t, OLS(d, []float64{1}, nil, 0.95))
	default:
		d, y, _ := c.table(t).design(t, c.text("formula"), TreatmentCoding, "")
		c.edgeFit(t, OLS(d, y, nil, 0.95))
	}
}

// edgeFit checks the few numbers that a degenerate fit has.
func (c modelCase) edgeFit(t *testing.T, fit *LinearFit) {
	t.Helper()
	for _, g := range fit.Coefficients {
		c.close(t, g.Name, at(c.Expected["coefficients"], g.Name), g.Estimate, g.Reason)
		if g.Uncertain == "" {
			t.Errorf("%s: has an error in a degenerate fit", g.Name)
		}
	}
	c.close(t, "sigma", c.Expected["sigma"], fit.Sigma.Value, fit.Sigma.Reason)
	if want, ok := c.Expected["df_residual"]; ok {
		c.close(t, "df", want, float64(fit.DFResidual), "")
	}
	if want, ok := c.Expected["r_squared"]; ok {
		c.close(t, "R2", want, fit.R2.Value, fit.R2.Reason)
		if fit.F.Reason != Undefined {
			t.Errorf("F of a perfect fit: have %v", fit.F)
		}
	}
}

func TestReferenceFactorial2K(t *testing.T) {
	eachModelCase(t, "factorial2k", "factorial2k.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		names := texts(c.Inputs["factors"])
		var signs [][]float64
		for _, name := range names {
			signs = append(signs, tab.numbers(name))
		}
		f, why := Factorial2K(names, signs, tab.numbers("y"), 0.95)
		if why != "" {
			t.Fatal(why)
		}
		c.close(t, "n", c.Expected["n"], float64(f.N), "")
		c.close(t, "mean", c.Expected["grand_mean_q0"], f.Mean, "")
		c.close(t, "sst", c.Expected["sst"], f.SST, "")
		want := c.Expected["effects"]
		for _, e := range f.Effects {
			i := slices.Index(texts(at(want, "term")), e.Name)
			if i < 0 {
				t.Fatalf("effect %s: not in the reference", e.Name)
			}
			pick := func(v any, key string) any { return modelList(at(v, key))[i] }
			c.close(t, e.Name+" q", pick(want, "coefficient_q"), e.Coefficient, "")
			c.close(t, e.Name+" effect", pick(want, "effect_high_minus_low"), e.Effect, "")
			c.close(t, e.Name+" ss", pick(want, "ss"), e.SS, "")
			c.close(t, e.Name+" share", pick(want, "share_of_total_ss"), e.Share.Value, e.Share.Reason)
			if l, ok := c.Expected["lenth"]; ok {
				c.close(t, e.Name+" t", pick(l, "t_lenth"), e.TLenth.Value, e.TLenth.Reason)
			}
			if r, ok := c.Expected["error"]; ok {
				c.close(t, e.Name+" t", pick(r, "t"), e.Test.Statistic, e.Test.Uncertain)
				c.closeAt(t, e.Name+" p", pick(r, "p"), e.Test.P, "", 1e-9, 0)
				c.close(t, e.Name+" low", pick(r, "ci95_effect_lower"), 2*e.Test.CI.Low, "")
				c.close(t, e.Name+" high", pick(r, "ci95_effect_upper"), 2*e.Test.CI.High, "")
			}
		}
		if l, ok := c.Expected["lenth"]; ok {
			c.close(t, "s0", at(l, "s0"), f.S0.Value, f.S0.Reason)
			c.close(t, "pse", at(l, "pse"), f.PSE.Value, f.PSE.Reason)
			c.close(t, "me", at(l, "me"), f.ME.Value, f.ME.Reason)
			c.close(t, "sme", at(l, "sme"), f.SME.Value, f.SME.Reason)
			c.close(t, "df", at(l, "df"), f.DFLenth, "")
		}
		if r, ok := c.Expected["error"]; ok {
			c.close(t, "sse", at(r, "sse"), f.SSE, "")
			c.close(t, "df", at(r, "df"), float64(f.DFError), "")
			c.close(t, "s", at(r, "s_e"), f.SigmaError.Value, f.SigmaError.Reason)
			c.close(t, "se", at(r, "se_coefficient"), f.Effects[0].Test.StdErr, "")
			c.close(t, "share", at(r, "share_of_total_ss"), f.SSE/f.SST, "")
		}
	})
}
