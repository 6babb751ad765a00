package record

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxLineBytes is the longest line that a stream may hold.
const maxLineBytes = 64 << 20

// StreamOptions say where a stream of events is written.
type StreamOptions struct {
	Options
	// Root is the root of the raw results.
	Root string
	// Manifest says what the run is; Complete fills in the rest.
	Manifest schema.Manifest
	// Name stands for the input in messages, such as "stdin".
	Name string
}

// A Summary says what a stream left behind.
type Summary struct {
	// RunID is the run's id.
	RunID string
	// Path is the run directory.
	Path string
	// Events counts the events written.
	Events int64
	// Finished reports whether run_finished was written.
	Finished bool
}

// Stream records the events that in holds, one JSON object a line:
//
//	{"type":"tool_call","data":{…}}
//
// A line may hold ts, and any keys beginning with x_. seq, run_id and
// schema_version are assigned; a line that holds other ones is refused, as is
// everything that breaks the contract. At the first refusal the stream ends, and
// the events before it stay. ctx is looked at between lines.
func Stream(ctx context.Context, in io.Reader, o StreamOptions) (Summary, error) {
	w, err := Create(o.Root, o.Manifest, o.Options)
	if err != nil {
		return Summary{}, err
	}
	err = w.stream(ctx, in, o.Name)
	s := Summary{RunID: w.RunID(), Path: w.Path(), Events: w.seq, Finished: w.finished}
	return s, errors.Join(err, w.Close())
}

func (w *Writer) stream(ctx context.Context, in io.Reader, name string) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 64<<10), maxLineBytes)
	number := 0
	for scanner.Scan() {
		if number++; ctx.Err() != nil {
			return ctx.Err()
		}
		line := scanner.Bytes()
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := w.streamed(line); err != nil {
			return fmt.Errorf("%s:%d: %w", name, number, err)
		}
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%s:%d: have a line beyond 64 MiB, want at most 64 MiB", name, number+1)
	}
	return scanner.Err()
}

// An incoming line: its known members as JSON text.
type incoming struct {
	typ, data, ts, seq, runID, version jsontext.Value
	extra                              []byte // ,"x_…":…
}

func (w *Writer) streamed(line []byte) error {
	in, err := parseIncoming(line)
	if err != nil {
		return err
	}
	if err := w.assigned(in); err != nil {
		return err
	}
	var name string
	if err := json.Unmarshal(in.typ, &name); err != nil {
		return fmt.Errorf("type: have %.40s, want the name of an event type", in.typ)
	}
	t, ok := schema.EventTypeByName(name)
	if !ok {
		return fmt.Errorf("type: have %q, want a type of the contract", name)
	}
	ts := schema.None[schema.Time]()
	if in.ts != nil {
		if err := json.Unmarshal(in.ts, &ts); err != nil {
			return fmt.Errorf("ts: have %.60s, want an RFC 3339 time or null", in.ts)
		}
	}
	if in.data.Kind() != '{' {
		return fmt.Errorf("data: have %.40s, want an object", in.data)
	}
	if t == &schema.EventRunFinished {
		return w.streamedFinish(ts, in)
	}
	return w.append(ts, t, in.data, in.extra)
}

// streamedFinish adds the list of files to run_finished.
func (w *Writer) streamedFinish(ts schema.Opt[schema.Time], in incoming) error {
	list, err := w.artifacts()
	if err != nil {
		return err
	}
	artifacts, err := json.Marshal(list)
	if err != nil {
		return err
	}
	data := bytes.TrimSuffix(in.data, []byte("}"))
	if len(data) > 1 {
		data = append(data, ',')
	}
	data = append(append(append(data, `"artifacts":`...), artifacts...), '}')
	if !jsontext.Value(data).IsValid() {
		return errors.New("data.artifacts: have a list, want none: it is made from the directory")
	}
	if err := w.append(ts, &schema.EventRunFinished, data, in.extra); err != nil {
		return err
	}
	w.finished = true
	return nil
}

// assigned refuses a line that says another seq, run or version than is assigned.
func (w *Writer) assigned(in incoming) error {
	for _, c := range []struct {
		key  string
		have jsontext.Value
		want string
	}{
		{"seq", in.seq, fmt.Sprint(w.seq + 1)},
		{"run_id", in.runID, `"` + w.RunID() + `"`},
		{"schema_version", in.version, `"` + schema.Version + `"`},
	} {
		if c.have != nil && c.have.Kind() != 'n' && string(c.have) != c.want {
			return fmt.Errorf("%s: have %.60s, want %s or none", c.key, c.have, c.want)
		}
	}
	return nil
}

// parseIncoming splits a line into its members. Duplicate keys and invalid UTF-8
// are refused by the decoder.
func parseIncoming(line []byte) (incoming, error) {
	var in incoming
	d := jsontext.NewDecoder(bytes.NewReader(line))
	if d.PeekKind() != '{' {
		return in, syntaxError(line, d, errors.New("no object"))
	}
	if _, err := d.ReadToken(); err != nil {
		return in, syntaxError(line, d, err)
	}
	known := map[string]*jsontext.Value{"type": &in.typ, "data": &in.data, "ts": &in.ts,
		"seq": &in.seq, "run_id": &in.runID, "schema_version": &in.version}
	for d.PeekKind() == '"' {
		tok, err := d.ReadToken()
		if err != nil {
			return in, syntaxError(line, d, err)
		}
		key := tok.String()
		value, err := d.ReadValue()
		if err != nil {
			return in, syntaxError(line, d, err)
		}
		value = value.Clone()
		if err := value.Compact(); err != nil {
			return in, syntaxError(line, d, err)
		}
		switch dest := known[key]; {
		case dest != nil:
			*dest = value
		case strings.HasPrefix(key, "x_"):
			name, err := jsontext.AppendQuote(nil, key)
			if err != nil {
				return in, syntaxError(line, d, err)
			}
			in.extra = append(append(append(append(in.extra, ','), name...), ':'), value...)
		default:
			return in, fmt.Errorf("have the key %q, want type, data, ts or a key beginning with x_", key)
		}
	}
	if _, err := d.ReadToken(); err != nil {
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

// ParseManifest reads a manifest from which what Complete fills in may be absent.
func ParseManifest(name string, text []byte) (schema.Manifest, error) {
	m, violations := schema.NewDocumentDecoder[schema.Manifest](&schema.DocumentManifest).Decode(bytes.Clone(text))
	for _, v := range violations {
		if m != nil && filledIn[v.Pointer] && strings.HasPrefix(v.Have, "no key") {
			continue
		}
		line, column := schema.LineColumn(text, v.Offset)
		return schema.Manifest{}, violationError(fmt.Sprintf("%s:%d:%d", name, line, column), v)
	}
	return *m, nil
}

// filledIn are the required keys that Complete fills in.
var filledIn = map[string]bool{
	"/schema_version": true, "/run_id": true, "/harness_config": true, "/model_config": true,
	"/harness_config_sha256": true, "/model_config_sha256": true,
}
