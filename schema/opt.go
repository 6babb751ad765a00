package schema

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An Opt is a value that may be missing. The zero Opt is missing, so that a
// field nobody set is never mistaken for a zero.
type Opt[T any] struct {
	value T
	ok    bool
}

// Some returns a present value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, ok: true} }

// None returns a missing value.
func None[T any]() Opt[T] { return Opt[T]{} }

// Get returns the value and whether it is present.
func (o Opt[T]) Get() (T, bool) { return o.value, o.ok }

// Or returns the value, or d where it is missing.
func (o Opt[T]) Or(d T) T {
	if o.ok {
		return o.value
	}
	return d
}

// Has reports whether a value is present.
func (o Opt[T]) Has() bool { return o.ok }

// IsZero reports whether the value is missing; encoders with omitzero leave it out.
func (o Opt[T]) IsZero() bool { return !o.ok }

// MarshalJSONTo writes the value, or null where it is missing.
func (o Opt[T]) MarshalJSONTo(e *jsontext.Encoder) error {
	if !o.ok {
		return e.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(e, o.value)
}

// UnmarshalJSONFrom reads a value; null makes it missing.
func (o *Opt[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	*o = Opt[T]{}
	if d.PeekKind() == 'n' {
		_, err := d.ReadToken()
		return err
	}
	if err := json.UnmarshalDecode(d, &o.value); err != nil {
		return err
	}
	o.ok = true
	return nil
}
