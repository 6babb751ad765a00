package duck

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// A Kind says which field of a Value counts.
type Kind uint8

// The kinds of values that a query can give.
const (
	// Null is SQL's NULL.
	Null Kind = iota
	// Text is a text, and everything else that prints as one.
	Text
	// Integer is an integer that fits into 64 bits.
	Integer
	// Real is a double.
	Real
	// Decimal is a number with a fixed scale, and an integer beyond 64 bits.
	Decimal
	// Boolean is a truth value.
	Boolean
	// Time is an instant in UTC.
	Time
	// List is a list of values.
	List
	// Struct is a list of named values; a map too, named by its keys.
	Struct
)

// A Value is one cell of a result.
type Value struct {
	// Kind says which of the other fields counts.
	Kind Kind
	// Text is the text of a Text.
	Text string
	// Int is the number of an Integer.
	Int int64
	// Real is the number of a Real.
	Real float64
	// Unscaled and Scale are the number of a Decimal: Unscaled / 10^Scale.
	Unscaled *big.Int
	// Scale is the number of decimals of a Decimal.
	Scale int
	// Bool is the truth value of a Boolean.
	Bool bool
	// Time is the instant of a Time.
	Time time.Time
	// Elems are the elements of a List or the members of a Struct.
	Elems []Value
	// Names are the names of a Struct's members.
	Names []string
}

// String prints the value as a table would, in full precision; NULL is empty, but
// NULL within a list or a struct.
func (v Value) String() string {
	switch v.Kind {
	case Null:
		return ""
	case Text:
		return v.Text
	case Integer:
		return strconv.FormatInt(v.Int, 10)
	case Real:
		return strconv.FormatFloat(v.Real, 'g', -1, 64)
	case Decimal:
		return v.decimal()
	case Boolean:
		return strconv.FormatBool(v.Bool)
	case Time:
		return v.Time.Format(time.RFC3339Nano)
	}
	parts := make([]string, len(v.Elems))
	for i, e := range v.Elems {
		if parts[i] = e.String(); e.Kind == Null {
			parts[i] = "NULL"
		}
		if v.Kind == Struct {
			parts[i] = v.Names[i] + ": " + parts[i]
		}
	}
	if v.Kind == Struct {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (v Value) decimal() string {
	digits, sign := v.Unscaled.String(), ""
	if rest, ok := strings.CutPrefix(digits, "-"); ok {
		digits, sign = rest, "-"
	}
	if v.Scale == 0 {
		return sign + digits
	}
	for len(digits) <= v.Scale {
		digits = "0" + digits
	}
	point := len(digits) - v.Scale
	return sign + digits[:point] + "." + digits[point:]
}

// Number is the value as a double, where it is a number.
func (v Value) Number() (float64, bool) {
	switch v.Kind {
	case Integer:
		return float64(v.Int), true
	case Real:
		return v.Real, true
	case Decimal:
		f, err := strconv.ParseFloat(v.decimal(), 64)
		return f, err == nil
	case Boolean:
		if v.Bool {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// Big is the unscaled number of an Integer or a Decimal.
func (v Value) Big() *big.Int {
	if v.Kind == Integer {
		return big.NewInt(v.Int)
	}
	return v.Unscaled
}

// Member is a member of a Struct.
func (v Value) Member(name string) (Value, bool) {
	for i, n := range v.Names {
		if n == name {
			return v.Elems[i], true
		}
	}
	return Value{}, false
}

// Finite reports whether a Real is neither NaN nor infinite.
func (v Value) Finite() bool { return !math.IsNaN(v.Real) && !math.IsInf(v.Real, 0) }
