package tables

import "fmt"

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
}

// Bounds is the range the rate could have had, whatever the outcome of the runs
// that were not observed. Published in CSV and JSON, not printed.
func (r Rate) Bounds() Limits {
	lacking := r.Excluded + r.Missing + r.Absent
	return Limits{Low: quotient(r.Numerator, r.Denominator+lacking), High: quotient(r.Numerator+lacking, r.Denominator+lacking)}
}

// Kind is KindRate.
func (Rate) Kind() Kind { return KindRate }

// value is the rate, absent if nothing was observed.
func (r Rate) value() Number { return quotient(r.Numerator, r.Denominator) }

func (r Rate) parts() []Scalar {
	bounds := r.Bounds()
	return []Scalar{numeric(r.value()), Integer(r.Numerator), Integer(r.Denominator),
		Integer(r.Excluded), Integer(r.Missing), Integer(r.Absent),
		numeric(r.Interval.Low), numeric(r.Interval.High), optional(r.Interval.Why),
		numeric(bounds.Low), numeric(bounds.High)}
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
	return first(counts(r.Numerator, r.Denominator, r.Excluded, r.Missing, r.Absent), r.Interval.check())
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
