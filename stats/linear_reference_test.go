package stats

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestReferenceNISTLinearRegression(t *testing.T) {
	eachModelCase(t, "nist", "linear_regression.json", func(t *testing.T, c modelCase) {
		tab := c.table(t)
		var f Frame
		var terms []Term
		if degree, ok := number(c.Inputs["degree"]); ok {
			x := tab.numbers("x")
			for d := 1; d <= int(degree); d++ {
				v := make([]float64, len(x))
				for i := range x {
					v[i] = math.Pow(x[i], float64(d))
				}
				name := fmt.Sprintf("x%d", d)
				f.Covariates = append(f.Covariates, Covariate{Name: name, Values: v})
				terms = append(terms, Term{name})
			}
		} else {
			for _, name := range tab.order {
				if name != "y" {
					f.Covariates = append(f.Covariates, Covariate{Name: name, Values: tab.numbers(name)})
					terms = append(terms, Term{name})
				}
			}
		}
		d, err := NewDesign(f, Model{Terms: terms, NoIntercept: c.Inputs["intercept"] == false}, nil)
		if err != nil {
			t.Fatal(err)
		}
		fit := OLS(d, tab.numbers("y"), nil, 0.95)
		want := c.Expected["exact_from_binary64_inputs"]
		for i, g := range fit.Coefficients {
			c.close(t, g.Name, modelList(at(want, "coefficients"))[i], g.Estimate, g.Reason)
			c.close(t, g.Name+" error", modelList(at(want, "std_errors"))[i], g.StdErr, "")
		}
		c.close(t, "residual sd", at(want, "residual_sd"), fit.Sigma.Value, fit.Sigma.Reason)
		c.close(t, "R2", at(want, "r_squared"), fit.R2.Value, fit.R2.Reason)
		c.close(t, "rss", at(want, "rss"), fit.RSS, "")
		c.close(t, "df", at(want, "df_residual"), float64(fit.DFResidual), "")
		// Wampler1 and Wampler2 are perfect fits: certified F is infinite, and the
		// exact F for the binary64 inputs of Wampler2 is 2.7e33, which is the same to
		// anything that can be computed in doubles.
		if w, _ := number(at(want, "f")); w > 1e30 {
			if fit.F.Reason != Undefined {
				t.Errorf("F of a perfect fit: have %v, want it undefined", fit.F)
			}
		} else {
			c.close(t, "F", at(want, "f"), fit.F.Statistic, fit.F.Reason)
		}
	})
}

func TestReferenceOLS(t *testing.T) {
	eachModelCase(t, "ols", "ols.json", func(t *testing.T, c modelCase) {
		for coding, want := range c.Expected {
			tab := c.table(t)
			d, y, w := tab.design(t, c.text("formula"), modelCodings[coding], c.text("weights"))
			fit := OLS(d, y, w, 0.95)
			c.linearFit(t, coding+": ", want, fit)
		}
	})
}

// linearFit checks every number of a fitted linear model.
func (c modelCase) linearFit(t *testing.T, coding string, want any, fit *LinearFit) {
	t.Helper()
	var names, aliased []string
	for _, col := range fit.Design.Columns {
		names = append(names, col.Name)
	}
	for _, g := range fit.Coefficients {
		if g.Reason == Aliased {
			aliased = append(aliased, g.Name)
		}
	}
	if want := texts(at(want, "design_columns")); want != nil && !slices.Equal(want, names) {
		t.Errorf("%scolumns: have %v, want %v", coding, names, want)
	}
	if w := texts(at(want, "aliased")); !slices.Equal(w, aliased) {
		t.Errorf("%saliased: have %v, want %v", coding, aliased, w)
	}
	c.coefficients(t, at(want, "coefficients"), fit.Coefficients, "std_error", "t")
	c.close(t, coding+"n", at(want, "n"), float64(fit.N), "")
	c.close(t, coding+"rank", at(want, "rank"), float64(fit.Rank), "")
	c.close(t, coding+"df", at(want, "df_residual"), float64(fit.DFResidual), "")
	c.close(t, coding+"sigma", at(want, "sigma"), fit.Sigma.Value, fit.Sigma.Reason)
	c.close(t, coding+"rss", at(want, "rss"), fit.RSS, "")
	c.close(t, coding+"R2", at(want, "r_squared"), fit.R2.Value, fit.R2.Reason)
	c.close(t, coding+"adjusted R2", at(want, "adj_r_squared"), fit.AdjR2.Value, fit.AdjR2.Reason)
	c.close(t, coding+"loglik", at(want, "loglik"), fit.LogLik.Value, fit.LogLik.Reason)
	c.close(t, coding+"AIC", at(want, "aic"), fit.AIC.Value, fit.AIC.Reason)
	c.close(t, coding+"BIC", at(want, "bic"), fit.BIC.Value, fit.BIC.Reason)
	if at(want, "f") != nil {
		c.close(t, coding+"F", at(want, "f", "value"), fit.F.Statistic, fit.F.Reason)
		c.close(t, coding+"F df1", at(want, "f", "df1"), fit.F.DF1, "")
		c.closeAt(t, coding+"F p", at(want, "f", "p"), fit.F.P, fit.F.Reason, c.Tolerance.Rel, 0)
	}
	c.matrix(t, coding+"vcov", at(want, "vcov"), fit.Vcov)
	for _, g := range fit.Coefficients {
		if low := at(want, "ci95", "lower", g.Name); low != nil {
			c.close(t, coding+g.Name+" low", low, g.CI.Low, g.Reason)
			c.close(t, coding+g.Name+" high", at(want, "ci95", "upper", g.Name), g.CI.High, g.Reason)
		}
	}
	for i, w := range modelList(at(want, "leverage_first5")) {
		c.close(t, coding+"leverage", w, fit.Leverage[i], "")
	}
	for i, w := range modelList(at(want, "fitted_first5")) {
		c.close(t, coding+"fitted", w, fit.Fitted[i], "")
	}
}
