package derive

import "github.com/assay-bench/assay/schema"

// traces are runs that between them exercise every metric: one with everything,
// one that recorded nothing but its start and end, and partial ones.
func traces() map[string]*trace {
	return map[string]*trace{
		"whole":        wholeTrace(),
		"only totals":  totalsTrace(),
		"bare":         newTrace(schema.Task{}).finish(schema.RunFinished{}),
		"without gold": newTrace(schema.Task{}).answers("q", "a.go").read("a.go").finish(schema.RunFinished{}),
		"tools only":   newTrace(schema.Task{}).tool(schema.ToolCall{CallID: "1", Name: "ls", Status: schema.StatusOK.Name}).finish(schema.RunFinished{Outcome: schema.OutcomeNotApplicable.Name}),
		"task beside":  taskBesideTrace(),
		"omitted":      omittedTrace(),
	}
}

func wholeTrace() *trace {
	t := newTrace(schema.Task{
		Repo: schema.Some("o/r"), Language: schema.Some("go"), Scenario: schema.Some("bug"), Difficulty: schema.Some("hard"),
		StatementTokens: schema.Some[int64](120), FailToPass: schema.Some[int64](1), PassToPass: schema.Some[int64](2),
		Gold: &schema.Gold{
			Files:     []schema.GoldFile{{Path: "a.go"}, {Path: "d/b.go", Grade: schema.Some(2.0)}},
			Functions: []schema.GoldFunction{{File: "a.go", Symbol: schema.Some("F")}, {File: "d/b.go", StartLine: schema.Some[int64](10), EndLine: schema.Some[int64](20)}},
		}})
	t.manifest.ModelMetadata = schema.Some(schema.Object(`{"pricing":"free"}`))
	t.manifest.Treatment = schema.Members[schema.Scalar]{{Name: "retriever", Value: `"bm25"`}, {Name: "k", Value: "10"}}
	t.model(schema.ModelCall{CallID: "m1", Usage: &schema.Usage{InputTokens: schema.Some[int64](100), OutputTokens: schema.Some[int64](10), CachedInputTokens: schema.Some[int64](60)},
		CostUSD: schema.Some(schema.USD(0)), LatencyMS: schema.Some(500.0)})
	t.tool(schema.ToolCall{CallID: "t1", Name: "search", Status: schema.StatusOK.Name, ResultTokens: schema.Some[int64](40), Arguments: schema.Some(schema.Object(`{"q":"x"}`))})
	t.query(schema.RetrievalQuery{QueryID: "q1", Results: 3, Status: schema.StatusOK.Name, Limit: schema.Some[int64](10), LatencyMS: schema.Some(12.5), Query: schema.Some("where"), IndexID: schema.Some("ix")})
	t.candidate(schema.RetrievalCandidate{QueryID: "q1", Rank: 1, File: schema.Some("c.go"), Tokens: schema.Some[int64](30)})
	t.candidate(schema.RetrievalCandidate{QueryID: "q1", Rank: 2, File: schema.Some("./a.go"), Symbol: schema.Some("F"), Tokens: schema.Some[int64](30)})
	t.candidate(schema.RetrievalCandidate{QueryID: "q1", Rank: 3, File: schema.Some("a.go"), StartLine: schema.Some[int64](1), EndLine: schema.Some[int64](5), Tokens: schema.Some[int64](30)})
	t.query(schema.RetrievalQuery{QueryID: "q2", Results: 0, Status: schema.StatusOK.Name, LatencyMS: schema.Some(20.0), ResultTokens: schema.Some[int64](0)})
	t.candidate(schema.RetrievalCandidate{QueryID: "q3", Rank: 1, File: schema.Some("d/b.go"), StartLine: schema.Some[int64](15), Tokens: schema.Some[int64](30), Source: schema.Some("grep")})
	t.candidate(schema.RetrievalCandidate{QueryID: "q3", Rank: 2, File: schema.Some("../x.go"), Tokens: schema.Some[int64](5)})
	t.read("c.go").read("d/b.go").read("c.go")
	t.model(schema.ModelCall{CallID: "m2", Attempt: schema.Some[int64](1), Usage: &schema.Usage{InputTokens: schema.Some[int64](200), OutputTokens: schema.Some[int64](30)},
		CostUSD: schema.Some(schema.USD(0)), LatencyMS: schema.Some(1500.0)})
	t.model(schema.ModelCall{CallID: "m2", Attempt: schema.Some[int64](2), Usage: &schema.Usage{InputTokens: schema.Some[int64](200), OutputTokens: schema.Some[int64](30)},
		CostUSD: schema.Some(schema.USD(0)), LatencyMS: schema.Some(1500.0)})
	t.tool(schema.ToolCall{CallID: "t2", Name: "edit", Status: schema.StatusError.Name, ResultTokens: schema.Some[int64](2)})
	t.tool(schema.ToolCall{CallID: "t3", Name: "edit", Status: schema.StatusError.Name, ErrorKind: schema.Some(schema.ToolErrorParser.Name), ResultTokens: schema.Some[int64](2)})
	t.edit(schema.Edit{TargetPaths: []string{"d/b.go"}, Applied: false})
	t.edit(schema.Edit{TargetPaths: []string{"d/b.go", "a.go"}, Applied: true, SyntaxOK: schema.Some(true)})
	t.check(schema.TestRun{Kind: schema.KindLint.Name, ExitStatus: 1})
	t.check(schema.TestRun{Kind: schema.KindBuild.Name, ExitStatus: 0})
	t.check(schema.TestRun{Kind: schema.KindTest.Name, ExitStatus: 1, FailToPass: &schema.PassedTotal{Passed: 0, Total: 1}})
	t.add(schema.Event{Type: &schema.EventResourceSample, ResourceSample: &schema.ResourceSample{Scope: schema.ScopeIndex.Name, IndexID: schema.Some("ix"),
		Measurements: schema.Members[schema.Quantity]{{Name: "index_build_ms", Value: "1500.5"}, {Name: "rss_bytes", Value: "1048576"}, {Name: "x_odd", Value: "1"}}}})
	t.finish(schema.RunFinished{Outcome: schema.OutcomeResolved.Name, Patch: schema.Some(schema.PatchFilePresent.Name),
		Totals: &schema.Totals{InputTokens: schema.Some[int64](500), OutputTokens: schema.Some[int64](71), ReasoningTokens: schema.Some[int64](5), UserTurns: schema.Some[int64](1)}})
	patch := ReadPatch([]byte("diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1,2 @@\n-a\n+b\n+c\n"))
	t.end.Patch = &patch
	t.end.TestResults = &schema.TestResults{
		Evaluator: &schema.Evaluator{Name: schema.Some("swebench")},
		Patch:     &schema.EvaluatedPatch{Applied: schema.Some(true), Attempts: schema.Some[int64](2)},
		Tests: []schema.TestResult{
			{Name: "fixed", Set: schema.SetFailToPass.Name, Status: schema.TestPassed.Name},
			{Name: "kept", Set: schema.SetPassToPass.Name, Status: schema.TestPassed.Name},
			{Name: "broken", Set: schema.SetPassToPass.Name, Status: schema.TestFailed.Name},
		},
		Scores: []schema.Score{{Name: "style", Value: schema.Some(0.5)}, {Name: "taste"}},
	}
	t.end.FinalMetrics = &schema.FinalMetrics{Metrics: schema.Members[schema.Opt[float64]]{
		{Name: schema.MRR.Name, Value: schema.Some(1.0)}, {Name: schema.TestRuns.Name, Value: schema.Some(3.0)}, {Name: "x_own", Value: schema.Some(9.0)}}}
	return t
}

func totalsTrace() *trace {
	return newTrace(schema.Task{Gold: goldFiles("a.go")}).finish(schema.RunFinished{
		Ending: schema.EndingTimeout.Name, Totals: &schema.Totals{
			ModelCalls: schema.Some[int64](7), ToolCalls: schema.Some[int64](5), TestRuns: schema.Some[int64](1),
			InputTokens: schema.Some[int64](1000), OutputTokens: schema.Some[int64](100), ToolTokens: schema.Some[int64](50),
			CostUSD: schema.Some(schema.USD(120_000_000)), AgentWallMS: schema.Some[int64](61_500)}})
}

// omittedTrace is a run whose source records neither requests nor whether tools
// worked, reads, edits and checks.
func omittedTrace() *trace {
	t := newTrace(schema.Task{Gold: goldFiles("a.go")}).tool(schema.ToolCall{CallID: "1", Name: "edit", Status: schema.StatusOK.Name})
	for _, w := range []*schema.Word{&schema.NotRecordedModelCall, &schema.NotRecordedToolStatus, &schema.NotRecordedFileRead, &schema.NotRecordedEdit, &schema.NotRecordedTestRun} {
		t.manifest.NotRecorded = append(t.manifest.NotRecorded, w.Name)
	}
	return t.finish(schema.RunFinished{})
}

func taskBesideTrace() *trace {
	t := newTrace(schema.Task{Difficulty: schema.Some("easy")}).answers("q", "b.go", "a.go").read("a.go").finish(schema.RunFinished{
		Outcome: schema.OutcomeUnresolved.Name, FailureStage: schema.Some(schema.StageEdit.Name)})
	t.task = &schema.Task{ID: "t", Difficulty: schema.Some("hard"), Gold: goldFiles("a.go")}
	return t
}
