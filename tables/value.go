package tables

import (
	"fmt"
	"math"
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
	KindText      Kind = "text"
	KindNumber    Kind = "number"
	KindRate      Kind = "rate"
	KindEstimate  Kind = "estimate"
	KindInterval  Kind = "interval"
	KindPValue    Kind = "p"
	KindQuartiles Kind = "quartiles"
	KindShare     Kind = "share"
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
func (n Number) print(p printer) printed { return printed{main: p.number(n)} }
func (n Number) check() error            { return known("a number", n) }

// Limits are the two ends of an interval. The zero Limits were not asked for.
type Limits struct {
	// Low and High are the ends, both known or both absent.
	Low, High Number
	// Why is the reason if the limits were asked for but are not estimable.
	Why string
}

// print is the interval in brackets, empty if it was not asked for.
func (l Limits) print(p printer) string {
	switch {
	case l.Why != "":
		return "[" + markNotEstimable + " " + l.Why + "]"
	case !l.Low.Known():
		return ""
	}
	return "[" + p.number(l.Low) + ", " + p.number(l.High) + "]"
}

// check says what no limits can be.
func (l Limits) check() error {
	switch {
	case l.Low.Known() != l.High.Known():
		return fmt.Errorf("have limits [%s, %s], want both or neither", l.Low.Exact(), l.High.Exact())
	case l.Why != "" && l.Low.Known():
		return fmt.Errorf("have limits and the reason %q for having none, want one of the two", l.Why)
	case l.Low.Known() && l.Low.Cmp(l.High) > 0:
		return fmt.Errorf("have limits [%s, %s], want low <= high", l.Low.Exact(), l.High.Exact())
	}
	return nil
}

// A Coverage is how many runs an amount rests on. The zero Coverage is unknown.
type Coverage struct {
	// Observed and Missing count the runs that have the amount and those that lack it.
	Observed, Missing int64
	// Known is true if the two were counted.
	Known bool
}

// print is the coverage in parentheses, empty if it is unknown.
func (c Coverage) print(p printer) string {
	switch {
	case !c.Known:
		return ""
	case c.Missing == 0:
		return "(n = " + p.count(c.Observed) + ")"
	}
	return "(n = " + p.count(c.Observed) + ", " + p.count(c.Missing) + " missing)"
}

// parts are the two counts.
func (c Coverage) parts() []Scalar {
	if !c.Known {
		return []Scalar{Null(), Null()}
	}
	return []Scalar{Integer(c.Observed), Integer(c.Missing)}
}

// check says what no coverage can be.
func (c Coverage) check() error { return counts(c.Observed, c.Missing) }

// A Rate is a share of observed runs, with everything that was not observed.
type Rate struct {
	// Numerator and Denominator: the rate is Numerator / Denominator; the
	// denominator counts the observed runs.
	Numerator, Denominator int64
	// Excluded and Missing are printed as one number, "excl.".
	Excluded, Missing int64
	// Absent counts planned runs that are not there.
	Absent int64
	// Interval is the confidence interval.
	Interval Limits
	// Bounds is the range the rate could have had, whatever the outcome of the
	// runs that were not observed. Published in CSV and JSON, not printed.
	Bounds Limits
}

// Kind is KindRate.
func (Rate) Kind() Kind { return KindRate }

// value is the rate, absent if nothing was observed.
func (r Rate) value() Number { return quotient(r.Numerator, r.Denominator) }

func (r Rate) parts() []Scalar {
	return []Scalar{numeric(r.value()), Integer(r.Numerator), Integer(r.Denominator),
		Integer(r.Excluded), Integer(r.Missing), Integer(r.Absent),
		numeric(r.Interval.Low), numeric(r.Interval.High), optional(r.Interval.Why),
		numeric(r.Bounds.Low), numeric(r.Bounds.High)}
}

// print is 0.412 (7/17, 2 excl., 3 absent) and the interval. The excluded are
// always named, also when there are none: a reader must not have to guess.
func (r Rate) print(p printer) printed {
	text, interval := "n/a", ""
	if r.Denominator > 0 {
		text, interval = p.number(r.value()), r.Interval.print(p)
	}
	text += " (" + p.count(r.Numerator) + "/" + p.count(r.Denominator) + ", " + p.count(r.Excluded+r.Missing) + " excl."
	if r.Absent > 0 {
		text += ", " + p.count(r.Absent) + " absent"
	}
	return printed{text + ")", interval}
}

func (r Rate) check() error {
	if r.Numerator > r.Denominator {
		return fmt.Errorf("have a rate of %d/%d, want a numerator within the denominator", r.Numerator, r.Denominator)
	}
	return first(counts(r.Numerator, r.Denominator, r.Excluded, r.Missing, r.Absent), r.Interval.check(), r.Bounds.check())
}

// An Estimate is a number with its interval and the runs it rests on, of which
// either may be lacking.
type Estimate struct {
	// Value is the point estimate.
	Value Number
	// Interval is its confidence interval.
	Interval Limits
	// Coverage is how many runs it rests on.
	Coverage Coverage
}

// Kind is KindEstimate.
func (Estimate) Kind() Kind { return KindEstimate }

func (e Estimate) parts() []Scalar {
	return append([]Scalar{numeric(e.Value), numeric(e.Interval.Low), numeric(e.Interval.High),
		optional(e.Interval.Why)}, e.Coverage.parts()...)
}

func (e Estimate) print(p printer) printed {
	return printed{p.number(e.Value), joined(e.Interval.print(p), e.Coverage.print(p))}
}

func (e Estimate) check() error {
	return first(known("an estimate", e.Value), e.Interval.check(), e.Coverage.check())
}

// An Interval is a confidence interval in a column of its own.
type Interval struct {
	// Low and High are the ends.
	Low, High Number
}

// Kind is KindInterval.
func (Interval) Kind() Kind        { return KindInterval }
func (i Interval) parts() []Scalar { return []Scalar{numeric(i.Low), numeric(i.High)} }
func (i Interval) print(p printer) printed {
	return printed{main: Limits{Low: i.Low, High: i.High}.print(p)}
}
func (i Interval) check() error {
	return first(known("a lower limit", i.Low), Limits{Low: i.Low, High: i.High}.check())
}

// A PValue is a p-value. It is printed with four decimals, below 0.0001 as
// "< 0.0001", never as 0.
type PValue struct {
	// P is the p-value; absent if it is too small for a float64, when Log10 is known.
	P Number
	// Log10 is its decimal logarithm; may be absent if P is known.
	Log10 Number
}

// The digits of a printed p-value, and the smallest one printed as a number.
const (
	pDigits   = 4
	pSmallest = 1e-4
)

// Kind is KindPValue.
func (PValue) Kind() Kind        { return KindPValue }
func (v PValue) parts() []Scalar { return []Scalar{numeric(v.P), numeric(v.Log10)} }
func (v PValue) print(p printer) printed {
	f := printer{NumberFormat{Digits: pDigits}, p.minus}
	if smallest := Float(pSmallest); !v.P.Known() || v.P.Cmp(smallest) < 0 {
		return printed{main: "< " + f.number(smallest)}
	}
	return printed{main: f.number(v.P)}
}

func (v PValue) check() error {
	switch {
	case !v.P.Known() && (!v.Log10.Known() || v.Log10.Cmp(Float(math.Log10(pSmallest))) > 0):
		return fmt.Errorf("have no p and log10 p %q, want p, or the logarithm of a tiny one", v.Log10.Exact())
	case v.P.Known() && (v.P.Zero() || v.P.negative || v.P.Cmp(Int(1)) > 0):
		return fmt.Errorf("have p = %s, want 0 < p <= 1", v.P.Exact())
	}
	return nil
}

// Quartiles is the median of an amount with its quartiles.
type Quartiles struct {
	// Median, Q1 and Q3 are the quartiles.
	Median, Q1, Q3 Number
	// Coverage is how many runs they rest on.
	Coverage Coverage
}

// Kind is KindQuartiles.
func (Quartiles) Kind() Kind { return KindQuartiles }

func (q Quartiles) parts() []Scalar {
	return append([]Scalar{numeric(q.Median), numeric(q.Q1), numeric(q.Q3)}, q.Coverage.parts()...)
}

func (q Quartiles) print(p printer) printed {
	return printed{joined(p.number(q.Median), Limits{Low: q.Q1, High: q.Q3}.print(p)), q.Coverage.print(p)}
}

func (q Quartiles) check() error {
	if err := first(known("a median", q.Median), known("quartiles", q.Q1), Limits{Low: q.Q1, High: q.Q3}.check(), q.Coverage.check()); err != nil {
		return err
	}
	if q.Q1.Cmp(q.Median) > 0 || q.Median.Cmp(q.Q3) > 0 {
		return fmt.Errorf("have median %s in [%s, %s], want it between the quartiles", q.Median.Exact(), q.Q1.Exact(), q.Q3.Exact())
	}
	return nil
}

// A Share is a count and its share of a total.
type Share struct {
	// Count is the number of things of one sort.
	Count int64
	// Total is the number of things of every sort.
	Total int64
}

// Kind is KindShare.
func (Share) Kind() Kind { return KindShare }
func (s Share) parts() []Scalar {
	return []Scalar{numeric(quotient(s.Count, s.Total)), Integer(s.Count), Integer(s.Total)}
}
func (s Share) print(p printer) printed {
	share := "n/a"
	if s.Total > 0 {
		share = p.number(quotient(s.Count, s.Total))
	}
	return printed{main: p.count(s.Count) + " (" + share + ")"}
}
func (s Share) check() error {
	if s.Count > s.Total {
		return fmt.Errorf("have %d of %d, want a count within the total", s.Count, s.Total)
	}
	return counts(s.Count, s.Total)
}

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
