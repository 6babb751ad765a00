package tables

import (
	"fmt"
	"strconv"
)

// A Value is what a cell shows when it shows a value. The kinds are those of
// this file; nothing outside adds one, as every format knows them all.
type Value interface {
	// Kind names the kind; all values of a column have the column's kind.
	Kind() Kind
	// parts are the unrounded parts, one for each of Kind().Parts().
	parts() []Scalar
	// print is the value as it is read.
	print(printer) printed
	// check says what no value of the kind can be.
	check() error
}

// A Kind is a kind of value.
type Kind string

// The kinds of values.
const (
	// KindText is a Text: any text.
	KindText Kind = "text"
	// KindNumber is a Number: an integer, a decimal or a measured amount.
	KindNumber Kind = "number"
	// KindRate is a Rate: a share of observed runs, with what was not observed.
	KindRate Kind = "rate"
	// KindEstimate is an Estimate: a number with interval and coverage.
	KindEstimate Kind = "estimate"
	// KindInterval is an Interval: a confidence interval alone.
	KindInterval Kind = "interval"
	// KindPValue is a PValue.
	KindPValue Kind = "p"
	// KindQuartiles is a Quartiles: median, quartiles and coverage.
	KindQuartiles Kind = "quartiles"
	// KindShare is a Share: a count and its share of a total.
	KindShare Kind = "share"
)

// Kinds lists every kind.
var Kinds = []Kind{KindText, KindNumber, KindRate, KindEstimate, KindInterval, KindPValue, KindQuartiles, KindShare}

// Parts names the unrounded parts of a value of the kind, in their order. The
// part named "" is the value itself. CSV has a column a part, JSON a member.
func (k Kind) Parts() []string {
	switch k {
	case KindText, KindNumber:
		return []string{""}
	case KindRate:
		return []string{"", "numerator", "denominator", "excluded", "missing", "absent",
			"low", "high", "interval_why", "bound_low", "bound_high"}
	case KindEstimate:
		return []string{"", "low", "high", "interval_why", "observed", "missing"}
	case KindInterval:
		return []string{"low", "high"}
	case KindPValue:
		return []string{"", "log10"}
	case KindQuartiles:
		return []string{"", "q1", "q3", "observed", "missing"}
	case KindShare:
		return []string{"", "count", "total"}
	}
	return nil
}

// Text is a value that is a text.
type Text string

// Kind is KindText.
func (Text) Kind() Kind              { return KindText }
func (t Text) parts() []Scalar       { return []Scalar{String(string(t))} }
func (t Text) print(printer) printed { return printed{main: string(t)} }
func (Text) check() error            { return nil }

// Kind is KindNumber.
func (Number) Kind() Kind                { return KindNumber }
func (n Number) parts() []Scalar         { return []Scalar{numeric(n)} }
func (n Number) print(p printer) printed { return printed{main: p.amount(n)} }
func (n Number) check() error            { return known("a number", n) }

// quotient is a / b, absent if b is 0.
func quotient(a, b int64) Number {
	if b == 0 {
		return Number{}
	}
	return Float(float64(a) / float64(b))
}

// known says that a number is lacking.
func known(what string, n Number) error {
	if !n.Known() {
		return fmt.Errorf("have none, want %s", what)
	}
	return nil
}

// counts says that a count is negative.
func counts(all ...int64) error {
	for _, n := range all {
		if n < 0 {
			return fmt.Errorf("have a count of %s, want none below 0", strconv.FormatInt(n, 10))
		}
	}
	return nil
}

// first is the first error there is.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
