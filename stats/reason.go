package stats

// A Reason says why a quantity could not be estimated from the data at hand.
// The empty Reason means that it could. Reasons are printed as they stand.
type Reason string

// The reasons that more than one family of methods gives.
const (
	// NoData: there is not a single observation.
	NoData Reason = "no observations"
	// TooFew: fewer independent units than the method needs.
	TooFew Reason = "too few"
	// NoVariation: every observation, or every difference, is the same.
	NoVariation Reason = "no variation"
	// Aliased: the columns of the design do not determine the term.
	Aliased Reason = "aliased"
	// EmptyCell: the term rests on a combination of levels without a run.
	EmptyCell Reason = "empty cell"
	// Separation: the response is separated, so no maximum likelihood estimate exists.
	Separation Reason = "separation"
	// NotConverged: the iteration did not reach its tolerance.
	NotConverged Reason = "not converged"
	// Undefined: the formula divides by zero for this input.
	Undefined Reason = "undefined"
)

// OK reports whether the quantity was estimated.
func (r Reason) OK() bool { return r == "" }

// An Interval is a confidence interval, with Low <= High.
type Interval struct {
	// Low is the lower limit.
	Low float64
	// High is the upper limit.
	High float64
	// Level is the nominal coverage, such as 0.95.
	Level float64
	// Method names how the limits were made, such as "wilson".
	Method string
}
