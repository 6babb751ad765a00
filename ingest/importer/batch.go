package importer

import (
	"github.com/assay-bench/assay/schema"
)

// A batch is what an importer found: experiments and their runs.
type batch struct {
	experiments []*experiment
	runs        []*run
}

// An experiment is one set of runs that belong together.
type experiment struct {
	// id is the path segment.
	id string
	// plan is what was to be run, or nil where the source has no list.
	plan *schema.Plan
	// tasks are what is known of the tasks.
	tasks []schema.Task
}

// A run is one run to be written. Its events are read when it is written, so
// that an import never holds more than one run's.
type run struct {
	// manifest lacks repetition, hashes and run id, which are filled in later.
	manifest schema.Manifest
	// load reads the events.
	load func() (*content, error)
}

// A content is what stands in a run directory beside the manifest.
type content struct {
	started  event[schema.RunStarted]
	events   []event[schema.Payload]
	finished event[schema.RunFinished]
	tests    *schema.TestResults
	// notRecorded is what the run's source does not record, for its manifest.
	notRecorded []string
	originals   []Original
}

// An event is a payload with its time.
type event[T any] struct {
	ts      schema.Opt[schema.Time]
	payload T
}
