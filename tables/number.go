package tables

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// A Number is an exact decimal, or nothing: the zero Number is absent, which is
// not 0. Numbers are comparable with ==.
//
// Integers and SQL decimals are held as they are, a float64 as the shortest
// decimal that reads back as the same float64. What Exact prints is therefore
// exactly what Format rounds.
type Number struct {
	digits   string // decimal digits without needless leading zeros; empty if absent
	exponent int    // the value is digits × 10^exponent
	negative bool
}

// Int is the Number of an integer.
func Int(n int64) Number { return parsed(strconv.FormatInt(n, 10), 0) }

// Decimal is the Number unscaled × 10^-scale, as SQL's DECIMAL(width, scale).
func Decimal(unscaled *big.Int, scale int) Number { return parsed(unscaled.String(), -scale) }

// Float is the Number of a float64. It panics if f is not finite: a NaN stands
// for nothing, and what is not there is the zero Number.
func Float(f float64) Number {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		panic("tables: Float of " + strconv.FormatFloat(f, 'g', -1, 64))
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	e, _ := strconv.Atoi(exponent)
	n := parsed(whole+fraction, e-len(fraction))
	for n.exponent < 0 && len(n.digits) > 1 && n.digits[len(n.digits)-1] == '0' {
		n.digits, n.exponent = n.digits[:len(n.digits)-1], n.exponent+1
	}
	return n
}

// parsed is the Number of the digits of s, which may begin with a minus sign.
func parsed(s string, exponent int) Number {
	magnitude, negative := strings.CutPrefix(s, "-")
	digits := strings.TrimLeft(magnitude, "0")
	if digits == "" {
		return Number{digits: "0", exponent: min(exponent, 0)}
	}
	return Number{digits: digits, exponent: exponent, negative: negative}
}

// Known reports whether there is a number at all.
func (n Number) Known() bool { return n.digits != "" }

// Zero reports whether n is known and 0.
func (n Number) Zero() bool { return n.digits == "0" }

// Cmp compares two known numbers as big.Int's Cmp does.
func (n Number) Cmp(m Number) int { return n.rat().Cmp(m.rat()) }

// rat is the exact value of n. Only for comparisons of known numbers.
func (n Number) rat() *big.Rat {
	r, ok := new(big.Rat).SetString(n.Exact())
	if !ok {
		panic("tables: not a number: " + n.Exact())
	}
	return r
}

// Exact prints n unrounded, in a form that CSV readers and JSON parsers take as
// a number. It is empty if n is absent.
func (n Number) Exact() string {
	if !n.Known() {
		return ""
	}
	point := len(n.digits) + n.exponent // digits before the decimal point
	if point > 40 || point < -6 && !n.Zero() {
		return n.sign("-", "") + scientific(n.digits, point-1)
	}
	return n.sign("-", "") + fixed(n.digits, n.exponent)
}

// sign is minus for a negative number and plus for a positive one.
func (n Number) sign(minus, plus string) string {
	switch {
	case n.negative:
		return minus
	case n.Zero():
		return ""
	}
	return plus
}

// fixed writes digits × 10^exponent without an exponent.
func fixed(digits string, exponent int) string {
	if digits == "0" && exponent >= 0 {
		return "0"
	}
	if exponent >= 0 {
		return digits + strings.Repeat("0", exponent)
	}
	if missing := 1 - exponent - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	cut := len(digits) + exponent
	return digits[:cut] + "." + digits[cut:]
}

// scientific writes the digits with a point after the first one.
func scientific(digits string, exponent int) string {
	fraction := strings.TrimRight(digits[1:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	return digits[:1] + fraction + "e" + strconv.Itoa(exponent)
}

// round gives n with exactly decimals digits after the point. Ties go to the
// even digit. What rounds to 0 has no sign.
func (n Number) round(decimals int) Number {
	drop := -decimals - n.exponent
	if drop <= 0 {
		if n.Zero() {
			return Number{digits: "0", exponent: -decimals}
		}
		return Number{n.digits + strings.Repeat("0", -drop), -decimals, n.negative}
	}
	digits := n.digits
	if drop >= len(digits) {
		digits = strings.Repeat("0", min(drop-len(digits)+1, 2)) + digits
		drop = min(drop, len(digits)-1)
	}
	kept, rest := digits[:len(digits)-drop], digits[len(digits)-drop:]
	if roundsUp(kept, rest) {
		kept = increment(kept)
	}
	rounded := parsed(kept, -decimals)
	rounded.negative = n.negative && !rounded.Zero()
	return rounded
}

// roundsUp says whether kept, followed by the digits of rest, is nearer to the
// next digit up; at the exact middle, whether that one is even.
func roundsUp(kept, rest string) bool {
	half := "5" + strings.Repeat("0", len(rest)-1)
	if rest != half {
		return rest > half
	}
	return (kept[len(kept)-1]-'0')%2 == 1
}

// increment adds one to a string of decimal digits.
func increment(digits string) string {
	b := []byte(digits)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != '9' {
			b[i]++
			return string(b)
		}
		b[i] = '0'
	}
	return "1" + string(b)
}
