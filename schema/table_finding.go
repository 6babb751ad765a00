package schema

// FindingRow is one finding.
type FindingRow struct {
	// RawPath is the directory, relative to the root it was found under.
	RawPath string `col:"raw_path"`
	// Place numbers the findings of one directory from 1.
	Place int64 `col:"place"`
	// RunID is the run; missing where the directory is unidentified.
	RunID Opt[string] `col:"run_id"`
	// Code is what is wrong.
	Code string `col:"code"`
	// Severity says what it costs.
	Severity string `col:"severity"`
	// File is the file, relative to the directory.
	File Opt[string] `col:"file"`
	// Line is the line in the file, from 1; missing where the whole file is meant.
	Line Opt[int64] `col:"line"`
	// ByteColumn is the byte in the line, from 1; missing where the whole line is meant.
	ByteColumn Opt[int64] `col:"byte_column"`
	// Pointer is the JSON pointer of the value.
	Pointer Opt[string] `col:"pointer"`
	// Have is what stands there, redacted and shortened.
	Have Opt[string] `col:"have"`
	// Want is what the contract asks for.
	Want Opt[string] `col:"want"`
	// Message is the finding as a sentence.
	Message Opt[string] `col:"message"`
}

// MissingRow is one metric that an included run has no value of.
type MissingRow struct {
	// RunID is the run.
	RunID string `col:"run_id"`
	// Metric is the metric.
	Metric string `col:"metric"`
	// State is missing or not_applicable.
	State string `col:"state"`
	// Reason says why.
	Reason string `col:"reason"`
}

// ScoreRow is one score of a run's evaluation, as the source gives it.
type ScoreRow struct {
	// RunID is the run.
	RunID string `col:"run_id"`
	// Place numbers the scores of a run from 1, in the source's order.
	Place int64 `col:"place"`
	// Name is the score's name.
	Name string `col:"name"`
	// Value is the score; missing where the source's sentinel says that there is none.
	Value Opt[float64] `col:"value"`
	// Min is the smallest possible value.
	Min Opt[float64] `col:"min"`
	// Max is the largest possible value.
	Max Opt[float64] `col:"max"`
}
