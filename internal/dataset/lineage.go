package dataset

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/assay-bench/assay/schema"
)

// Version is the version of the shape of the tables. A minor version adds
// columns or tables, or leaves a column NULL for runs that could not be recorded
// before; a major version changes what a column means.
const Version = "1.1.0"

// A Lineage says what a dataset was made from, by what, and what it holds.
type Lineage struct {
	// SchemaVersion is the version of the shape of the tables.
	SchemaVersion string `json:"schema_version"`
	// DatasetID names the dataset by its inputs, code and options.
	DatasetID string `json:"dataset_id"`
	// CodeRevision is the revision of the program that made the dataset.
	CodeRevision string `json:"code_revision"`
	// CreatedAt is when the dataset was made; no other file holds a time of its own.
	CreatedAt schema.Time `json:"created_at"`
	// ContractVersions are the versions of the raw contract that were read.
	ContractVersions []string `json:"contract_versions"`
	// InputRunsSHA256 is the SHA-256 over the lines of Experiments and of the inputs.
	InputRunsSHA256 string `json:"input_runs_sha256"`
	// Options are the choices that change rows.
	Options Options `json:"options"`
	// Counts are the numbers of the accounting identity.
	Counts Counts `json:"counts"`
	// Factors are the experimental factors with their columns.
	Factors []Factor `json:"factors"`
	// Files are the Parquet files. Nothing finds data by listing a folder.
	Files []File `json:"files"`
	// Experiments are the documents that belong to whole experiments.
	Experiments []Experiment `json:"experiments"`
}

// Options are the choices of derive that change rows.
type Options struct {
	// ExcludeConflicts excludes runs whose directories differ under one id, instead
	// of refusing them.
	ExcludeConflicts bool `json:"exclude_conflicts"`
	// StrictSecrets excludes runs that hold text which looks like a secret.
	StrictSecrets bool `json:"strict_secrets"`
}

// Counts are the numbers of the accounting identity:
//
//	directories        = runs + copies + superseded + unidentified
//	planned + unplanned = runs + absent - extra
//	runs               = included + excluded
type Counts struct {
	// Directories counts the run directories found.
	Directories int64 `json:"directories"`
	// Runs counts the rows of runs.
	Runs int64 `json:"runs"`
	// Copies counts directories that hold a run which another directory holds too.
	Copies int64 `json:"copies"`
	// Superseded counts unfinished attempts that were repeated.
	Superseded int64 `json:"superseded"`
	// Unidentified counts directories without a manifest that reproduces its id.
	Unidentified int64 `json:"unidentified"`
	// Planned counts the planned cells.
	Planned int64 `json:"planned"`
	// Absent counts the planned cells without a run.
	Absent int64 `json:"absent"`
	// Extra counts runs of a cell beyond its first.
	Extra int64 `json:"extra"`
	// Unplanned counts runs in no planned cell.
	Unplanned int64 `json:"unplanned"`
	// Included counts the runs that metrics rest on.
	Included int64 `json:"included"`
	// Excluded counts the others.
	Excluded int64 `json:"excluded"`
}

// Check reports the equation that does not hold.
func (c Counts) Check() error {
	switch {
	case c.Directories != c.Runs+c.Copies+c.Superseded+c.Unidentified:
		return fmt.Errorf("accounting: have %d directories, want runs %d + copies %d + superseded %d + unidentified %d",
			c.Directories, c.Runs, c.Copies, c.Superseded, c.Unidentified)
	case c.Planned+c.Unplanned != c.Runs+c.Absent-c.Extra:
		return fmt.Errorf("accounting: have planned %d + unplanned %d, want runs %d + absent %d - extra %d",
			c.Planned, c.Unplanned, c.Runs, c.Absent, c.Extra)
	case c.Runs != c.Included+c.Excluded:
		return fmt.Errorf("accounting: have %d runs, want included %d + excluded %d", c.Runs, c.Included, c.Excluded)
	}
	return nil
}

// A File is one Parquet file of a dataset.
type File struct {
	// Path is relative to the dataset, with slashes.
	Path string `json:"path"`
	// Table is the table that the file is, or is a part of.
	Table string `json:"table"`
	// Rows is the number of rows.
	Rows int64 `json:"rows"`
	// Bytes is the size.
	Bytes int64 `json:"bytes"`
	// SHA256 is the hash of the bytes.
	SHA256 string `json:"sha256"`
}

// An Experiment lists the documents of one experiment's folder.
type Experiment struct {
	// ExperimentID names the experiment, or is empty where the plan could not be read.
	ExperimentID string `json:"experiment_id"`
	// Path is the folder, relative to its root.
	Path string `json:"path"`
	// Files are experiment.json and tasks.jsonl, where they exist.
	Files []InputFile `json:"files"`
	// Plan is the experiment's plan, whose reference levels, outcomes and strata
	// the tables ask for; missing where there is none.
	Plan *schema.Plan `json:"plan"`
}

// A State says what a directory was taken for.
type State string

// The states of a directory.
const (
	// StateRun is a directory with a row in runs.
	StateRun State = "run"
	// StateCopy holds a run that another directory holds too.
	StateCopy State = "copy"
	// StateSuperseded is an unfinished attempt that was repeated.
	StateSuperseded State = "superseded"
	// StateUnidentified has no manifest that reproduces its id.
	StateUnidentified State = "unidentified"
	// StateLink is a link, which is not followed.
	StateLink State = "link"
	// StateUnread is a plan or a list of tasks that could not be read.
	StateUnread State = "unread"
)

// An Input is one run directory that the dataset was made from.
type Input struct {
	// RunID is the run, missing where the directory could not be identified.
	RunID schema.Opt[string] `json:"run_id"`
	// Path is the directory, relative to the root it was found under.
	Path string `json:"path"`
	// State says what the directory was taken for.
	State State `json:"state"`
	// Files are the files that were read, by name.
	Files []InputFile `json:"files"`
	// Unread are those that stand there and could not be read, by name: what is found
	// of them is a part of the dataset, so they are of what it was made from.
	Unread []UnreadFile `json:"unread,omitempty"`
}

// An UnreadFile is a name that leads to no bytes.
type UnreadFile struct {
	// Name is relative to the directory; empty for the directory itself.
	Name string `json:"name"`
	// Have says why: a link, a directory, permission denied.
	Have string `json:"have"`
}

// An InputFile is one raw file with its hash.
type InputFile struct {
	// Name is relative to the directory.
	Name string `json:"name"`
	// SHA256 is the hash of the bytes as they lie on disk.
	SHA256 string `json:"sha256"`
	// Bytes is the size.
	Bytes int64 `json:"bytes"`
}

// ID is the dataset's id: the first 16 hex digits of the SHA-256 over the
// RFC 8785 form of what decides its bytes.
func ID(schemaVersion, codeRevision string, options Options, inputRunsSHA256 string) string {
	text, err := json.Marshal(identity{codeRevision, inputRunsSHA256, options, schemaVersion})
	if err != nil {
		panic("dataset: " + err.Error())
	}
	sum, err := schema.CanonicalSHA256(text)
	if err != nil {
		panic("dataset: " + err.Error())
	}
	return sum[:16]
}

// An identity is what a dataset's id is the hash of.
type identity struct {
	// CodeRevision is the revision of the program.
	CodeRevision string `json:"code_revision"`
	// InputRunsSHA256 is the digest of the inputs.
	InputRunsSHA256 string `json:"input_runs_sha256"`
	// Options are the choices that change rows.
	Options Options `json:"options"`
	// SchemaVersion is the version of the shape of the tables.
	SchemaVersion string `json:"schema_version"`
}

// Metadata is the key-value metadata of each of the dataset's files.
func (l *Lineage) Metadata(table string) map[string]string {
	return map[string]string{
		"assay.schema":            table,
		"assay.schema_version":    l.SchemaVersion,
		"assay.dataset_id":        l.DatasetID,
		"assay.code_revision":     l.CodeRevision,
		"assay.input_runs_sha256": l.InputRunsSHA256,
	}
}
