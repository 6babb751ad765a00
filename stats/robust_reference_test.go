package stats

import (
	"slices"
	"testing"
)

var modelClusterKinds = map[string]ClusterKind{"CR0": CR0, "CR1": CR1, "CR1p": CR1P, "CR1S": CR1S, "CR2": CR2, "CR3": CR3}

func TestReferenceClusterRobust(t *testing.T) {
	eachModelCase(t, "cluster_robust", "lm.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		d, y, w := tab.design(t, c.text("formula"), TreatmentCoding, c.text("weights"))
		fit := OLS(d, y, w, 0.95)
		c.clusterTables(t, c.Expected, fit, d.PickCodes(tab.factor(c.text("cluster")).Codes))
		for name, kind := range map[string]HeteroscedasticKind{"HC0": HC0, "HC1": HC1, "HC2": HC2, "HC3": HC3} {
			v, why := HeteroscedasticRobust(fit, kind)
			if _, ok := number(modelList(modelList(at(c.Expected["vcovHC"], name, "values"))[0])[0]); !ok {
				if why == "" {
					t.Errorf("%s: have a matrix, want none: a row of leverage one", name)
				}
				continue
			}
			if why != "" {
				t.Errorf("%s: %s", name, why)
				continue
			}
			c.matrix(t, name, at(c.Expected["vcovHC"], name), v)
		}
	})
}

// clusterTables checks every CR block of an expected value.
func (c modelCase) clusterTables(t *testing.T, expected map[string]any, fit *LinearFit, cluster []int) {
	t.Helper()
	for name, kind := range modelClusterKinds {
		want, ok := expected[name]
		if !ok {
			continue
		}
		r, why := ClusterRobust(fit, cluster, kind)
		if why != "" {
			t.Fatal(why)
		}
		c.close(t, "clusters", expected["n_clusters"], float64(r.Clusters), "")
		c.robust(t, name, want, r)
		if wald, ok := expected["wald_HTZ_CR2"].(map[string]any); ok && kind == CR2 {
			for term, w := range wald {
				c.wald(t, term, w, r.Wald(term, fit.termContrasts(term)))
			}
		}
	}
}

// termContrasts picks the kept coefficients of a term.
func (f *LinearFit) termContrasts(term string) [][]float64 {
	i := slices.IndexFunc(f.Design.Terms, func(u Term) bool { return u.String() == term })
	var out [][]float64
	for k, j := range f.Kept {
		if f.Design.Columns[j].Term == i {
			row := make([]float64, len(f.Kept))
			row[k] = 1
			out = append(out, row)
		}
	}
	return out
}

func (c modelCase) robust(t *testing.T, name string, want any, r *Robust) {
	t.Helper()
	if m := at(want, "vcov"); m != nil {
		c.matrix(t, name, m, r.Vcov)
	}
	got := map[string]Coefficient{}
	for _, g := range r.Coefficients(0.95) {
		got[g.Name] = g
	}
	table := at(want, "coef_test")
	for i, term := range texts(at(table, "term")) {
		pick := func(key string) any { return modelList(at(table, key))[i] }
		g := got[term]
		label := name + " " + term
		c.close(t, label+" error", pick("std_error"), g.StdErr, "")
		c.close(t, label+" t", pick("t"), g.Statistic, g.Uncertain)
		c.close(t, label+" df", pick("df_satterthwaite"), g.DF, "")
		c.closeAt(t, label+" p", pick("p"), g.P, g.Uncertain, c.Tolerance.Rel, 0)
		if low := modelList(at(want, "ci95", "lower")); low != nil && len(low) > i {
			c.close(t, label+" low", low[i], g.CI.Low, "")
			c.close(t, label+" high", modelList(at(want, "ci95", "upper"))[i], g.CI.High, "")
		}
	}
}

func (c modelCase) wald(t *testing.T, term string, want any, got TermTest) {
	t.Helper()
	c.close(t, term+" HTZ F", at(want, "f"), got.Statistic, got.Reason)
	c.close(t, term+" HTZ df1", at(want, "df_num"), got.DF1, got.Reason)
	c.close(t, term+" HTZ df2", at(want, "df_denom"), got.DF2, got.Reason)
	c.closeAt(t, term+" HTZ p", at(want, "p"), got.P, got.Reason, c.Tolerance.Rel, 0)
}
