package schema

// Whether the task was done.
var (
	// ResolvedAt1 is the primary outcome of end-to-end studies.
	ResolvedAt1 = Metric{Name: "resolved_at_1", Heading: "resolved@1", Group: groupCorrectness,
		Kind: KindRate, Type: TypeInteger, Direction: HigherBetter, Level: LevelRun,
		Definition:  "the first that applies: (1) test_results.json lists a fail_to_pass test: 1 if the patch was not refused and every fail_to_pass and pass_to_pass test passed, else 0; (2) the outcome is resolved: 1, unresolved: 0; (3) not evaluated, by the agent's fault (patch missing, empty or without line changes, patch refused, a failure stage given, or an ending other than completed without a real patch): 0",
		Denominator: "included runs that were evaluated, or failed by their own fault",
		Missing:     "not_evaluated, evaluation_failed; not applicable where the outcome is",
		Misleads:    "where few runs were evaluated the rate rests on faults: see resolved_by; an agent's own test runs never count",
		Source:      "Jimenez et al. 2024, SWE-bench",
		Reads:       []string{DocumentTestResults.Name, PatchFile, EventRunFinished.Name},
		Companions:  []Companion{{Name: "resolved_by", Type: TypeText, Doc: "which rule decided: tests, outcome or fault"}}}
	// FailToPass is the share of listed tests that came to pass.
	FailToPass = Metric{Name: "fail_to_pass", Heading: "fail-to-pass", Group: groupCorrectness,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: LevelRun,
		Definition:  "fail_to_pass tests that passed / those listed, in test_results.json, else in the last test_run that counts them",
		Denominator: "included runs for which a fail_to_pass test is listed",
		Missing:     "none_listed",
		Misleads:    "tests of one task are no independent trials; half of the tests is not half of a fix",
		Source:      "Jimenez et al. 2024, SWE-bench",
		Reads:       []string{DocumentTestResults.Name, EventTestRun.Name},
		Companions:  listedTests("fail_to_pass")}
	// PassToPass is the share of listed tests that kept passing.
	PassToPass = Metric{Name: "pass_to_pass", Heading: "pass-to-pass", Group: groupCorrectness,
		Kind: KindMean, Type: TypeDouble, Direction: HigherBetter, Level: LevelRun,
		Definition:  "pass_to_pass tests that passed / those listed, in test_results.json, else in the last test_run that counts them",
		Denominator: "included runs for which a pass_to_pass test is listed",
		Missing:     "none_listed",
		Misleads:    "an empty patch scores 1",
		Source:      "Jimenez et al. 2024, SWE-bench",
		Reads:       []string{DocumentTestResults.Name, EventTestRun.Name},
		Companions:  listedTests("pass_to_pass")}
	// Regressions counts tests that the run broke.
	Regressions = Metric{Name: "regressions", Heading: "regressions", Group: groupCorrectness, Unit: "count",
		Kind: KindCount, Type: TypeInteger, Direction: LowerBetter, Level: LevelRun,
		Definition:  "listed pass_to_pass tests that did not pass",
		Denominator: "included runs for which a pass_to_pass test is listed",
		Missing:     "none_listed",
		Misleads:    "tasks with large suites weigh more; a patch that breaks the build breaks every test",
		Reads:       []string{DocumentTestResults.Name, EventTestRun.Name},
		Companions:  []Companion{{Name: "regressions_from", Type: TypeText, Doc: listedFrom}}}
)

// listedFrom says where counts of listed tests come from.
const listedFrom = "test_results where an evaluation counted, events where only the agent's own test run did"

func listedTests(set string) []Companion {
	return []Companion{
		{Name: set + "_passed", Type: TypeInteger, Unit: "count", Doc: "listed tests of the set that passed"},
		{Name: set + "_listed", Type: TypeInteger, Unit: "count", Doc: "tests of the set that are listed"},
		{Name: set + "_from", Type: TypeText, Doc: listedFrom},
	}
}
