package schema

// A Document is one kind of JSON file beside the trajectories.
type Document struct {
	// Name is the kind's name, such as run_manifest.
	Name string
	// File is the name of the file that holds it.
	File string
	// Doc says what the document is for.
	Doc string
	// PerLine is true where each line of the file is one document.
	PerLine bool
	// Hashed is true where the document is hashed in RFC 8785 form, so that its
	// integers are held to the range a double can tell apart.
	Hashed bool
	// fresh returns a new, empty value of the document.
	fresh func() any
}

// The documents of a run directory and of an experiment.
var (
	DocumentManifest = Document{Name: "run_manifest", File: "run_manifest.json", Hashed: true,
		Doc:   "Identity, treatment, model and environment of a run. The manifest, never the path, says what a run is.",
		fresh: func() any { return new(Manifest) }}
	DocumentPlan = Document{Name: "experiment", File: "experiment.json",
		Doc:   "The plan of an experiment: where denominators come from, so that a run that never happened is still counted.",
		fresh: func() any { return new(Plan) }}
	DocumentTask = Document{Name: "task", File: "tasks.jsonl", PerLine: true,
		Doc:   "What is known of a task; fills what a run left null.",
		fresh: func() any { return new(Task) }}
	DocumentTestResults = Document{Name: "test_results", File: "test_results.json",
		Doc:   "What an evaluation found.",
		fresh: func() any { return new(TestResults) }}
	DocumentFinalMetrics = Document{Name: "final_metrics", File: "final_metrics.json",
		Doc:   "What the harness itself reported of its run.",
		fresh: func() any { return new(FinalMetrics) }}
)

// Documents lists every document.
var Documents = []*Document{
	&DocumentManifest, &DocumentPlan, &DocumentTask, &DocumentTestResults, &DocumentFinalMetrics,
}

// Fields describes the members of the document.
func (d *Document) Fields() []Field { return FieldsOf(d.fresh()) }

// The names of the files of a run directory that hold no JSON document.
const (
	// TrajectoryFile holds the events; a compressed one has .gz or .zst behind it.
	TrajectoryFile = "trajectory.jsonl"
	// PatchFile holds the patch that the run produced.
	PatchFile = "patch.diff"
	// ContextFolder holds what the model saw, a file a hash.
	ContextFolder = "context"
)

// UnfinishedSuffix and a number stand behind the run id in the name of an
// unfinished attempt that was set aside.
const UnfinishedSuffix = ".unfinished-"
