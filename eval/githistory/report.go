package githistory

import (
	"github.com/assay-bench/assay/eval/gate"
	"github.com/assay-bench/assay/stats"
)

const (
	// level is that of every interval in a report.
	level = 0.95
	// resamplingSeed starts the bootstrap and the sign flips of a report. It is printed there.
	resamplingSeed = 1
)

// Report is what an evaluation found. It holds no time, path of this machine or host: the same commits, tools and
// code give the same bytes.
type Report struct {
	// Repo is the repository's name.
	Repo string `json:"repo"`
	// Base is the commit that the tools saw; empty for captured cases, which have each their own.
	Base string `json:"base,omitzero"`
	// Head is the last commit that could be a task.
	Head string `json:"head,omitzero"`
	// Seen is every commit or case that was looked at: tasks and skipped.
	Seen int `json:"commits_seen"`
	// Tasks is how many of them became tasks.
	Tasks int `json:"tasks"`
	// Skipped counts the others by reason, in the order in which reasons are asked.
	Skipped []SkippedCount `json:"skipped"`
	// ShallowHistory is how many earlier commits the tools could learn from, where a shallow clone lacks the others:
	// popular, cochange and hybrid are then not what they are on a whole clone.
	ShallowHistory *int `json:"shallow_history,omitzero"`
	// Arms are what was compared: tools, or combinations of tools and other factors.
	Arms []ArmReport `json:"arms"`
	// Differences compare the first arm with each other one; where factors are crossed, with those that differ from
	// it in one factor alone.
	Differences []Difference `json:"differences"`
	// Seed is that of the resampling.
	Seed uint64 `json:"seed"`
	// Results has every task with what each arm named, where it was asked for.
	Results []TaskReport `json:"results,omitzero"`
}

// SkippedCount is how many commits one reason took.
type SkippedCount struct {
	// Reason is the rule.
	Reason Reason `json:"reason"`
	// Count is how many it left out.
	Count int `json:"count"`
}

// ArmReport is what one arm reached over all tasks. A failed task counts as 0 in the rates.
type ArmReport struct {
	// Name is the arm's.
	Name string `json:"name"`
	// Tool is what answered.
	Tool string `json:"tool"`
	// Query is the form of the question.
	Query QueryForm `json:"query"`
	// Limit is how many results were asked for.
	Limit int `json:"limit"`
	// Budget is in tokens.
	Budget int `json:"budget"`
	// Packing is how much of a file counts against the budget.
	Packing Packing `json:"packing"`
	// Tasks is how many tasks it was asked.
	Tasks int `json:"tasks"`
	// RecallAt5 is the mean over tasks of the share of gold files among the first 5, an exact fraction as all here.
	RecallAt5 gate.Figure `json:"recall@5"`
	// RecallAt10 is the same of the first 10.
	RecallAt10 gate.Figure `json:"recall@10"`
	// HitAt10 is the share of tasks with a gold file among the first 10.
	HitAt10 gate.Figure `json:"hit@10"`
	// MRR is the mean reciprocal rank of the first gold file.
	MRR gate.Figure `json:"mrr"`
	// InBudget is the mean share of gold files that fit into the budget.
	InBudget gate.Figure `json:"gold_in_budget"`
	// Tokens is the mean size of an answer.
	Tokens gate.Figure `json:"tokens"`
	// Errors counts the tasks in which the tool failed, hung or printed nonsense.
	Errors int `json:"errors"`
	// UnknownPaths counts answered paths that name no file of base, over all tasks.
	UnknownPaths int `json:"unknown_paths"`
}

// Difference compares the first arm with another one on recall@10, task by task.
type Difference struct {
	// First is the name of the first arm; the estimate is first minus second.
	First string `json:"first"`
	// Second is the name of the other arm.
	Second string `json:"second"`
	// Estimate is the mean difference over tasks.
	Estimate float64 `json:"estimate"`
	// Low bounds it from below at 95%; null where Reason says that no interval could be made.
	Low *float64 `json:"low"`
	// High bounds it from above.
	High *float64 `json:"high"`
	// Method names the interval's; empty where there is none.
	Method string `json:"method,omitzero"`
	// Reason says why there is no interval.
	Reason stats.Reason `json:"reason,omitzero"`
	// P is the two-sided p-value of Test; null where it cannot be had.
	P *float64 `json:"p"`
	// Test names the test of P.
	Test string `json:"test,omitzero"`
	// Better counts the tasks on which the first arm had a higher recall@10.
	Better int `json:"better"`
	// Worse counts those with a lower one.
	Worse int `json:"worse"`
	// Equal counts the others.
	Equal int `json:"equal"`
	// Detectable is the true difference that this many tasks, as unlike as these were, would show in 80 of 100
	// studies at the 5% level; null where the differences do not vary, or no test of so few tasks can decide.
	Detectable *float64 `json:"detectable"`
}

// TaskReport is one task with what each arm named.
type TaskReport struct {
	// ID is the commit.
	ID string `json:"id"`
	// Subject is the question.
	Subject string `json:"subject"`
	// Gold is what should have been found.
	Gold []string `json:"gold"`
	// Added counts the paths of the commit that nobody could find.
	Added int `json:"added"`
	// Arms are the answers, in the order of the report's arms.
	Arms []TaskArm `json:"arms"`
}

// TaskArm is one arm's answer to one task.
type TaskArm struct {
	// Name is the arm's.
	Name string `json:"name"`
	// Files are the distinct files that it named, best first.
	Files []string `json:"files"`
	// Missed are the gold files that it did not name among the first ten.
	Missed []string `json:"missed"`
	// Status says how the tool ended.
	Status Status `json:"status"`
	// Reason is one line where it did not end well.
	Reason string `json:"reason,omitzero"`
	// RecallAt10 is that of this task.
	RecallAt10 gate.Figure `json:"recall@10"`
	// Tokens is the size of the answer.
	Tokens gate.Figure `json:"tokens"`
}

// NewReport sums a result up; details adds every task.
func NewReport(r Result, details bool) Report {
	report := Report{
		Repo: r.Set.Repo, Base: r.Set.Base, Head: r.Set.Head, Seen: r.Set.Seen(), Tasks: len(r.Set.Tasks), Seed: resamplingSeed,
		ShallowHistory: r.ShallowHistory,
	}
	for _, reason := range Reasons {
		report.Skipped = append(report.Skipped, SkippedCount{reason, r.Set.SkippedFor(reason)})
	}
	for a, arm := range r.Arms {
		report.Arms = append(report.Arms, armReport(r, a, arm))
	}
	for a := 1; a < len(r.Arms); a++ {
		if r.Arms[0].apart(r.Arms[a]) == 1 {
			report.Differences = append(report.Differences, difference(r, a))
		}
	}
	if details {
		for i, task := range r.Set.Tasks {
			report.Results = append(report.Results, taskReport(r, i, task))
		}
	}
	return report
}

// column collects one figure of an arm over the tasks.
func column(r Result, a int, figure func(Score) gate.Figure) []gate.Figure {
	figures := make([]gate.Figure, len(r.Outcomes))
	for i, row := range r.Outcomes {
		figures[i] = figure(row[a].Score)
	}
	return figures
}

func armReport(r Result, a int, arm Arm) ArmReport {
	mean := func(figure func(Score) gate.Figure) gate.Figure { return gate.Mean(column(r, a, figure)) }
	out := ArmReport{
		Name: arm.Name, Tool: arm.Tool, Query: arm.Query, Limit: arm.Limit, Budget: arm.Budget, Packing: arm.Packing,
		Tasks:     len(r.Outcomes),
		RecallAt5: mean(func(s Score) gate.Figure { return s.RecallAt5 }), RecallAt10: mean(func(s Score) gate.Figure { return s.RecallAt10 }),
		HitAt10: mean(func(s Score) gate.Figure { return s.HitAt10 }), MRR: mean(func(s Score) gate.Figure { return s.ReciprocalRank }),
		InBudget: mean(func(s Score) gate.Figure { return s.InBudget }), Tokens: mean(func(s Score) gate.Figure { return s.Tokens }),
	}
	for _, row := range r.Outcomes {
		if row[a].Score.Failed {
			out.Errors++
		}
		out.UnknownPaths += row[a].Score.Unknown
	}
	return out
}

// difference compares the first arm with arm a as compare and the tables do, by the same function on the same values,
// so that one comparison has one set of numbers wherever it is printed.
func difference(r Result, a int) Difference {
	d := Difference{First: r.Arms[0].Name, Second: r.Arms[a].Name}
	first, second := recalls(r, 0), recalls(r, a)
	paired, err := stats.ComparePaired(first, second, nil, stats.PairedDefault, level, stats.Resampling{Seed: resamplingSeed})
	if err != nil {
		panic(err) // the default admits all data
	}
	d.Estimate, d.Better, d.Worse = paired.Estimate, paired.Won, paired.Lost
	d.Equal = len(first) - d.Better - d.Worse
	if d.Reason = paired.IntervalReason; d.Reason.OK() {
		d.Low, d.High, d.Method = &paired.Interval.Low, &paired.Interval.High, paired.Interval.Method
	}
	if paired.TestReason.OK() {
		d.P, d.Test = &paired.P, paired.Test
	}
	if smallest, ok := paired.Detectable(); ok {
		d.Detectable = &smallest
	}
	return d
}

// recalls is an arm's recall@10 of each task; a task that failed has 0.
func recalls(r Result, a int) []stats.Observation {
	list := make([]stats.Observation, len(r.Outcomes))
	for i, figure := range column(r, a, func(s Score) gate.Figure { return s.RecallAt10 }) {
		value, _ := figure.Value()
		recall, _ := value.Float64()
		list[i] = stats.Observation{Task: r.Set.Tasks[i].ID, Value: recall}
	}
	return list
}

func taskReport(r Result, i int, task Task) TaskReport {
	out := TaskReport{ID: task.ID, Subject: task.Subject, Gold: task.Gold, Added: task.Added}
	for a, arm := range r.Arms {
		outcome := r.Outcomes[i][a]
		entry := TaskArm{
			Name: arm.Name, Files: []string{}, Missed: []string{}, Status: outcome.Answer.Status, Reason: outcome.Answer.Reason,
			RecallAt10: outcome.Score.RecallAt10, Tokens: outcome.Score.Tokens,
		}
		found := map[string]bool{}
		for rank, hit := range outcome.Answer.Files() {
			entry.Files = append(entry.Files, hit.File)
			found[hit.File] = rank < 10
		}
		for _, gold := range task.Gold {
			if !found[gold] {
				entry.Missed = append(entry.Missed, gold)
			}
		}
		out.Arms = append(out.Arms, entry)
	}
	return out
}
