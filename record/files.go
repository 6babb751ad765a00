package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/assay-bench/assay/schema"
)

// WritePatch writes patch.diff, once.
func (w *Writer) WritePatch(patch []byte) error { return w.writeFile(schema.PatchFile, patch) }

// WriteContext writes what the model saw, redacted, under the hash that it
// returns. The same text twice is one file.
func (w *Writer) WriteContext(text string) (string, error) {
	text, _ = schema.Redact(text)
	hash := sum([]byte(text))
	name := path.Join(schema.ContextFolder, hash)
	if _, ok := w.hashes.Get(name); ok {
		return hash, nil
	}
	if err := w.dir.Mkdir(schema.ContextFolder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return hash, w.writeFile(name, []byte(text))
}

// WriteTestResults writes test_results.json, once. schema_version and run_id are
// filled in. After Finish use AddTestResults.
func (w *Writer) WriteTestResults(r schema.TestResults) error {
	r.SchemaVersion, r.RunID = schema.Version, w.RunID()
	if w.batch.results == nil {
		w.batch.results = schema.NewDocumentDecoder[schema.TestResults](&schema.DocumentTestResults)
	}
	text, err := encodeDocument(&schema.DocumentTestResults, w.batch.results, r, w.batch.guard)
	if err != nil {
		return err
	}
	return w.writeFile(schema.DocumentTestResults.File, text)
}

// WriteFinalMetrics writes final_metrics.json, once. schema_version and run_id
// are filled in. After Finish use AddFinalMetrics.
func (w *Writer) WriteFinalMetrics(m schema.FinalMetrics) error {
	m.SchemaVersion, m.RunID = schema.Version, w.RunID()
	if w.batch.metrics == nil {
		w.batch.metrics = schema.NewDocumentDecoder[schema.FinalMetrics](&schema.DocumentFinalMetrics)
	}
	text, err := encodeDocument(&schema.DocumentFinalMetrics, w.batch.metrics, m, w.batch.guard)
	if err != nil {
		return err
	}
	return w.writeFile(schema.DocumentFinalMetrics.File, text)
}

// AddTestResults adds test_results.json to a run directory that is finished. The
// file must not exist; r names its run.
func AddTestResults(dir string, r schema.TestResults, o Options) error {
	return addDocument(dir, &schema.DocumentTestResults, r, o)
}

// AddFinalMetrics adds final_metrics.json to a run directory that is finished.
// The file must not exist; m names its run.
func AddFinalMetrics(dir string, m schema.FinalMetrics, o Options) error {
	return addDocument(dir, &schema.DocumentFinalMetrics, m, o)
}

func addDocument[T any](dir string, doc *schema.Document, v T, o Options) error {
	text, err := encodeDocument(doc, schema.NewDocumentDecoder[T](doc), v, newGuard(o))
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return createFile(root, doc.File, text, o.Durability)
}

// writeFile creates a file of the run directory and remembers its hash.
func (w *Writer) writeFile(name string, text []byte) error {
	if w.finished {
		return fmt.Errorf("%s: have %s after run_finished, want it before", w.path, name)
	}
	if err := createFile(w.dir, name, text, w.batch.options.Durability); err != nil {
		return err
	}
	w.hashes = append(w.hashes, schema.Member[string]{Name: name, Value: sum(text)})
	return nil
}

// createFile creates a file exclusively. It appears whole or not at all: it is
// written under another name, and linked to its own.
func createFile(root *os.Root, name string, text []byte, d Durability) error {
	part := name + ".part"
	err := writeNew(root, part, text, d == Durable)
	if errors.Is(err, fs.ErrExist) {
		// A writer was killed here before.
		if err = root.Remove(part); err == nil {
			err = writeNew(root, part, text, d == Durable)
		}
	}
	if err != nil {
		return err
	}
	err = root.Link(part, name)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// Some file systems have no hard links.
		err = writeNew(root, name, text, d == Durable)
	}
	return errors.Join(err, root.Remove(part))
}

func writeNew(root *os.Root, name string, text []byte, durable bool) error {
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if durable {
		err = errors.Join(err, f.Sync())
	}
	return errors.Join(err, f.Close())
}

// artifacts lists every file of the directory but the trajectory with its hash,
// by name.
func (w *Writer) artifacts() (schema.Members[string], error) {
	list := schema.Members[string]{}
	err := fs.WalkDir(w.dir.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == schema.TrajectoryFile {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s: %s: have %v, want a regular file", w.path, name, d.Type())
		}
		hash, ok := w.hashes.Get(name)
		if !ok {
			if hash, err = hashFile(w.dir, name); err != nil {
				return err
			}
		}
		list = append(list, schema.Member[string]{Name: name, Value: hash})
		return nil
	})
	slices.SortFunc(list, func(a, b schema.Member[string]) int { return cmp.Compare(a.Name, b.Name) })
	return list, err
}

func hashFile(root *os.Root, name string) (string, error) {
	f, err := root.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
