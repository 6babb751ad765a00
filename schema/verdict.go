package schema

// What became of a run's patch.
var (
	PatchStateMissing = Word{"missing", "there is no patch, and the run says so"}
	PatchStateEmpty   = Word{"empty", "the patch is only white space"}
	PatchStateNoLines = Word{"no_line_changes", "the patch is a diff without added or removed lines"}
	PatchStateReal    = Word{"real", "the patch changes lines"}
)

// Which rule decided resolved_at_1.
var (
	ResolvedByTests   = Word{"tests", "the listed tests of test_results.json"}
	ResolvedByOutcome = Word{"outcome", "the outcome that the run states"}
	ResolvedByFault   = Word{"fault", "the agent's own fault: there was nothing to evaluate"}
)

// Who is at fault where a run was not evaluated, or ended badly.
var (
	FaultInfrastructure = Word{"infrastructure", "the apparatus: the run is excluded"}
	FaultEvaluator      = Word{"evaluator", "the evaluation: the outcome is missing"}
	FaultAgent          = Word{"agent", "the agent, also where the cause is unknown: a failure that stays in the denominator"}
)

// How a file read relates to the answer.
var (
	RelevanceGold = Word{"gold", "the file is relevant gold"}
	RelevanceNone = Word{"none", "the file is not"}
)

// DerivedSets lists the sets of words that the dataset holds and raw files do not.
var DerivedSets = []Set{
	{"patch_state", "What became of a run's patch.", []Word{PatchStateMissing, PatchStateEmpty, PatchStateNoLines, PatchStateReal}},
	{"resolved_by", "Which rule decided resolved_at_1.", []Word{ResolvedByTests, ResolvedByOutcome, ResolvedByFault}},
	{"fault", "Who is at fault.", []Word{FaultInfrastructure, FaultEvaluator, FaultAgent}},
	{"relevance", "How a file read relates to the answer.", []Word{RelevanceGold, RelevanceNone}},
}

// QueryKindFinal is the query_kind whose answer is the ranked list of the run.
const QueryKindFinal = "final"
