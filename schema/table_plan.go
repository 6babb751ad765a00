package schema

// PlanRow is one planned cell and repetition, with the run that fills it. The
// treatment's factors come last.
type PlanRow struct {
	// ExperimentID names the experiment.
	ExperimentID string `col:"experiment_id"`
	// Arm is the combination of harness, model and treatment that is compared.
	Arm string `col:"arm"`
	// HarnessID names the program under study.
	HarnessID string `col:"harness_id"`
	// ModelKey is the model; missing where no model runs.
	ModelKey Opt[string] `col:"model_key"`
	// TaskID names the task.
	TaskID string `col:"task_id"`
	// Repetition numbers the runs of one cell from 1; missing where the runs have no number.
	Repetition Opt[int64] `col:"repetition"`
	// RunID is the run that fills the cell; missing where it is absent.
	RunID Opt[string] `col:"run_id"`
	// Inferred is true where there is no plan, and the cell follows from the arms, tasks and repetitions seen.
	Inferred bool `col:"inferred"`
	// Treatment holds the factor levels, from which the columns factor_<name> are made.
	Treatment Members[Scalar]
}

// ExclusionRow is one reason for which a run or a directory is left out.
type ExclusionRow struct {
	// RawPath is the directory, relative to the root it was found under.
	RawPath string `col:"raw_path"`
	// Place numbers the reasons of one directory from 1; the first is the one it is counted under.
	Place int64 `col:"place"`
	// Class is excluded, copy, superseded or unidentified: which line of the accounting the directory stands in.
	Class string `col:"class"`
	// Reason is the finding code, the exclusion reason, or rule:<name>.
	Reason string `col:"reason"`
	// RunID is the run; missing where the directory is unidentified.
	RunID Opt[string] `col:"run_id"`
	// ExperimentID names the experiment.
	ExperimentID Opt[string] `col:"experiment_id"`
	// HarnessID names the program under study.
	HarnessID Opt[string] `col:"harness_id"`
	// ModelKey is the model.
	ModelKey Opt[string] `col:"model_key"`
	// TaskID names the task.
	TaskID Opt[string] `col:"task_id"`
	// Arm is the combination that is compared.
	Arm Opt[string] `col:"arm"`
	// File is the file that shows the reason.
	File Opt[string] `col:"file"`
	// Line is the line in it, from 1.
	Line Opt[int64] `col:"line"`
	// Have is what stands there, redacted.
	Have Opt[string] `col:"have"`
}

// The classes of an ExclusionRow.
const (
	// ClassExcluded is a run that is left out of every metric.
	ClassExcluded = "excluded"
	// ClassCopy is a further directory of the same run and bytes.
	ClassCopy = "copy"
	// ClassSuperseded is an unfinished attempt that was repeated.
	ClassSuperseded = "superseded"
	// ClassUnidentified is a directory that cannot be believed to be a run.
	ClassUnidentified = "unidentified"
)
