package record

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

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
	err = errors.Join(w.stream(ctx, in, o.Name), w.Close())
	return Summary{RunID: w.RunID(), Path: w.Path(), Events: w.seq, Finished: w.finished}, err
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

func (w *Writer) streamed(line []byte) error {
	in, err := parseIncoming(line)
	if err != nil {
		return err
	}
	if err := w.assigned(in); err != nil {
		return err
	}
	t, ts, err := in.event()
	if err != nil {
		return err
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
