package main

import (
	"math"

	"github.com/assay-bench/assay/stats"
)

// An answer is what a method said about one study.
type answer struct {
	// covers says whether the interval holds the truth; it means nothing unless interval is set.
	covers, interval bool
	// p is that of a true null; it means nothing unless tested is set.
	p      float64
	tested bool
}

// A question is one kind of interval or test that the tables print.
type question struct {
	// tables are the numbers of the tables that print it.
	tables string
	// what names the quantity, method how it is made.
	what, method string
	// rates says that the outcome is a rate; the others do not depend on Rate.
	rates bool
	// fits says whether a design asks it; nil means every one.
	fits func(Design) bool
	// ask draws a study and answers: the interval with an effect planted, the interval
	// of a difference and the test without one.
	ask func(s *study, draws int, null bool) answer
}

// level is the nominal coverage, draws and seed those of resampling.
const level = 0.95

func resampling(draws int) stats.Resampling {
	return stats.Resampling{Draws: draws, Seed: 1, Workers: 1}
}

// within makes the answer of an interval.
func within(ci stats.Interval, truth float64, why ...stats.Reason) answer {
	for _, w := range why {
		if !w.OK() {
			return answer{}
		}
	}
	return answer{interval: true, covers: ci.Low <= truth && truth <= ci.High}
}

// rejection makes the answer of a test; a test that cannot be made does not reject.
func rejection(p float64, why ...stats.Reason) answer {
	for _, w := range why {
		if !w.OK() {
			return answer{tested: true, p: 1}
		}
	}
	return answer{tested: true, p: p}
}

// rejects adds that of a test to the answer of an interval.
func (a *answer) rejects(p float64, why ...stats.Reason) {
	r := rejection(p, why...)
	a.p, a.tested = r.p, r.tested
}

// compared marks what no table prints, beside what they print.
const compared = "none"

// questions are those of the page, in its order.
var questions = []question{
	{tables: "4, 5", what: "rate, one run a task", method: "Wilson; Clopper-Pearson below 12 tasks", rates: true, fits: independentTasks, ask: rateOnce},
	{tables: "4, 5", what: "rate, repetitions", method: "Wilson at effective runs; Korn-Graubard below 12", rates: true, ask: rateRepeated(stats.ReportedRate)},
	{tables: compared, what: "rate, repetitions", method: "Wilson at effective runs", rates: true, ask: rateRepeated(stats.ClusteredRate)},
	{tables: "3, 4", what: "paired difference of rates, one run a task and arm", method: "Newcombe 10; exact McNemar", rates: true, fits: independentTasks, ask: pairedOnce(stats.PairedDefault)},
	{tables: compared, what: "paired difference of rates, one run a task and arm", method: "Newcombe 10; mid-p McNemar", rates: true, fits: independentTasks, ask: pairedOnce(stats.PairedMidP)},
	{tables: "3, 4", what: "paired difference of rates, repetitions", method: "bootstrap t; hybrid score below 12; sign flip", rates: true, ask: pairedResponse(true, stats.PairedDefault)},
	{tables: compared, what: "paired difference of rates, repetitions", method: "BCa, expanded; sign flip", rates: true, ask: pairedResponse(true, stats.PairedBootstrap)},
	{tables: "3", what: "paired mean difference of recall", method: "bootstrap t; hybrid score and sign flip below 12", rates: true, ask: pairedResponse(false, stats.PairedDefault)},
	{tables: compared, what: "paired mean difference of recall", method: "BCa, expanded; sign flip", rates: true, ask: pairedResponse(false, stats.PairedBootstrap)},
	{tables: "SQL", what: "paired mean difference of a skewed amount", method: "bootstrap t", ask: pairedAmount(stats.PairedDefault)},
	{tables: compared, what: "paired mean difference of a skewed amount", method: "BCa, expanded; sign flip", ask: pairedAmount(stats.PairedBootstrap)},
	{tables: compared, what: "paired mean difference of a skewed amount", method: "t", fits: independentTasks, ask: pairedAmount(stats.PairedT)},
	{tables: "SQL", what: "the same, arms of equal mean and unequal spread", method: "bootstrap t", ask: unequalSpread(stats.PairedDefault)},
	{tables: compared, what: "the same, arms of equal mean and unequal spread", method: "BCa, expanded; sign flip", ask: unequalSpread(stats.PairedBootstrap)},
	{tables: compared, what: "the same, arms of equal mean and unequal spread", method: "t", fits: independentTasks, ask: unequalSpread(stats.PairedT)},
	{tables: "4, 6", what: "median of a skewed amount", method: "percentile, expanded", ask: medianAmount},
	{tables: "6", what: "0.95 quantile of a skewed amount", method: "Woodruff", ask: quantileAmount},
	{tables: "5, 6", what: "mean recall", method: "bootstrap t; Korn-Graubard below 12", rates: true, ask: meanRecall},
	{tables: "SQL", what: "mean of a skewed amount", method: "bootstrap t", ask: meanAmount},
	{tables: "2", what: "difference of level means, recall", method: "OLS, CR2, t; outer of it and hybrid score below 12", rates: true, ask: levelDifference(false)},
	{tables: "2", what: "main effect of three levels, recall", method: "OLS, CR2, HTZ F", rates: true, ask: termOf("first", false)},
	{tables: "2", what: "interaction of 3 by 2 levels, recall", method: "OLS, CR2, HTZ F", rates: true, ask: termOf("first:second", false)},
	{tables: "2", what: "any of all terms, recall", method: "OLS, CR2, HTZ F, Holm", ask: familyOf(false)},
	{tables: "2", what: "difference of level means, 0/1 outcome", method: "OLS, CR2, t; outer of it and hybrid score below 12", rates: true, ask: levelDifference(true)},
	{tables: "2", what: "interaction of 3 by 2 levels, 0/1 outcome", method: "OLS, CR2, HTZ F", rates: true, ask: termOf("first:second", true)},
	{tables: "5", what: "stratum against the others, 0/1 outcome", method: "hybrid score of the two rates", rates: true, ask: stratumDifference(true)},
	{tables: "5", what: "stratum against the others, recall", method: "hybrid score of the two means", rates: true, ask: stratumDifference(false)},
	{tables: "5", what: "heterogeneity of three strata, 0/1 outcome", method: "permutation; HTZ F by repository", rates: true, ask: strataTest(true)},
	{tables: "5", what: "heterogeneity of three strata, recall", method: "permutation; HTZ F by repository", rates: true, ask: strataTest(false)},
	{tables: compared, what: "heterogeneity of three strata, 0/1 outcome", method: "OLS, CR2, HTZ F", rates: true, ask: strataLinear},
}

func independentTasks(d Design) bool { return d.Repositories == 0 }

func rateOnce(s *study, _ int, null bool) answer {
	if null {
		return answer{}
	}
	o := s.outcomes()
	successes, runs := make([]int, s.design.Tasks), make([]int, s.design.Tasks)
	for t := range runs {
		runs[t], successes[t] = 1, int(o.run(t, false))
	}
	e := stats.ReportedRate(successes, runs, level)
	return within(e.Interval, s.design.Rate, e.IntervalReason)
}

func rateRepeated(method func(successes, runs []int, level float64) stats.RateEstimate) func(*study, int, bool) answer {
	return func(s *study, _ int, null bool) answer {
		if null {
			return answer{}
		}
		o := s.outcomes()
		var successes, runs []int
		for _, values := range s.byUnit(s.arm(func(t int) float64 { return o.run(t, false) })) {
			x := 0
			for _, v := range values {
				x += int(v)
			}
			successes, runs = append(successes, x), append(runs, len(values))
		}
		e := method(successes, runs, level)
		return within(e.Interval, s.design.Rate, e.IntervalReason)
	}
}

// compare answers by a paired comparison of two arms.
func compare(s *study, first, second []stats.Observation, method stats.PairedMethod, draws int, truth float64, null bool) answer {
	c, err := stats.ComparePaired(first, second, s.clusterNames(), method, level, resampling(draws))
	if err != nil {
		panic(err)
	}
	if null {
		truth = 0
	}
	out := within(c.Interval, truth, c.Reason, c.IntervalReason)
	if null {
		out.rejects(c.P, c.Reason, c.TestReason)
	}
	return out
}

func pairedOnce(method stats.PairedMethod) func(*study, int, bool) answer {
	return func(s *study, draws int, null bool) answer {
		once := *s
		once.design.Least, once.design.Most, once.design.Lost = 1, 1, 0
		return pairedResponse(true, method)(&once, draws, null)
	}
}

func pairedResponse(binary bool, method stats.PairedMethod) func(*study, int, bool) answer {
	return func(s *study, draws int, null bool) answer {
		value := s.response(binary)
		first := s.arm(func(t int) float64 { return value(t, !null) })
		second := s.arm(func(t int) float64 { return value(t, false) })
		return compare(s, first, second, method, draws, s.design.effect(), null)
	}
}

func pairedAmount(method stats.PairedMethod) func(*study, int, bool) answer {
	return func(s *study, draws int, null bool) answer {
		effect := logEffect
		if null {
			effect = 0
		}
		n := s.normals()
		first := s.arm(func(t int) float64 { return math.Exp(effect + logSD*n.run(t)) })
		second := s.arm(func(t int) float64 { return math.Exp(logSD * n.run(t)) })
		return compare(s, first, second, method, draws, math.Expm1(effect)*math.Exp(logSD*logSD/2), null)
	}
}

// unequalSpread has arms of one mean, of which one has longer tails: the mean
// difference is zero, but differences are not symmetric.
func unequalSpread(method stats.PairedMethod) func(*study, int, bool) answer {
	const wide = 1.4 * logSD
	return func(s *study, draws int, null bool) answer {
		n := s.normals()
		first := s.arm(func(t int) float64 { return math.Exp((logSD*logSD-wide*wide)/2 + wide*n.run(t)) })
		second := s.arm(func(t int) float64 { return math.Exp(logSD * n.run(t)) })
		return compare(s, first, second, method, draws, 0, null)
	}
}

func medianAmount(s *study, draws int, null bool) answer { return quantileOf(s, 0.5, 0, draws, null) }

// The 0.95 quantile of a standard normal is 1.6448536.
func quantileAmount(s *study, draws int, null bool) answer {
	return quantileOf(s, 0.95, 1.6448536269514722, draws, null)
}

func quantileOf(s *study, p, z float64, draws int, null bool) answer {
	if null {
		return answer{}
	}
	n := s.normals()
	e := stats.ReportedQuantile(s.byUnit(s.arm(func(t int) float64 { return math.Exp(logSD * n.run(t)) })), p, level, resampling(draws))
	return within(e.Interval, math.Exp(logSD*z), e.IntervalReason)
}

func meanRecall(s *study, draws int, null bool) answer {
	if null {
		return answer{}
	}
	value := s.response(false)
	e := stats.ReportedMean(s.byUnit(s.arm(func(t int) float64 { return value(t, false) })), level, resampling(draws))
	return within(e.Interval, s.design.Rate, e.IntervalReason)
}

func meanAmount(s *study, draws int, null bool) answer {
	if null {
		return answer{}
	}
	n := s.normals()
	e := stats.ReportedMean(s.byUnit(s.arm(func(t int) float64 { return math.Exp(logSD * n.run(t)) })), level, resampling(draws))
	return within(e.Interval, math.Exp(logSD*logSD/2), e.IntervalReason)
}
