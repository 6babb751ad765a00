package gate

import "math/big"

// Report is everything a gate found, in the order in which it is printed.
type Report struct {
	// Verdict is the worst of all comparisons.
	Verdict Verdict
	// Title says what was compared with what.
	Title string
	// Comparisons has one entry a tool and measure.
	Comparisons []Comparison
	// Undecided says what could not be compared, and Failed why an evaluation could not run: one line each.
	Undecided []string
	// Notes are worth knowing and decide nothing.
	Notes []string
}

// Comparison is one measure of one tool beside its baseline.
type Comparison struct {
	// Tool is the tool's name; empty where a summary names none.
	Tool string
	// Measure is what was compared.
	Measure Measure
	// Baseline and Current are the figures.
	Baseline, Current Figure
	// Worse is by how much the figure worsened: a difference for rates and counts, a share of the baseline
	// for amounts. It is negative where it improved, and missing where a figure is.
	Worse Figure
	// Limit is how much was allowed.
	Limit *big.Rat
	// Paired says that both sides have values of each task, so that Lost, Won and P stand for something.
	Paired bool
	// Lost and Won are the tasks whose own value worsened or improved, by id.
	Lost, Won []string
	// P is the exact two-sided sign test over Lost and Won; nil where not paired.
	P *big.Rat
	// Verdict is what this comparison alone decides.
	Verdict Verdict
	// Reason says in one line why it is not a pass.
	Reason string

	doubt string // why a figure cannot be believed; empty where it can
}

// Failure is the report of an evaluation that could not be run.
func Failure(err error) Report {
	return Report{Verdict: Failed, Undecided: []string{err.Error()}}
}

// undecided is a report that compares nothing.
func (r Report) undecided(reasons ...string) Report {
	r.Verdict = worst(r.Verdict, CannotDecide)
	r.Undecided = append(r.Undecided, reasons...)
	return r
}

// add appends a comparison and lets it weigh in the verdict.
func (r *Report) add(c Comparison) {
	r.Comparisons = append(r.Comparisons, c)
	r.Verdict = worst(r.Verdict, c.Verdict)
	if c.Verdict == CannotDecide {
		r.Undecided = append(r.Undecided, c.Reason)
	}
}
