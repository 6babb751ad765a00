package schema

import (
	"fmt"
	"reflect"
)

// A target is where the decoder puts the value of one field: a pointer into a
// payload that the decoder owns and reuses, so that reading allocates nothing.
type target struct {
	field *Field
	dest  any // *string, *Opt[string], … ; nil for objects, lists and maps

	members []*target        // of an object
	present func()           // of an object behind a pointer: makes it present
	elem    *target          // of a list or map
	begin   func()           // of a list or map: makes it present and empty
	add     func(key string) // of a list or map: keeps the element just read
	fresh   func()           // of an element: empties it before it is read
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
	t := &target{field: f}
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
	t.members = compile(inner, f.Fields)
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

// find returns the member of a key. Writers keep an order and leave keys out, so
// the members behind the last one found are tried first.
func (t *target) find(key string, after int) int {
	for i := after + 1; i < len(t.members); i++ {
		if t.members[i].field.Key == key {
			return i
		}
	}
	for i := range min(after+1, len(t.members)) {
		if t.members[i].field.Key == key {
			return i
		}
	}
	return -1
}
