package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/assay-bench/assay/eval/recall"
)

func recallDiffCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "What changed from one results.json to another, question by question",
		Long: `Lists every question whose verdict or score changed, with the exact sign test over those that changed
sides. Exits 3 where any did, 4 where the two have no question in common.`,
		Example: `  assay eval recall diff before.json after.json`,
		Args:    cobra.ExactArgs(2),
		RunE:    func(_ *cobra.Command, args []string) error { return runRecallDiff(a, args[0], args[1]) },
	}
}

func readResults(path string) (recall.Results, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return recall.Results{}, err
	}
	return recall.ReadResults(path, text)
}

// recallDiffJSON is a difference for programs.
type recallDiffJSON struct {
	// Changes are the questions that came out otherwise.
	Changes []recallChangeJSON `json:"changes"`
	// Both is how many questions both have.
	Both int `json:"both"`
	// OnlyBefore and OnlyAfter are questions of one.
	OnlyBefore []recall.ID `json:"only_before"`
	OnlyAfter  []recall.ID `json:"only_after"`
	// Lost and Won passed in one only.
	Lost []recall.ID `json:"lost"`
	Won  []recall.ID `json:"won"`
	// PassP is the exact sign test over Lost and Won, ScoreP over Worse and Better.
	PassP float64 `json:"pass_p"`
	// Worse and Better count scores that fell or rose.
	Worse  int     `json:"worse"`
	Better int     `json:"better"`
	ScoreP float64 `json:"score_p"`
	// Warnings say why the two may not be comparable.
	Warnings []string `json:"warnings"`
}

// A recallChangeJSON is one changed question.
type recallChangeJSON struct {
	// ID is the question.
	ID recall.ID `json:"id"`
	// Before and After are its verdicts and scores.
	Before      recall.Verdict `json:"before"`
	After       recall.Verdict `json:"after"`
	ScoreBefore *float64       `json:"score_before"`
	ScoreAfter  *float64       `json:"score_after"`
}

func runRecallDiff(a *app, first, second string) error {
	before, err := readResults(first)
	if err != nil {
		return err
	}
	after, err := readResults(second)
	if err != nil {
		return err
	}
	d := recall.Diff(before, after)
	if a.json {
		err = a.printJSON(recallDiffForPrograms(d))
	} else {
		err = d.Text(a.out)
	}
	switch {
	case err != nil:
		return err
	case d.Both == 0:
		return &exitError{exitUndecided, fmt.Errorf("cannot decide: %s and %s have no question in common", first, second)}
	case !d.Same():
		return notClean()
	}
	return nil
}

func recallDiffForPrograms(d recall.Difference) recallDiffJSON {
	out := recallDiffJSON{Both: d.Both, OnlyBefore: d.OnlyBefore, OnlyAfter: d.OnlyAfter, Lost: d.Lost, Won: d.Won,
		Worse: d.Worse, Better: d.Better, Warnings: d.Warnings}
	if d.PassP != nil {
		out.PassP, _ = d.PassP.Float64()
	}
	if d.ScoreP != nil {
		out.ScoreP, _ = d.ScoreP.Float64()
	}
	for _, c := range d.Changes {
		out.Changes = append(out.Changes, recallChangeJSON{c.ID, c.Before.Verdict, c.After.Verdict, c.Before.Score, c.After.Score})
	}
	return out
}

func recallLintCommand(a *app) *cobra.Command {
	var results string
	c := &cobra.Command{
		Use:   "lint FILE",
		Short: "Find questions that measure less than they seem to",
		Long: `Checks a question file: ids twice, keywords twice in any case, fewer than 4 or more than 6 of them,
stop words and generic English, keywords that stand in the question or in one another. With the results of a run
also, measured, keywords that match nearly every body. Exits 3 where something is found.`,
		Example: `  assay eval recall lint questions.json
  assay eval recall lint questions.json --results results.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runRecallLint(a, args[0], results) },
	}
	c.Flags().StringVar(&results, "results", "", "a results.json, to measure how specific keywords are")
	return c
}

// A faultJSON is one fault of a question file.
type faultJSON struct {
	// ID is the question.
	ID recall.ID `json:"id"`
	// Rule is what it breaks.
	Rule recall.Rule `json:"rule"`
	// Message says where and what.
	Message string `json:"message"`
}

func runRecallLint(a *app, path, results string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var measured *recall.Results
	if results != "" {
		r, err := readResults(results)
		if err != nil {
			return err
		}
		measured = &r
	}
	faults, err := recall.Lint(path, text, measured)
	if err != nil {
		return err
	}
	if a.json {
		list := []faultJSON{}
		for _, f := range faults {
			list = append(list, faultJSON{f.ID, f.Rule, f.Message})
		}
		err = a.printJSON(list)
	} else {
		err = recall.WriteFaults(a.out, faults)
	}
	if err != nil {
		return err
	}
	if len(faults) > 0 {
		return notClean()
	}
	return nil
}
