package duck

import (
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// valueOf takes what the driver delivers for a column, or a part, of a type.
func valueOf(x any, t Type) Value {
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
		return Value{Kind: Real, Real: shortest(x)}
	case time.Time:
		return timeValue(x, t)
	case duckdb.Interval:
		return Value{Kind: Text, Text: intervalText(x)}
	case duckdb.Decimal:
		return Value{Kind: Decimal, Unscaled: x.Value, Scale: int(x.Scale)}
	case *big.Int:
		return bigValue(x)
	case []any:
		return listValue(x, t)
	case map[string]any:
		return structValue(x, t)
	case duckdb.OrderedMap:
		return mapValue(x, t)
	case duckdb.Union:
		return valueOf(x.Value, Type{})
	case []byte:
		if t.Name == "UUID" && len(x) == 16 {
			return Value{Kind: Text, Text: fmt.Sprintf("%x-%x-%x-%x-%x", x[:4], x[4:6], x[6:8], x[8:10], x[10:])}
		}
		return Value{Kind: Text, Text: hex.EncodeToString(x)}
	case uint64:
		return bigValue(new(big.Int).SetUint64(x))
	}
	if n, ok := integerOf(x); ok {
		return Value{Kind: Integer, Int: n}
	}
	return Value{Kind: Text, Text: fmt.Sprint(x)}
}

// shortest is the double with the digits that a single-precision number needs: 0.1
// for 0.1, not what stands behind it in double precision.
func shortest(x float32) float64 {
	if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
		return f
	}
	f, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
	if err != nil {
		panic("duck: " + err.Error())
	}
	return f
}

func bigValue(x *big.Int) Value {
	if x.IsInt64() {
		return Value{Kind: Integer, Int: x.Int64()}
	}
	return Value{Kind: Decimal, Unscaled: x}
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

func timeValue(x time.Time, t Type) Value {
	switch t.Name {
	case "DATE":
		return Value{Kind: Text, Text: x.Format(time.DateOnly)}
	case "TIME":
		return Value{Kind: Text, Text: x.Format("15:04:05.999999")}
	case "TIMETZ":
		return Value{Kind: Text, Text: x.Format("15:04:05.999999Z07:00")}
	}
	return Value{Kind: Time, Time: x.UTC()}
}

// intervalText prints an interval as the database does: 1 year 2 months 3 days 04:05:06.
func intervalText(x duckdb.Interval) string {
	var parts []string
	for _, p := range []struct {
		n    int64
		unit string
	}{{int64(x.Months / 12), "year"}, {int64(x.Months % 12), "month"}, {int64(x.Days), "day"}} {
		switch p.n {
		case 0:
		case 1, -1:
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.unit))
		default:
			parts = append(parts, fmt.Sprintf("%d %ss", p.n, p.unit))
		}
	}
	if x.Micros != 0 || len(parts) == 0 {
		parts = append(parts, clockText(x.Micros))
	}
	return strings.Join(parts, " ")
}

// clockText prints a time span of microseconds as 04:05:06, with the decimals it has.
func clockText(micros int64) string {
	sign := ""
	if micros < 0 {
		sign, micros = "-", -micros
	}
	text := fmt.Sprintf("%s%02d:%02d:%02d", sign, micros/3_600_000_000, micros/60_000_000%60, micros/1_000_000%60)
	if rest := micros % 1_000_000; rest != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%06d", rest), "0")
	}
	return text
}

func listValue(x []any, t Type) Value {
	elem := Type{}
	if t.Elem != nil {
		elem = *t.Elem
	}
	v := Value{Kind: List, Elems: make([]Value, len(x))}
	for i, e := range x {
		v.Elems[i] = valueOf(e, elem)
	}
	return v
}

// structValue orders the members as the type declares them, or by name.
func structValue(x map[string]any, t Type) Value {
	if len(t.Names) != len(x) {
		t = Type{Names: slices.Sorted(maps.Keys(x)), Members: make([]Type, len(x))}
	}
	v := Value{Kind: Struct, Names: t.Names, Elems: make([]Value, len(t.Names))}
	for i, n := range t.Names {
		v.Elems[i] = valueOf(x[n], t.Members[i])
	}
	return v
}

// mapValue names the values of a map by its keys, in the map's order.
func mapValue(x duckdb.OrderedMap, t Type) Value {
	key, elem := Type{}, Type{}
	if t.Key != nil && t.Elem != nil {
		key, elem = *t.Key, *t.Elem
	}
	v := Value{Kind: Struct, Names: []string{}, Elems: []Value{}}
	values := x.Values()
	for i, k := range x.Keys() {
		v.Names, v.Elems = append(v.Names, valueOf(k, key).String()), append(v.Elems, valueOf(values[i], elem))
	}
	return v
}
