package importer

import (
	"cmp"
	"slices"
	"strings"

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
	// startedAt orders repetitions; it may lack a zone.
	startedAt schema.Opt[instant]
	// files are the originals.
	files []Original
	// load reads the events.
	load func() (*content, error)
}

// A content is what stands in a run directory beside the manifest.
type content struct {
	started   event[schema.RunStarted]
	events    []event[schema.Payload]
	finished  event[schema.RunFinished]
	tests     *schema.TestResults
	originals []Original
}

// An event is a payload with its time.
type event[T any] struct {
	ts      schema.Opt[schema.Time]
	payload T
}

// orderRuns sorts runs as repetitions are numbered: by cell, then by the source's
// start time, missing ones last, then by path.
func orderRuns(a, b *run) int {
	return cmp.Or(
		strings.Compare(cellKey(&a.manifest), cellKey(&b.manifest)),
		compareStart(a.startedAt, b.startedAt),
		strings.Compare(a.manifest.Source.Path.Or(""), b.manifest.Source.Path.Or("")),
		cmp.Compare(a.manifest.Source.Line.Or(0), b.manifest.Source.Line.Or(0)),
	)
}

// cellKey names what repetitions are counted within.
func cellKey(m *schema.Manifest) string {
	return m.ExperimentID + "\x00" + schema.ArmName(m.HarnessID, m.ModelKey, sortedTreatment(m)) + "\x00" + m.TaskID
}

func sortedTreatment(m *schema.Manifest) schema.Members[schema.Scalar] {
	t := slices.Clone(m.Treatment)
	slices.SortFunc(t, func(a, b schema.Member[schema.Scalar]) int { return strings.Compare(a.Name, b.Name) })
	return t
}

func compareStart(a, b schema.Opt[instant]) int {
	x, ok := a.Get()
	y, ok2 := b.Get()
	switch {
	case ok && ok2:
		return x.at.Compare(y.at)
	case ok:
		return -1
	case ok2:
		return 1
	}
	return 0
}
