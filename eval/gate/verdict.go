package gate

// Verdict is what a gate decides.
type Verdict string

// The four verdicts.
const (
	// Pass: every figure was measured on both sides, and none worsened past its limit.
	Pass Verdict = "pass"
	// Regressed: a figure worsened past its limit.
	Regressed Verdict = "regressed"
	// CannotDecide: too few tasks, nothing measured, or sides that are not comparable.
	CannotDecide Verdict = "cannot decide"
	// Failed: the evaluation could not be run, or a file could not be read.
	Failed Verdict = "failed"
)

// ExitCode is the exit status of the command.
func (v Verdict) ExitCode() int {
	switch v {
	case Pass:
		return 0
	case Regressed:
		return 3
	case CannotDecide:
		return 4
	default:
		return 1
	}
}

// worst is the verdict that stands for two: failed before cannot decide before regressed before pass. What
// could not be decided comes before a regression that could, because the latter may be waved through.
func worst(a, b Verdict) Verdict {
	for _, v := range []Verdict{Failed, CannotDecide, Regressed} {
		if a == v || b == v {
			return v
		}
	}
	return Pass
}
