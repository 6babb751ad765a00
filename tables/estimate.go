package tables

import "fmt"

// Limits are the two ends of an interval. The zero Limits were not asked for.
type Limits struct {
	// Low and High are the ends, both known or both absent.
	Low, High Number
	// Why is the reason if the limits were asked for but are not estimable.
	Why string
}

// print is the interval in brackets, empty if it was not asked for.
func (l Limits) print(p printer) string { return l.printed(p.number) }

// printed is print with the limits printed as given.
func (l Limits) printed(number func(Number) string) string {
	switch {
	case l.Why != "":
		return "[" + markNotEstimable + " " + l.Why + "]"
	case !l.Low.Known():
		return ""
	}
	return "[" + number(l.Low) + ", " + number(l.High) + "]"
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
	return printed{p.amount(e.Value), joined(e.Interval.printed(p.amount), e.Coverage.print(p))}
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
	return printed{joined(p.amount(q.Median), Limits{Low: q.Q1, High: q.Q3}.printed(p.amount)), q.Coverage.print(p)}
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
