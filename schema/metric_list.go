package schema

import "strconv"

// The groups of metrics.
const (
	groupCorrectness  = "correctness"
	groupLocalization = "localization"
	groupNavigation   = "navigation"
	groupEditing      = "editing"
	groupEfficiency   = "efficiency"
	groupIndex        = "index"
	groupReliability  = "reliability"
)

// Cutoffs are the k of the metrics at k.
var Cutoffs = [...]int{1, 3, 5, 10, 20}

// Metrics lists every metric, in the order of columns and documentation.
var Metrics = []*Metric{
	&ResolvedAt1, &FailToPass, &PassToPass, &Regressions,

	&FileRecallAt1, &FileRecallAt3, &FileRecallAt5, &FileRecallAt10, &FileRecallAt20,
	&FunctionRecallAt1, &FunctionRecallAt3, &FunctionRecallAt5, &FunctionRecallAt10, &FunctionRecallAt20,
	&HitAt1, &HitAt3, &HitAt5, &HitAt10, &HitAt20,
	&MRR, &NDCGAt10, &DuplicateCandidates, &GoldWithinBudget,

	&TimeToFirstGoldMS, &TokensToFirstGold, &ToolCallsToFirstGold, &RepeatedReads, &Churn,

	&PatchApplied, &EditSuccess, &SyntaxOK, &LintOK, &BuildOK,
	&PatchFiles, &PatchHunks, &PatchLinesAdded, &PatchLinesRemoved,

	&InputTokens, &OutputTokens, &CachedInputTokens, &CacheWriteInputTokens, &ReasoningTokens, &ToolTokens,
	&CostUSD, &UserTurns, &ModelCalls, &ToolCalls, &TestRuns, &WallTimeS, &OutputTokensPerS,

	&IndexBuildMS, &IndexUpdateMS, &IndexRSSBytes, &IndexDiskBytes, &QueryP50MS, &QueryP95MS,

	&TimedOut, &ToolFailures, &ParserFailures, &EditFailures, &FailureStage,

	&QueryFileRecallAt1, &QueryFileRecallAt3, &QueryFileRecallAt5, &QueryFileRecallAt10, &QueryFileRecallAt20,
	&QueryFunctionRecallAt1, &QueryFunctionRecallAt3, &QueryFunctionRecallAt5, &QueryFunctionRecallAt10, &QueryFunctionRecallAt20,
	&QueryHitAt1, &QueryHitAt3, &QueryHitAt5, &QueryHitAt10, &QueryHitAt20,
	&QueryMRR, &QueryNDCGAt10, &QueryAP, &QueryTokens, &QueryLatencyMS,
}

// MetricByName finds a metric of a level by its name.
func MetricByName(level Level, name string) (*Metric, bool) {
	for _, m := range Metrics {
		if m.Level == level && m.Name == name {
			return m, true
		}
	}
	return nil, false
}

// Where a value or count was taken from, as the companions <metric>_from hold it.
const (
	// FromEvents means that it was computed from the run's events.
	FromEvents = "events"
	// FromTotals means that it is the source's own total.
	FromTotals = "totals"
	// FromTestResults means that test_results.json holds it.
	FromTestResults = "test_results"
)

// sums returns the companions of a metric that is a sum over calls.
func sums(name string, typ ColumnType, unit string) []Companion {
	return append(declared(name, typ, unit),
		Companion{Name: name + "_partial", Type: typ, Unit: unit,
			Doc: "what the calls that carry the field add up to, where not all do: a lower bound"},
		Companion{Name: name + "_calls", Type: TypeInteger, Unit: "count",
			Doc: "how many calls carry the field"})
}

// declared returns the companions of a metric that the harness may declare.
func declared(name string, typ ColumnType, unit string) []Companion {
	return []Companion{
		{Name: name + "_from", Type: TypeText, Doc: "events where the run's events say, totals where only the harness's own total does"},
		{Name: name + "_declared", Type: typ, Unit: unit, Doc: "the total that the harness declares"},
	}
}

func at(k int) string { return strconv.Itoa(k) }
