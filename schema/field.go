package schema

import (
	"reflect"
	"strconv"
	"strings"
)

// A Kind is the JSON type of a field.
type Kind string

// The kinds of fields.
const (
	// KindString is a JSON string.
	KindString Kind = "string"
	// KindInteger is a JSON number without fraction and exponent in the int64 range.
	KindInteger Kind = "integer"
	// KindNumber is a JSON number that fits a double.
	KindNumber Kind = "number"
	// KindBoolean is true or false.
	KindBoolean Kind = "boolean"
	// KindTime is a string with an RFC 3339 time.
	KindTime Kind = "time"
	// KindDecimal is a JSON number kept to nine decimals.
	KindDecimal Kind = "decimal"
	// KindOpen is an object that the contract does not look into.
	KindOpen Kind = "open object"
	// KindScalar is a string, number or boolean.
	KindScalar Kind = "scalar"
	// KindScalars is a scalar or a list of scalars.
	KindScalars Kind = "scalar or list"
	// KindObject is an object with the fields listed.
	KindObject Kind = "object"
	// KindList is a list whose elements are described by Elem.
	KindList Kind = "list"
	// KindMap is an object with any names and values described by Elem.
	KindMap Kind = "map"
)

// A Field is one key of an event's data or of a document.
type Field struct {
	// Key is the JSON key.
	Key string
	// Kind is the JSON type.
	Kind Kind
	// Required is true where the key must be present and not null.
	Required bool
	// Nullable is true where null stands for missing.
	Nullable bool
	// Unit is the unit of a number, or empty. A number with a unit is never negative.
	Unit string
	// Min is the smallest integer allowed, where HasMin.
	Min int64
	// HasMin is true where Min holds.
	HasMin bool
	// Set is the closed list of words of a string, or nil.
	Set *Set
	// Form is the pattern that a string must have.
	Form Form
	// Names restricts the names of a map; "metric" means the metric registry.
	Names string
	// Doc says what the field means.
	Doc string
	// Fields are the members of an object.
	Fields []Field
	// Elem describes the elements of a list or the values of a map.
	Elem *Field
	// index is the field's place in its struct.
	index int
}

// FieldsOf describes the fields of the payload or document that v points to.
// The text of each is the comment above the struct field.
func FieldsOf(v any) []Field {
	return structFields(reflect.TypeOf(v).Elem())
}

func structFields(t reflect.Type) []Field {
	var list []Field
	for i := range t.NumField() {
		list = append(list, fieldOf(t, i))
	}
	return list
}

func fieldOf(parent reflect.Type, i int) Field {
	sf := parent.Field(i)
	key, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
	f := describeType(sf.Type)
	f.Key, f.index = key, i
	f.Required = sf.Tag.Get("want") == "required"
	f.Nullable = !f.Required
	f.Doc = comment(parent.Name(), sf.Name)
	f.Unit, f.Names = sf.Tag.Get("unit"), sf.Tag.Get("names")
	if m := sf.Tag.Get("min"); m != "" {
		n, err := strconv.ParseInt(m, 10, 64)
		if err != nil {
			panic("schema: " + parent.Name() + "." + sf.Name + ": " + err.Error())
		}
		f.Min, f.HasMin = n, true
	}
	target := &f
	if f.Elem != nil {
		target = f.Elem
	}
	if name := sf.Tag.Get("set"); name != "" {
		set, ok := SetByName(name)
		if !ok {
			panic("schema: " + parent.Name() + "." + sf.Name + ": no set " + name)
		}
		target.Set = set
	}
	target.Form = Form(sf.Tag.Get("form"))
	return f
}

// describeType maps a Go type to the kind of JSON that it holds.
func describeType(t reflect.Type) Field {
	switch t {
	case reflect.TypeFor[string](), reflect.TypeFor[Opt[string]]():
		return Field{Kind: KindString}
	case reflect.TypeFor[int64](), reflect.TypeFor[Opt[int64]]():
		return Field{Kind: KindInteger}
	case reflect.TypeFor[float64](), reflect.TypeFor[Opt[float64]]():
		return Field{Kind: KindNumber, Nullable: t == reflect.TypeFor[Opt[float64]]()}
	case reflect.TypeFor[Quantity]():
		return Field{Kind: KindNumber}
	case reflect.TypeFor[bool](), reflect.TypeFor[Opt[bool]]():
		return Field{Kind: KindBoolean}
	case reflect.TypeFor[Opt[Time]]():
		return Field{Kind: KindTime}
	case reflect.TypeFor[Opt[USD]]():
		return Field{Kind: KindDecimal}
	case reflect.TypeFor[Object](), reflect.TypeFor[Opt[Object]]():
		return Field{Kind: KindOpen}
	case reflect.TypeFor[Scalar](), reflect.TypeFor[Opt[Scalar]]():
		return Field{Kind: KindScalar}
	case reflect.TypeFor[RuleValue]():
		return Field{Kind: KindScalars}
	}
	switch {
	case isMembers(t):
		elem := describeType(t.Elem().Field(1).Type)
		return Field{Kind: KindMap, Elem: &elem}
	case t.Kind() == reflect.Slice:
		elem := describeType(t.Elem())
		return Field{Kind: KindList, Elem: &elem}
	case t.Kind() == reflect.Pointer:
		return Field{Kind: KindObject, Fields: structFields(t.Elem())}
	case t.Kind() == reflect.Struct:
		return Field{Kind: KindObject, Fields: structFields(t)}
	}
	panic("schema: a field of type " + t.String())
}

func isMembers(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct &&
		strings.HasPrefix(t.Name(), "Members[")
}
