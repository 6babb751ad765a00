package stats

import (
	"math"

	"github.com/assay-bench/assay/stats/dist"
)

// LogisticClusterRobust is the cluster-robust covariance of a logistic fit:
// the sandwich of working residuals with working weights, whose inverses are the
// working variances (as clubSandwich treats a glm). cluster has one code a kept
// row. A fit that failed gives its reason, fewer than two clusters TooFew.
func LogisticClusterRobust(f *LogisticFit, cluster []int, kind ClusterKind) (*Robust, Reason) {
	if f.Reason != "" {
		return nil, f.Reason
	}
	r := &Robust{Kind: kind, beta: f.beta, names: keptNames(f.Design, f.Kept)}
	groups := r.group(cluster)
	if r.Clusters < 2 {
		return nil, TooFew
	}
	m := rowModel{x: f.data.x, bread: f.Vcov}
	for i, p := range f.Fitted {
		w := f.data.trials[i] * p * (1 - p)
		m.weights = append(m.weights, w)
		m.variances = append(m.variances, 1/w)
		m.residuals = append(m.residuals, (f.data.success[i]-f.data.trials[i]*p)/w)
	}
	r.general(m, groups)
	r.scale(f.N, f.Rank)
	r.covariance()
	return r, ""
}

// likelihoodRatio is a chi-squared test of twice a log likelihood difference.
func likelihoodRatio(name string, chi float64, df int) TermTest {
	t := TermTest{Name: name, Statistic: max(chi, 0), DF1: float64(df), DF2: math.Inf(1)}
	if df == 0 {
		t.Reason = Aliased
		return t
	}
	t.P = dist.ChiSquaredSurvival(t.Statistic, t.DF1)
	return t
}

// LogisticTerms tests each term of the design by a likelihood ratio: type I in
// sequence, type II against the model of all terms that do not contain it, type
// III by dropping its columns (which must be effect coded). Where a model is
// separated its tests have the reason Separation.
func LogisticTerms(d *Design, successes, trials []float64, kind SumType) []TermTest {
	if trials == nil {
		trials = constant(len(successes), 1)
	}
	data := binomialRows{success: successes, trials: trials, intercept: d.Intercept}
	var out []TermTest
	for t := range d.Terms {
		with, without := comparison(d, t, kind)
		big, rankBig, why := data.devianceOf(d, with)
		small, rankSmall, _ := data.devianceOf(d, without)
		test := likelihoodRatio(d.Terms[t].String(), small-big, rankBig-rankSmall)
		if why != "" {
			test = TermTest{Name: test.Name, DF1: test.DF1, DF2: test.DF2, Reason: why}
		}
		out = append(out, test)
	}
	return out
}

// comparison lists the columns of the two models whose difference tests term t.
func comparison(d *Design, t int, kind SumType) (with, without []int) {
	for j, c := range d.Columns {
		in := c.Term < 0
		switch kind {
		case SumTypeI:
			in = in || c.Term < t
		case SumTypeII:
			in = in || c.Term != t && !d.Terms[c.Term].contains(d.Terms[t])
		case SumTypeIII:
			in = in || c.Term != t
		}
		if in {
			without = append(without, j)
		}
		if in || c.Term == t {
			with = append(with, j)
		}
	}
	return with, without
}

// devianceOf fits the model of some columns.
func (b binomialRows) devianceOf(d *Design, columns []int) (deviance float64, rank int, why Reason) {
	sub := &Design{Rows: d.Rows, Terms: d.Terms, Intercept: d.Intercept, frame: d.frame, model: d.model}
	for _, j := range columns {
		sub.Columns = append(sub.Columns, d.Columns[j])
	}
	fit := Logistic(sub, b.success, b.trials, 0.95)
	return fit.Deviance.Value, fit.Rank, fit.Reason
}

// WaldTerms tests each term by the Wald chi-squared of its coefficients, which
// must be effect coded for type III. A term with an aliased column has the reason
// Aliased; a fit that failed gives its own.
func (f *LogisticFit) WaldTerms() []TermTest {
	var out []TermTest
	for t, term := range f.Design.Terms {
		test := TermTest{Name: term.String(), DF2: math.Inf(1), Reason: f.Reason}
		var at []int
		for k, j := range f.Kept {
			if f.Design.Columns[j].Term == t {
				at = append(at, k)
			}
		}
		if test.Reason == "" && len(at) < len(f.Design.termOf(t)) {
			test.Reason = Aliased
		}
		if test.Reason == "" {
			block, b := square(len(at)), make([]float64, len(at))
			for i, k := range at {
				b[i] = f.beta[k]
				for j, l := range at {
					block[i][j] = f.Vcov[k][l]
				}
			}
			chi, _ := quadraticInverse(block, b)
			test = likelihoodRatio(test.Name, chi, len(at))
		}
		out = append(out, test)
	}
	return out
}
