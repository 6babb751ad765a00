package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

func (a *app) printCompared(r comparedPair, limit int) {
	fmt.Fprintln(a.out, visibleLines(fmt.Sprintf("%s of %s\n  against %s", r.Metric, r.Arm, r.Against)))
	fmt.Fprintf(a.out, "difference   %s", numberText(r.Difference, true))
	if r.Low != nil {
		fmt.Fprintf(a.out, "  (95%%: %s to %s)", numberText(r.Low, true), numberText(r.High, true))
	}
	if r.Method != "" {
		fmt.Fprintf(a.out, "  %s", r.Method)
	}
	fmt.Fprintln(a.out)
	if r.P != nil {
		fmt.Fprintf(a.out, "p            %s  %s", pText(*r.P), r.Test)
		if r.Draws > 0 {
			fmt.Fprintf(a.out, ", %d draws, seed %d", r.Draws, r.Seed)
		}
		fmt.Fprintln(a.out)
	}
	if r.Why != "" {
		fmt.Fprintf(a.out, "not given    %s\n", r.Why)
	}
	if r.Detectable != nil {
		fmt.Fprintf(a.out, "detectable   %s  (a true difference of this size is found in 80 of 100 such studies)\n", numberText(r.Detectable, false))
	}
	fmt.Fprintf(a.out, "rests on     %d pairs of %d tasks; without a partner: %d and %d runs; faults that count as failures: %s\n",
		r.Pairs, r.Tasks, r.UnmatchedArm, r.UnmatchedAgainst, r.Faults)
	fmt.Fprintf(a.out, "tasks        %d higher, %d lower, %d equal\n", len(r.Higher), len(r.Lower), r.Equal)
	fmt.Fprintln(a.out, r.verdict())
	a.printFlips("higher", r.Higher, limit)
	a.printFlips("lower", r.Lower, limit)
}

// testLevel goes with an interval of 95%.
const testLevel = 0.05

// verdict says in a sentence what interval and test together allow to say.
func (r comparedPair) verdict() string {
	if r.Low == nil || r.High == nil {
		return "whether one is better cannot be said: there is no interval"
	}
	higher, lower := *r.Low > 0, *r.High < 0
	rejected := r.P != nil && *r.P <= testLevel
	switch {
	case (higher || lower) != rejected && r.P != nil:
		return "interval and test disagree at the 5% level: too close, or too few tasks, to say which is better"
	case !higher && !lower:
		return "no difference is shown; that is not the same as none"
	case r.Direction == schema.NoDirection:
		return "they differ; of this metric neither more nor less is better"
	case higher == (r.Direction == schema.HigherBetter):
		return "the first is better"
	}
	return "the first is worse"
}

func (a *app) printFlips(word string, list []flippedTask, limit int) {
	for i, t := range list {
		if limit > 0 && i == limit {
			fmt.Fprintf(a.out, "  … %d more %s; --limit 0 lists all\n", len(list)-limit, word)
			return
		}
		fmt.Fprintf(a.out, "  %-6s  %s  (%s against %s)\n", word, strings.Map(visible, t.Task), numberText(&t.Arm, false), numberText(&t.Against, false))
	}
}

// numberText prints three decimals of small numbers and six digits of large ones.
func numberText(v *float64, sign bool) string {
	if v == nil {
		return "—"
	}
	s := strconv.FormatFloat(*v, 'f', 3, 64)
	if *v >= 1000 || *v <= -1000 {
		s = strconv.FormatFloat(*v, 'f', 0, 64)
	}
	if *v != 0 && *v > -0.001 && *v < 0.001 {
		s = strconv.FormatFloat(*v, 'g', 3, 64)
	}
	if sign && *v > 0 {
		s = "+" + s
	}
	return s
}

func pText(p float64) string {
	if p < 1e-4 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}
