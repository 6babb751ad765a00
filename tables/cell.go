package tables

import "fmt"

// A State is what a cell shows. The four are never mixed.
type State string

// The four states.
const (
	// StateValue: there is a value; 0 is one.
	StateValue State = "value"
	// StateMissing: it exists but was not observed; printed —.
	StateMissing State = "missing"
	// StateNotEstimable: the data cannot give it; printed n.e. with the reason.
	StateNotEstimable State = "not_estimable"
	// StateNotApplicable: the question does not arise here; printed ·.
	StateNotApplicable State = "not_applicable"
)

// States lists every state.
var States = []State{StateValue, StateMissing, StateNotEstimable, StateNotApplicable}

// The marks of the states that are not values.
const (
	markMissing       = "—"
	markNotEstimable  = "n.e."
	markNotApplicable = "·"
)

// A Cell is one place of a grid.
type Cell struct {
	// State is what the cell shows.
	State State
	// Value is what there is to show; nil unless State is StateValue.
	Value Value
	// Why is the reason for a state other than StateValue; may be empty unless
	// the state is StateNotEstimable.
	Why string
}

// Show is the cell of a value.
func Show(v Value) Cell { return Cell{State: StateValue, Value: v} }

// Missing is the cell of something that was not observed.
func Missing(why string) Cell { return Cell{State: StateMissing, Why: why} }

// NotEstimable is the cell of something the data cannot give, and why.
func NotEstimable(why string) Cell { return Cell{State: StateNotEstimable, Why: why} }

// NotApplicable is the cell of a question that does not arise.
func NotApplicable(why string) Cell { return Cell{State: StateNotApplicable, Why: why} }

// check says what is wrong with the cell in a column of the given kind.
func (c Cell) check(kind Kind) error {
	switch c.State {
	case StateValue:
		if c.Value == nil {
			return fmt.Errorf("have no value, want a value of kind %s", kind)
		}
		if c.Value.Kind() != kind {
			return fmt.Errorf("have a value of kind %s, want %s", c.Value.Kind(), kind)
		}
		return c.Value.check()
	case StateNotEstimable:
		if c.Why == "" {
			return fmt.Errorf("have n.e. without a reason, want the reason")
		}
	case StateMissing, StateNotApplicable:
	default:
		return fmt.Errorf("have state %q, want one of %v", c.State, States)
	}
	if c.Value != nil {
		return fmt.Errorf("have a value beside state %s, want none", c.State)
	}
	return nil
}

// print is the cell as it is read.
func (c Cell) print(f NumberFormat, minus string) printed {
	switch c.State {
	case StateMissing:
		return printed{main: markMissing}
	case StateNotEstimable:
		return printed{main: markNotEstimable, detail: "(" + c.Why + ")"}
	case StateNotApplicable:
		return printed{main: markNotApplicable}
	}
	return c.Value.print(printer{f, minus})
}

// parts are the unrounded parts of the cell, one for each of kind.Parts.
func (c Cell) parts(kind Kind) []Scalar {
	if c.Value == nil {
		return make([]Scalar, len(kind.Parts()))
	}
	return c.Value.parts()
}

// Print is the cell of the column on one line, as a table prints it.
func (c Column) Print(cell Cell) string { return cell.print(c.Format, minusASCII).line() }
