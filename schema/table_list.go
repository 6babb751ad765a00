package schema

// The tables of the dataset.
var (
	TableRuns = Table{Name: "runs", Key: []string{"run_id"}, Values: LevelRun, Factors: true,
		Doc: "One row a run, excluded ones too, with all run-level metrics.",
		row: func() any { return RunRow{} }}
	TableQueries = Table{Name: "queries", Key: []string{"run_id", "seq"}, Values: LevelQuery,
		Doc: "One row a run and query_id, with all query-level metrics.",
		row: func() any { return QueryRow{} }}
	TableCandidates = Table{Name: "candidates", Key: []string{"run_id", "seq"},
		Doc: "One row a retrieval_candidate.", row: func() any { return CandidateRow{} }}
	TableModelCalls = Table{Name: "model_calls", Key: []string{"run_id", "seq"},
		Doc: "One row a model_call.", row: func() any { return ModelCallRow{} }}
	TableToolCalls = Table{Name: "tool_calls", Key: []string{"run_id", "seq"},
		Doc: "One row a tool_call.", row: func() any { return ToolCallRow{} }}
	TableFileReads = Table{Name: "file_reads", Key: []string{"run_id", "seq"},
		Doc: "One row a file_read.", row: func() any { return FileReadRow{} }}
	TableEdits = Table{Name: "edits", Key: []string{"run_id", "seq"},
		Doc: "One row an edit.", row: func() any { return EditRow{} }}
	TableTestRuns = Table{Name: "test_runs", Key: []string{"run_id", "seq"},
		Doc: "One row a test_run.", row: func() any { return TestRunRow{} }}
	TableResourceSamples = Table{Name: "resource_samples", Key: []string{"run_id", "seq"},
		Doc: "One row a resource_sample.", row: func() any { return ResourceSampleRow{} }}
	TableScores = Table{Name: "scores", Key: []string{"run_id", "place"},
		Doc: "One row a run and score of its evaluation.", row: func() any { return ScoreRow{} }}
	TableMissing = Table{Name: "missing", Key: []string{"run_id", "metric"},
		Doc: "One row an included run and run-level metric without a value, with the reason.",
		row: func() any { return MissingRow{} }}
	TablePlan = Table{Name: "plan", Factors: true,
		Key: []string{"experiment_id", "arm", "harness_id", "model_key", "task_id", "repetition", "run_id"},
		Doc: "One row a planned cell, with its run or none.", row: func() any { return PlanRow{} }}
	TableExclusions = Table{Name: "exclusions", Key: []string{"run_id", "raw_path", "place"},
		Doc: "One row a directory and reason for leaving it out.", row: func() any { return ExclusionRow{} }}
	TableFindings = Table{Name: "findings", Key: []string{"run_id", "raw_path", "place"},
		Doc: "One row a finding.", row: func() any { return FindingRow{} }}
	TableMetrics = Table{Name: "metrics", Key: []string{"level", "place"},
		Doc: "One row a metric of the registry.", row: func() any { return MetricRow{} }}
)

// Tables lists every table of the dataset.
var Tables = []*Table{
	&TableRuns, &TableQueries, &TableCandidates, &TableModelCalls, &TableToolCalls, &TableFileReads,
	&TableEdits, &TableTestRuns, &TableResourceSamples, &TableScores, &TableMissing, &TablePlan,
	&TableExclusions, &TableFindings, &TableMetrics,
}
