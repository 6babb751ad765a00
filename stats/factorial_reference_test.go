package stats

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// experimentDesign builds the design of a case on the simulated study.
func (c modelCase) experimentDesign(t *testing.T) FactorialDesign {
	t.Helper()
	tab := c.table(t)
	tab.keep(func(i int) bool {
		ok := tab.columns["excluded"][i] == "0"
		if strings.Contains(c.text("filter"), "not (retrieval == 'on' and prompt == 'critique')") {
			ok = ok && !(tab.columns["retrieval"][i] == "on" && tab.columns["prompt"][i] == "critique")
		}
		return ok
	})
	d := FactorialDesign{Response: tab.numbers(c.text("response"))}
	for _, name := range []string{"retrieval", "model", "prompt"} {
		d.Factors = append(d.Factors, tab.factor(name))
	}
	d.Block = tab.factor(c.text("block")).Codes
	d.Cluster = tab.factor(c.text("cluster")).Codes
	return d
}

func TestReferenceFactorialDefault(t *testing.T) {
	eachModelCase(t, "cluster_robust", "factorial_default.json", func(t *testing.T, c modelCase) {
		f, err := AnalyzeFactorial(c.experimentDesign(t))
		if err != nil {
			t.Fatal(err)
		}
		c.close(t, "n", c.Expected["n"], float64(f.N), "")
		if want, ok := c.Expected["n_clusters"]; ok {
			c.close(t, "clusters", want, float64(f.Clusters), "")
		}
		c.close(t, "rank", c.Expected["rank"], float64(f.Rank), "")
		c.close(t, "df", c.Expected["df_residual"], float64(f.DFResidual), "")
		c.close(t, "rss", c.Expected["rss"], f.RSS, "")
		for _, g := range f.Coefficients {
			c.contrastRow(t, c.Expected["coefficients"], "term", g.Name, g, "std_error_cr2", "df_satterthwaite")
		}
		c.factorialTerms(t, f)
		for _, m := range f.Means {
			c.contrastRow(t, at(c.Expected["level_means"], m.Factor), "level", m.Level, m.Mean, "std_error", "df")
			refused := slices.Contains(texts(at(c.Expected["non_estimable_level_means"], m.Factor)), m.Level)
			if refused != (m.Mean.Reason != "") {
				t.Errorf("mean of %s=%s: have %q, want refused %v", m.Factor, m.Level, m.Mean.Reason, refused)
			}
		}
		for _, d := range f.Contrasts {
			c.contrastRow(t, at(c.Expected["contrasts"], d.Factor), "contrast", d.Difference.Name, d.Difference, "std_error", "df")
		}
	})
}

// contrastRow checks one estimate against the row of a table that names it, if any does.
func (c modelCase) contrastRow(t *testing.T, table any, key, name string, g Coefficient, errorKey, dfKey string) {
	t.Helper()
	i := slices.Index(texts(at(table, key)), name)
	if i < 0 {
		return
	}
	for column, v := range map[string]float64{"estimate": g.Estimate, errorKey: g.StdErr, dfKey: g.DF, "t": g.Statistic,
		"lower": g.CI.Low, "upper": g.CI.High} {
		if l := modelList(at(table, column)); l != nil && (column != "t" || key != "level") {
			c.close(t, name+" "+column, l[i], v, g.Reason)
		}
	}
	if l := modelList(at(table, "p")); l != nil {
		c.closeAt(t, name+" p", l[i], g.P, g.Reason, c.Tolerance.Rel, 0)
	}
}

func (c modelCase) factorialTerms(t *testing.T, f *Factorial) {
	t.Helper()
	want := c.Expected["terms"]
	tested := 0
	for _, g := range f.Terms {
		refused := slices.Contains(texts(c.Expected["non_estimable_terms"]), g.Name)
		if refused {
			if g.Reason != EmptyCell || !slices.Equal(g.EmptyCells, []string{"retrieval=on, prompt=critique"}) {
				t.Errorf("%s: have %q %v, want refused for the empty cell", g.Name, g.Reason, g.EmptyCells)
			}
			continue
		}
		tested++
		i := slices.Index(texts(at(want, "term")), g.Name)
		if i < 0 {
			t.Errorf("%s: not in the reference", g.Name)
			continue
		}
		pick := func(key string) any { return modelList(at(want, key))[i] }
		c.close(t, g.Name+" F", pick("htz_f"), g.Test.Statistic, g.Test.Reason)
		c.close(t, g.Name+" df1", pick("df_num"), g.Test.DF1, "")
		c.close(t, g.Name+" df2", pick("df_denom"), g.Test.DF2, "")
		c.closeAt(t, g.Name+" p", pick("p"), g.Test.P, "", c.Tolerance.Rel, 0)
		if at(want, "p_holm") != nil {
			c.closeAt(t, g.Name+" Holm p", pick("p_holm"), g.PHolm, "", c.Tolerance.Rel, 0)
		}
		c.close(t, g.Name+" SS", pick("type_III_ss"), g.SS.Value, g.SS.Reason)
		c.close(t, g.Name+" partial eta", pick("partial_eta_sq"), g.PartialEtaSq.Value, g.PartialEtaSq.Reason)
	}
	if f.HolmTests != tested {
		t.Errorf("Holm counts %d tests, want %d", f.HolmTests, tested)
	}
}

// TestCaseEmptyCellInTheFactorial: one cell of a 2x2 has no run. The interaction
// and both main effects are refused and name the cell.
func TestCaseEmptyCellInTheFactorial(t *testing.T) {
	dir := filepath.Join(modelFolder(t, "ASSAY_CASES", "cases"), "093-empty-cell-in-the-factorial")
	tab := readModelTable(t, filepath.Join(dir, "input", "cells.csv"))
	var tool, model []string
	var pass []float64
	for i := range tab.rows {
		k, _ := strconv.Atoi(tab.columns["pass"][i])
		n, _ := strconv.Atoi(tab.columns["runs"][i])
		for r := range n {
			tool, model = append(tool, tab.columns["tool"][i]), append(model, tab.columns["model"][i])
			pass = append(pass, 0)
			if r < k {
				pass[len(pass)-1] = 1
			}
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Expect struct {
			Contains []string       `json:"reason_contains_all"`
			Main     map[string]any `json:"main_effects"`
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	f, err := AnalyzeFactorial(FactorialDesign{Factors: []Factor{NewFactor("tool", tool, nil), NewFactor("model", model, nil)}, Response: pass})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range f.Terms {
		cells := strings.Join(g.EmptyCells, "; ")
		for _, w := range doc.Expect.Contains {
			if g.Reason != EmptyCell || !strings.Contains(cells, w) {
				t.Errorf("%s: have %q (%s), want refused naming %s", g.Name, g.Reason, cells, w)
			}
		}
	}
	for _, m := range f.Contrasts {
		if m.Difference.Reason != EmptyCell {
			t.Errorf("%s: have an estimate, want none", m.Difference.Name)
		}
	}
}
