package recall

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/assay-bench/assay/eval/gate"
)

// Difference is what changed from one run to another, question by question.
type Difference struct {
	// Changes are the questions of both runs whose verdict or score differs, in the order of the first run.
	Changes []Change
	// Both is how many questions both runs have.
	Both int
	// OnlyBefore and OnlyAfter are the questions of one run.
	OnlyBefore, OnlyAfter []ID
	// Lost and Won are the questions that passed in one run only.
	Lost, Won []ID
	// PassP is the exact two-sided sign test over Lost and Won (McNemar's exact test).
	PassP *big.Rat
	// Worse and Better count the questions whose score fell or rose. A question without a score in either run, an
	// error above all, is in neither.
	Worse, Better int
	// ScoreP is the exact two-sided sign test over Worse and Better.
	ScoreP *big.Rat
	// Warnings say why the runs may not be comparable.
	Warnings []string
}

// Change is one question that came out otherwise.
type Change struct {
	// ID is the question's id.
	ID ID
	// Before and After are the two results.
	Before, After QuestionResult
}

// Diff compares two runs by the ids of their questions.
func Diff(before, after Results) Difference {
	d := Difference{Warnings: setupWarnings(before.Setup, after.Setup)}
	later := map[string]QuestionResult{}
	for _, q := range after.Questions {
		later[q.ID.String()] = q
	}
	earlier := map[string]bool{}
	var reworded []string
	for _, old := range before.Questions {
		earlier[old.ID.String()] = true
		now, ok := later[old.ID.String()]
		if !ok {
			d.OnlyBefore = append(d.OnlyBefore, old.ID)
			continue
		}
		if old.Query != now.Query {
			reworded = append(reworded, old.ID.String())
		}
		d.pair(old, now)
	}
	for _, q := range after.Questions {
		if !earlier[q.ID.String()] {
			d.OnlyAfter = append(d.OnlyAfter, q.ID)
		}
	}
	if len(reworded) > 0 {
		d.Warnings = append(d.Warnings, "other wording of question "+strings.Join(reworded, ", "))
	}
	d.PassP = gate.SignTest(len(d.Won), len(d.Lost))
	d.ScoreP = gate.SignTest(d.Better, d.Worse)
	return d
}

// pair takes in one question of both runs.
func (d *Difference) pair(old, now QuestionResult) {
	d.Both++
	change, scored := 0.0, old.Score != nil && now.Score != nil
	if scored {
		change = *now.Score - *old.Score
	}
	switch {
	case change < 0:
		d.Worse++
	case change > 0:
		d.Better++
	}
	switch {
	case old.Verdict == Pass && now.Verdict != Pass:
		d.Lost = append(d.Lost, old.ID)
	case old.Verdict != Pass && now.Verdict == Pass:
		d.Won = append(d.Won, old.ID)
	}
	if old.Verdict != now.Verdict || change != 0 || (old.Score == nil) != (now.Score == nil) {
		d.Changes = append(d.Changes, Change{ID: old.ID, Before: old, After: now})
	}
}

// setupWarnings are the differences in how two runs were made.
func setupWarnings(before, after *Setup) []string {
	if before == nil || after == nil {
		return []string{"one of the files does not say how it was made"}
	}
	var warnings []string
	differ := func(name, a, b string) {
		if a != b {
			warnings = append(warnings, fmt.Sprintf("other %s: %s before, %s after", name, orNone(a), orNone(b)))
		}
	}
	differ("limit", fmt.Sprint(before.Limit), fmt.Sprint(after.Limit))
	differ("path to the bodies", before.Bodies, after.Bodies)
	differ("features", strings.Join(before.Features, ","), strings.Join(after.Features, ","))
	differ("questions", before.QuestionsSHA256, after.QuestionsSHA256)
	if (before.PreparedSHA256 == "") != (after.PreparedSHA256 == "") {
		side := map[bool]string{true: "after", false: "before"}[before.PreparedSHA256 == ""]
		warnings = append(warnings, "only the run "+side+" was prepared")
	}
	return warnings
}

// Same says that no question changed and none is missing.
func (d Difference) Same() bool {
	return len(d.Changes) == 0 && len(d.OnlyBefore) == 0 && len(d.OnlyAfter) == 0
}

// Text prints the changes and the paired tests.
func (d Difference) Text(w io.Writer) error {
	var out strings.Builder
	for _, c := range d.Changes {
		fmt.Fprintf(&out, "%s  %s %s -> %s %s  %s\n", c.ID, c.Before.Verdict, scoreText(c.Before.Score), c.After.Verdict, scoreText(c.After.Score), oneLine(c.After.Query))
	}
	fmt.Fprintf(&out, "%d of %d questions changed\n", len(d.Changes), d.Both)
	fmt.Fprintf(&out, "passes: %d won, %d lost, p = %s\n", len(d.Won), len(d.Lost), probability(d.PassP))
	fmt.Fprintf(&out, "scores: %d better, %d worse, p = %s\n", d.Better, d.Worse, probability(d.ScoreP))
	for _, side := range []struct {
		name string
		ids  []ID
	}{{"before", d.OnlyBefore}, {"after", d.OnlyAfter}} {
		if len(side.ids) > 0 {
			fmt.Fprintf(&out, "only %s: %s\n", side.name, joinIDs(side.ids))
		}
	}
	for _, warning := range d.Warnings {
		fmt.Fprintf(&out, "warning: %s\n", warning)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func scoreText(score *float64) string {
	if score == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *score)
}

// probability prints three decimals and never 0.
func probability(p *big.Rat) string {
	if p.Cmp(big.NewRat(1, 1000)) < 0 {
		return new(big.Float).SetRat(p).Text('g', 2)
	}
	return p.FloatString(3)
}

func joinIDs(ids []ID) string {
	texts := make([]string, len(ids))
	for i, id := range slices.All(ids) {
		texts[i] = id.String()
	}
	return strings.Join(texts, ", ")
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
