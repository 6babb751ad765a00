package schema

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A Quantity is the JSON text of a number whose name says whether it is an
// integer. It is kept as it was written: a size beyond 2^53 bytes would change
// on its way through a float.
type Quantity string

// IntegerQuantity returns the quantity of an integer.
func IntegerQuantity(n int64) Quantity { return Quantity(strconv.FormatInt(n, 10)) }

// NumberQuantity returns the quantity of a number, which must be finite.
func NumberQuantity(v float64) Quantity {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		panic("schema: a quantity that is no number: " + fmt.Sprint(v))
	}
	return Quantity(strconv.FormatFloat(v, 'g', -1, 64))
}

// Number returns the quantity as a double.
func (q Quantity) Number() float64 {
	v, err := strconv.ParseFloat(string(q), 64)
	if err != nil {
		panic("schema: a quantity that was not checked: " + string(q))
	}
	return v
}

// Integer returns the quantity where it is an integer of 64 bits.
func (q Quantity) Integer() (int64, bool) {
	n, err := strconv.ParseInt(string(q), 10, 64)
	return n, err == nil
}

// MarshalJSONTo writes the text as it stands.
func (q Quantity) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(q))
}

// UnmarshalJSONFrom keeps the text of one number.
func (q *Quantity) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if k := d.PeekKind(); k != '0' {
		return fmt.Errorf("have %v, want a number", k)
	}
	v, err := d.ReadValue()
	*q = Quantity(v)
	return err
}
