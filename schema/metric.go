package schema

import "strings"

// A Direction says whether more of a metric is better.
type Direction string

// The directions.
const (
	// HigherBetter means that more is better.
	HigherBetter Direction = "higher"
	// LowerBetter means that less is better.
	LowerBetter Direction = "lower"
	// NoDirection means that neither is better.
	NoDirection Direction = "none"
)

// A MetricKind says how a metric is aggregated and which column type it has.
type MetricKind string

// The kinds of metrics.
const (
	// KindRate is 0 or 1 a run; its mean is a rate with numerator and denominator.
	KindRate MetricKind = "rate"
	// KindMean is a fraction or score a run; its mean is reported.
	KindMean MetricKind = "mean"
	// KindCount is a whole number a run; medians and sums are reported.
	KindCount MetricKind = "count"
	// KindAmount is a skewed amount a run (time, cost, bytes); quantiles are reported.
	KindAmount MetricKind = "quantile"
	// KindLabel is a word a run.
	KindLabel MetricKind = "label"
)

// A Level says what one value of a metric is measured on.
type Level string

// The levels.
const (
	// LevelRun is one value a run.
	LevelRun Level = "run"
	// LevelQuery is one value a query.
	LevelQuery Level = "query"
)

// A Metric is one number measured on a run or a query. The definition is here;
// package derive computes it, and a test holds the two together.
type Metric struct {
	// Name is the column, and the name in final_metrics.json.
	Name string
	// Heading is what tables print.
	Heading string
	// Group is the family, such as correctness.
	Group string
	// Unit is the unit of the value, or empty.
	Unit string
	// Kind says how it is aggregated.
	Kind MetricKind
	// Type is the column's type.
	Type ColumnType
	// Direction says whether more is better.
	Direction Direction
	// Level says what one value is measured on.
	Level Level
	// Definition says what the number is.
	Definition string
	// Denominator says which runs a mean or rate of it rests on.
	Denominator string
	// Missing says what makes it missing, and when it does not apply.
	Missing string
	// Misleads says when the number misleads.
	Misleads string
	// Source cites where the definition comes from, or empty where it is ours.
	Source string
	// Reads lists the event types and documents that the value depends on.
	Reads []string
	// Companions are the columns that stand beside the metric, in order.
	Companions []Companion
}

// A Companion is a column beside a metric that says where its value comes from
// or what stands behind it.
type Companion struct {
	// Name is the column.
	Name string
	// Type is the column's type.
	Type ColumnType
	// Unit is the unit of a number, or empty.
	Unit string
	// Doc says what the column means.
	Doc string
}

// ReadsActivity stands in Reads where the value depends on whether the run has
// any event besides run_started and run_finished: only such a run can be said to
// have spent nothing, where others merely recorded nothing.
const ReadsActivity = "activity"

// missingWhere says when a metric is missing because the source does not record
// what it counts.
func missingWhere(words ...*Word) string {
	var names []string
	for _, w := range words {
		names = append(names, w.Name)
	}
	return MissingNotRecorded.Name + " where the manifest lists " + strings.Join(names, " or ") + " as not recorded"
}
