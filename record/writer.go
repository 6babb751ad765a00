package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json"
)

// A Writer writes one run directory. It is not safe for concurrent use.
type Writer struct {
	batch    *Batch
	manifest schema.Manifest
	dir      *os.Root
	path     string
	file     *os.File
	head     []byte
	hashes   schema.Members[string]
	seq      int64
	finished bool
	broken   error
}

// blockBytes is how much a buffered writer holds back at most.
const blockBytes = 256 << 10

// A Batch writes many runs under one root, one at a time, and makes its decoders
// and buffers only once. It is not safe for concurrent use; make one a worker.
type Batch struct {
	root     string
	options  Options
	guard    guard
	events   *schema.EventDecoder
	manifest *schema.DocumentDecoder[schema.Manifest]
	results  *schema.DocumentDecoder[schema.TestResults]
	metrics  *schema.DocumentDecoder[schema.FinalMetrics]
	buffer   []byte
	line     []byte
}

// NewBatch returns a batch of runs under root.
func NewBatch(root string, o Options) *Batch {
	return &Batch{root: root, options: o, guard: newGuard(o), events: schema.NewEventDecoder(),
		manifest: schema.NewDocumentDecoder[schema.Manifest](&schema.DocumentManifest)}
}

// Create makes the directory of a run under root and writes its manifest, with
// everything filled in that Complete fills in. The directory must not exist; an
// unfinished one is set aside where Options.Retry says so.
func Create(root string, m schema.Manifest, o Options) (*Writer, error) {
	return NewBatch(root, o).Create(m)
}

// Create is like the function Create. The writer before must be closed.
func (b *Batch) Create(m schema.Manifest) (*Writer, error) {
	if b.options.Clock != nil && !m.CreatedAt.Has() {
		m.CreatedAt = schema.Some(b.options.Clock())
	}
	m, err := Complete(m)
	if err != nil {
		return nil, err
	}
	text, err := encodeDocument(&schema.DocumentManifest, b.manifest, m, b.guard)
	if err != nil {
		return nil, err
	}
	dir, task, err := createDirectory(b.root, RunPath(&m), b.options)
	if err != nil {
		return nil, err
	}
	defer task.Close()
	w := &Writer{batch: b, manifest: m, dir: dir, path: filepath.Join(b.root, filepath.FromSlash(RunPath(&m)))}
	b.buffer = b.buffer[:0]
	w.head = []byte(`{"schema_version":"` + schema.Version + `","run_id":"` + m.RunID + `","seq":`)
	if err := w.start(text); err != nil {
		dir.Close()
		return nil, err
	}
	return w, nil
}

// start writes the manifest and opens the trajectory.
func (w *Writer) start(manifest []byte) error {
	if err := w.writeFile(schema.DocumentManifest.File, manifest); err != nil {
		return err
	}
	f, err := w.dir.OpenFile(schema.TrajectoryFile, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	// Held until the run is closed: it says that somebody is at it.
	lock(f, false)
	w.file = f
	return nil
}

// RunID is the run's id.
func (w *Writer) RunID() string { return w.manifest.RunID }

// Manifest is the manifest as it was written.
func (w *Writer) Manifest() schema.Manifest { return w.manifest }

// Path is the run directory.
func (w *Writer) Path() string { return w.path }

// Append writes one event. The first must be run_started; the last is written by
// Finish. An event that breaks the contract is refused and leaves no trace.
func (w *Writer) Append(ts schema.Opt[schema.Time], p schema.Payload) error {
	if p.EventType() == &schema.EventRunFinished {
		return fmt.Errorf("%s: have run_finished, want it written by Finish", w.path)
	}
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("%s: event %d: %w", w.path, w.seq+1, err)
	}
	return w.append(ts, p.EventType(), data, nil)
}

// Finish lists the hash of every file of the directory, writes run_finished,
// flushes and closes the run.
func (w *Writer) Finish(ts schema.Opt[schema.Time], p schema.RunFinished) error {
	if len(p.Artifacts) > 0 {
		return fmt.Errorf("%s: run_finished.artifacts: have a list, want none: it is made from the directory", w.path)
	}
	var err error
	if p.Artifacts, err = w.artifacts(); err != nil {
		return err
	}
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("%s: event %d: %w", w.path, w.seq+1, err)
	}
	if err := w.append(ts, &schema.EventRunFinished, data, nil); err != nil {
		return err
	}
	w.finished = true
	return w.Close()
}

// append checks one event and writes its line. extra are more members of it.
func (w *Writer) append(ts schema.Opt[schema.Time], t *schema.EventType, data, extra []byte) error {
	if err := w.order(t); err != nil {
		return err
	}
	if w.batch.options.Clock != nil && !ts.Has() {
		ts = schema.Some(w.batch.options.Clock())
	}
	line := w.encode(ts, t, data, extra)
	where := fmt.Sprintf("%s: event %d: %s", w.path, w.seq+1, t.Name)
	if _, violations := w.batch.events.Decode(line); len(violations) > 0 {
		return violationError(where, violations[0])
	}
	line, err := w.batch.guard.check(where, line)
	if err != nil {
		return err
	}
	w.seq++
	return w.write(line)
}

// order holds run_started to the first place and refuses events after the end.
func (w *Writer) order(t *schema.EventType) error {
	switch {
	case w.broken != nil:
		return w.broken
	case w.finished || w.file == nil:
		return fmt.Errorf("%s: have %s after the run was closed, want no more events", w.path, t.Name)
	case (w.seq == 0) != (t == &schema.EventRunStarted):
		return fmt.Errorf("%s: event %d: have %s, want run_started first and once", w.path, w.seq+1, t.Name)
	}
	return nil
}

func (w *Writer) encode(ts schema.Opt[schema.Time], t *schema.EventType, data, extra []byte) []byte {
	b := append(w.batch.line[:0], w.head...)
	b = strconv.AppendInt(b, w.seq+1, 10)
	if at, ok := ts.Get(); ok {
		b = append(append(append(b, `,"ts":"`...), at.String()...), '"')
	} else {
		b = append(b, `,"ts":null`...)
	}
	b = append(append(append(b, `,"type":"`...), t.Name...), `","data":`...)
	b = append(append(append(b, data...), extra...), '}')
	w.batch.line = b
	return b
}

// write appends a line to the file: at once where the run is durable, so that a
// kill leaves at most one cut line, and in blocks otherwise.
func (w *Writer) write(line []byte) error {
	w.batch.buffer = append(append(w.batch.buffer, line...), '\n')
	if w.batch.options.Durability == Buffered && len(w.batch.buffer) < blockBytes {
		return nil
	}
	return w.flush()
}

// flush writes what is held back. After a failure the writer refuses to go on:
// what came after would be fused with a cut line.
func (w *Writer) flush() error {
	if len(w.batch.buffer) == 0 {
		return nil
	}
	n, err := w.file.Write(w.batch.buffer)
	if err != nil {
		// Only what stands there as a whole line was recorded.
		w.seq -= int64(bytes.Count(w.batch.buffer[n:], []byte{'\n'}))
		w.broken, w.finished = err, false
	}
	w.batch.buffer = w.batch.buffer[:0]
	return err
}

// Close closes the run. Without Finish it stays unfinished. Closing twice does
// nothing.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	err := w.flush()
	if w.batch.options.Durability == Durable {
		err = errors.Join(err, w.file.Sync(), syncDirectory(w.dir, "."))
	}
	err = errors.Join(err, w.file.Close(), w.dir.Close())
	w.file = nil
	return err
}

// syncDirectory makes the names of a directory durable, where the system can.
func syncDirectory(root *os.Root, name string) error {
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
