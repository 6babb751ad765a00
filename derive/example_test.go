package derive_test

import (
	"fmt"

	"github.com/assay-bench/assay/derive"
	"github.com/assay-bench/assay/schema"
)

// A run that asked once, and found one of two files at rank 2.
func Example() {
	manifest := &schema.Manifest{RunID: "0123456789abcdef0123456789abcdef", HarnessID: "grep", TaskID: "t"}
	events := []schema.Event{
		{Seq: 1, Type: &schema.EventRunStarted, RunStarted: &schema.RunStarted{Task: schema.Task{ID: "t",
			Gold: &schema.Gold{Files: []schema.GoldFile{{Path: "a.go"}, {Path: "b.go"}}}}}},
		{Seq: 2, Type: &schema.EventRetrievalCandidate, RetrievalCandidate: &schema.RetrievalCandidate{QueryID: "q", Rank: 1, File: schema.Some("c.go")}},
		{Seq: 3, Type: &schema.EventRetrievalCandidate, RetrievalCandidate: &schema.RetrievalCandidate{QueryID: "q", Rank: 2, File: schema.Some("./a.go")}},
		{Seq: 4, Type: &schema.EventRunFinished, RunFinished: &schema.RunFinished{
			Ending: schema.EndingCompleted.Name, Outcome: schema.OutcomeNotApplicable.Name}},
	}
	run := derive.New()
	run.Start(derive.Input{Manifest: manifest, RawPath: "e/grep/t/0123456789abcdef0123456789abcdef"})
	for i := range events {
		run.Event(&events[i], schema.Position{Line: int64(i + 1)})
	}
	rows := run.Finish(derive.Closing{TrajectoryFile: schema.TrajectoryFile})

	recall, _ := rows.Run.Values[schema.ValueIndex(&schema.FileRecallAt10)].Double()
	mrr, _ := rows.Run.Values[schema.ValueIndex(&schema.MRR)].Double()
	resolved := rows.Run.Values[schema.ValueIndex(&schema.ResolvedAt1)].Why()
	fmt.Println("recall@10", recall, "MRR", mrr, "resolved@1:", resolved.Name)
	// Output: recall@10 0.5 MRR 0.5 resolved@1: nothing_to_resolve
}
