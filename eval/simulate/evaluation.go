package simulate

import (
	"fmt"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// An ending is how a run ends and what an evaluation makes of it. It says in one
// of several ways what the outcome was drawn to be.
type ending struct {
	ending, outcome, patch string
	stage                  schema.Opt[string]
	errorType              schema.Opt[string]
	// passed and regressed are numbers of listed tests.
	passed, regressed int
	// tested is true where test_results.json holds the tests.
	tested bool
	// unapplied is true where the patch does not apply.
	unapplied bool
}

// ending draws how the run shows its outcome: by listed tests in nine of ten, by
// the outcome alone in the others; one failure in six leaves no patch, one in twelve
// one that does not apply.
func (c *course) ending() ending {
	switch c.fault {
	case &FaultInfrastructure:
		return ending{ending: schema.EndingError.Name, outcome: schema.OutcomeNotEvaluated.Name, patch: schema.PatchNone.Name,
			stage: schema.Some(schema.StageInfrastructure.Name), errorType: schema.Some("SimulatedMachineLost")}
	case &FaultEvaluator:
		return ending{ending: schema.EndingCompleted.Name, outcome: schema.OutcomeNotEvaluated.Name, patch: schema.PatchFilePresent.Name,
			stage: schema.Some(schema.StageEvaluate.Name)}
	}
	e := c.agentEnding()
	if c.fault == &FaultOutcome {
		e.outcome = schema.OutcomeResolved.Name
		if c.outcome.resolved {
			e.outcome = schema.OutcomeUnresolved.Name
		}
	}
	return e
}

func (c *course) agentEnding() ending {
	needed := c.fault != nil && c.fault.evaluated
	e := ending{ending: schema.EndingCompleted.Name, outcome: schema.OutcomeResolved.Name, patch: schema.PatchFilePresent.Name,
		passed: c.task.failToPass, tested: c.random.Float64() < 0.9 || needed}
	if c.outcome.resolved {
		return e
	}
	e.outcome, e.stage = schema.OutcomeUnresolved.Name, c.failureStage()
	switch u := c.random.Float64(); {
	case u < 1.0/6 && !needed:
		e.outcome, e.patch, e.tested, e.passed = schema.OutcomeNotEvaluated.Name, schema.PatchNone.Name, false, 0
		e.ending = []string{schema.EndingTimeout.Name, schema.EndingLimit.Name, schema.EndingCrashed.Name}[c.random.IntN(3)]
		if e.ending == schema.EndingCrashed.Name {
			e.errorType = schema.Some("SimulatedCrash")
		}
	case u < 2.0/6:
		e.regressed = 1 + c.random.IntN(c.task.passToPass)
	case u < 2.5/6:
		e.passed, e.unapplied = 0, true
	default:
		e.passed = c.random.IntN(c.task.failToPass)
	}
	return e
}

// failureStage is the stage in which a run that does not resolve its task fails.
func (c *course) failureStage() schema.Opt[string] {
	u := c.random.Float64()
	switch {
	case c.found() < 0:
		return schema.Some(schema.StageRetrieve.Name)
	case u < 0.2:
		return schema.Some(schema.StageNavigate.Name)
	case u < 0.5:
		return schema.Some(schema.StageEdit.Name)
	case u < 0.85:
		return schema.Some(schema.StageTest.Name)
	}
	return schema.None[string]()
}

// evaluate writes the patch and what its evaluation found.
func (c *course) evaluate() error {
	if c.end.patch != schema.PatchFilePresent.Name {
		return nil
	}
	patch := c.patch()
	if err := c.out.WritePatch([]byte(patch)); err != nil || !c.end.tested {
		return err
	}
	r := schema.TestResults{Evaluator: &schema.Evaluator{Name: schema.Some(sourceFormat), Version: schema.Some(simulationVer)},
		Patch:      &schema.EvaluatedPatch{SHA256: schema.Some(hexOf(patch)), Applied: schema.Some(!c.end.unapplied), Attempts: schema.Some[int64](1)},
		DurationMS: schema.Some(round(2000+60000*c.random.Float64(), 1))}
	for i := range c.task.failToPass {
		r.Tests = append(r.Tests, testResult(schema.SetFailToPass, i, i < c.end.passed))
	}
	for i := range c.task.passToPass {
		r.Tests = append(r.Tests, testResult(schema.SetPassToPass, i, i >= c.end.regressed))
	}
	return c.out.WriteTestResults(r)
}

func testResult(set schema.Word, i int, passed bool) schema.TestResult {
	status := schema.TestFailed.Name
	if passed {
		status = schema.TestPassed.Name
	}
	return schema.TestResult{Name: fmt.Sprintf("test_%s_%d", set.Name, i+1), Set: set.Name, Status: status}
}

// patch is the run's change as a unified diff.
func (c *course) patch() string {
	path := c.target()
	added := 1 + c.random.IntN(12)
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -10,3 +10,%d @@\n context\n-old line\n", path, path, path, path, added+2)
	for i := range added {
		fmt.Fprintf(&b, "+simulated line %d\n", i+1)
	}
	return b.String() + " context\n"
}

// finish ends the run.
func (c *course) finish() error {
	totals := schema.Totals{AgentWallMS: schema.Some(c.outcome.wallMS), UserTurns: schema.Some[int64](1)}
	if c.fault == &FaultMismatch {
		totals.InputTokens = schema.Some(c.outcome.input + 1000)
	}
	return c.out.Finish(schema.Some(c.started+schema.Time(c.outcome.wallMS)*1000), schema.RunFinished{
		Ending: c.end.ending, Outcome: c.end.outcome, FailureStage: c.end.stage, ErrorType: c.end.errorType, Patch: schema.Some(c.end.patch),
		Totals: &totals,
	})
}
