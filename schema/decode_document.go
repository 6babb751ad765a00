package schema

import "reflect"

// A DocumentDecoder reads documents of one kind into T, which must be the kind's
// struct. It is not safe for concurrent use.
type DocumentDecoder[T any] struct {
	reader
	value  *T
	target *target
}

// NewDocumentDecoder returns a decoder for the documents of a kind.
func NewDocumentDecoder[T any](doc *Document) *DocumentDecoder[T] {
	d := &DocumentDecoder[T]{value: new(T)}
	if reflect.TypeOf(doc.fresh()) != reflect.TypeFor[*T]() {
		panic("schema: a decoder of another document than " + doc.Name)
	}
	d.safeInts = doc.Hashed
	f := &Field{Kind: KindObject, Fields: FieldsOf(d.value)}
	d.target = &target{field: f, shape: shapeObject}
	compileObject(d.target, reflect.ValueOf(d.value).Elem(), f)
	return d
}

// Decode reads one document. It is nil where the text is not one JSON object;
// otherwise it holds what could be read, beside the violations. The value aliases
// the text and is overwritten by the next call. A byte order mark is accepted.
func (d *DocumentDecoder[T]) Decode(text []byte) (*T, []Violation) {
	d.reset(text)
	var zero T
	*d.value = zero
	if len(text) >= 3 && string(text[:3]) == "\xef\xbb\xbf" {
		d.i = 3
	}
	if !d.checkUTF8() {
		return nil, d.violations()
	}
	if d.peek() != '{' {
		d.syntax("an object")
		return nil, d.violations()
	}
	if !d.object(d.target) || !d.end() {
		return nil, d.violations()
	}
	return d.value, d.violations()
}
