package stats

import (
	"slices"
	"testing"
)

func TestReferenceRepeatedMeasures(t *testing.T) {
	eachModelCase(t, "rm_anova", "rm_anova.json", func(t *testing.T, c modelCase) {
		switch c.ID {
		case "block_anova_missing_vs_listwise":
			tab := c.table(t)
			c.anovaTable(t, "type I", c.Expected["type_I_task_first"], c.anova(t, tab, "score ~ task + cond", SumTypeI))
			c.anovaTable(t, "type II", c.Expected["type_II"], c.anova(t, tab, "score ~ cond + task", SumTypeII))
			return
		case "aov_error_strata":
			c.strata(t)
			return
		}
		tab := c.table(t)
		d := RepeatedDesign{Subject: tab.factor(c.text("id")), Response: tab.numbers(c.text("dv")), Type: SumTypeIII}
		if c.ID == "obk_mixed_type2" {
			d.Type = SumTypeII
		}
		for _, name := range texts(c.Inputs["within"]) {
			d.Within = append(d.Within, tab.factor(name))
		}
		for _, name := range texts(c.Inputs["between"]) {
			d.Between = append(d.Between, tab.factor(name))
		}
		r, err := RepeatedANOVA(d)
		if err != nil {
			t.Fatal(err)
		}
		c.repeated(t, r)
		if c.ID == "one_way_within_missing" && !slices.Equal(r.Dropped, []string{"t02", "t06"}) {
			t.Errorf("dropped: have %v, want t02 and t06", r.Dropped)
		}
	})
}

// strata checks the error strata of a one-way within design.
func (c modelCase) strata(t *testing.T) {
	tab := c.table(t)
	r, err := RepeatedANOVA(RepeatedDesign{Subject: tab.factor("task"), Within: []Factor{tab.factor("cond")}, Response: tab.numbers("score"), Type: SumTypeIII})
	if err != nil {
		t.Fatal(err)
	}
	task, within := c.Expected["task_stratum"], c.Expected["within_stratum"]
	c.close(t, "task error", at(task, "ss"), r.Intercept.ErrorSS, "")
	c.close(t, "task df", at(task, "df"), r.Intercept.Test.DF2, "")
	e := r.Effects[0]
	for i, got := range [][2]float64{{e.SS, e.Test.DF1}, {e.ErrorSS, e.Test.DF2}} {
		c.close(t, "within ss", modelList(at(within, "ss"))[i], got[0], "")
		c.close(t, "within df", modelList(at(within, "df"))[i], got[1], "")
	}
	c.close(t, "within F", modelList(at(within, "f"))[0], e.Test.Statistic, e.Test.Reason)
	c.close(t, "within p", modelList(at(within, "p"))[0], e.Test.P, e.Test.Reason)
}

// repeated checks every table of a repeated-measures analysis.
func (c modelCase) repeated(t *testing.T, r *Repeated) {
	t.Helper()
	find := map[string]RepeatedEffect{"(Intercept)": r.Intercept}
	for _, e := range r.Effects {
		find[e.Name] = e
	}
	tables := map[string]func(e RepeatedEffect) TermTest{
		"uncorrected":        func(e RepeatedEffect) TermTest { return e.Test },
		"greenhouse_geisser": func(e RepeatedEffect) TermTest { return e.TestGG },
		"huynh_feldt":        func(e RepeatedEffect) TermTest { return e.TestHF },
	}
	for key, test := range tables {
		want := c.Expected[key]
		for i, term := range texts(at(want, "term")) {
			e, ok := find[term]
			if !ok {
				t.Errorf("%s %s: missing", key, term)
				continue
			}
			g := test(e)
			pick := func(name string) any { return modelList(at(want, name))[i] }
			label := key + " " + term
			c.close(t, label+" df1", pick("num_df"), g.DF1, g.Reason)
			c.close(t, label+" df2", pick("den_df"), g.DF2, g.Reason)
			c.close(t, label+" F", pick("f"), g.Statistic, g.Reason)
			c.closeAt(t, label+" p", pick("p"), g.P, g.Reason, c.Tolerance.Rel, 0)
			c.close(t, label+" mse", pick("mse"), e.ErrorSS/g.DF2, "")
			if key == "uncorrected" {
				c.close(t, label+" pes", pick("pes"), e.PartialEtaSq.Value, e.PartialEtaSq.Reason)
				c.close(t, label+" ges", pick("ges"), e.GeneralizedEtaSq.Value, e.GeneralizedEtaSq.Reason)
			}
		}
	}
	c.repeatedMatrix(t, "univariate_ss", find, func(e RepeatedEffect) []Number {
		return []Number{{Value: e.SS}, {Value: e.Test.DF1}, {Value: e.ErrorSS}, {Value: e.Test.DF2}, {Value: e.Test.Statistic}}
	})
	for _, key := range []string{"mauchly", "sphericity_tests"} {
		c.repeatedMatrix(t, key, find, func(e RepeatedEffect) []Number { return []Number{e.MauchlyW, e.MauchlyP} })
	}
	c.repeatedMatrix(t, "epsilon", find, func(e RepeatedEffect) []Number {
		return []Number{e.GreenhouseGeisser, {Value: e.TestGG.P}, e.HuynhFeldt, {Value: e.TestHF.P}}
	})
}

// repeatedMatrix checks a matrix with one row a term.
func (c modelCase) repeatedMatrix(t *testing.T, key string, find map[string]RepeatedEffect, got func(e RepeatedEffect) []Number) {
	t.Helper()
	want := c.Expected[key]
	for i, term := range texts(at(want, "rows")) {
		e, ok := find[term]
		if !ok {
			t.Errorf("%s %s: missing", key, term)
			continue
		}
		for j, g := range got(e) {
			w := modelList(modelList(at(want, "values"))[i])[j]
			c.closeAt(t, key+" "+term, w, g.Value, g.Reason, c.Tolerance.Rel, c.Tolerance.Abs)
		}
	}
}
