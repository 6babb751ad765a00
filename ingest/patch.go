package ingest

import (
	"errors"

	"github.com/assay-bench/assay/schema"
)

// readPatch reads patch.diff. Of one beyond the bound the first part is kept.
func (r *Reader) readPatch(files fileSet) error {
	if !files.has(schema.PatchFile) {
		return nil
	}
	ok, err := r.readFile(schema.PatchFile, func() error {
		err := r.patch.readFrom(&r.source)
		if errors.Is(err, errTooLarge) {
			return nil
		}
		return err
	})
	if ok {
		r.run.Patch = r.patch.bytes
	}
	return err
}
