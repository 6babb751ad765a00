package githistory

import (
	"math/big"

	"github.com/assay-bench/assay/eval/gate"
)

// Score is how one answer compares with the gold of its task. The fractions are exact.
type Score struct {
	// RecallAt5 and RecallAt10 are gold files among the first 5 and 10 distinct files, over all gold files.
	RecallAt5, RecallAt10 gate.Figure
	// HitAt10 is 1/1 where at least one gold file is among the first 10.
	HitAt10 gate.Figure
	// ReciprocalRank is 1/rank of the first gold file in the whole list, or 0.
	ReciprocalRank gate.Figure
	// InBudget is the gold files among the longest run of first results whose files fit into the budget together,
	// over all gold files. A file that is named again is paid again.
	InBudget gate.Figure
	// Tokens is the size of all that the tool returned.
	Tokens gate.Figure
	// Unknown counts the distinct answered paths that name no file or link of the base tree. They keep their ranks.
	Unknown int
	// Failed is true where the tool failed, hung or printed nonsense; its scores are then 0.
	Failed bool
}

// Files is the answer's distinct files in its order: the list that is scored. A failed answer has none.
func (a Answer) Files() []Hit {
	if a.Status != StatusOK {
		return nil
	}
	var files []Hit
	seen := map[string]bool{}
	for _, hit := range a.Hits {
		if !seen[hit.File] {
			seen[hit.File] = true
			files = append(files, hit)
		}
	}
	return files
}

// score compares an answer with the gold paths of a task, of which there is at least one. size is what a file takes
// of the budget, in tokens.
func score(answer Answer, gold []string, budget int, size func(file string) int) Score {
	isGold := map[string]bool{}
	for _, path := range gold {
		isGold[path] = true
	}
	var in5, in10, first int64
	s := Score{Failed: answer.Status != StatusOK, Tokens: gate.Fraction(int64(Tokens(answer.Bytes())), 1)}
	for i, hit := range answer.Files() {
		if !hit.Known {
			s.Unknown++
			continue
		}
		if !isGold[hit.File] {
			continue
		}
		if i < 5 {
			in5++
		}
		if i < 10 {
			in10++
		}
		if first == 0 {
			first = int64(i + 1)
		}
	}
	all := int64(len(gold))
	s.InBudget = gate.Fraction(packed(answer, isGold, budget, size), all)
	s.RecallAt5, s.RecallAt10 = gate.Fraction(in5, all), gate.Fraction(in10, all)
	s.HitAt10 = gate.Fraction(min(in10, 1), 1)
	s.ReciprocalRank = gate.Fraction(0, 1)
	if first > 0 {
		s.ReciprocalRank = gate.Fraction(1, first)
	}
	return s
}

// ratio is a whole number as a fraction.
func ratio(n int) *big.Rat { return big.NewRat(int64(n), 1) }

// packed counts the gold files that fit into the budget.
func packed(answer Answer, isGold map[string]bool, budget int, size func(file string) int) int64 {
	if answer.Status != StatusOK {
		return 0
	}
	in := map[string]bool{}
	for _, hit := range answer.Hits {
		if budget -= size(hit.File); budget < 0 {
			break
		}
		if isGold[hit.File] {
			in[hit.File] = true
		}
	}
	return int64(len(in))
}
