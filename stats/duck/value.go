package duck

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// A Kind says which field of a Value counts.
type Kind uint8

// The kinds of values that a query can give.
const (
	// Null is SQL's NULL.
	Null Kind = iota
	// Text is a text, and everything else that prints as one.
	Text
	// Integer is an integer of 64 bits.
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
	// Struct is a list of named values.
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

// String prints the value as a table would, in full precision; NULL is empty.
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
		parts[i] = e.String()
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

// Member is a member of a Struct.
func (v Value) Member(name string) (Value, bool) {
	for i, n := range v.Names {
		if n == name {
			return v.Elems[i], true
		}
	}
	return Value{}, false
}

// valueOf takes what the driver delivers; typ is the database's name of the type.
func valueOf(x any, typ string) Value {
	switch x := x.(type) {
	case nil:
		return Value{}
	case bool:
		return Value{Kind: Boolean, Bool: x}
	case string:
		return Value{Kind: Text, Text: x}
	case float64:
		return Value{Kind: Real, Real: x}
	case float32:
		return Value{Kind: Real, Real: float64(x)}
	case time.Time:
		return timeValue(x, typ)
	case duckdb.Decimal:
		return Value{Kind: Decimal, Unscaled: x.Value, Scale: int(x.Scale)}
	case *big.Int:
		if x.IsInt64() {
			return Value{Kind: Integer, Int: x.Int64()}
		}
		return Value{Kind: Decimal, Unscaled: x}
	case []any:
		return listValue(x)
	case map[string]any:
		return structValue(x, structNames(typ))
	case []byte:
		if typ == "UUID" && len(x) == 16 {
			return Value{Kind: Text, Text: fmt.Sprintf("%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:])}
		}
		return Value{Kind: Text, Text: hex.EncodeToString(x)}
	}
	if n, ok := integerOf(x); ok {
		return Value{Kind: Integer, Int: n}
	}
	return Value{Kind: Text, Text: fmt.Sprint(x)}
}

func integerOf(x any) (int64, bool) {
	switch x := x.(type) {
	case int8:
		return int64(x), true
	case int16:
		return int64(x), true
	case int32:
		return int64(x), true
	case int64:
		return x, true
	case int:
		return int64(x), true
	case uint8:
		return int64(x), true
	case uint16:
		return int64(x), true
	case uint32:
		return int64(x), true
	}
	return 0, false
}

func timeValue(x time.Time, typ string) Value {
	switch typ {
	case "DATE":
		return Value{Kind: Text, Text: x.Format(time.DateOnly)}
	case "TIME":
		return Value{Kind: Text, Text: x.Format("15:04:05.999999")}
	}
	return Value{Kind: Time, Time: x.UTC()}
}

func listValue(x []any) Value {
	v := Value{Kind: List, Elems: make([]Value, len(x))}
	for i, e := range x {
		v.Elems[i] = valueOf(e, "")
	}
	return v
}

// structValue orders the members as the type declares them, or by name.
func structValue(x map[string]any, names []string) Value {
	if len(names) != len(x) {
		names = names[:0:0]
		for n := range x {
			names = append(names, n)
		}
		sort.Strings(names)
	}
	v := Value{Kind: Struct, Names: names, Elems: make([]Value, len(names))}
	for i, n := range names {
		v.Elems[i] = valueOf(x[n], "")
	}
	return v
}

// structNames reads the names of STRUCT("a" INTEGER, "b" VARCHAR), outermost only.
func structNames(typ string) []string {
	body, ok := strings.CutPrefix(typ, "STRUCT(")
	if !ok {
		return nil
	}
	var names []string
	depth, expect := 0, true
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			expect = true
		case c == '"' && expect && depth == 0:
			end := strings.IndexByte(body[i+1:], '"')
			if end < 0 {
				return nil
			}
			names = append(names, body[i+1:i+1+end])
			i += end + 1
			expect = false
		}
	}
	return names
}

// Finite reports whether a Real is neither NaN nor infinite.
func (v Value) Finite() bool { return !math.IsNaN(v.Real) && !math.IsInf(v.Real, 0) }
