package schema

// QueryRow is one query of a run: a retrieval_query, or candidates that share a
// query_id without one. The query-level metrics follow its columns.
type QueryRow struct {
	EventPlace
	// TS is when the event happened.
	TS Opt[Time] `col:"ts"`
	// QueryID names the query within the run.
	QueryID string `col:"query_id"`
	// Inferred is true where no retrieval_query was recorded, so that the row rests on the candidates.
	Inferred bool `col:"inferred"`
	// InList is true where the query's candidates make up the run's ranked list.
	InList bool `col:"in_list"`
	// Query is the text of the question, redacted.
	Query Opt[string] `col:"query"`
	// QueryKind is the form of the question.
	QueryKind Opt[string] `col:"query_kind"`
	// Source names the retriever.
	Source Opt[string] `col:"source"`
	// Status says whether the tool answered.
	Status Opt[string] `col:"status"`
	// ResultLimit is the number of results asked for.
	ResultLimit Opt[int64] `col:"result_limit"`
	// Results counts what came back, as the tool says.
	Results Opt[int64] `col:"results"`
	// Candidates counts the retrieval_candidate events of the query.
	Candidates int64 `col:"candidates"`
	// Duplicates counts the candidates whose file or document stands earlier in the query's list.
	Duplicates int64 `col:"duplicates"`
	// ResultBytes is the size of the answer.
	ResultBytes Opt[int64] `col:"result_bytes" unit:"bytes"`
	// IndexID is the hash of index configuration and repository commit.
	IndexID Opt[string] `col:"index_id"`
	// Values holds the metrics of the query, as ValueColumns(LevelQuery) lists them.
	Values []Value
}
