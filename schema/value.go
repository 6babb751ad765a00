package schema

import "math"

// A Value is one value of a metric or of a companion: an integer, a double, an
// amount of money, a word, or the reason why there is none. The zero Value is
// NULL without a reason, as in excluded runs and in companions.
type Value struct {
	text string
	why  *MissingReason
	bits int64
	typ  valueType
}

type valueType uint8

const (
	valueNone valueType = iota
	valueInteger
	valueDouble
	valueUSD
	valueText
)

// Integer returns an integer value.
func Integer(n int64) Value { return Value{bits: n, typ: valueInteger} }

// Double returns a double. NaN and infinity are no values: computing one is a
// mistake of the program, and panics.
func Double(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		panic("schema: a metric that is NaN or infinite")
	}
	return Value{bits: int64(math.Float64bits(f)), typ: valueDouble}
}

// Amount returns an amount of money.
func Amount(u USD) Value { return Value{bits: int64(u), typ: valueUSD} }

// Text returns a word.
func Text(s string) Value { return Value{text: s, typ: valueText} }

// Flag returns 1 for true and 0 for false, as rates hold it.
func Flag(b bool) Value {
	if b {
		return Integer(1)
	}
	return Integer(0)
}

// Missing returns the absence of a value, with its reason.
func Missing(why *MissingReason) Value { return Value{why: why} }

// Has reports whether there is a value.
func (v Value) Has() bool { return v.typ != valueNone }

// Why returns why there is no value, or nil.
func (v Value) Why() *MissingReason { return v.why }

// Integer returns the integer that v holds.
func (v Value) Integer() (n int64, ok bool) {
	if v.typ != valueInteger {
		return 0, false
	}
	return v.bits, true
}

// Double returns the double that v holds.
func (v Value) Double() (f float64, ok bool) {
	if v.typ != valueDouble {
		return 0, false
	}
	return math.Float64frombits(uint64(v.bits)), true
}

// Amount returns the amount of money that v holds.
func (v Value) Amount() (u USD, ok bool) {
	if v.typ != valueUSD {
		return 0, false
	}
	return USD(v.bits), true
}

// Text returns the word that v holds.
func (v Value) Text() (s string, ok bool) { return v.text, v.typ == valueText }

// Type returns the column type that holds v, or "" where there is no value.
func (v Value) Type() ColumnType {
	switch v.typ {
	case valueInteger:
		return TypeInteger
	case valueDouble:
		return TypeDouble
	case valueUSD:
		return TypeDecimal
	case valueText:
		return TypeText
	}
	return ""
}
