package schema

import (
	"fmt"
	"reflect"
)

// A target is where the decoder puts the value of one field: a pointer into a
// payload that the decoder owns and reuses, so that reading allocates nothing.
type target struct {
	field *Field
	shape shape
	dest  any // *string, *Opt[string], … ; nil for objects, lists and maps

	members []*target        // of an object
	keys    keys             // of the members
	needed  uint64           // a bit a member that must be present
	present func()           // of an object behind a pointer: makes it present
	elem    *target          // of a list or map
	begin   func()           // of a list or map: makes it present and empty
	add     func(key string) // of a list or map: keeps the element just read
	fresh   func()           // of an element: empties it before it is read
}

// A shape is the kind of a field as a small number, which a value costs less to
// look at than the kind's name.
type shape byte

const (
	shapeObject shape = iota
	shapeList
	shapeMap
	shapeText
	shapeTime
	shapeInteger
	shapeNumber
	shapeDecimal
	shapeBoolean
	shapeOpen
	shapeScalar
	shapeScalars
)

var shapes = map[Kind]shape{
	KindObject: shapeObject, KindList: shapeList, KindMap: shapeMap, KindString: shapeText, KindTime: shapeTime,
	KindInteger: shapeInteger, KindNumber: shapeNumber, KindDecimal: shapeDecimal, KindBoolean: shapeBoolean,
	KindOpen: shapeOpen, KindScalar: shapeScalar, KindScalars: shapeScalars,
}

func shapeOf(f *Field) shape {
	s, ok := shapes[f.Kind]
	if !ok {
		panic("schema: a field of kind " + string(f.Kind))
	}
	return s
}

// compile builds the targets of the struct that v addresses.
func compile(v reflect.Value, fields []Field) []*target {
	list := make([]*target, len(fields))
	for i := range fields {
		list[i] = compileField(v.Field(fields[i].index), &fields[i])
	}
	return list
}

func compileField(v reflect.Value, f *Field) *target {
	t := &target{field: f, shape: shapeOf(f)}
	switch f.Kind {
	case KindObject:
		compileObject(t, v, f)
	case KindList:
		compileList(t, v, f)
	case KindMap:
		compileMap(t, v, f)
	default:
		t.dest = v.Addr().Interface()
	}
	return t
}

func compileObject(t *target, v reflect.Value, f *Field) {
	inner := v
	if v.Kind() == reflect.Pointer {
		inner = reflect.New(v.Type().Elem()).Elem()
		pointer := inner.Addr()
		t.present = func() {
			inner.SetZero()
			v.Set(pointer)
		}
	}
	t.take(compile(inner, f.Fields))
}

// take makes t the object of these members.
func (t *target) take(members []*target) {
	t.members = members
	for i, m := range members {
		t.keys.add(m.field.Key)
		if m.field.Required {
			t.needed |= 1 << i
		}
	}
}

// keys are the keys of an object, plain and as they are nearly always written.
type keys struct{ plain, written []string }

func (k *keys) add(key string) {
	if len(k.plain) == 64 {
		panic("schema: an object of more than 64 keys")
	}
	k.plain, k.written = append(k.plain, key), append(k.written, `"`+key+`":`)
}

func compileList(t *target, v reflect.Value, f *Field) {
	scratch := reflect.New(v.Type().Elem()).Elem()
	refusePointers(scratch.Type())
	t.elem = compileField(scratch, f.Elem)
	t.elem.fresh = scratch.SetZero
	empty := reflect.MakeSlice(v.Type(), 0, 0)
	t.begin = func() { v.Set(empty) }
	t.add = func(string) { v.Set(reflect.Append(v, scratch)) }
}

func compileMap(t *target, v reflect.Value, f *Field) {
	scratch := reflect.New(v.Type().Elem()).Elem()
	refusePointers(scratch.Field(1).Type())
	t.elem = compileField(scratch.Field(1), f.Elem)
	t.elem.fresh = scratch.SetZero
	empty := reflect.MakeSlice(v.Type(), 0, 0)
	t.begin = func() { v.Set(empty) }
	t.add = func(key string) {
		scratch.Field(0).SetString(key)
		v.Set(reflect.Append(v, scratch))
	}
}

// refusePointers keeps an element from sharing an object with its neighbours.
func refusePointers(t reflect.Type) {
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		if t.Field(i).Type.Kind() == reflect.Pointer {
			panic(fmt.Sprintf("schema: %s.%s: an element of a list cannot hold a pointer", t, t.Field(i).Name))
		}
	}
}

// find returns the place of a key. Writers keep an order and leave keys out, so
// those behind the last one found are tried first.
func (k *keys) find(key string, after int) int {
	for i := after + 1; i < len(k.plain); i++ {
		if k.plain[i] == key {
			return i
		}
	}
	for i := range min(after+1, len(k.plain)) {
		if k.plain[i] == key {
			return i
		}
	}
	return -1
}
