package schema

// RetrievalQuery is one question to a retrieval tool, so that one without
// results leaves a trace too.
type RetrievalQuery struct {
	// QueryID names the query within the run.
	QueryID string `json:"query_id" want:"required"`
	// Results counts what came back; 0 when nothing did.
	Results int64 `json:"results" want:"required" unit:"count"`
	// Status says whether the tool answered.
	Status string `json:"status" want:"required" set:"call_status"`
	// Query is the text of the question.
	Query Opt[string] `json:"query,omitzero"`
	// QueryKind is the form of the question; "final" makes its list the run's ranked list.
	QueryKind Opt[string] `json:"query_kind,omitzero"`
	// Source names the retriever.
	Source Opt[string] `json:"source,omitzero"`
	// Limit is the number of results asked for.
	Limit Opt[int64] `json:"limit,omitzero" unit:"count"`
	// LatencyMS is how long the answer took.
	LatencyMS Opt[float64] `json:"latency_ms,omitzero" unit:"ms"`
	// ResultBytes is the size of the answer.
	ResultBytes Opt[int64] `json:"result_bytes,omitzero" unit:"bytes"`
	// ResultTokens is the size of the answer in tokens.
	ResultTokens Opt[int64] `json:"result_tokens,omitzero" unit:"tokens"`
	// IndexID is the hash of index configuration and repository commit.
	IndexID Opt[string] `json:"index_id,omitzero"`
}

// RetrievalCandidate is one result of a query.
type RetrievalCandidate struct {
	// QueryID names the query that returned it.
	QueryID string `json:"query_id" want:"required"`
	// Rank is the place in the answer, from 1.
	Rank int64 `json:"rank" want:"required" unit:"count" min:"1"`
	// File is a path of the repository; file or doc_id must be given.
	File Opt[string] `json:"file,omitzero"`
	// DocID is an opaque id, compared byte by byte; file or doc_id must be given.
	DocID Opt[string] `json:"doc_id,omitzero"`
	// Source names the retriever, where no retrieval_query does.
	Source Opt[string] `json:"source,omitzero"`
	// Query is the text of the question, where no retrieval_query holds it.
	Query Opt[string] `json:"query,omitzero"`
	// Symbol is the name of the function or type found.
	Symbol Opt[string] `json:"symbol,omitzero"`
	// StartLine is the first line of the span, from 1.
	StartLine Opt[int64] `json:"start_line,omitzero" unit:"line" min:"1"`
	// EndLine is the last line of the span, itself included.
	EndLine Opt[int64] `json:"end_line,omitzero" unit:"line" min:"1"`
	// Score is the retriever's own score.
	Score Opt[float64] `json:"score,omitzero"`
	// Fusion says how several retrievers were combined.
	Fusion *Fusion `json:"fusion,omitzero"`
	// Tokens is the size of the candidate as the model would see it.
	Tokens Opt[int64] `json:"tokens,omitzero" unit:"tokens"`
	// Packed says whether the candidate was put into the model's context.
	Packed Opt[bool] `json:"packed,omitzero"`
}

// Fusion says how a fused candidate came about.
type Fusion struct {
	// Method names the rule, such as reciprocal_rank.
	Method Opt[string] `json:"method,omitzero"`
	// Sources are the lists that the candidate came from.
	Sources []FusionSource `json:"sources,omitzero"`
}

// FusionSource is one list that a fused candidate came from.
type FusionSource struct {
	// Source names the retriever.
	Source Opt[string] `json:"source,omitzero"`
	// Rank is the place in its list, from 1.
	Rank Opt[int64] `json:"rank,omitzero" unit:"count" min:"1"`
	// Score is its score there.
	Score Opt[float64] `json:"score,omitzero"`
}
