package derive

import (
	"slices"

	"github.com/assay-bench/assay/schema"
)

// ifRecorded is a count over events of a kind that a source may not record. It is
// missing where the manifest says so, and in a run that recorded nothing but its
// start and end: that such a run did nothing is not known.
func (r *Run) ifRecorded(n int64, what ...*schema.Word) schema.Value {
	switch {
	case !r.work.activity:
		return schema.Missing(&schema.MissingNoEvents)
	case slices.ContainsFunc(what, r.omits):
		return schema.Missing(&schema.MissingNotRecorded)
	}
	return schema.Integer(n)
}

// omits reports whether the manifest says that the run's source does not record
// something, so that none of it is no zero.
func (r *Run) omits(what *schema.Word) bool {
	return slices.Contains(r.in.Manifest.NotRecorded, what.Name)
}
