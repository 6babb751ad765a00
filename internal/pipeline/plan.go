package pipeline

import (
	"github.com/assay-bench/assay/ingest"
	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// A Plan is all that is known before any trajectory is read: the runs in the
// order of their ids, the cells they fill, and the shards they fall into.
type Plan struct {
	options Options
	// experiments are sorted by id; runs refer to them by place.
	experiments []*experiment
	// folders are the folders of the experiments, as the lineage lists them.
	folders []dataset.Experiment
	// arms are the arms seen, and armKeys their keys; runs refer to them by place.
	arms    []arm
	armKeys []string
	factors []dataset.Factor
	// runs are sorted by id.
	runs []plannedRun
	// odd are the directories that are no runs.
	odd    []oddDirectory
	shards []shardRange
	// findings are those outside of runs.
	findings []schema.Finding
	// counts lacks only included and excluded, which the runs decide.
	counts dataset.Counts
}

// A plannedRun is a run with what the other runs say of it.
type plannedRun struct {
	id  string
	dir ingest.RunDir
	// misplaced is true where the path contradicts the manifest.
	misplaced bool
	// experiment and arm are places in the plan's lists.
	experiment int32
	arm        int32
	// task, repetition and created are the manifest's.
	task       string
	repetition schema.Opt[int64]
	created    schema.Opt[schema.Time]
	// bytes is the size of the trajectory as stored.
	bytes int64
	// packed is true of a compressed one.
	packed bool
	// armName is the plan's name of the arm, or empty in an unplanned run.
	armName string
	// extraOf is the run that came first in the cell.
	extraOf   schema.Opt[int32]
	unplanned bool
	// copies are further directories with the same id.
	copies []copiedRun
	// conflict is true where their bytes differ.
	conflict bool
}

// A copiedRun is a further directory of a run.
type copiedRun struct {
	dir ingest.RunDir
	// files are the files that were compared.
	files []dataset.InputFile
}

// An oddDirectory is one without a row in runs.
type oddDirectory struct {
	ingest.RunDir
	state dataset.State
	// finding is why the directory could not be listed, or nil.
	finding *schema.Finding
}

// An experiment is what its folder says of all its runs.
type experiment struct {
	id   string
	plan *schema.Plan
	// planSHA256 and dir say which file the plan is.
	planSHA256 string
	dir        ingest.ExperimentDir
	// tasks is what is known of each task before its run is read.
	tasks map[string]*schema.Task
	grid  *grid
	// filled is the run that fills each cell.
	filled map[cell]int32
}

// A shardRange is a contiguous range of runs; the last shard also takes the
// directories that are no runs.
type shardRange struct{ from, to int }
