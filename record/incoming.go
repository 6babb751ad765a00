package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// An incoming line of a stream: its members as JSON text.
type incoming struct {
	typ, data, ts, seq, runID, version jsontext.Value
	// extra are the members whose names begin with x_, each behind a comma.
	extra []byte
}

// parseIncoming splits a line into its members. The JSON decoder refuses
// duplicate keys and invalid UTF-8.
func parseIncoming(line []byte) (incoming, error) {
	var in incoming
	d := jsontext.NewDecoder(bytes.NewReader(line))
	if d.PeekKind() != '{' {
		return in, syntaxError(line, d, errors.New("no object"))
	}
	_, err := d.ReadToken()
	for err == nil && d.PeekKind() == '"' {
		var tok jsontext.Token
		if tok, err = d.ReadToken(); err != nil {
			break
		}
		key := tok.String()
		var value jsontext.Value
		if value, err = d.ReadValue(); err != nil {
			break
		}
		if err := in.take(key, value.Clone()); err != nil {
			return in, err
		}
	}
	if err == nil {
		_, err = d.ReadToken()
	}
	if err != nil {
		return in, syntaxError(line, d, err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return in, syntaxError(line, d, errors.New("something after the object"))
	}
	if in.typ == nil || in.data == nil {
		return in, errors.New(`have no "type" or no "data", want both`)
	}
	return in, nil
}

// take keeps one member.
func (in *incoming) take(key string, value jsontext.Value) error {
	if err := value.Compact(); err != nil {
		return err
	}
	switch key {
	case "type":
		in.typ = value
	case "data":
		in.data = value
	case "ts":
		in.ts = value
	case "seq":
		in.seq = value
	case "run_id":
		in.runID = value
	case "schema_version":
		in.version = value
	default:
		name, err := jsontext.AppendQuote(nil, key)
		if err != nil || !strings.HasPrefix(key, "x_") {
			return fmt.Errorf("have the key %q, want type, data, ts or a key beginning with x_", key)
		}
		in.extra = append(append(append(append(in.extra, ','), name...), ':'), value...)
	}
	return nil
}

// event reads the type and the time of the line.
func (in *incoming) event() (*schema.EventType, schema.Opt[schema.Time], error) {
	ts := schema.None[schema.Time]()
	var name string
	if err := json.Unmarshal(in.typ, &name); err != nil {
		return nil, ts, fmt.Errorf("type: have %.40s, want the name of an event type", in.typ)
	}
	t, ok := schema.EventTypeByName(name)
	if !ok {
		return nil, ts, fmt.Errorf("type: have %q, want a type of the contract", name)
	}
	if in.ts != nil {
		if err := json.Unmarshal(in.ts, &ts); err != nil {
			return nil, ts, fmt.Errorf("ts: have %.60s, want an RFC 3339 time or null", in.ts)
		}
	}
	if in.data.Kind() != '{' {
		return nil, ts, fmt.Errorf("data: have %.40s, want an object", in.data)
	}
	return t, ts, nil
}

// syntaxError says at which byte a line stops being one JSON object, without
// showing what stands there.
func syntaxError(line []byte, d *jsontext.Decoder, err error) error {
	var syntactic *jsontext.SyntacticError
	what := err.Error()
	if errors.As(err, &syntactic) && syntactic.Err != nil {
		what = syntactic.Err.Error()
	}
	what, _ = schema.Redact(what)
	return fmt.Errorf("byte %d: have %s, want one JSON object a line", min(int(d.InputOffset())+1, len(line)+1), what)
}
