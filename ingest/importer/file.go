package importer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A file is one file found under the paths given.
type file struct {
	// rel is the path with slashes, relative to the path given; with several
	// paths, the last element of that path stands before it.
	rel string
	// abs opens the file.
	abs string
	// root is the name of the folder that was given, or of the one that holds the
	// file that was given.
	root string
	// given is true where the file itself was named.
	given bool
}

// A source is what an importer reads from, and the report of what it read.
type source struct {
	ctx     context.Context
	imp     *Importer
	options Options
	// files are all regular files, sorted by rel, then abs.
	files  []file
	byPath map[string]*file
	// opened are the files that were read, and counted the repeats that were.
	opened  map[string]bool
	counted map[Place]bool
	// writing is the original file of the run that is being written, and zeros are
	// the runs whose zeros were read as missing.
	writing string
	zeros   map[string]bool
	// claimed says which run has a continuation or a sub-agent's file.
	claimed map[string]string
	// trajectories are the files named trajectory.json by each folder above them
	// that may hold a trial's.
	trajectories map[string][]*file
	report       *Reconciliation
}

func newSource(ctx context.Context, imp *Importer, paths []string, o Options) (*source, error) {
	if len(paths) == 0 {
		return nil, errors.New("import: have no path, want files or folders")
	}
	s := &source{ctx: ctx, imp: imp, options: o, byPath: map[string]*file{},
		opened: map[string]bool{}, counted: map[Place]bool{}, zeros: map[string]bool{}, claimed: map[string]string{}, report: newReconciliation(imp, o)}
	for _, p := range paths {
		if err := s.walk(p, len(paths) > 1); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.files, func(a, b file) int {
		if c := strings.Compare(a.rel, b.rel); c != 0 {
			return c
		}
		return strings.Compare(a.abs, b.abs)
	})
	s.files = slices.CompactFunc(s.files, func(a, b file) bool { return a.abs == b.abs })
	s.report.FilesFound = len(s.files)
	for i := range s.files {
		s.byPath[s.files[i].abs] = &s.files[i]
	}
	return s, nil
}

// walk adds the regular files under a path, hidden ones too. Links below it are not
// followed; the path itself may be one.
func (s *source) walk(root string, several bool) error {
	abs, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	name := filepath.Base(abs)
	s.report.Paths = append(s.report.Paths, name)
	folder := name
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if info, err := os.Stat(abs); err == nil && info.Mode().IsRegular() {
		folder = filepath.Base(filepath.Dir(abs))
	}
	return filepath.WalkDir(abs, func(p string, d fs.DirEntry, err error) error {
		if p == abs && errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: have no such file or folder, want logs of format %s", root, s.imp.Name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", root, err)
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(abs, p)
		if err != nil {
			return err
		}
		if rel == "." {
			rel = filepath.Base(abs)
		} else if several {
			rel = filepath.Join(name, rel)
		}
		rel = filepath.ToSlash(rel)
		switch {
		case d.Type()&fs.ModeSymlink != 0:
			s.report.leaveOut(Place{Path: rel}, "a link; links are not followed")
		case d.Type().IsRegular():
			s.files = append(s.files, file{rel: rel, abs: p, root: folder, given: p == abs})
		}
		return nil
	})
}

// at returns the file at a path with slashes relative to the folder of f.
func (s *source) at(f *file, rel string) (*file, bool) {
	g, ok := s.byPath[filepath.Join(filepath.Dir(f.abs), filepath.FromSlash(rel))]
	return g, ok
}

// nothing is the error of an import that found no run.
func (s *source) nothing() error {
	if n := len(s.report.LeftOut); n > 0 {
		l := s.report.LeftOut[0]
		more := ""
		if n > 1 {
			more = fmt.Sprintf(" (and %d more)", n-1)
		}
		return fmt.Errorf("%s: left out: %s%s; want at least one readable run of format %s", l.Place, l.Reason, more, s.imp.Name)
	}
	return fmt.Errorf("%s: have no run of format %s among %d files, want at least one",
		strings.Join(s.report.Paths, ", "), s.imp.Name, len(s.files))
}

// A text is the content of a file, decompressed.
type text struct {
	file   *file
	bytes  []byte
	sha256 string
}

// maxFile bounds what one file may unpack to.
const maxFile = 2 << 30

// read reads a whole file; one whose name ends in .gz is decompressed, and its
// hash is that of the compressed bytes.
func (s *source) read(f *file) (*text, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(f.abs)
	if err != nil {
		return nil, err
	}
	if !s.opened[f.abs] {
		s.opened[f.abs] = true
		s.report.FilesRead++
	}
	sum := sha256.Sum256(b)
	t := &text{file: f, bytes: b, sha256: hex.EncodeToString(sum[:])}
	if !strings.HasSuffix(f.rel, ".gz") {
		return t, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, &damage{Place{Path: f.rel}, "compression damaged: " + err.Error()}
	}
	t.bytes, err = io.ReadAll(io.LimitReader(z, maxFile+1))
	switch {
	case err != nil:
		return nil, &damage{Place{Path: f.rel}, "compression damaged: " + err.Error()}
	case len(t.bytes) > maxFile:
		return nil, &damage{Place{Path: f.rel}, fmt.Sprintf("unpacks to more than %d bytes", maxFile)}
	}
	return t, nil
}

// line is the line, from 1, that an offset stands on.
func (t *text) line(offset int64) int {
	all := bytes.TrimRight(t.bytes, "\r\n")
	return 1 + bytes.Count(all[:min(max(offset, 0), int64(len(all)))], []byte("\n"))
}

// A damage is why a file cannot be used. It leaves the file out, not the import.
type damage struct {
	place  Place
	reason string
}

// Error is place and reason.
func (d *damage) Error() string { return d.place.String() + ": " + d.reason }

// decode reads the text as one JSON value. Repeated keys and invalid UTF-8 are
// damage, as is a value of another type than the format says.
func decode[T any](t *text) (*T, error) {
	v := new(T)
	b := bytes.TrimPrefix(t.bytes, []byte("\xef\xbb\xbf"))
	err := json.Unmarshal(b, v)
	if err == nil {
		return v, nil
	}
	offset, reason := explain(err)
	return nil, &damage{Place{t.file.rel, t.line(offset + int64(len(t.bytes)-len(b)))}, redacted(reason)}
}

// explain says where and why a text is not what the format says.
func explain(err error) (offset int64, reason string) {
	pointer := ""
	for {
		var placed *placedError
		if !errors.As(err, &placed) {
			break
		}
		offset, pointer, err = offset+placed.start, pointer+placed.pointer, placed.err
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return offset + syntax.ByteOffset, "not JSON: " + syntax.Err.Error()
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) || semantic.GoType == nil {
		return offset, joinPlace(pointer, "have another type than the format says")
	}
	return offset + semantic.ByteOffset, joinPlace(pointer+string(semantic.JSONPointer),
		fmt.Sprintf("have %s, want %s", jsonKind(semantic.JSONKind), goKind(semantic.GoType)))
}

// joinPlace puts a JSON pointer before what is said of it; the whole text has none.
func joinPlace(pointer, says string) string {
	if pointer == "" {
		return says
	}
	return pointer + ": " + says
}

// jsonKind is a kind of JSON value in words.
func jsonKind(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a text"
	case '0':
		return "a number"
	case 't', 'f':
		return k.String()
	case 'n':
		return "null"
	}
	return "another type"
}

// goKind is the JSON that fills a Go type, in words.
func goKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return goKind(t.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	if t.ConvertibleTo(reflect.TypeFor[int64]()) {
		return "an integer"
	}
	return "what the format says"
}

// located is a value with the place of its JSON text.
type located[T any] struct {
	// start is the offset of the text.
	start int64
	// raw is the text.
	raw jsontext.Value
	// value is what it says.
	value T
}

// UnmarshalJSONFrom reads a value and remembers where it stood.
func (l *located[T]) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	if err != nil {
		return err
	}
	l.start, l.raw = d.InputOffset()-int64(len(v)), v.Clone()
	if err := json.Unmarshal(l.raw, &l.value); err != nil {
		return &placedError{l.start, string(d.StackPointer()), err}
	}
	return nil
}

// A placedError is an error inside a located value.
type placedError struct {
	start   int64
	pointer string
	err     error
}

// Error says where the value stands.
func (e *placedError) Error() string { return e.pointer + ": " + e.err.Error() }

// Unwrap is the error inside.
func (e *placedError) Unwrap() error { return e.err }

// sameJSON reports whether two texts are the same value, whatever the order of
// members and the blanks.
func sameJSON(a, b jsontext.Value) bool {
	if bytes.Equal(a, b) {
		return true
	}
	a, b = a.Clone(), b.Clone()
	return a.Canonicalize() == nil && b.Canonicalize() == nil && bytes.Equal(a, b)
}
