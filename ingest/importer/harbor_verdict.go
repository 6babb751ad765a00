package importer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A harborFault says what an exception of Harbor means.
type harborFault struct {
	exception string
	ending    *schema.Word
	// stage is nil where the name alone does not say it.
	stage *schema.Word
}

// harborFaults are the exceptions whose names say what happened. Any other is
// ending error without a stage: who was at fault is not guessed.
var harborFaults = []harborFault{
	{"AgentTimeoutError", &schema.EndingTimeout, nil},
	{"CancelledError", &schema.EndingCancelled, nil},
	{"KeyboardInterrupt", &schema.EndingCancelled, nil},
	{"AgentSetupTimeoutError", &schema.EndingError, &schema.StageSetup},
	{"AgentInstallationError", &schema.EndingError, &schema.StageSetup},
	{"EnvironmentStartTimeoutError", &schema.EndingError, &schema.StageSetup},
	{"EnvironmentBuildTimeoutError", &schema.EndingError, &schema.StageSetup},
	{"VerifierTimeoutError", &schema.EndingCompleted, &schema.StageEvaluate},
	{"VerifierOutputParseError", &schema.EndingCompleted, &schema.StageEvaluate},
	{"RewardFileNotFoundError", &schema.EndingCompleted, &schema.StageEvaluate},
	{"RewardFileEmptyError", &schema.EndingCompleted, &schema.StageEvaluate},
	{"AddTestsDirError", &schema.EndingCompleted, &schema.StageEvaluate},
	{"DownloadVerifierDirError", &schema.EndingCompleted, &schema.StageEvaluate},
}

// verdict is how a trial ended and what the verifier made of it: the reward
// decides, whatever the exception.
func (t *trial) verdict() schema.RunFinished {
	r := t.result
	f := schema.RunFinished{Ending: schema.EndingCompleted.Name, Outcome: schema.OutcomeNotEvaluated.Name}
	if reward, ok := t.reward().Get(); ok {
		f.Outcome = schema.OutcomeUnresolved.Name
		if reward == 1 {
			f.Outcome = schema.OutcomeResolved.Name
		}
	}
	if r.Exception == nil {
		return f
	}
	f.ErrorType = present(r.Exception.Type)
	fault := faultOf(r.Exception.Type.Or(""))
	f.Ending = fault.ending.Name
	if stage := fault.stage; stage != nil && f.Outcome == schema.OutcomeNotEvaluated.Name {
		f.FailureStage = schema.Some(stage.Name)
	}
	return f
}

func faultOf(exception string) harborFault {
	for _, f := range harborFaults {
		if f.exception == exception {
			return f
		}
	}
	return harborFault{exception, &schema.EndingError, nil}
}

// rewardName is the reward that decides where there are several.
const rewardName = "reward"

// reward is the number that decides: the one named reward, or the only one.
func (t *trial) reward() schema.Opt[float64] {
	v := t.result.Verdict
	if v == nil {
		return schema.None[float64]()
	}
	if n, ok := v.Rewards.Get(rewardName); ok {
		return n.float()
	}
	if len(v.Rewards) == 1 {
		return v.Rewards[0].Value.float()
	}
	return v.Reward.float()
}

// A ctrfReport is the report of the verifier's tests.
type ctrfReport struct {
	Results struct {
		Tool struct {
			Name    schema.Opt[string] `json:"name"`
			Version schema.Opt[string] `json:"version"`
		} `json:"tool"`
		Tests []struct {
			Name   schema.Opt[string] `json:"name"`
			Status schema.Opt[string] `json:"status"`
		} `json:"tests"`
	} `json:"results"`
}

// ctrfStatus are the statuses of a CTRF report; any other is an error.
var ctrfStatus = map[string]*schema.Word{
	"passed": &schema.TestPassed, "failed": &schema.TestFailed,
	"skipped": &schema.TestSkipped, "pending": &schema.TestSkipped,
}

// harborTests fills test_results.json: the rewards, and the verifier's tests where
// it left a report. None of them is listed as one that must pass.
func (s *source) harborTests(t *trial, out *content) error {
	tests := &schema.TestResults{}
	if v := t.result.Verdict; v != nil {
		for _, m := range v.Rewards {
			tests.Scores = append(tests.Scores, schema.Score{Name: m.Name, Value: m.Value.float()})
		}
		if len(v.Rewards) == 0 && v.Reward.text != "" {
			tests.Scores = append(tests.Scores, schema.Score{Name: rewardName, Value: v.Reward.float()})
		}
	}
	if v := t.result.Verdict; v != nil && !t.reward().Has() {
		_, named := v.Rewards.Get(rewardName)
		switch {
		case len(v.Rewards) > 1 && !named:
			s.report.note(t.place().String() + ": several rewards and none named reward: no outcome, all are scores")
		case len(v.Rewards) > 0 || v.Reward.odd || v.Reward.text != "":
			s.report.note(t.place().String() + ": the reward is no number: no outcome")
		}
	}
	if err := s.ctrf(t, tests, out); err != nil {
		return err
	}
	if err := s.rewardFile(t); err != nil {
		return err
	}
	if len(tests.Scores) == 0 && len(tests.Tests) == 0 {
		return nil
	}
	if ms, ok := milliseconds(t.result.Verifier.duration()).Get(); ok {
		tests.DurationMS = schema.Some(float64(ms))
	}
	out.tests = tests
	return nil
}

func (s *source) ctrf(t *trial, tests *schema.TestResults, out *content) error {
	f, ok := s.verifierFile(t, "ctrf.json")
	if !ok {
		return nil
	}
	text, err := s.read(f)
	if err != nil {
		return s.leftOut(err)
	}
	report, err := decode[ctrfReport](text)
	if err != nil {
		return s.leftOut(err)
	}
	out.originals = append(out.originals, Original{f.rel, text.sha256})
	tool := report.Results.Tool
	tests.Evaluator = &schema.Evaluator{Name: present(tool.Name), Version: present(tool.Version)}
	for _, test := range report.Results.Tests {
		status := ctrfStatus[test.Status.Or("")]
		if status == nil {
			status = &schema.TestError
		}
		tests.Tests = append(tests.Tests, schema.TestResult{
			Name: strings.TrimRight(test.Name.Or(""), " \t\r\n"), Set: schema.SetOther.Name, Status: status.Name})
	}
	return nil
}

// rewardFile compares reward.txt with the trial's result.
func (s *source) rewardFile(t *trial) error {
	f, ok := s.verifierFile(t, "reward.txt")
	if !ok {
		return nil
	}
	text, err := s.read(f)
	if err != nil {
		return s.leftOut(err)
	}
	declared := "-"
	if n, err := strconv.ParseFloat(strings.TrimSpace(string(text.bytes)), 64); err == nil {
		declared = fmt.Sprint(n)
	}
	found := "-"
	if n, ok := t.reward().Get(); ok {
		found = fmt.Sprint(n)
	}
	s.report.check("reward", f.rel, declared, found)
	return nil
}
