package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// LineageFile is the name of the lineage in a dataset.
const LineageFile = "lineage.json"

// An InputDigest hashes what a dataset is made from: the experiments, then the
// inputs, each in the order of the lineage, one JSON text a line.
type InputDigest struct{ hash hash.Hash }

// NewInputDigest begins a digest with the experiments.
func NewInputDigest(experiments []Experiment) *InputDigest {
	d := &InputDigest{hash: sha256.New()}
	for _, e := range experiments {
		d.hash.Write(line(e))
	}
	return d
}

// Add adds the next input.
func (d *InputDigest) Add(in Input) { d.AddText(in.Text()) }

// AddText adds the next input as its Text.
func (d *InputDigest) AddText(text []byte) {
	d.hash.Write(text)
	d.hash.Write(newline)
}

var newline = []byte{'\n'}

// Text is the input as the lineage holds it: JSON on one line, without its end.
func (in Input) Text() []byte {
	text := line(in)
	return text[:len(text)-1]
}

// Sum returns the hash in hex.
func (d *InputDigest) Sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// line is the JSON text of v and a newline. The types of a lineage have no
// value that JSON cannot hold.
func line[T any](v T) []byte {
	b, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		panic("dataset: " + err.Error())
	}
	return append(b, '\n')
}

// WriteLineage writes the lineage with the text of its inputs, one a line, last:
// there may be more of them than fit into memory.
func WriteLineage(w io.Writer, l *Lineage, inputs iter.Seq2[[]byte, error]) error {
	head, err := json.Marshal(l, jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.Write(head[:len(head)-len("\n}")])
	out.WriteString(",\n  \"inputs\": [")
	separator := "\n    "
	for in, err := range inputs {
		if err != nil {
			return err
		}
		out.WriteString(separator)
		out.Write(in)
		separator = ",\n    "
	}
	out.WriteString("\n  ]\n}\n")
	return out.Flush()
}

// ReadLineage reads the lineage of the dataset at dir, without its inputs.
func ReadLineage(dir string) (*Lineage, error) {
	l := new(Lineage)
	return l, readLineage(dir, l, nil)
}

// ReadInputs visits the inputs in the order of the lineage.
func ReadInputs(dir string, visit func(Input) error) error {
	return readLineage(dir, new(Lineage), visit)
}

func readLineage(dir string, l *Lineage, visit func(Input) error) error {
	path := filepath.Join(dir, LineageFile)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := decodeLineage(bufio.NewReaderSize(f, 64<<10), l, visit); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// decodeLineage reads the members one by one, so that the inputs never stand in
// memory at once; without visit it stops before them.
func decodeLineage(r io.Reader, l *Lineage, visit func(Input) error) error {
	d := jsontext.NewDecoder(r, jsontext.AllowInvalidUTF8(true))
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '{' {
		return fmt.Errorf("have %v, want an object (%w)", tok.Kind(), err)
	}
	head := []byte{'{'}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		if name.String() == "inputs" {
			if err := json.Unmarshal(append(head, '}'), l); err != nil || visit == nil {
				return err
			}
			return decodeInputs(d, visit)
		}
		if len(head) > 1 {
			head = append(head, ',')
		}
		if head, err = jsontext.AppendQuote(head, name.String()); err != nil {
			return err
		}
		value, err := d.ReadValue()
		if err != nil {
			return err
		}
		head = append(append(head, ':'), value...)
	}
	return fmt.Errorf("have no inputs, want them as the last member")
}

func decodeInputs(d *jsontext.Decoder, visit func(Input) error) error {
	if tok, err := d.ReadToken(); err != nil || tok.Kind() != '[' {
		return fmt.Errorf("inputs: have %v, want a list (%w)", tok.Kind(), err)
	}
	for d.PeekKind() != ']' {
		var in Input
		if err := json.UnmarshalDecode(d, &in); err != nil {
			return fmt.Errorf("inputs: %w", err)
		}
		if err := visit(in); err != nil {
			return err
		}
	}
	return nil
}
