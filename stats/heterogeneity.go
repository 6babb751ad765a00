package stats

import (
	"math"
	"slices"
)

// A Heterogeneity is a test that the mean response is the same in every stratum.
type Heterogeneity struct {
	// Test is the HTZ test of the stratum term.
	Test TermTest
	// Means are the mean responses of the strata with cluster-robust intervals, in
	// the order of the factor's levels; a stratum without a run has none.
	Means []Coefficient
	// LeftOut names the strata with runs of a single cluster only, whose error
	// cannot be told: they are not in the test.
	LeftOut []string
	// Runs and Clusters count what was used.
	Runs, Clusters int
	// Reason is why there is no test.
	Reason Reason
}

// StratumHeterogeneity tests whether the mean response differs between strata
// of tasks: least squares of the response on the stratum, CR2 errors clustered by
// task (or repository), and the HTZ test of the stratum term (Pustejovsky and
// Tipton 2018). Columns have one entry a run; NaN responses and negative codes are
// left out. A 0/1 response gives rates. It assumes independent clusters; with
// fewer than two strata or clusters the reason is TooFew.
func StratumHeterogeneity(response []float64, stratum Factor, cluster []int, level float64) Heterogeneity {
	keep := make([]bool, len(response))
	for i, v := range response {
		keep[i] = !math.IsNaN(v) && stratum.Codes[i] >= 0 && cluster[i] >= 0
	}
	out := Heterogeneity{Test: TermTest{Name: stratum.Name}}
	used, _ := usedLevels(stratum, keptCodes(stratum.Codes, keep))
	if len(used.Levels) < 2 {
		return out.refuse(TooFew)
	}
	used.Codes = recode(stratum, used.Levels)
	d, err := NewDesign(Frame{Factors: []Factor{used}}, Model{Terms: []Term{{used.Name}}, NoIntercept: true}, keep)
	if err != nil {
		panic("stats: two levels make a design: " + err.Error())
	}
	fit := OLS(d, d.Pick(response), nil, level)
	out.Runs = fit.N
	robust, why := ClusterRobust(fit, d.PickCodes(cluster), CR2)
	if why != "" {
		return out.refuse(why)
	}
	out.Clusters = robust.Clusters
	out.compare(robust, stratum.Levels, used.Levels, level)
	return out
}

// compare tests the strata whose error can be told and fills in their means.
func (h *Heterogeneity) compare(robust *Robust, levels, used []string, level float64) {
	estimates := robust.Coefficients(level)
	var tested []int
	for k := range estimates {
		if robust.Identified(unit(len(estimates), k)) {
			tested = append(tested, k)
			continue
		}
		h.LeftOut = append(h.LeftOut, used[k])
		estimates[k] = Coefficient{Estimate: estimates[k].Estimate, Uncertain: TooFew}
	}
	name := h.Test.Name
	if h.Test = (TermTest{Name: name, Reason: TooFew}); len(tested) > 1 {
		h.Test = robust.Wald(name, differences(len(estimates), tested))
	}
	h.Reason = h.Test.Reason
	for _, l := range levels {
		k := slices.Index(used, l)
		if k < 0 {
			h.Means = append(h.Means, Coefficient{Name: l, Reason: NoData})
			continue
		}
		estimates[k].Name = l
		h.Means = append(h.Means, estimates[k])
	}
}

// refuse gives the reason why there is no test.
func (h Heterogeneity) refuse(why Reason) Heterogeneity {
	h.Reason, h.Test.Reason = why, why
	return h
}

// keptCodes are the codes of the kept rows.
func keptCodes(codes []int, keep []bool) []int {
	var out []int
	for i, k := range keep {
		if k {
			out = append(out, codes[i])
		}
	}
	return out
}

// recode gives the codes of a factor by other levels; -1 for what is not among them.
func recode(f Factor, levels []string) []int {
	out := make([]int, len(f.Codes))
	for i, c := range f.Codes {
		out[i] = -1
		if c >= 0 {
			out[i] = slices.Index(levels, f.Levels[c])
		}
	}
	return out
}

// differences are the contrasts of every level of some with the first of them.
func differences(k int, levels []int) [][]float64 {
	var out [][]float64
	for _, l := range levels[1:] {
		row := make([]float64, k)
		row[levels[0]], row[l] = -1, 1
		out = append(out, row)
	}
	return out
}

// CompareLogistic is the likelihood ratio test of a logistic model against one
// that it contains. Both must be fitted to the same rows; the caller sees to it.
// Where one has no fit, its reason.
func CompareLogistic(name string, reduced, full *LogisticFit) TermTest {
	for _, f := range []*LogisticFit{reduced, full} {
		if f.Reason != "" {
			return TermTest{Name: name, Reason: f.Reason}
		}
	}
	if reduced.N != full.N {
		return TermTest{Name: name, Reason: Undefined}
	}
	return likelihoodRatio(name, reduced.Deviance.Value-full.Deviance.Value, full.Rank-reduced.Rank)
}

// CompareMixed is the likelihood ratio test of a mixed model against one that it
// contains. Restricted criteria of different fixed parts must not be compared:
// both fits must be by maximum likelihood, else the test is Undefined.
func CompareMixed(name string, reduced, full *MixedFit) TermTest {
	for _, f := range []*MixedFit{reduced, full} {
		if f.Reason != "" {
			return TermTest{Name: name, Reason: f.Reason}
		}
	}
	if reduced.REML || full.REML || reduced.N != full.N {
		return TermTest{Name: name, Reason: Undefined}
	}
	df := len(full.Kept) + len(full.Theta) - len(reduced.Kept) - len(reduced.Theta)
	return likelihoodRatio(name, reduced.Criterion-full.Criterion, df)
}

// CompareMixedLogistic is the same for logistic mixed models.
func CompareMixedLogistic(name string, reduced, full *MixedLogisticFit) TermTest {
	for _, f := range []*MixedLogisticFit{reduced, full} {
		if f.Reason != "" {
			return TermTest{Name: name, Reason: f.Reason}
		}
	}
	if reduced.N != full.N {
		return TermTest{Name: name, Reason: Undefined}
	}
	df := len(full.Kept) + len(full.Theta) - len(reduced.Kept) - len(reduced.Theta)
	return likelihoodRatio(name, reduced.Minus2LogLik-full.Minus2LogLik, df)
}

// InteractionLRT tests whether the effect of a factor on a 0/1 response differs
// between strata, by the likelihood ratio of logistic models with and without
// their interaction. Rows are taken to be independent: with several runs a task
// it rejects too often, see InteractionHTZ. A separated response gives the reason
// Separation, an unknown column an error.
func InteractionLRT(response []float64, arm, stratum Factor) (TermTest, error) {
	keep := make([]bool, len(response))
	for i, v := range response {
		keep[i] = !math.IsNaN(v) && arm.Codes[i] >= 0 && stratum.Codes[i] >= 0
	}
	frame := Frame{Factors: []Factor{arm, stratum}}
	terms := Crossed([]string{arm.Name, stratum.Name}, 2)
	full, err := NewDesign(frame, Model{Terms: terms}, keep)
	if err != nil {
		return TermTest{}, err
	}
	reduced, err := NewDesign(frame, Model{Terms: terms[:2]}, keep)
	if err != nil {
		return TermTest{}, err
	}
	y := full.Pick(response)
	return CompareLogistic(terms[2].String(), Logistic(reduced, y, nil, 0.95), Logistic(full, y, nil, 0.95)), nil
}

// InteractionHTZ tests the same on the scale of the response, with errors
// clustered by task and the HTZ test of the interaction.
func InteractionHTZ(response []float64, arm, stratum Factor, cluster []int) (TermTest, error) {
	f, err := AnalyzeFactorial(FactorialDesign{Factors: []Factor{arm, stratum}, Response: response, Cluster: cluster})
	if err != nil {
		return TermTest{}, err
	}
	if f.Reason != "" {
		return TermTest{Name: Term{arm.Name, stratum.Name}.String(), Reason: f.Reason}, nil
	}
	return f.Terms[2].Test, nil
}
