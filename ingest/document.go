package ingest

import (
	"errors"
	"io"
	"strconv"

	"github.com/assay-bench/assay/schema"
)

// A document reads files of one kind and keeps its buffer between them.
type document[T any] struct {
	kind    *schema.Document
	decoder *schema.DocumentDecoder[T]
	text    whole
}

func newDocument[T any](kind *schema.Document) document[T] {
	return document[T]{kind: kind, decoder: schema.NewDocumentDecoder[T](kind)}
}

// A reading is what a file said before it is judged.
type reading[T any] struct {
	value      *T
	text       []byte
	violations []schema.Violation
	secrets    []schema.Secret
	redacted   []byte
}

var errTooLarge = errors.New("more than 64 MiB")

// A whole is a file in memory; its buffer is kept for the next one.
type whole struct{ bytes []byte }

// readFrom takes everything that r gives, up to the bound.
func (w *whole) readFrom(r io.Reader) error {
	if cap(w.bytes) > keepBytes || w.bytes == nil {
		w.bytes = make([]byte, 0, 16<<10)
	}
	b := w.bytes[:0]
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		w.bytes = b
		if len(b) > MaxLineBytes {
			return errTooLarge
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// decode judges the text that was read.
func (d *document[T]) decode() reading[T] {
	text := trimBOM(d.text.bytes)
	var out reading[T]
	out.text = text
	out.value, out.violations = d.decoder.Decode(text)
	out.redacted, out.secrets = secretsOf(text, out.value != nil)
	return out
}

// redact decodes the text without its secrets, where it has some.
func (d *document[T]) redact(in reading[T]) *T {
	if len(in.secrets) == 0 || in.value == nil {
		return in.value
	}
	value, _ := d.decoder.Decode(in.redacted)
	return value
}

// reportDocument reports the violations of a document. The code of each is
// chosen by the caller; unknown keys of a newer minor version are only noted.
func reportDocument[T any](r *Reader, kind *schema.Document, in reading[T], newer bool, code func(schema.Violation) *schema.FindingCode) {
	for _, v := range in.violations {
		line, column := schema.LineColumn(in.text, v.Offset)
		f := finding{code: code(v), file: kind.File, line: line, column: column,
			pointer: v.Pointer, have: haveOf(in.secrets, v), want: v.Want}
		if newer && v.Code.NewerMinor {
			f.severity = schema.SeverityInfo
		}
		r.report(f)
	}
	if len(in.secrets) > 0 {
		line, column := schema.LineColumn(in.text, in.secrets[0].Start)
		before := len(r.run.Findings)
		r.reportSecrets(kind.File, line, in.secrets)
		if len(r.run.Findings) > before {
			r.run.Findings[before].Column = column
		}
	}
}

// version judges a document's contract version. Unreadable ones have another
// major version; nothing else is said of them.
func version(have string) (ok, newer bool, want string) {
	if have == schema.Version {
		return true, false, ""
	}
	v, err := schema.ParseSemver(have)
	if err != nil {
		// The decoder has reported it.
		return true, false, ""
	}
	ok, newer = v.Readable()
	return ok, newer, "major version " + strconv.Itoa(schema.Current().Major)
}

// newerMinor notes a document of a newer minor version.
func newerMinor(file string, line int64, have string) finding {
	return finding{code: &schema.NewerMinorVersion, file: file, line: line, pointer: "/schema_version", have: have, want: schema.Version}
}

// reportIn reports a fault of the value that f points to in a document's text.
func (r *Reader) reportIn(text []byte, f finding) {
	if at, ok := schema.ValueOffset(text, f.pointer); ok {
		f.line, f.column = schema.LineColumn(text, at)
	}
	r.report(f)
}
