package pipeline

import (
	"runtime"

	"github.com/assay-bench/assay/internal/dataset"
	"github.com/assay-bench/assay/schema"
)

// Options are what the caller decides of a derivation.
type Options struct {
	dataset.Options
	// Workers is how many runs are read at once; 0 means one for each processor
	// that the program may use. It changes no byte of the result.
	Workers int
	// CodeRevision names the program; see CodeRevision.
	CodeRevision string
	// CreatedAt is the time to write into the lineage; see CreationTime.
	CreatedAt schema.Time
	// Progress is called now and then, from one goroutine at a time; or nil.
	Progress func(Progress)
	// shardBytes is the input of one shard; 0 means maxShardBytes.
	shardBytes int64
}

// workers is the number of workers, at least one.
func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Progress says how far a derivation is.
type Progress struct {
	// Stage is reading manifests, reading runs, or writing the dataset.
	Stage string
	// Done counts the directories or runs that are done.
	Done int64
	// Total is how many there are.
	Total int64
}

// The stages of a derivation.
const (
	// StagePlan reads manifests.
	StagePlan = "reading manifests"
	// StageRuns reads and derives runs.
	StageRuns = "reading runs"
	// StageCommit writes what belongs to the whole dataset.
	StageCommit = "writing the dataset"
)

// A Summary is what a derivation has to say.
type Summary struct {
	// Dir is the dataset's folder; empty where nothing was written.
	Dir string
	// DatasetID is the dataset's id; empty where nothing was written.
	DatasetID string
	// Counts are the numbers of the accounting.
	Counts dataset.Counts
	// Inferred is how many of the planned cells no plan named: they follow from the
	// arms, tasks and repetitions seen.
	Inferred int64
	// Findings counts the findings by code, of which only those are listed that
	// were found.
	Findings []CodeCount
	// Excluded counts the excluded runs by the reason that counts.
	Excluded []ReasonCount
	// Rows is the number of rows of all tables.
	Rows int64
	// InputBytes is the size of the files read.
	InputBytes int64
}

// A CodeCount is a finding code with how often it was found, by severity.
type CodeCount struct {
	// Code is the finding code.
	Code *schema.FindingCode
	// Severity is the severity that the findings have.
	Severity schema.Severity
	// Count is their number.
	Count int64
}

// A ReasonCount is a reason for exclusion with the runs that it counts for.
type ReasonCount struct {
	// Reason is the finding code, the exclusion reason, or rule:<name>.
	Reason string `json:"reason"`
	// Count is the number of runs.
	Count int64 `json:"count"`
}

// Clean reports whether nothing was found that needs a look: no finding of
// severity error or warning, and every directory a run.
func (s *Summary) Clean() bool {
	for _, f := range s.Findings {
		if f.Severity != schema.SeverityInfo {
			return false
		}
	}
	return s.Counts.Unidentified == 0
}
