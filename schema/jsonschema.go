package schema

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Draft is the dialect of the published JSON Schemas.
const Draft = "https://json-schema.org/draft/2020-12/schema"

// JSONSchemaFiles returns the published JSON Schema of every document and event
// type, by file name. JSON Schema cannot say all that the contract does
// (integer accepts 1.0, duplicate keys are no matter of it): where they differ,
// the decoder wins.
func JSONSchemaFiles() map[string][]byte {
	files := map[string][]byte{}
	for _, d := range Documents {
		files[d.Name+".schema.json"] = d.JSONSchema()
	}
	for _, t := range EventTypes {
		files["event_"+t.Name+".schema.json"] = t.JSONSchema()
	}
	return files
}

// JSONSchema returns the schema of the document.
func (d *Document) JSONSchema() []byte {
	n := objectNode(d.Fields())
	return render(d.Name, d.Doc, n)
}

// JSONSchema returns the schema of a whole line of the type.
func (t *EventType) JSONSchema() []byte {
	data := objectNode(t.Fields())
	if len(t.AnyOf) > 0 {
		var choices []any
		for _, key := range t.AnyOf {
			choices = append(choices, node{{"required", []any{key}}, {"properties", node{{key, node{{"type", "string"}}}}}})
		}
		data = append(data, member{"anyOf", choices})
	}
	envelope := structNode()
	envelope.set("properties", append(envelope.get("properties").(node),
		member{"data", data}))
	props := envelope.get("properties").(node)
	props.set("type", node{{"const", t.Name}})
	envelope.set("required", append(envelope.get("required").([]any), "data"))
	return render("event_"+t.Name, t.Doc, envelope)
}

func structNode() node { return objectNode(FieldsOf(new(envelope))) }

// A node is a JSON object whose members keep their order.
type node []member

type member struct {
	key   string
	value any
}

func (n node) get(key string) any {
	for _, m := range n {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

func (n node) set(key string, value any) {
	for i := range n {
		if n[i].key == key {
			n[i].value = value
		}
	}
}

func objectNode(fields []Field) node {
	props, required := node{}, []any{}
	for i := range fields {
		f := &fields[i]
		props = append(props, member{f.Key, fieldNode(f)})
		if f.Required {
			required = append(required, f.Key)
		}
	}
	return node{
		{"type", "object"},
		{"properties", props},
		{"required", required},
		{"patternProperties", node{{"^x_", true}}},
		{"additionalProperties", false},
	}
}

func fieldNode(f *Field) node {
	n := typeNode(f)
	if f.Nullable {
		n = nullable(n)
	}
	if f.Doc != "" {
		n = append(n, member{"description", f.Doc})
	}
	if f.Unit != "" {
		n = append(n, member{"x-unit", f.Unit})
	}
	return n
}

// nullable lets null stand for missing.
func nullable(n node) node {
	if t, ok := n.get("type").(string); ok && n.get("enum") == nil {
		n.set("type", []any{t, "null"})
		return n
	}
	return node{{"anyOf", []any{n, node{{"type", "null"}}}}}
}

func typeNode(f *Field) node {
	switch f.Kind {
	case KindString:
		n := node{{"type", "string"}}
		if f.Set != nil {
			return append(n, member{"enum", words(f.Set)})
		}
		if p := f.Form.Pattern(); p != "" {
			n = append(n, member{"pattern", p})
		}
		if f.Form == FormID {
			n = append(n, member{"not", node{{"pattern", devicePattern}}})
		}
		return n
	case KindTime:
		return node{{"type", "string"}, {"format", "date-time"}}
	case KindInteger:
		return limits(node{{"type", "integer"}}, f)
	case KindNumber, KindDecimal:
		return limits(node{{"type", "number"}}, f)
	case KindBoolean:
		return node{{"type", "boolean"}}
	case KindOpen:
		return node{{"type", "object"}}
	case KindScalar:
		return scalarNode(f)
	case KindScalars:
		return node{{"anyOf", []any{scalarNode(f), node{{"type", "array"}, {"items", scalarNode(f)}}}}}
	case KindList:
		return node{{"type", "array"}, {"items", fieldNode(f.Elem)}}
	case KindMap:
		n := node{{"type", "object"}, {"additionalProperties", fieldNode(f.Elem)}}
		if f.Names == "measurement" {
			n = append(n, measurementNames())
		}
		return n
	}
	return objectNode(f.Fields)
}

func measurementNames() member {
	return member{"patternProperties", node{
		{"_bytes$", node{{"type", "integer"}, {"minimum", jsonInt(0)}}},
		{"_(?:ms|tokens)$", node{{"type", "number"}, {"minimum", jsonInt(0)}}},
	}}
}

func scalarNode(f *Field) node {
	if f.Form == FormSeed {
		return node{{"anyOf", []any{node{{"type", "integer"}}, node{{"type", "string"}, {"pattern", f.Form.Pattern()}}}}}
	}
	return node{{"type", []any{"string", "number", "boolean"}}}
}

func limits(n node, f *Field) node {
	switch {
	case f.HasMin:
		n = append(n, member{"minimum", jsonInt(f.Min)})
	case f.Unit != "":
		n = append(n, member{"minimum", jsonInt(0)})
	}
	return n
}

func words(s *Set) []any {
	var list []any
	for _, w := range s.Words {
		list = append(list, w.Name)
	}
	return list
}

type jsonInt int64

func render(name, doc string, body node) []byte {
	top := node{{"$schema", Draft}, {"$id", "urn:assay:" + Version + ":" + name}, {"title", name}, {"description", doc}}
	var buf bytes.Buffer
	e := jsontext.NewEncoder(&buf, jsontext.WithIndent("  "))
	write(e, append(top, body...))
	return buf.Bytes()
}

func write(e *jsontext.Encoder, v any) {
	switch v := v.(type) {
	case node:
		emit(e, jsontext.BeginObject)
		for _, m := range v {
			emit(e, jsontext.String(m.key))
			write(e, m.value)
		}
		emit(e, jsontext.EndObject)
	case []any:
		emit(e, jsontext.BeginArray)
		for _, m := range v {
			write(e, m)
		}
		emit(e, jsontext.EndArray)
	case string:
		emit(e, jsontext.String(v))
	case bool:
		emit(e, jsontext.Bool(v))
	case jsonInt:
		emit(e, jsontext.Int(int64(v)))
	default:
		panic("schema: a schema node of another type")
	}
}

func emit(e *jsontext.Encoder, t jsontext.Token) {
	if err := e.WriteToken(t); err != nil {
		panic("schema: " + err.Error())
	}
}
