package tables

import (
	"math"
	"math/big"
	"strconv"
)

// A Scalar is one SQL value: NULL, a text, a number or a truth value. The zero
// Scalar is NULL. Queries deliver cells as Scalars, and a cell's unrounded parts
// leave for CSV and JSON as Scalars.
type Scalar struct {
	kind   scalarKind
	text   string
	number Number
	truth  bool
}

// scalarKind says which field of a Scalar counts.
type scalarKind uint8

const (
	scalarNull scalarKind = iota
	scalarText
	scalarNumber
	scalarTruth
	scalarUnusable // NaN or an infinity; text has its name
)

// Null is SQL's NULL.
func Null() Scalar { return Scalar{} }

// String is the Scalar of a text.
func String(s string) Scalar { return Scalar{kind: scalarText, text: s} }

// Integer is the Scalar of an integer.
func Integer(n int64) Scalar { return numeric(Int(n)) }

// Truth is the Scalar of a truth value.
func Truth(b bool) Scalar { return Scalar{kind: scalarTruth, truth: b} }

// Fixed is the Scalar of a DECIMAL, or of a HUGEINT with scale 0.
func Fixed(unscaled *big.Int, scale int) Scalar { return numeric(Decimal(unscaled, scale)) }

// Real is the Scalar of a DOUBLE. NaN and the infinities are kept as what they
// are, so that drawing a cell from one can be refused with its place.
func Real(f float64) Scalar {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Scalar{kind: scalarUnusable, text: strconv.FormatFloat(f, 'g', -1, 64)}
	}
	return numeric(Float(f))
}

// numeric is the Scalar of a number, NULL if it is absent.
func numeric(n Number) Scalar {
	if !n.Known() {
		return Scalar{}
	}
	return Scalar{kind: scalarNumber, number: n}
}

// optional is the Scalar of a text that may be absent.
func optional(s string) Scalar {
	if s == "" {
		return Scalar{}
	}
	return String(s)
}

// IsNull reports whether s is NULL.
func (s Scalar) IsNull() bool { return s.kind == scalarNull }

// Number is the number in s, if it holds one.
func (s Scalar) Number() (Number, bool) { return s.number, s.kind == scalarNumber }

// Text is s unrounded as text: empty for NULL, true or false for a truth value.
func (s Scalar) Text() string {
	switch s.kind {
	case scalarNumber:
		return s.number.Exact()
	case scalarTruth:
		return strconv.FormatBool(s.truth)
	}
	return s.text
}

// describe names s in an error message.
func (s Scalar) describe() string {
	switch s.kind {
	case scalarNull:
		return "NULL"
	case scalarText:
		return strconv.Quote(s.text)
	}
	return s.Text()
}
