package gate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Compare holds a run against its baseline. Every tool of either side and every measure that the evaluator has
// (without one: that either side has) is compared, and whatever is missing makes the verdict CannotDecide.
func Compare(baseline, current Summary, opts Options) Report {
	report := Report{Verdict: Pass, Title: title(current), Notes: notes(baseline, current)}
	if reasons := incomparable(baseline, current); len(reasons) > 0 {
		return report.undecided(reasons...)
	}
	measures := compared(baseline, current)
	for _, name := range toolNames(baseline, current) {
		before, okBefore := baseline.tool(name)
		now, okNow := current.tool(name)
		switch {
		case !okBefore:
			report = report.undecided(fmt.Sprintf("tool %s: not in the baseline", name))
		case !okNow:
			report = report.undecided(fmt.Sprintf("tool %s: in the baseline, not in the current run", name))
		default:
			report = report.tool(before, now, measures, opts)
		}
	}
	if len(report.Comparisons) == 0 && report.Verdict == Pass {
		return report.undecided("no figure on either side: nothing was compared")
	}
	return report
}

// tool compares one tool that both sides have.
func (r Report) tool(before, now Tool, measures []Measure, opts Options) Report {
	if before.Revision != now.Revision {
		change := fmt.Sprintf("%s: baseline of revision %s, current run of %s", toolLabel(now.Name), shown(before.Revision), shown(now.Revision))
		if opts.SameTool {
			return r.undecided("other tool version: " + change)
		}
		r.Notes = append(r.Notes, change)
	}
	if reason := otherTasks(before, now); reason != "" {
		return r.undecided(fmt.Sprintf("%s: %s", toolLabel(now.Name), reason))
	}
	for _, m := range measures {
		c := Comparison{Tool: now.Name, Measure: m, Baseline: before.Metrics[m.Name], Current: now.Metrics[m.Name]}
		c.Paired = before.ByTask != nil && now.ByTask != nil
		c.Lost, c.Won = sides(before.ByTask, now.ByTask, m)
		c.doubt = cmp.Or(doubt("baseline", before.total(m)), doubt("current run", now.total(m)))
		r.add(c.compare(opts))
	}
	return r
}

// doubt says which side's figure cannot be believed, and why; empty where there is no reason.
func doubt(side, reason string) string {
	if reason == "" {
		return ""
	}
	return "the " + side + " " + reason
}

// sides are the tasks that have a value on both sides and whose value worsened or improved.
func sides(before, now []Task, m Measure) (lost, won []string) {
	if len(before) != len(now) {
		return nil, nil
	}
	for i := range now {
		worse, ok := worsening(m, before[i].Metrics[m.Name], now[i].Metrics[m.Name])
		switch {
		case !ok || worse.by.Sign() == 0:
		case worse.by.Sign() > 0:
			lost = append(lost, now[i].ID)
		default:
			won = append(won, now[i].ID)
		}
	}
	return lost, won
}

// otherTasks says how the tasks of one tool differ between the sides; empty where they do not, or where a side
// does not list them.
func otherTasks(before, now Tool) string {
	if before.ByTask == nil || now.ByTask == nil {
		return ""
	}
	ids := func(tasks []Task) map[string]bool {
		set := map[string]bool{}
		for _, t := range tasks {
			set[t.ID] = true
		}
		return set
	}
	old, cur := ids(before.ByTask), ids(now.ByTask)
	for _, t := range before.ByTask {
		if !cur[t.ID] {
			return fmt.Sprintf("task %s is in the baseline, not in the current run", t.ID)
		}
	}
	for _, t := range now.ByTask {
		if !old[t.ID] {
			return fmt.Sprintf("task %s is not in the baseline", t.ID)
		}
	}
	return ""
}

// incomparable lists everything that keeps two summaries from being compared at all.
func incomparable(baseline, current Summary) []string {
	var reasons []string
	differ := func(name, before, now string) {
		if before != now {
			reasons = append(reasons, fmt.Sprintf("%s: baseline of %s, current run of %s", name, shown(before), shown(now)))
		}
	}
	if baseline.Tasks == 0 {
		reasons = append(reasons, "baseline has no tasks")
	}
	if current.Tasks == 0 {
		reasons = append(reasons, "current run has "+Nothing(current))
	}
	for _, side := range []struct {
		name  string
		tasks int
	}{{"baseline", baseline.Tasks}, {"current run", current.Tasks}} {
		if side.tasks > 0 && side.tasks < MinPairs {
			reasons = append(reasons, fmt.Sprintf("too few tasks: %s has %d, want at least %d", side.name, side.tasks, MinPairs))
		}
	}
	differ("other evaluator", baseline.Evaluator, current.Evaluator)
	differ("other tool version (scoring of "+shown(current.Evaluator)+")", baseline.EvaluatorVersion, current.EvaluatorVersion)
	differ("other repository", baseline.Repo, current.Repo)
	differ("other commits (base)", baseline.Base, current.Base)
	differ("other commits (head)", baseline.Head, current.Head)
	differ("other tasks", baseline.TasksSHA256, current.TasksSHA256)
	differ("other limit", fmt.Sprint(baseline.Limit), fmt.Sprint(current.Limit))
	differ("other budget", fmt.Sprint(baseline.Budget), fmt.Sprint(current.Budget))
	differ("other settings", strings.Join(baseline.Settings, " "), strings.Join(current.Settings, " "))
	if baseline.Tasks != current.Tasks && len(reasons) == 0 {
		differ("other number of tasks", fmt.Sprint(baseline.Tasks), fmt.Sprint(current.Tasks))
	}
	return reasons
}

// Nothing says what an evaluation without tasks found: "0 tasks from 12 commits" and why each was skipped.
func Nothing(s Summary) string {
	if s.CommitsSeen == 0 {
		return "0 tasks"
	}
	var reasons []string
	for _, reason := range slices.Sorted(maps.Keys(s.Skipped)) {
		reasons = append(reasons, fmt.Sprintf("%d %s", s.Skipped[reason], reason))
	}
	return fmt.Sprintf("0 tasks from %d commits (skipped: %s)", s.CommitsSeen, strings.Join(reasons, ", "))
}

// notes are differences that do not keep two summaries from being compared.
func notes(baseline, current Summary) []string {
	var notes []string
	if (baseline.Prepared == "") != (current.Prepared == "") {
		side := map[bool]string{true: "current run", false: "baseline"}[baseline.Prepared == ""]
		notes = append(notes, "warning: only the "+side+" was prepared")
	}
	if baseline.CodeRevision != current.CodeRevision {
		notes = append(notes, fmt.Sprintf("assay: baseline of revision %s, current run of %s", shown(baseline.CodeRevision), shown(current.CodeRevision)))
	}
	return notes
}

// compared are the measures that both sides owe.
func compared(baseline, current Summary) []Measure {
	if evaluator, ok := evaluatorNamed(current.Evaluator); ok {
		return evaluator.Measures
	}
	var measures []Measure
	for _, m := range Measures {
		for _, t := range slices.Concat(baseline.Tools, current.Tools) {
			if _, ok := t.Metrics[m.Name]; ok {
				measures = append(measures, m)
				break
			}
		}
	}
	return measures
}

// toolNames are the tools of the current run in its order, then those that only the baseline has.
func toolNames(baseline, current Summary) []string {
	var names []string
	for _, t := range slices.Concat(current.Tools, baseline.Tools) {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	return names
}

// title says what was evaluated, without anything that differs between machines.
func title(s Summary) string {
	var parts []string
	for _, p := range []struct{ name, value string }{{"", s.Repo}, {"base ", s.Base}, {"head ", s.Head}} {
		if p.value != "" {
			parts = append(parts, p.name+p.value)
		}
	}
	word := "tasks"
	if evaluator, ok := evaluatorNamed(s.Evaluator); ok {
		word = evaluator.TaskWord
	}
	return strings.Join(append(parts, fmt.Sprintf("%d %s", s.Tasks, word)), ", ")
}

func toolLabel(name string) string {
	if name == "" {
		return "the tool"
	}
	return "tool " + name
}

// shown is a value in a message; an absent one says so.
func shown(value string) string {
	if value == "" {
		return "none"
	}
	return value
}
