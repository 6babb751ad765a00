package recall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/itchyny/gojq"

	"github.com/assay-bench/assay/schema"
)

// Found is one result of a tool.
type Found struct {
	// ID is the tool's own id of it, or its ordinal from 1 where it gave none.
	ID string
	// Body is its text.
	Body string
}

// Answer is what a tool returned to one question.
type Answer struct {
	// Raw is what it printed.
	Raw []byte
	// Results are the results that are scored, at most as many as were asked for.
	Results []Found
	// Reason says why this is an error; empty where it is not.
	Reason string
	// TimedOut says that the reason is the time limit.
	TimedOut bool
	// Elapsed is how long the answer took.
	Elapsed time.Duration

	// unstarted says that the system refused to run the command at all.
	unstarted bool
	// asked and answered are when the call began and ended, where there is a clock.
	asked, answered schema.Opt[schema.Time]
}

// bodies are the texts of the results.
func (a Answer) bodies() []string {
	bodies := make([]string, len(a.Results))
	for i, r := range a.Results {
		bodies[i] = r.Body
	}
	return bodies
}

// blank says that nothing came back, or nothing that can be read.
func (a Answer) blank() bool {
	return strings.TrimSpace(strings.Join(a.bodies(), "")) == ""
}

// Form says how results are found in what a tool prints.
type Form struct {
	path  *gojq.Code
	plain bool
}

// UsualForm looks for the shapes that retrieval tools print: a list of texts or objects, an object that holds
// such a list under a usual name, or JSON lines.
func UsualForm() Form { return Form{} }

// PlainForm takes all that is printed as one body.
func PlainForm() Form { return Form{plain: true} }

// PathForm finds bodies by a jq path, such as .results[].body: each output is a body, or an object with one.
func PathForm(path string) (Form, error) {
	query, err := gojq.Parse(path)
	if err != nil {
		return Form{}, fmt.Errorf("jq path %q: %w", path, err)
	}
	code, err := gojq.Compile(query)
	if err != nil {
		return Form{}, fmt.Errorf("jq path %q: %w", path, err)
	}
	return Form{path: code}, nil
}

// jqTimeout bounds a jq path that does not end.
const jqTimeout = 10 * time.Second

// Results finds the first results in what a tool printed. Nothing at all is no result; what is not of the form
// is an error, which says what was there.
func (f Form) Results(printed []byte, limit int) ([]Found, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(printed, []byte("\ufeff")))
	if len(text) == 0 {
		return nil, nil
	}
	if f.plain {
		return numbered([]Found{{Body: string(text)}}, limit), nil
	}
	values, err := decodeAll(text)
	if err != nil {
		return nil, fmt.Errorf("output is not JSON: %w; it begins %q", err, start(text))
	}
	var found []Found
	if f.path != nil {
		found, err = f.byPath(values)
	} else {
		found, err = usual(values)
	}
	if err != nil {
		return nil, err
	}
	return numbered(found, limit), nil
}

// decodeAll reads one JSON value or several behind each other.
func decodeAll(text []byte) ([]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var values []any
	for {
		var value any
		err := decoder.Decode(&value)
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
}

// byPath runs the jq path over every value that was printed.
func (f Form) byPath(values []any) ([]Found, error) {
	ctx, cancel := context.WithTimeout(context.Background(), jqTimeout)
	defer cancel()
	var found []Found
	for _, value := range values {
		outputs := f.path.RunWithContext(ctx, value)
		for {
			output, more := outputs.Next()
			if !more {
				break
			}
			if err, bad := output.(error); bad {
				return nil, fmt.Errorf("jq path: %w", err)
			}
			items, list := output.([]any)
			if !list {
				items = []any{output}
			}
			for _, item := range items {
				one, ok := result(item)
				if !ok {
					return nil, fmt.Errorf("jq path: have %s, want a text or an object with one", shownValue(item))
				}
				found = append(found, one)
			}
		}
	}
	return found, nil
}

// numbered cuts to the limit and gives an ordinal to what has no id, or one that an earlier result has.
func numbered(found []Found, limit int) []Found {
	if len(found) > limit {
		found = found[:limit]
	}
	used := map[string]bool{}
	for i := range found {
		if found[i].ID == "" || used[found[i].ID] {
			found[i].ID = fmt.Sprintf("result-%d", i+1)
		}
		used[found[i].ID] = true
	}
	return found
}

// start is the beginning of an output, for a message.
func start(text []byte) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(string(text[:most]), "") + "…"
	}
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// shownValue is a decoded value, for a message.
func shownValue(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "a value without JSON form"
	}
	return start(text)
}
