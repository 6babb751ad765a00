package schema

import (
	"math"
	"strconv"
	"strings"
)

// want says in words what the field asks for.
func (f *Field) want() string {
	switch f.Kind {
	case KindString:
		if f.Set != nil {
			return "one of " + f.Set.list()
		}
		return f.Form.Want()
	case KindInteger:
		if f.HasMin {
			return "an integer, at least " + strconv.FormatInt(f.Min, 10)
		}
		return "an integer"
	case KindNumber, KindDecimal:
		return "a number"
	case KindBoolean:
		return "true or false"
	case KindTime:
		return "an RFC 3339 time such as 2026-01-02T03:04:05.678Z"
	case KindScalar:
		if f.Form != "" {
			return f.Form.Want()
		}
		return "a string, a number, true or false"
	case KindScalars:
		return "a string, a number, true, false, or a list of them"
	case KindList:
		return "a list"
	}
	return "an object"
}

func (s *Set) list() string {
	words := make([]string, len(s.Words))
	for i, w := range s.Words {
		words[i] = w.Name
	}
	return strings.Join(words, ", ")
}

// scalar reads a value that is no list and no map.
func (r *reader) scalar(t *target, c byte) bool {
	number := c == '-' || c >= '0' && c <= '9'
	switch t.shape {
	case shapeText, shapeTime:
		if c != '"' {
			return r.mismatch(t.field.want())
		}
		return r.textValue(t)
	case shapeInteger, shapeNumber, shapeDecimal:
		if !number {
			return r.mismatch(t.field.want())
		}
		return r.numberValue(t)
	case shapeBoolean:
		if c != 't' && c != 'f' {
			return r.mismatch(t.field.want())
		}
		return r.boolean(t, c)
	case shapeOpen:
		if c != '{' {
			return r.mismatch(t.field.want())
		}
		return r.raw(t)
	case shapeScalar:
		if c != '"' && c != 't' && c != 'f' && !number {
			return r.mismatch(t.field.want())
		}
		return r.raw(t)
	}
	if c == '{' {
		return r.mismatch(t.field.want())
	}
	return r.rule(t, c)
}

func (r *reader) textValue(t *target) bool {
	start := r.i
	tok, ok := r.str()
	if !ok {
		return false
	}
	v, f := r.value(tok), t.field
	if t.shape == shapeTime {
		at, err := ParseTime(v)
		if err != nil {
			r.violate(&EventSchema, start, excerpt(r.b[start:r.i], 40), f.want())
			return true
		}
		*t.dest.(*Opt[Time]) = Some(at)
		return true
	}
	if f.Set != nil && !f.Set.Has(v) || f.Form != "" && !f.Form.Match(v) {
		r.violate(&EventSchema, start, excerpt(r.b[start:r.i], 40), f.want())
		return true
	}
	if f.Set == nil && !f.Form.narrow() {
		r.suspect(tok.start, tok.end)
	}
	switch d := t.dest.(type) {
	case *string:
		*d = v
	case *Opt[string]:
		*d = Some(v)
	}
	return true
}

func (r *reader) numberValue(t *target) bool {
	n, ok := r.num()
	if !ok {
		return false
	}
	txt, f := r.numText(n), t.field
	if f.Unit != "" && txt[0] == '-' && strings.Trim(mantissa(txt), "-0.") != "" {
		r.violate(&NegativeValue, n.start, excerpt([]byte(txt), 40), "at least 0")
		return true
	}
	switch t.shape {
	case shapeInteger:
		r.integer(t, n, txt)
	case shapeNumber:
		r.double(t, n, txt)
	case shapeDecimal:
		v, err := ParseUSD(txt)
		if err != nil {
			r.violate(&NumberOutOfRange, n.start, excerpt([]byte(txt), 40), "an amount below 1e9 dollars")
			return true
		}
		*t.dest.(*Opt[USD]) = Some(v)
	}
	return true
}

func mantissa(txt string) string {
	if i := strings.IndexAny(txt, "eE"); i >= 0 {
		return txt[:i]
	}
	return txt
}

func (r *reader) integer(t *target, n number, txt string) {
	if !n.integer {
		r.violate(&EventSchema, n.start, excerpt([]byte(txt), 40), t.field.want())
		return
	}
	v, err := strconv.ParseInt(txt, 10, 64)
	if err != nil {
		r.violate(&NumberOutOfRange, n.start, excerpt([]byte(txt), 40), "an integer of 64 bits")
		return
	}
	if t.field.HasMin && v < t.field.Min {
		r.violate(&EventSchema, n.start, txt, t.field.want())
		return
	}
	switch d := t.dest.(type) {
	case *int64:
		*d = v
	case *Opt[int64]:
		*d = Some(v)
	}
}

func (r *reader) double(t *target, n number, txt string) {
	v, err := strconv.ParseFloat(txt, 64)
	if err != nil && math.IsInf(v, 0) {
		r.violate(&NumberOutOfRange, n.start, excerpt([]byte(txt), 40), "a number that a double can hold")
		return
	}
	switch d := t.dest.(type) {
	case *float64:
		*d = v
	case *Quantity:
		*d = Quantity(txt)
	case *Opt[float64]:
		*d = Some(v)
	}
}

func (r *reader) boolean(t *target, c byte) bool {
	v, word := c == 't', "false"
	if v {
		word = "true"
	}
	if !r.literal(word) {
		return false
	}
	switch d := t.dest.(type) {
	case *bool:
		*d = v
	case *Opt[bool]:
		*d = Some(v)
	}
	return true
}

// raw keeps the text of the value at hand.
func (r *reader) raw(t *target) bool {
	start := r.i
	if !r.skip() {
		return false
	}
	r.suspect(start, r.i)
	v, f := alias(r.b[start:r.i]), t.field
	if f.Form == FormSeed && !validSeed(v) {
		r.violate(&EventSchema, start, excerpt([]byte(v), 40), f.want())
		return true
	}
	switch d := t.dest.(type) {
	case *Object:
		*d = Object(v)
	case *Opt[Object]:
		*d = Some(Object(v))
	case *Scalar:
		*d = Scalar(v)
	case *Opt[Scalar]:
		*d = Some(Scalar(v))
	}
	return true
}

// validSeed accepts an integer, or a string of digits beyond 2^53-1.
func validSeed(v string) bool {
	if digits, ok := strings.CutPrefix(v, `"`); ok {
		return FormSeed.Match(strings.TrimSuffix(digits, `"`))
	}
	return strings.Trim(v, "-0123456789") == ""
}

// rule keeps the text of a scalar or of a list of scalars.
func (r *reader) rule(t *target, c byte) bool {
	start := r.i
	ok, nested := true, false
	if c != '[' {
		ok = r.skip()
	} else {
		ok = r.elements(func(int) bool {
			c := r.peek()
			nested = nested || c == '{' || c == '[' || c == 'n'
			return r.skip()
		})
	}
	if !ok {
		return false
	}
	if nested {
		r.violate(&EventSchema, start, excerpt(r.b[start:r.i], 40), t.field.want())
		return true
	}
	r.suspect(start, r.i)
	*t.dest.(*RuleValue) = RuleValue(r.b[start:r.i])
	return true
}
