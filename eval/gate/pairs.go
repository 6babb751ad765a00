package gate

import (
	"fmt"
	"slices"
	"strings"
)

// Pair is one task that both datasets have a value of. Repetitions are averaged before: the task is the unit.
type Pair struct {
	// Task is the task's id, unique among the pairs.
	Task string
	// Baseline and Current are its values. Nearest makes them of doubles.
	Baseline, Current Figure
}

// Datasets are two datasets' values of one measure, matched by task.
type Datasets struct {
	// Measure is what is compared; name, kind and direction come from the metric's definition.
	Measure Measure
	// Pairs are the tasks with a value on both sides.
	Pairs []Pair
	// OnlyBaseline and OnlyCurrent are the tasks with a value on one side. They are left out of both means,
	// counted and named.
	OnlyBaseline, OnlyCurrent []string
}

// CompareDatasets holds one measure of two datasets against each other: the difference of the means over the
// matched tasks. Fewer than MinPairs pairs, or a value that is missing or repeated: CannotDecide.
func CompareDatasets(d Datasets, opts Options) Report {
	report := Report{Verdict: Pass, Title: fmt.Sprintf("%s, %d pairs", d.Measure.Name, len(d.Pairs))}
	for _, side := range []struct {
		name string
		ids  []string
	}{{"baseline", d.OnlyBaseline}, {"current dataset", d.OnlyCurrent}} {
		if len(side.ids) > 0 {
			ids := slices.Sorted(slices.Values(side.ids))
			report.Notes = append(report.Notes, fmt.Sprintf("warning: %d tasks have a value only in the %s: %s", len(ids), side.name, some(ids, shownTasks)))
		}
	}
	if len(d.Pairs) < MinPairs {
		return report.undecided(fmt.Sprintf("cannot compare %s: %d pairs, want at least %d", d.Measure.Name, len(d.Pairs), MinPairs))
	}
	pairs := slices.SortedFunc(slices.Values(d.Pairs), func(a, b Pair) int { return strings.Compare(a.Task, b.Task) })
	c := Comparison{Measure: d.Measure, Paired: true}
	var before, now []Figure
	for i, p := range pairs {
		worse, ok := worsening(d.Measure, p.Baseline, p.Current)
		switch {
		case !ok:
			return report.undecided(fmt.Sprintf("cannot compare %s: task %s has no value on one side", d.Measure.Name, p.Task))
		case i > 0 && pairs[i-1].Task == p.Task:
			return report.undecided(fmt.Sprintf("cannot compare %s: task %s stands there twice", d.Measure.Name, p.Task))
		case worse.by.Sign() > 0:
			c.Lost = append(c.Lost, p.Task)
		case worse.by.Sign() < 0:
			c.Won = append(c.Won, p.Task)
		}
		before, now = append(before, p.Baseline), append(now, p.Current)
	}
	c.Baseline, c.Current = Mean(before), Mean(now)
	report.add(c.compare(opts))
	return report
}
