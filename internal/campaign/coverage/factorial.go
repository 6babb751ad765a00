package main

import (
	"fmt"

	"github.com/assay-bench/assay/stats"
)

// factorialOf draws a design of 3 by 2 levels with a run or two a cell and
// analyses it; the effect belongs to the last level of the first factor.
func factorialOf(s *study, binary, null bool) *stats.Factorial {
	s.design.Most = min(s.design.Most, 2)
	s.design.Least = min(s.design.Least, s.design.Most)
	value := s.response(binary)
	d := stats.FactorialDesign{Level: level, Factors: []stats.Factor{
		{Name: "first", Levels: []string{"a", "b", "c"}}, {Name: "second", Levels: []string{"x", "y"}}}}
	units := s.clusters()
	for t := range s.design.Tasks {
		for cell := range 6 {
			planted := cell/2 == 2 && !null
			for range s.runs() {
				y := value(t, planted)
				d.Response, d.Block, d.Cluster = append(d.Response, y), append(d.Block, t), append(d.Cluster, units[t])
				d.Factors[0].Codes = append(d.Factors[0].Codes, cell/2)
				d.Factors[1].Codes = append(d.Factors[1].Codes, cell%2)
			}
		}
	}
	f, err := stats.ReportedFactorial(d, stats.MethodOLS)
	if err != nil {
		panic(fmt.Sprintf("coverage: %v", err))
	}
	return f
}

func levelDifference(binary bool) func(*study, int, bool) answer {
	return func(s *study, _ int, null bool) answer {
		truth := s.design.effect()
		if null {
			truth = 0
		}
		for _, c := range factorialOf(s, binary, null).Contrasts {
			if c.Factor == "first" && c.Level == "c" && c.Reference == "a" {
				out := within(c.Difference.CI, truth, c.Difference.Reason, c.Difference.Uncertain)
				if null {
					out.rejects(c.Difference.P, c.Difference.Reason, c.Difference.Uncertain)
				}
				return out
			}
		}
		return answer{}
	}
}

// termOf asks for the test of a term that has no effect.
func termOf(name string, binary bool) func(*study, int, bool) answer {
	return func(s *study, _ int, null bool) answer {
		if !null {
			return answer{}
		}
		for _, t := range factorialOf(s, binary, true).Terms {
			if t.Name == name {
				return rejection(t.Test.P, t.Reason, t.Test.Reason)
			}
		}
		return answer{}
	}
}

// familyOf asks for the smallest of the Holm-adjusted p of all terms, none of which
// has an effect.
func familyOf(binary bool) func(*study, int, bool) answer {
	return func(s *study, _ int, null bool) answer {
		if !null {
			return answer{}
		}
		smallest := 1.0
		for _, t := range factorialOf(s, binary, true).Terms {
			if t.Reason.OK() && t.Test.Reason.OK() {
				smallest = min(smallest, t.PHolm)
			}
		}
		return rejection(smallest)
	}
}

// strataOf draws an outcome in three strata of a half, three tenths and a fifth of
// the tasks, which fall into them at random; the effect belongs to the last.
func strataOf(s *study, binary, null bool) (response []float64, strata stats.Factor, cluster []int) {
	strata = stats.Factor{Name: "stratum", Levels: []string{"a", "b", "c"}}
	value, units := s.response(binary), s.clusters()
	for t, place := range s.random.Perm(s.design.Tasks) {
		at := []int{0, 1, 0, 2, 0, 1, 0, 2, 0, 1}[place%10]
		for range s.runs() {
			response, cluster = append(response, value(t, at == 2 && !null)), append(cluster, units[t])
			strata.Codes = append(strata.Codes, at)
		}
	}
	return response, strata, cluster
}

func stratumDifference(binary bool) func(*study, int, bool) answer {
	return func(s *study, _ int, null bool) answer {
		response, strata, cluster := strataOf(s, binary, null)
		c, err := stats.StratumAgainstRest(response, strata, "c", cluster, level)
		if err != nil {
			panic(fmt.Sprintf("coverage: %v", err))
		}
		truth := s.design.effect()
		if null {
			truth = 0
		}
		return within(c.Interval, truth, c.Reason, c.IntervalReason)
	}
}

func strataTest(binary bool) func(*study, int, bool) answer {
	return func(s *study, draws int, null bool) answer {
		if !null {
			return answer{}
		}
		response, strata, cluster := strataOf(s, binary, true)
		h := stats.ReportedStrata(response, strata, cluster, level, resampling(draws))
		return rejection(h.P, h.Reason)
	}
}

func strataLinear(s *study, _ int, null bool) answer {
	if !null {
		return answer{}
	}
	response, strata, cluster := strataOf(s, true, true)
	h := stats.StratumHeterogeneity(response, strata, cluster, level)
	return rejection(h.Test.P, h.Reason, h.Test.Reason)
}
