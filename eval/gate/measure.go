package gate

// Kind says how two figures of a measure are compared.
type Kind string

// The kinds of measures.
const (
	// Rate lies between 0 and 1 and is compared by difference: a limit of 0.02 is two points.
	Rate Kind = "rate"
	// Amount is compared in proportion to its baseline: a limit of 0.02 is two per cent of it.
	Amount Kind = "amount"
	// Count is a number of tasks and is compared by difference: a limit of 0 allows no more of them.
	Count Kind = "count"
)

// Direction says which way is better.
type Direction string

// The two directions.
const (
	// HigherIsBetter: a fall is a loss.
	HigherIsBetter Direction = "higher_is_better"
	// LowerIsBetter: a rise is a loss.
	LowerIsBetter Direction = "lower_is_better"
)

// Measure is one figure that a gate compares.
type Measure struct {
	// Name is the key in the file and the heading in a report.
	Name string
	// Kind says how figures are compared.
	Kind Kind
	// Direction says which way is better.
	Direction Direction
	// Doc says what it is, and when it misleads.
	Doc string
}

// The measures of the evaluators.
var (
	RecallAt5 = Measure{"recall@5", Rate, HigherIsBetter,
		"mean over tasks of the share of gold files among the first 5 distinct files; misleads where most tasks have more than 5 gold files"}
	RecallAt10 = Measure{"recall@10", Rate, HigherIsBetter,
		"mean over tasks of the share of gold files among the first 10 distinct files; blind to their order within the 10"}
	HitAt10 = Measure{"hit@10", Rate, HigherIsBetter,
		"share of tasks with at least one gold file among the first 10; blind to all gold files but one"}
	MeanTokens = Measure{"tokens", Amount, LowerIsBetter,
		"mean over tasks of the answer's serialised bytes / 4; an empty answer is cheapest, so read it beside recall"}
	Errors = Measure{"errors", Count, LowerIsBetter,
		"tasks in which the tool failed, hung or printed nonsense; they also count as 0 in the rates"}
	PassRate = Measure{"pass_rate", Rate, HigherIsBetter,
		"share of questions with at least 0.60 of their keywords in the first results; blind below the mark"}
	KeywordRecall = Measure{"keyword_recall", Rate, HigherIsBetter,
		"mean over questions that did not fail of the share of keywords found; generic keywords inflate it"}
	Empty = Measure{"empty", Count, LowerIsBetter,
		"questions that brought no result or only blank ones; even one points at a broken pipeline"}
)

// Measures is the list of all of them.
var Measures = []Measure{RecallAt5, RecallAt10, HitAt10, MeanTokens, Errors, PassRate, KeywordRecall, Empty}

// Evaluator is an instrument that writes summaries: which figures a summary of it must hold, and the version
// of its scoring. Figures scored by different versions are not comparable.
type Evaluator struct {
	// Name is the subcommand that runs it.
	Name string
	// Version changes with any change to what its figures mean.
	Version string
	// Measures are all required on both sides.
	Measures []Measure
	// TaskWord is what its tasks are called in messages, in the plural.
	TaskWord string
}

// The evaluators.
var (
	GitHistory = Evaluator{"eval git", "1", []Measure{RecallAt5, RecallAt10, HitAt10, MeanTokens, Errors}, "tasks"}
	Questions  = Evaluator{"eval recall", "1", []Measure{PassRate, KeywordRecall, Empty, Errors}, "questions"}
)

// Evaluators is the list of all of them.
var Evaluators = []Evaluator{GitHistory, Questions}

// measureNamed finds a measure by its name in a file.
func measureNamed(name string) (Measure, bool) {
	for _, m := range Measures {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}

// evaluatorNamed finds an evaluator by its name in a file.
func evaluatorNamed(name string) (Evaluator, bool) {
	for _, e := range Evaluators {
		if e.Name == name {
			return e, true
		}
	}
	return Evaluator{}, false
}
