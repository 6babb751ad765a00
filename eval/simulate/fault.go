package simulate

import (
	"math"

	"github.com/assay-bench/assay/schema"
)

// A Fault is one way in which a planted run or task is not as it should be, with
// what a correct reading makes of it.
type Fault struct {
	// Name names the fault in flags and in the truth.
	Name string
	// Doc says what is planted.
	Doc string
	// Rate is the default share of the planned runs, or of the tasks.
	Rate float64
	// Tasks is true where whole tasks have the fault, not single runs.
	Tasks bool
	// Finding is what reading finds in each of them, or nil.
	Finding *schema.FindingCode
	// Also is what it leads to beside that, or nil.
	Also *schema.FindingCode
	// Excluded is the reason under which each of them is excluded, or empty.
	Excluded string
	// Counts is what one of them does to the accounting; for tasks, one run of them.
	Counts Counts
	// Missing are the metrics that each run misses.
	Missing []Missing
	// listed faults need a run with candidates, evaluated ones one with test results.
	listed, evaluated bool
	// damage changes the run directory when it is written, or is nil.
	damage damage
}

// A Missing is a metric without a value.
type Missing struct {
	// Metric is the metric.
	Metric *schema.Metric
	// Reason is why.
	Reason *schema.MissingReason
}

// Counts are the numbers of the accounting identity, as the dataset's lineage has
// them.
type Counts struct {
	// Directories counts the run directories.
	Directories int64 `json:"directories"`
	// Runs counts runs that a manifest identifies, once each.
	Runs int64 `json:"runs"`
	// Copies counts directories of a run that another directory holds too.
	Copies int64 `json:"copies"`
	// Superseded counts unfinished attempts that were repeated.
	Superseded int64 `json:"superseded"`
	// Unidentified counts directories without a manifest to believe.
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

// add adds n times another count.
func (c *Counts) add(d Counts, n int64) {
	c.Directories += n * d.Directories
	c.Runs += n * d.Runs
	c.Copies += n * d.Copies
	c.Superseded += n * d.Superseded
	c.Unidentified += n * d.Unidentified
	c.Planned += n * d.Planned
	c.Absent += n * d.Absent
	c.Extra += n * d.Extra
	c.Unplanned += n * d.Unplanned
	c.Included += n * d.Included
	c.Excluded += n * d.Excluded
}

// What a fault does to the accounting of an otherwise whole study.
var (
	// excludes: the run is there and counts for nothing.
	excludes = Counts{Included: -1, Excluded: 1}
	// vanishes: the planned run has no directory.
	vanishes = Counts{Directories: -1, Runs: -1, Absent: 1, Included: -1}
	// unknown: there is a directory, and nothing says of which run.
	unknown = Counts{Runs: -1, Unidentified: 1, Absent: 1, Included: -1}
)

// Faults at the bytes of a run.
var (
	FaultTruncated = Fault{Name: "truncated", Doc: "the last line of the trajectory is cut", Rate: 0.006,
		Finding: &schema.Truncated, Excluded: schema.Truncated.Name, Counts: excludes, damage: inLines(cutLast)}
	FaultUnfinished = Fault{Name: "run_unfinished", Doc: "the trajectory ends before run_finished", Rate: 0.004,
		Finding: &schema.RunUnfinished, Excluded: schema.RunUnfinished.Name, Counts: excludes, damage: inLines(dropLast)}
	FaultSeqGap = Fault{Name: "seq_gap", Doc: "an event is lost", Rate: 0.004,
		Finding: &schema.SeqGap, Excluded: schema.SeqGap.Name, Counts: excludes, damage: inLines(dropInner)}
	FaultSeqRepeated = Fault{Name: "seq_repeated", Doc: "an event is written twice", Rate: 0.002,
		Finding: &schema.SeqRepeated, Excluded: schema.SeqRepeated.Name, Counts: excludes, damage: inLines(repeatInner)}
	FaultJSONSyntax = Fault{Name: "json_syntax", Doc: "two records stand on one line", Rate: 0.003,
		Finding: &schema.JSONSyntax, Excluded: schema.JSONSyntax.Name, Counts: excludes, damage: inLines(fuseInner)}
	FaultInvalidUTF8 = Fault{Name: "invalid_utf8", Doc: "a byte of a text is no UTF-8", Rate: 0.002,
		Finding: &schema.InvalidUTF8, Excluded: schema.InvalidUTF8.Name, Counts: excludes, damage: inText(`"model_key":"`, "\"model_key\":\"\xff")}
	FaultDuplicateKey = Fault{Name: "duplicate_key", Doc: "a key stands twice in one object", Rate: 0.002,
		Finding: &schema.DuplicateKey, Excluded: schema.DuplicateKey.Name, Counts: excludes, damage: inText(`"stop_reason":`, `"stop_reason":"length","stop_reason":`)}
	FaultEventSchema = Fault{Name: "event_schema", Doc: "a text stands where a number is due", Rate: 0.003,
		Finding: &schema.EventSchema, Excluded: schema.EventSchema.Name, Counts: excludes, damage: inText(`"output_tokens":`, `"output_tokens":"many","x_was":`)}
	FaultNumber = Fault{Name: "number_out_of_range", Doc: "a number of tokens is beyond 64 bits", Rate: 0.002,
		Finding: &schema.NumberOutOfRange, Excluded: schema.NumberOutOfRange.Name, Counts: excludes, damage: inText(`"output_tokens":`, `"output_tokens":92233720368547758070,"x_was":`)}
	FaultUnknownKey = Fault{Name: "unknown_key", Doc: "an event has a key that the contract does not know", Rate: 0.002,
		Finding: &schema.UnknownKey, Excluded: schema.UnknownKey.Name, Counts: excludes, damage: inText(`"stop_reason":`, `"finish":"stop","stop_reason":`)}
	FaultNegative = Fault{Name: "negative_value", Doc: "a latency is below zero", Rate: 0.002,
		Finding: &schema.NegativeValue, Excluded: schema.NegativeValue.Name, Counts: excludes, damage: inText(`"latency_ms":`, `"latency_ms":-1,"x_was":`)}
	FaultArtifactHash = Fault{Name: "artifact_hash_mismatch", Doc: "the patch was changed after the run", Rate: 0.002, evaluated: true,
		Finding: &schema.ArtifactHashMismatch, Excluded: schema.ArtifactHashMismatch.Name, Counts: excludes, damage: appendPatch}
	FaultArtifactMissing = Fault{Name: "artifact_missing", Doc: "test_results.json was lost; the outcome still stands in the trajectory", Rate: 0.003, evaluated: true,
		Finding: &schema.ArtifactMissing, Missing: []Missing{{&schema.FailToPass, &schema.MissingArtifact}, {&schema.PassToPass, &schema.MissingArtifact}, {&schema.Regressions, &schema.MissingArtifact}},
		damage: remove(schema.DocumentTestResults.File)}
	FaultSecret = Fault{Name: "secret", Doc: "the arguments of a tool call hold a credential, to be redacted on reading", Rate: 0.004,
		Finding: &schema.SecretDetected, damage: leak}
)

// Faults of what directories there are.
var (
	FaultManifestMissing = Fault{Name: "manifest_missing", Doc: "run_manifest.json is lost", Rate: 0.002,
		Finding: &schema.ManifestMissing, Also: &schema.ArtifactMissing, Counts: unknown, damage: remove(schema.DocumentManifest.File)}
	FaultRunID = Fault{Name: "run_id_mismatch", Doc: "the manifest was changed and no longer gives its run id", Rate: 0.002,
		Finding: &schema.RunIDMismatch, Also: &schema.ArtifactHashMismatch, Counts: unknown, damage: forge}
	FaultAbsent = Fault{Name: "absent", Doc: "a planned run never happened", Rate: 0.012, Counts: vanishes}
	FaultCopy   = Fault{Name: "copy", Doc: "the directory is there twice", Rate: 0.006, Finding: &schema.DuplicateRun,
		Counts: Counts{Directories: 1, Copies: 1}}
	FaultSuperseded = Fault{Name: "superseded", Doc: "a first attempt did not finish and was set aside", Rate: 0.006, Finding: &schema.Superseded,
		Counts: Counts{Directories: 1, Superseded: 1}}
	FaultExtra = Fault{Name: "extra_run", Doc: "the cell was run a second time, with another seed", Rate: 0.006,
		Excluded: schema.ExclusionExtraRun.Name, Counts: Counts{Directories: 1, Runs: 1, Extra: 1, Excluded: 1}}
	FaultUnplanned = Fault{Name: "unplanned", Doc: "beside it stands a run with a repetition that the plan does not have", Rate: 0.003,
		Excluded: schema.ExclusionUnplanned.Name, Counts: Counts{Directories: 1, Runs: 1, Unplanned: 1, Excluded: 1}}
)

// Faults of what runs say.
var (
	FaultInfrastructure = Fault{Name: "infrastructure", Doc: "the machine failed: the run is excluded, no failure of the agent", Rate: 0.015,
		Excluded: schema.ExclusionInfrastructure.Name, Counts: excludes}
	FaultEvaluator = Fault{Name: "evaluation_failed", Doc: "the evaluation failed: resolved_at_1 is missing", Rate: 0.010,
		Missing: []Missing{{&schema.ResolvedAt1, &schema.MissingEvaluationFailed}}}
	FaultZeroCost = Fault{Name: "zero_cost", Doc: "every call costs 0 though it has tokens: the cost was not tracked", Rate: 0.010,
		Finding: &schema.ZeroCostWithTokens, Missing: []Missing{{&schema.CostUSD, &schema.MissingZeroCost}}}
	FaultUsage = Fault{Name: "missing_usage", Doc: "a call reports no tokens", Rate: 0.030,
		Missing: []Missing{{&schema.InputTokens, &schema.MissingNoUsage}, {&schema.OutputTokens, &schema.MissingNoUsage}}}
	FaultMismatch = Fault{Name: "metric_mismatch", Doc: "the harness declares more input tokens than its calls have", Rate: 0.004,
		Finding: &schema.MetricMismatch}
	FaultOutcome = Fault{Name: "outcome_mismatch", Doc: "the declared outcome contradicts the listed tests, which decide", Rate: 0.003, evaluated: true,
		Finding: &schema.OutcomeMismatch}
	FaultUnknownPath = Fault{Name: "unknown_path", Doc: "a candidate's path ends in line numbers: it can be no file", Rate: 0.004, listed: true,
		Finding: &schema.UnknownPath}
	FaultDuplicateCandidate = Fault{Name: "duplicate_candidate", Doc: "a candidate stands twice in the list", Rate: 0.004, listed: true,
		Finding: &schema.DuplicateCandidate}
)

// Faults of whole tasks.
var (
	FaultRule = Fault{Name: "rule", Doc: "the plan's rule leaves out tasks in a language that the study does not cover", Rate: 0.02, Tasks: true,
		Excluded: schema.ExclusionRulePrefix + ruleName, Counts: excludes}
	FaultNoGold = Fault{Name: "no_gold", Doc: "the task's gold is not known: retrieval metrics are missing", Rate: 0.04, Tasks: true,
		Missing: []Missing{{&schema.FileRecallAt10, &schema.MissingNoGold}, {&schema.GoldWithinBudget, &schema.MissingNoGold}}}
)

// Faults lists every fault that can be planted.
var Faults = []*Fault{
	&FaultTruncated, &FaultUnfinished, &FaultSeqGap, &FaultSeqRepeated, &FaultJSONSyntax, &FaultInvalidUTF8, &FaultDuplicateKey,
	&FaultEventSchema, &FaultNumber, &FaultUnknownKey, &FaultNegative, &FaultArtifactHash, &FaultArtifactMissing, &FaultSecret,
	&FaultManifestMissing, &FaultRunID, &FaultAbsent, &FaultCopy, &FaultSuperseded, &FaultExtra, &FaultUnplanned,
	&FaultInfrastructure, &FaultEvaluator, &FaultZeroCost, &FaultUsage, &FaultMismatch, &FaultOutcome, &FaultUnknownPath, &FaultDuplicateCandidate,
	&FaultRule, &FaultNoGold,
}

// A Plant is how many runs or tasks get a fault.
type Plant struct {
	// Fault is the fault.
	Fault *Fault
	// Count is the number of runs, or of tasks.
	Count int
}

// DefaultFaults plants every fault at its default rate, and at least once.
func (s *Study) DefaultFaults() []Plant {
	var list []Plant
	for _, f := range Faults {
		of := s.Runs()
		if f.Tasks {
			of = s.Tasks
		}
		list = append(list, Plant{f, max(1, int(math.Round(f.Rate*float64(of))))})
	}
	return list
}

// FaultByName finds a fault.
func FaultByName(name string) (*Fault, bool) {
	for _, f := range Faults {
		if f.Name == name {
			return f, true
		}
	}
	return nil, false
}
