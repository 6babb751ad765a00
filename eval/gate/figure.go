package gate

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxDigits bounds each number of a figure in a file: enough for any sum of fractions, and too little to
// make reading one expensive.
const maxDigits = 4096

// Figure is one measured value as an exact fraction, or nothing: the zero Figure is missing. Numerator and
// denominator are kept as given, 16/20 and not 4/5, because they are counts that a reader wants to see.
type Figure struct {
	num, den *big.Int
}

// Fraction is num/den. A denominator of zero or less is a missing figure: a rate over nothing.
func Fraction(num, den int64) Figure {
	return fraction(big.NewInt(num), big.NewInt(den))
}

func fraction(num, den *big.Int) Figure {
	if den.Sign() <= 0 {
		return Figure{}
	}
	return Figure{num: num, den: den}
}

// Exact is the figure of a rational number in lowest terms.
func Exact(value *big.Rat) Figure {
	return Figure{num: new(big.Int).Set(value.Num()), den: new(big.Int).Set(value.Denom())}
}

// Nearest is the simplest fraction (smallest denominator) whose nearest double is v, so that a stored 0.3333333333333333
// is a third again and sums of such values are exact. NaN and infinities are missing.
func Nearest(v float64) Figure {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Figure{}
	}
	if v < 0 {
		positive := Nearest(-v)
		return Figure{num: new(big.Int).Neg(positive.num), den: positive.den}
	}
	exact := new(big.Rat).SetFloat64(v)
	if exact.IsInt() {
		return Exact(exact)
	}
	// Convergents and semiconvergents of the continued fraction, in order of their denominators.
	p0, q0, p1, q1 := big.NewInt(0), big.NewInt(1), big.NewInt(1), big.NewInt(0)
	rest := new(big.Rat).Set(exact)
	for {
		whole := new(big.Int).Quo(rest.Num(), rest.Denom())
		if figure, ok := firstNear(v, p0, q0, p1, q1, whole); ok {
			return figure
		}
		p0, p1 = p1, new(big.Int).Add(p0, new(big.Int).Mul(whole, p1))
		q0, q1 = q1, new(big.Int).Add(q0, new(big.Int).Mul(whole, q1))
		rest.Sub(rest, new(big.Rat).SetInt(whole))
		if rest.Sign() == 0 {
			return Exact(exact)
		}
		rest.Inv(rest)
	}
}

// firstNear finds by bisection the smallest k in 1..whole for which (p0+k*p1)/(q0+k*q1) rounds to v: the
// fractions approach v as k grows.
func firstNear(v float64, p0, q0, p1, q1, whole *big.Int) (Figure, bool) {
	at := func(k *big.Int) Figure {
		return Figure{
			num: new(big.Int).Add(p0, new(big.Int).Mul(k, p1)),
			den: new(big.Int).Add(q0, new(big.Int).Mul(k, q1)),
		}
	}
	near := func(k *big.Int) bool {
		have, _ := at(k).value().Float64()
		return have == v
	}
	if whole.Sign() == 0 || !near(whole) {
		return Figure{}, false
	}
	low, high, one := big.NewInt(0), new(big.Int).Set(whole), big.NewInt(1)
	for new(big.Int).Sub(high, low).Cmp(one) > 0 {
		middle := new(big.Int).Rsh(new(big.Int).Add(low, high), 1)
		if near(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return at(high), true
}

// Mean is the mean of figures: the exact sum over their number. It is missing where there are none or one is.
func Mean(figures []Figure) Figure {
	sum := new(big.Rat)
	for _, f := range figures {
		if f.Missing() {
			return Figure{}
		}
		sum.Add(sum, f.value())
	}
	den := new(big.Int).Mul(sum.Denom(), big.NewInt(int64(len(figures))))
	return fraction(new(big.Int).Set(sum.Num()), den)
}

// Missing says that nothing was measured. It is not zero.
func (f Figure) Missing() bool { return f.den == nil }

// Value returns the fraction; ok is false where it is missing.
func (f Figure) Value() (value *big.Rat, ok bool) {
	if f.Missing() {
		return nil, false
	}
	return f.value(), true
}

// value is the fraction of a figure that is known not to be missing.
func (f Figure) value() *big.Rat { return new(big.Rat).SetFrac(f.num, f.den) }

// Text prints the value with a number of decimals, half away from zero, and "n/a (0/0)" where it is missing.
func (f Figure) Text(decimals int) string {
	if f.Missing() {
		return "n/a (0/0)"
	}
	return f.value().FloatString(decimals)
}

// MarshalJSON writes [numerator,denominator], or null.
func (f Figure) MarshalJSON() ([]byte, error) {
	if f.Missing() {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "[%s,%s]", f.num, f.den), nil
}

// UnmarshalJSON reads [numerator,denominator] of integers, a decimal number (read exactly, never through a
// double), or null.
func (f *Figure) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	*f = Figure{}
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	if len(data) > 0 && data[0] != '[' {
		value, ok := decimal(string(data))
		if !ok {
			return fmt.Errorf("have %.40s, want [numerator, denominator], a decimal or null", data)
		}
		*f = Exact(value)
		return nil
	}
	var parts []jsontext.Value
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	if len(parts) != 2 {
		return fmt.Errorf("have %.40s, want [numerator, denominator]", data)
	}
	num, okNum := integer(string(parts[0]))
	den, okDen := integer(string(parts[1]))
	if !okNum || !okDen || den.Sign() < 0 || (den.Sign() == 0 && num.Sign() != 0) {
		return fmt.Errorf("have %.40s, want two integers, the second positive", data)
	}
	*f = fraction(num, den)
	return nil
}

// integer reads digits with an optional minus sign.
func integer(text string) (*big.Int, bool) {
	digits := strings.TrimPrefix(text, "-")
	if !allDigits(digits) || len(digits) > maxDigits {
		return nil, false
	}
	return new(big.Int).SetString(text, 10)
}

// decimal reads digits with at most one point and an optional minus sign; no exponent, so that its size is
// its cost.
func decimal(text string) (*big.Rat, bool) {
	whole, part, point := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !allDigits(whole) || (point && !allDigits(part)) || len(text) > maxDigits {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

func allDigits(text string) bool {
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return text != ""
}
