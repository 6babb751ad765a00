package schema

// The metrics of a single query.
var (
	// QueryFileRecallAt1 is FileRecallAt1 of one query.
	QueryFileRecallAt1 = fileRecall(1, LevelQuery)
	// QueryFileRecallAt3 is FileRecallAt3 of one query.
	QueryFileRecallAt3 = fileRecall(3, LevelQuery)
	// QueryFileRecallAt5 is FileRecallAt5 of one query.
	QueryFileRecallAt5 = fileRecall(5, LevelQuery)
	// QueryFileRecallAt10 is FileRecallAt10 of one query.
	QueryFileRecallAt10 = fileRecall(10, LevelQuery)
	// QueryFileRecallAt20 is FileRecallAt20 of one query.
	QueryFileRecallAt20 = fileRecall(20, LevelQuery)
	// QueryFunctionRecallAt1 is FunctionRecallAt1 of one query.
	QueryFunctionRecallAt1 = functionRecall(1, LevelQuery)
	// QueryFunctionRecallAt3 is FunctionRecallAt3 of one query.
	QueryFunctionRecallAt3 = functionRecall(3, LevelQuery)
	// QueryFunctionRecallAt5 is FunctionRecallAt5 of one query.
	QueryFunctionRecallAt5 = functionRecall(5, LevelQuery)
	// QueryFunctionRecallAt10 is FunctionRecallAt10 of one query.
	QueryFunctionRecallAt10 = functionRecall(10, LevelQuery)
	// QueryFunctionRecallAt20 is FunctionRecallAt20 of one query.
	QueryFunctionRecallAt20 = functionRecall(20, LevelQuery)
	// QueryHitAt1 is HitAt1 of one query.
	QueryHitAt1 = hit(1, LevelQuery)
	// QueryHitAt3 is HitAt3 of one query.
	QueryHitAt3 = hit(3, LevelQuery)
	// QueryHitAt5 is HitAt5 of one query.
	QueryHitAt5 = hit(5, LevelQuery)
	// QueryHitAt10 is HitAt10 of one query.
	QueryHitAt10 = hit(10, LevelQuery)
	// QueryHitAt20 is HitAt20 of one query.
	QueryHitAt20 = hit(20, LevelQuery)
	// QueryMRR is MRR of one query.
	QueryMRR = mrr(LevelQuery)
	// QueryNDCGAt10 is NDCGAt10 of one query.
	QueryNDCGAt10 = ndcg(LevelQuery)
	// QueryAP is the average precision of one query.
	QueryAP = listed(Metric{Name: "ap", Heading: "AP", Group: groupLocalization,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: LevelQuery,
		Definition: "sum over the ranks of relevant candidates of the precision there / all relevant gold, on the whole distinct list",
		Misleads:   "gold that was not returned counts as 0, so that lists of different lengths compare badly",
		Source:     "trec_eval map, on the distinct list"})
	// QueryTokens is the size of a query's answer.
	QueryTokens = Metric{Name: "tokens", Heading: "tokens", Group: groupEfficiency, Unit: "tokens",
		Kind: KindAmount, Type: TypeInteger, Direction: LowerBetter, Level: LevelQuery,
		Definition:  "result_tokens of the retrieval_query, else the sum over its candidates",
		Denominator: "queries of included runs that carry it",
		Missing:     "no_tokens",
		Misleads:    "tokenisers differ: compare within one",
		Reads:       []string{EventRetrievalQuery.Name, EventRetrievalCandidate.Name}}
	// QueryLatencyMS is how long an answer took.
	QueryLatencyMS = Metric{Name: "latency_ms", Heading: "latency", Group: groupIndex, Unit: "ms",
		Kind: KindAmount, Type: TypeDouble, Direction: LowerBetter, Level: LevelQuery,
		Definition:  "latency_ms of the retrieval_query",
		Denominator: "queries of included runs that carry it",
		Missing:     "no_time",
		Misleads:    "holds what the harness measured: with or without its own overhead",
		Reads:       []string{EventRetrievalQuery.Name, EventRetrievalCandidate.Name}}
)
