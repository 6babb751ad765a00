package schema

// A MissingReason says why a run or a query has no value of a metric.
type MissingReason struct {
	// Name stands in the table missing.
	Name string
	// Doc says when it is given.
	Doc string
	// NotApplicable is true where there was nothing to measure, as against a
	// value that should be there and is not.
	NotApplicable bool
}

// Why a value is missing.
var (
	MissingNotEvaluated     = MissingReason{Name: "not_evaluated", Doc: "no evaluation took place, and nothing shows that the agent failed"}
	MissingEvaluationFailed = MissingReason{Name: "evaluation_failed", Doc: "the evaluation itself failed: the evaluator's fault"}
	MissingNoneListed       = MissingReason{Name: "none_listed", Doc: "no test of the set is listed"}
	MissingNoGold           = MissingReason{Name: "no_gold", Doc: "the task has no relevant gold of the kind"}
	MissingCutAtLimit       = MissingReason{Name: "cut_at_limit", Doc: "k is above the query's limit, and the tool returned as many as asked: what would have followed is not known"}
	MissingNoTokens         = MissingReason{Name: "no_tokens", Doc: "a candidate has no token count"}
	MissingNoBudget         = MissingReason{Name: "no_budget", Doc: "the run has no context budget"}
	MissingNoRead           = MissingReason{Name: "no_read", Doc: "the run recorded no file_read"}
	MissingNotReached       = MissingReason{Name: "not_reached", Doc: "no gold file was read"}
	MissingTooFewSwitches   = MissingReason{Name: "too_few_switches", Doc: "fewer than two switches between files"}
	MissingNotRecorded      = MissingReason{Name: "not_recorded", Doc: "nothing in the run says, or its manifest says that the source does not record it"}
	MissingNoEdit           = MissingReason{Name: "no_edit", Doc: "the run has no edit"}
	MissingNotRun           = MissingReason{Name: "not_run", Doc: "no such check was run"}
	MissingNoPatch          = MissingReason{Name: "no_patch", Doc: "there is no patch.diff"}
	MissingNoUsage          = MissingReason{Name: "no_usage", Doc: "a call does not carry the field, and no total is declared"}
	MissingNotDeclared      = MissingReason{Name: "not_declared", Doc: "only a declared total could say, and there is none"}
	MissingNoEvents         = MissingReason{Name: "no_events", Doc: "the run recorded nothing but its start and end, and no total is declared"}
	MissingNoTime           = MissingReason{Name: "no_time", Doc: "a timestamp or duration that the metric needs is not recorded"}
	MissingNoIndexSample    = MissingReason{Name: "no_index_sample", Doc: "no sample of an index carries the measurement"}
	MissingNoQuery          = MissingReason{Name: "no_query", Doc: "no retrieval_query carries a latency"}
	MissingOverflow         = MissingReason{Name: "overflow", Doc: "the sum is beyond its column's range"}

	MissingTimeRegression     = MissingReason{Name: TimeRegression.Name, Doc: TimeRegression.Doc}
	MissingZeroCost           = MissingReason{Name: ZeroCostWithTokens.Name, Doc: ZeroCostWithTokens.Doc}
	MissingArtifact           = MissingReason{Name: ArtifactMissing.Name, Doc: ArtifactMissing.Doc}
	MissingDocumentUnreadable = MissingReason{Name: DocumentUnreadable.Name, Doc: DocumentUnreadable.Doc}
)

// Why a metric does not apply.
var (
	NothingToResolve = MissingReason{Name: "nothing_to_resolve", NotApplicable: true, Doc: "the outcome is not_applicable, as in retrieval and question runs"}
	NoRetrieval      = MissingReason{Name: "no_retrieval", NotApplicable: true, Doc: "the run has no retrieval event"}
	NoFailure        = MissingReason{Name: "no_failure", NotApplicable: true, Doc: "the run did not fail"}
)

// MissingReasons lists every reason for which a value is not there.
var MissingReasons = []*MissingReason{
	&MissingNotEvaluated, &MissingEvaluationFailed, &MissingNoneListed, &MissingNoGold, &MissingCutAtLimit,
	&MissingNoTokens, &MissingNoBudget, &MissingNoRead, &MissingNotReached, &MissingTooFewSwitches,
	&MissingNotRecorded, &MissingNoEdit, &MissingNotRun, &MissingNoPatch, &MissingNoUsage, &MissingNotDeclared,
	&MissingNoEvents, &MissingNoTime, &MissingNoIndexSample, &MissingNoQuery, &MissingOverflow,
	&MissingTimeRegression, &MissingZeroCost, &MissingArtifact, &MissingDocumentUnreadable,
	&NothingToResolve, &NoRetrieval, &NoFailure,
}

// State is the word that the table missing holds for a value of this reason.
func (r *MissingReason) State() string {
	if r.NotApplicable {
		return StateNotApplicable
	}
	return StateMissing
}

// The states of a value that is not there.
const (
	// StateMissing means that a value should be there and is not.
	StateMissing = "missing"
	// StateNotApplicable means that there was nothing to measure.
	StateNotApplicable = "not_applicable"
)
