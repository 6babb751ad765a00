package schema

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A Time is an instant in microseconds since 1970-01-01T00:00:00Z. Finer digits
// of the source are cut, never rounded.
type Time int64

// TimeOf cuts t to microseconds.
func TimeOf(t time.Time) Time {
	return Time(t.Unix()*1e6 + int64(t.Nanosecond())/1e3)
}

// ParseTime reads an RFC 3339 timestamp with Z or a numeric offset and up to
// nine digits of a second. A leap second is refused, as RFC 3339 allows.
func ParseTime(s string) (Time, error) {
	if t, ok := parseUTC(s); ok {
		return t, nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || len(s) < 20 || s[10] != 'T' || strings.ContainsRune(s, ',') || !isOffset(s[19:]) {
		return 0, fmt.Errorf("have %q, want an RFC 3339 time such as 2026-01-02T03:04:05.678Z", s)
	}
	if i := strings.IndexByte(s, '.'); i >= 0 {
		digits := strings.TrimRight(s[i+1:], "Zz+-:0123456789")
		n := strings.IndexAny(s[i+1:], "Z+-")
		if digits != "" || n < 1 || n > 9 {
			return 0, fmt.Errorf("have %q, want at most nine digits of a second", s)
		}
	}
	return TimeOf(t), nil
}

// isOffset reports whether a time ends in Z or in an offset of RFC 3339: the time
// package lets 24 hours and 60 minutes pass.
func isOffset(end string) bool {
	i := strings.IndexAny(end, "+-")
	return i < 0 || len(end)-i == 6 && end[i+1:i+3] <= "23" && end[i+4:] <= "59"
}

// Go returns t as a time.Time in UTC.
func (t Time) Go() time.Time { return time.UnixMicro(int64(t)).UTC() }

// String prints t in UTC with as many digits as it needs.
func (t Time) String() string { return t.Go().Format(time.RFC3339Nano) }

// MarshalJSONTo writes t as an RFC 3339 string in UTC.
func (t Time) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteToken(jsontext.String(t.String()))
}

// UnmarshalJSONFrom reads an RFC 3339 string.
func (t *Time) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	tok, err := d.ReadToken()
	if err != nil {
		return err
	}
	*t, err = ParseTime(tok.String())
	return err
}

// MaxUSD is the largest amount: what a DECIMAL(18,9) holds.
const MaxUSD USD = 999_999_999_999_999_999

// A USD is an amount of US dollars in units of 1e-9, so that sums are exact.
type USD int64

// ParseUSD reads a JSON number and keeps nine decimals, rounding half to even.
func ParseUSD(number string) (USD, error) {
	if u, ok := exactUSD(number); ok {
		return u, nil
	}
	if len(number) > 400 || exponentTooLarge(number) {
		return 0, fmt.Errorf("have %.40s, want an amount below 9e9 dollars", number)
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, fmt.Errorf("have %q, want a number", number)
	}
	n := roundHalfEven(r.Mul(r, big.NewRat(1e9, 1)))
	// DECIMAL(18,9) holds 18 digits.
	if limit := big.NewInt(int64(MaxUSD)); n.CmpAbs(limit) > 0 {
		return 0, fmt.Errorf("have %.40s, want an amount below 1e9 dollars", number)
	}
	return USD(n.Int64()), nil
}

// exactUSD reads the usual amount, which has no exponent and no more than nine
// decimals, without rational numbers; ok is false for any other text.
func exactUSD(number string) (u USD, ok bool) {
	digits, negative := strings.CutPrefix(number, "-")
	whole, decimals, point := strings.Cut(digits, ".")
	if whole == "" || len(whole) > 9 || len(decimals) > 9 || point && decimals == "" {
		return 0, false
	}
	for _, part := range []string{whole, decimals} {
		for i := range len(part) {
			if part[i] < '0' || part[i] > '9' {
				return 0, false
			}
			u = 10*u + USD(part[i]-'0')
		}
	}
	for range 9 - len(decimals) {
		u *= 10
	}
	if negative {
		u = -u
	}
	return u, true
}

func exponentTooLarge(number string) bool {
	_, exp, found := strings.Cut(strings.ToLower(number), "e")
	return found && len(strings.TrimLeft(strings.TrimLeft(exp, "+-"), "0")) > 3
}

func roundHalfEven(r *big.Rat) *big.Int {
	two := big.NewInt(2)
	n := new(big.Int).Mul(r.Num(), two)
	n.Add(n, r.Denom())
	q, m := new(big.Int).DivMod(n, new(big.Int).Mul(r.Denom(), two), new(big.Int))
	if m.Sign() == 0 && q.Bit(0) == 1 {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// String prints the amount in dollars with nine decimals.
func (u USD) String() string {
	sign, n := "", uint64(u)
	if u < 0 {
		sign, n = "-", uint64(-u)
	}
	return fmt.Sprintf("%s%d.%09d", sign, n/1e9, n%1e9)
}

// Dollars returns the amount as a float, for models and plots.
func (u USD) Dollars() float64 { return float64(u) / 1e9 }

// MarshalJSONTo writes the amount as a JSON number in dollars.
func (u USD) MarshalJSONTo(e *jsontext.Encoder) error {
	s := u.String()
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	return e.WriteValue(jsontext.Value(s))
}

// UnmarshalJSONFrom reads a JSON number of dollars.
func (u *USD) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	*u, err = ParseUSD(string(v))
	return err
}

// An Object is the text of a JSON object that the contract does not look into,
// such as a resolved configuration.
type Object string

// MarshalJSONTo writes the text as it stands.
func (o Object) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(o))
}

// UnmarshalJSONFrom keeps the text of one JSON object.
func (o *Object) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if k := d.PeekKind(); k != '{' {
		return fmt.Errorf("have %v, want an object", k)
	}
	v, err := d.ReadValue()
	*o = Object(v)
	return err
}

// A Scalar is the JSON text of a string, number, true or false: a factor level.
type Scalar string

// Text returns the level as tables print it: a string without its quotes, a
// number in RFC 8785 form, true or false.
func (s Scalar) Text() string {
	v := jsontext.Value(s).Clone()
	if err := v.Canonicalize(); err != nil {
		return string(s)
	}
	if v.Kind() != '"' {
		return string(v)
	}
	b, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return string(s)
	}
	return string(b)
}

// MarshalJSONTo writes the text as it stands.
func (s Scalar) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(s))
}

// UnmarshalJSONFrom keeps the text of one string, number or boolean.
func (s *Scalar) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	switch k := d.PeekKind(); k {
	case '"', '0', 't', 'f':
	default:
		return fmt.Errorf("have %v, want a string, number or boolean", k)
	}
	v, err := d.ReadValue()
	*s = Scalar(v)
	return err
}

// StringScalar returns the scalar of a string.
func StringScalar(s string) Scalar {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic("schema: a level that is not UTF-8: " + err.Error())
	}
	return Scalar(b)
}

// A Member is one member of an open JSON object, such as {"rss_bytes": 12}.
// Lists of members keep the order of the source.
type Member[T any] struct {
	// Name is the member's key.
	Name string
	// Value is the member's value.
	Value T
}

// Members is an open JSON object with values of one type.
type Members[T any] []Member[T]

// Get returns the value of a name.
func (m Members[T]) Get(name string) (T, bool) {
	for _, e := range m {
		if e.Name == name {
			return e.Value, true
		}
	}
	var zero T
	return zero, false
}

// MarshalJSONTo writes the members as an object, in order.
func (m Members[T]) MarshalJSONTo(e *jsontext.Encoder) error {
	if m == nil {
		return e.WriteToken(jsontext.Null)
	}
	if err := e.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, v := range m {
		if err := e.WriteToken(jsontext.String(v.Name)); err != nil {
			return err
		}
		if err := marshalMember(e, v.Value); err != nil {
			return err
		}
	}
	return e.WriteToken(jsontext.EndObject)
}

// UnmarshalJSONFrom reads an object and keeps the order of its members.
func (m *Members[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*m = nil
	if d.PeekKind() == 'n' {
		_, err := d.ReadToken()
		return err
	}
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return fmt.Errorf("have %v, want an object", tok.Kind())
	}
	*m = Members[T]{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		member := Member[T]{Name: name.String()}
		if err := json.UnmarshalDecode(d, &member.Value); err != nil {
			return err
		}
		*m = append(*m, member)
	}
	_, err := d.ReadToken()
	return err
}

func marshalMember[T any](e *jsontext.Encoder, v T) error { return json.MarshalEncode(e, v) }
