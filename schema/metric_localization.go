package schema

// recalls is what the metrics of a ranked list have in common at both levels.
const (
	recallDenominator = "included runs with a retrieval event and relevant gold"
	recallMissing     = "no_gold; cut_at_limit where k is above the limit of the one query that the list comes from and the tool returned as many as asked; not applicable without a retrieval event"
	queryDenominator  = "queries of included runs whose task has relevant gold"
	queryMissing      = "no_gold; cut_at_limit where k is above the query's limit and the tool returned as many as asked"
)

func fileRecall(k int, level Level) Metric {
	m := Metric{Name: "file_recall_at_" + at(k), Heading: "recall@" + at(k), Group: groupLocalization,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: level,
		Definition: "relevant gold files or documents among the first " + at(k) + " distinct candidates / all relevant gold",
		Misleads:   "cannot reach 1 where there is more gold than k; says nothing about what stands between",
		Source:     "trec_eval recall_" + at(k) + ", on the distinct list"}
	return listed(m)
}

func functionRecall(k int, level Level) Metric {
	m := Metric{Name: "function_recall_at_" + at(k), Heading: "function recall@" + at(k), Group: groupLocalization,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: level,
		Definition: "gold functions matched by the first " + at(k) + " distinct candidates that carry a symbol or span / all relevant gold functions; matched: same file, and an equal symbol or a shared line",
		Misleads:   "one wide span matches many functions; a tool that names no symbols or spans scores 0",
		Source:     "recall on functions, as in Xia et al. 2024, Agentless"}
	return listed(m)
}

func hit(k int, level Level) Metric {
	m := Metric{Name: "hit_at_" + at(k), Heading: "hit@" + at(k), Group: groupLocalization,
		Kind: KindRate, Type: TypeInteger, Direction: HigherBetter, Level: level,
		Definition: "1 if any relevant gold is among the first " + at(k) + " distinct candidates, else 0",
		Misleads:   "tasks with much gold are easier",
		Source:     "trec_eval success_" + at(k) + ", on the distinct list"}
	return listed(m)
}

func mrr(level Level) Metric {
	return listed(Metric{Name: "mrr", Heading: "MRR", Group: groupLocalization,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: level,
		Definition: "1 / rank of the first relevant candidate of the whole distinct list; 0 if none is",
		Misleads:   "the first rank outweighs all others; blind to everything behind the first relevant candidate",
		Source:     "trec_eval recip_rank, on the distinct list"})
}

func ndcg(level Level) Metric {
	return listed(Metric{Name: "ndcg_at_10", Heading: "nDCG@10", Group: groupLocalization,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: level,
		Definition: "discounted gain of the first 10 distinct candidates / that of the best order of all gold; linear gain = grade (1 where ungraded, 0 below 0), discount 1/log2(rank+1)",
		Misleads:   "other tools use the gain 2^grade-1, which gives other numbers on graded gold",
		Source:     "Järvelin and Kekäläinen 2002; trec_eval ndcg_cut_10, on the distinct list"})
}

// listed fills in what the metrics of a ranked list share.
func listed(m Metric) Metric {
	m.Denominator, m.Missing = recallDenominator, recallMissing
	if m.Level == LevelQuery {
		m.Denominator, m.Missing = queryDenominator, queryMissing
	}
	// The manifest says whether the order is that of the ranks or, for TREC runs, of the scores.
	m.Reads = []string{DocumentManifest.Name, EventRunStarted.Name, DocumentTask.Name, EventRetrievalQuery.Name, EventRetrievalCandidate.Name}
	return m
}

// Where in the ranked list the answer stands.
var (
	// FileRecallAt1 is the share of relevant gold at the first rank.
	FileRecallAt1 = fileRecall(1, LevelRun)
	// FileRecallAt3 is the share of relevant gold in the first 3 ranks.
	FileRecallAt3 = fileRecall(3, LevelRun)
	// FileRecallAt5 is the share of relevant gold in the first 5 ranks.
	FileRecallAt5 = fileRecall(5, LevelRun)
	// FileRecallAt10 is the share of relevant gold in the first 10 ranks.
	FileRecallAt10 = fileRecall(10, LevelRun)
	// FileRecallAt20 is the share of relevant gold in the first 20 ranks.
	FileRecallAt20 = fileRecall(20, LevelRun)
	// FunctionRecallAt1 is the share of gold functions at the first rank.
	FunctionRecallAt1 = functionRecall(1, LevelRun)
	// FunctionRecallAt3 is the share of gold functions in the first 3 ranks.
	FunctionRecallAt3 = functionRecall(3, LevelRun)
	// FunctionRecallAt5 is the share of gold functions in the first 5 ranks.
	FunctionRecallAt5 = functionRecall(5, LevelRun)
	// FunctionRecallAt10 is the share of gold functions in the first 10 ranks.
	FunctionRecallAt10 = functionRecall(10, LevelRun)
	// FunctionRecallAt20 is the share of gold functions in the first 20 ranks.
	FunctionRecallAt20 = functionRecall(20, LevelRun)
	// HitAt1 says whether the first rank is relevant.
	HitAt1 = hit(1, LevelRun)
	// HitAt3 says whether any of the first 3 ranks is relevant.
	HitAt3 = hit(3, LevelRun)
	// HitAt5 says whether any of the first 5 ranks is relevant.
	HitAt5 = hit(5, LevelRun)
	// HitAt10 says whether any of the first 10 ranks is relevant.
	HitAt10 = hit(10, LevelRun)
	// HitAt20 says whether any of the first 20 ranks is relevant.
	HitAt20 = hit(20, LevelRun)
	// MRR is the reciprocal rank of the first relevant candidate.
	MRR = mrr(LevelRun)
	// NDCGAt10 is the normalised discounted cumulative gain of the first 10 ranks.
	NDCGAt10 = ndcg(LevelRun)
	// DuplicateCandidates counts what the distinct list dropped.
	DuplicateCandidates = Metric{Name: "duplicate_candidates", Heading: "duplicates", Group: groupLocalization, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  "candidates of the run's list whose file or document stands earlier in it",
		Denominator: recallDenominator,
		Missing:     "no_gold; not applicable without a retrieval event",
		Misleads:    "several spans of one file are several candidates, and asking again repeats them: neither is a fault",
		Reads:       []string{DocumentManifest.Name, EventRunStarted.Name, DocumentTask.Name, EventRetrievalQuery.Name, EventRetrievalCandidate.Name}}
	// GoldWithinBudget is the share of gold that fits into the context budget.
	GoldWithinBudget = Metric{Name: "gold_within_budget", Heading: "gold in budget", Group: groupLocalization,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: LevelRun,
		Definition:  "relevant gold files reached by the longest prefix of the candidates whose tokens add up to at most context_budget (repeats are paid again, none is skipped) / relevant gold files",
		Denominator: "included runs with a retrieval event, relevant gold, a budget and token counts",
		Missing:     "no_gold, no_budget, no_tokens; not applicable without a retrieval event",
		Misleads:    "one large candidate early ends the prefix, where a packer might skip it",
		Reads:       []string{DocumentManifest.Name, EventRunStarted.Name, DocumentTask.Name, EventRetrievalQuery.Name, EventRetrievalCandidate.Name}}
)
