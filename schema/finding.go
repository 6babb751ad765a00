package schema

// A Severity says what a finding does to its run.
type Severity string

// The severities, worst first.
const (
	// SeverityError excludes the run.
	SeverityError Severity = "error"
	// SeverityWarning makes the metrics missing that the code names.
	SeverityWarning Severity = "warning"
	// SeverityInfo is recorded; nothing is missing.
	SeverityInfo Severity = "info"
)

// A FindingCode is one way in which raw data can be at fault.
type FindingCode struct {
	// Name is the code, as it stands in findings.parquet and excluded_by.
	Name string
	// Severity is what the fault costs.
	Severity Severity
	// Doc says when it is found.
	Doc string
	// EventsKept is true where an excluded run's event rows are still written.
	EventsKept bool
	// Unidentified is true where the directory cannot be believed to be a run.
	Unidentified bool
	// NewerMinor is true where the fault is only noted in a document of a newer minor version.
	NewerMinor bool
}

// The finding codes of severity error, in the order in which they exclude a run.
var (
	ManifestMissing            = FindingCode{Name: "manifest_missing", Severity: SeverityError, Unidentified: true, Doc: "the directory holds a trajectory and no run_manifest.json"}
	ManifestUnreadable         = FindingCode{Name: "manifest_unreadable", Severity: SeverityError, Unidentified: true, Doc: "run_manifest.json is not one JSON object, or cannot be opened"}
	ManifestSchema             = FindingCode{Name: "manifest_schema", Severity: SeverityError, Unidentified: true, Doc: "run_manifest.json has a wrong type, a missing key or a value outside its set"}
	ManifestVersionUnsupported = FindingCode{Name: "manifest_version_unsupported", Severity: SeverityError, Doc: "the manifest's contract has another major version"}
	EventVersionUnsupported    = FindingCode{Name: "event_version_unsupported", Severity: SeverityError, Doc: "an event's contract has another major version, or another version than the manifest"}
	RunIDMismatch              = FindingCode{Name: "run_id_mismatch", Severity: SeverityError, Unidentified: true, Doc: "the id recomputed from the manifest is another"}
	ConfigHashMismatch         = FindingCode{Name: "config_hash_mismatch", Severity: SeverityError, Doc: "a configuration's recomputed hash is another"}
	PathMismatch               = FindingCode{Name: "path_mismatch", Severity: SeverityError, Doc: "the directory's path contradicts the manifest"}
	DuplicateRun               = FindingCode{Name: "duplicate_run", Severity: SeverityError, Doc: "another directory holds the same run; the first path stays"}
	TrajectoryMissing          = FindingCode{Name: "trajectory_missing", Severity: SeverityError, Doc: "there is no trajectory"}
	TrajectoryEmpty            = FindingCode{Name: "trajectory_empty", Severity: SeverityError, Doc: "the trajectory holds no line"}
	TrajectoryAmbiguous        = FindingCode{Name: "trajectory_ambiguous", Severity: SeverityError, Doc: "there is more than one trajectory, plain and compressed"}
	CompressionDamaged         = FindingCode{Name: "compression_damaged", Severity: SeverityError, Doc: "the compressed trajectory is cut or damaged"}
	ChangedWhileReading        = FindingCode{Name: "changed_while_reading", Severity: SeverityError, Doc: "a file changed while it was read"}
	Unreadable                 = FindingCode{Name: "unreadable", Severity: SeverityError, Unidentified: true, Doc: "a file or directory cannot be opened or read"}
	JSONSyntax                 = FindingCode{Name: "json_syntax", Severity: SeverityError, Doc: "a line is not exactly one JSON object"}
	InvalidUTF8                = FindingCode{Name: "invalid_utf8", Severity: SeverityError, Doc: "a line is not UTF-8, or holds an unpaired surrogate"}
	DuplicateKey               = FindingCode{Name: "duplicate_key", Severity: SeverityError, Doc: "an object holds a key twice"}
	LineTooLong                = FindingCode{Name: "line_too_long", Severity: SeverityError, Doc: "a line is longer than 64 MiB"}
	DepthLimit                 = FindingCode{Name: "depth_limit", Severity: SeverityError, Doc: "values are nested deeper than 64"}
	NumberOutOfRange           = FindingCode{Name: "number_out_of_range", Severity: SeverityError, Doc: "an integer beyond its range, or a number beyond a double"}
	EventSchema                = FindingCode{Name: "event_schema", Severity: SeverityError, Doc: "a wrong type, a missing required key or a value outside its set"}
	UnknownKey                 = FindingCode{Name: "unknown_key", Severity: SeverityError, NewerMinor: true, Doc: "a key that the contract does not know and that does not begin with x_"}
	UnknownEventType           = FindingCode{Name: "unknown_event_type", Severity: SeverityError, NewerMinor: true, Doc: "an event type that the contract does not know"}
	EventRunIDMismatch         = FindingCode{Name: "event_run_id_mismatch", Severity: SeverityError, Doc: "an event belongs to another run"}
	SeqGap                     = FindingCode{Name: "seq_gap", Severity: SeverityError, Doc: "seq is above the expected number"}
	SeqRepeated                = FindingCode{Name: "seq_repeated", Severity: SeverityError, Doc: "seq is at or below the last one"}
	NotStartedFirst            = FindingCode{Name: "not_started_first", Severity: SeverityError, Doc: "the first event is not run_started, or a later one is"}
	EventsAfterFinish          = FindingCode{Name: "events_after_finish", Severity: SeverityError, Doc: "there are events after run_finished"}
	Truncated                  = FindingCode{Name: "truncated", Severity: SeverityError, EventsKept: true, Doc: "the last line was cut, and there is no run_finished"}
	RunUnfinished              = FindingCode{Name: "run_unfinished", Severity: SeverityError, EventsKept: true, Doc: "whole lines, but no run_finished"}
	NegativeValue              = FindingCode{Name: "negative_value", Severity: SeverityError, Doc: "a duration, count or token number below zero"}
	ArtifactHashMismatch       = FindingCode{Name: "artifact_hash_mismatch", Severity: SeverityError, Doc: "a file is not the one that run_finished or test_results.json names"}
	UnsafePath                 = FindingCode{Name: "unsafe_path", Severity: SeverityError, Unidentified: true, Doc: "a link or artifact path leaves the run directory, or a directory has a name that is not UTF-8"}
)

// The finding codes that exclude no run.
var (
	TimeRegression     = FindingCode{Name: "time_regression", Severity: SeverityWarning, Doc: "a duration that a metric needs is negative; other steps back are of severity info"}
	ArtifactMissing    = FindingCode{Name: "artifact_missing", Severity: SeverityWarning, Doc: "a file that run_finished names is not there"}
	SecretDetected     = FindingCode{Name: "secret_detected", Severity: SeverityInfo, Doc: "text that looks like a secret was redacted on reading"}
	Superseded         = FindingCode{Name: "superseded", Severity: SeverityInfo, Doc: "an unfinished attempt that was renamed when the run was repeated"}
	NewerMinorVersion  = FindingCode{Name: "newer_minor_version", Severity: SeverityInfo, Doc: "the document's contract has a higher minor version; unknown keys are noted"}
	MetricMismatch     = FindingCode{Name: "metric_mismatch", Severity: SeverityInfo, Doc: "a declared value differs from the one computed; both are kept"}
	ZeroCostWithTokens = FindingCode{Name: "zero_cost_with_tokens", Severity: SeverityInfo, Doc: "a cost of 0 beside tokens: kept as declared, missing as cost unless the model is free"}
	OutcomeMismatch    = FindingCode{Name: "outcome_mismatch", Severity: SeverityInfo, Doc: "the declared outcome contradicts the listed tests"}
	DuplicateGold      = FindingCode{Name: "duplicate_gold", Severity: SeverityInfo, Doc: "the known answer lists something twice; it counts once"}
	RankDisagreement   = FindingCode{Name: "rank_disagreement", Severity: SeverityInfo, Doc: "ranks and scores order candidates differently"}
	DuplicateCandidate = FindingCode{Name: "duplicate_candidate", Severity: SeverityInfo, Doc: "a query returned one candidate twice; the first place counts"}
	UnknownPath        = FindingCode{Name: "unknown_path", Severity: SeverityInfo, Doc: "a path that can be no file of the repository; it keeps its rank"}
	TaskConflict       = FindingCode{Name: "task_conflict", Severity: SeverityInfo, Doc: "what is said of a task differs between sources"}
	PlanUnreadable     = FindingCode{Name: "plan_unreadable", Severity: SeverityWarning, Doc: "experiment.json or a line of tasks.jsonl cannot be read; it is left out"}
	DocumentUnreadable = FindingCode{Name: "document_unreadable", Severity: SeverityWarning, Doc: "test_results.json or final_metrics.json breaks the contract; metrics of that file are missing"}
	FindingsOmitted    = FindingCode{Name: "findings_omitted", Severity: SeverityInfo, Doc: "of one code a run has more findings than are listed; the rest is counted"}
	LinkNotFollowed    = FindingCode{Name: "link_not_followed", Severity: SeverityInfo, Doc: "a symbolic link among the run directories; links are not followed"}
)

// The exclusion reasons that are not faults of bytes. Rules of the plan exclude
// under rule:<name>.
var (
	ExclusionInfrastructure = FindingCode{Name: "infrastructure", Severity: SeverityError, EventsKept: true, Doc: "the apparatus was at fault: failure stage setup or infrastructure, or a cancelled run"}
	ExclusionExtraRun       = FindingCode{Name: "extra_run", Severity: SeverityError, EventsKept: true, Doc: "another run of the same cell came first"}
	ExclusionUnplanned      = FindingCode{Name: "unplanned", Severity: SeverityError, EventsKept: true, Doc: "the run is in no planned cell"}
)

// FindingCodes lists every code that a finding can have; those of severity
// error stand in the order in which they exclude a run.
var FindingCodes = []*FindingCode{
	&ManifestMissing, &ManifestUnreadable, &ManifestSchema, &ManifestVersionUnsupported, &EventVersionUnsupported,
	&RunIDMismatch, &ConfigHashMismatch, &PathMismatch, &DuplicateRun,
	&TrajectoryMissing, &TrajectoryEmpty, &TrajectoryAmbiguous, &CompressionDamaged, &ChangedWhileReading, &Unreadable,
	&JSONSyntax, &InvalidUTF8, &DuplicateKey, &LineTooLong, &DepthLimit, &NumberOutOfRange,
	&EventSchema, &UnknownKey, &UnknownEventType,
	&EventRunIDMismatch, &SeqGap, &SeqRepeated, &NotStartedFirst, &EventsAfterFinish,
	&Truncated, &RunUnfinished, &NegativeValue, &ArtifactHashMismatch, &UnsafePath,
	&TimeRegression, &ArtifactMissing, &PlanUnreadable, &DocumentUnreadable,
	&SecretDetected, &Superseded, &NewerMinorVersion, &MetricMismatch, &ZeroCostWithTokens, &OutcomeMismatch,
	&DuplicateGold, &RankDisagreement, &DuplicateCandidate, &UnknownPath, &TaskConflict, &LinkNotFollowed, &FindingsOmitted,
}

// ExclusionReasons lists the reasons for leaving a run out that are not faults of bytes.
var ExclusionReasons = []*FindingCode{
	&ExclusionInfrastructure, &ExclusionExtraRun, &ExclusionUnplanned,
}

// ExclusionRulePrefix begins the reason of a run that a rule of its plan leaves out;
// the rule's name follows.
const ExclusionRulePrefix = "rule:"

// FindingCodeByName finds a finding code or an exclusion reason.
func FindingCodeByName(name string) (*FindingCode, bool) {
	for _, list := range [][]*FindingCode{FindingCodes, ExclusionReasons} {
		for _, c := range list {
			if c.Name == name {
				return c, true
			}
		}
	}
	return nil, false
}

// A Finding is one fault of raw data, with its place. A fault never stops the
// whole read and never disappears.
type Finding struct {
	// Code is what is wrong.
	Code *FindingCode
	// Severity is the code's, unless the place softens it.
	Severity Severity
	// RunPath is the run directory, relative to the root it was found under.
	RunPath string
	// RunID is the run, where the directory could be identified.
	RunID string
	// File is the file, relative to the run directory.
	File string
	// Line is the line in the file, from 1; 0 where the whole file is meant.
	Line int64
	// Column is the byte in the line, from 1; 0 where the whole line is meant.
	Column int64
	// Pointer is the JSON pointer of the value in its line or document.
	Pointer string
	// Have is what stands there, redacted and shortened.
	Have string
	// Want is what the contract asks for.
	Want string
}
