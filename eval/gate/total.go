package gate

import (
	"fmt"
	"math/big"
)

// total holds a tool's figure to the figures of its tasks, where the tasks are listed: it says what keeps the one
// from being computed from the others, and is empty where nothing does. A summary that lists no tasks has its
// totals only, and is taken by its word.
func (t Tool) total(m Measure) string {
	figure, ok := t.Metrics[m.Name].Value()
	if t.ByTask == nil || !ok {
		return ""
	}
	var parts []Figure
	for _, task := range t.ByTask {
		part := task.Metrics[m.Name]
		if !part.Missing() {
			parts = append(parts, part)
		} else if m != KeywordRecall || !task.failed() {
			return fmt.Sprintf("has a figure, but none of task %s", task.ID)
		}
	}
	from := Mean(parts)
	if m.Kind == Count {
		from = sum(parts)
	}
	value, ok := from.Value()
	if !ok || value.Cmp(figure) != 0 {
		return fmt.Sprintf("has %s, but its tasks give %s", figure.RatString(), from.exactText())
	}
	return ""
}

// exactText is the fraction in lowest terms, so that two figures that differ never look alike.
func (f Figure) exactText() string {
	value, ok := f.Value()
	if !ok {
		return "none"
	}
	return value.RatString()
}

// failed says that the task is counted among the errors: such a task has no keyword recall.
func (t Task) failed() bool {
	value, ok := t.Metrics[Errors.Name].Value()
	return ok && value.Sign() > 0
}

// sum is the exact sum of figures, none of which is missing.
func sum(figures []Figure) Figure {
	total := new(big.Rat)
	for _, f := range figures {
		total.Add(total, f.value())
	}
	return Exact(total)
}
