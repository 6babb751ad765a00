package githistory

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/eval/gate"
)

// WriteJSON writes the report as indented JSON.
func (r Report) WriteJSON(w io.Writer) error {
	return json.MarshalWrite(w, r, json.Deterministic(true), jsontext.WithIndent("  "))
}

// WriteText writes the report for a terminal.
func (r Report) WriteText(w io.Writer) error {
	var out strings.Builder
	r.head(&out)
	r.figures(&out)
	r.comparisons(&out)
	r.details(&out)
	_, err := io.WriteString(w, out.String())
	return err
}

// head says what was evaluated and what was left out.
func (r Report) head(out *strings.Builder) {
	what := "commits"
	if r.Base == "" {
		what = "captured cases"
		fmt.Fprintf(out, "%s, captured cases\n", r.Repo)
	} else {
		fmt.Fprintf(out, "%s, base %s, head %s\n", r.Repo, r.Base, r.Head)
	}
	fmt.Fprintf(out, "%d tasks from %d %s", r.Tasks, r.Seen, what)
	separator := "; skipped: "
	for _, skipped := range r.Skipped {
		if skipped.Count > 0 {
			fmt.Fprintf(out, "%s%d %s", separator, skipped.Count, skipped.Reason.Text())
			separator = ", "
		}
	}
	if r.ShallowHistory != nil {
		fmt.Fprintf(out, "\nthe clone is shallow: the tools could learn from %d earlier commits only, which popular, cochange and hybrid rest on; run `git fetch --unshallow`", *r.ShallowHistory)
	}
	out.WriteString("\n\n")
}

// figures prints a line an arm. Each rate stands with the sum over tasks and the number of tasks it is made of.
func (r Report) figures(out *strings.Builder) {
	grid := [][]string{{"tool", "recall@5", "recall@10", "hit@10", "mrr", "gold in budget", "tokens", "errors", "unknown"}}
	for _, arm := range r.Arms {
		grid = append(grid, []string{
			arm.Name, rate(arm.RecallAt5, arm.Tasks), rate(arm.RecallAt10, arm.Tasks), rate(arm.HitAt10, arm.Tasks),
			rate(arm.MRR, arm.Tasks), rate(arm.InBudget, arm.Tasks), arm.Tokens.Text(0), fmt.Sprintf("%d/%d", arm.Errors, arm.Tasks), strconv.Itoa(arm.UnknownPaths),
		})
	}
	writeGrid(out, grid)
	out.WriteString("\nrates: mean over tasks (sum over tasks / tasks); gold in budget: gold files in the first results that fit into it; tokens: bytes / 4; unknown: answered paths that base does not have\n")
}

// rate is "0.412 (7/17)"; a sum that is no whole number is rounded to two digits.
func rate(mean gate.Figure, tasks int) string {
	value, ok := mean.Value()
	if !ok {
		return mean.Text(3)
	}
	sum := value.Mul(value, ratio(tasks))
	text := sum.FloatString(2)
	if sum.IsInt() {
		text = sum.FloatString(0)
	}
	return fmt.Sprintf("%s (%s/%d)", mean.Text(3), text, tasks)
}

// comparisons prints how the first arm does beside each other one.
func (r Report) comparisons(out *strings.Builder) {
	if len(r.Differences) == 0 {
		return
	}
	fmt.Fprintf(out, "\nrecall@10 of %s minus that of the others, task by task\n", shown(r.Arms[0].Name))
	grid := [][]string{{"other", "difference", "95% interval", "p", "better/worse/equal", "detectable"}}
	for _, d := range r.Differences {
		interval, p, smallest := "n.e. ("+string(d.Reason)+")", "n.e.", "n.e."
		if d.Low != nil {
			interval = fmt.Sprintf("%+.3f to %+.3f", *d.Low, *d.High)
		}
		if d.P != nil {
			p = fmt.Sprintf("%.4f", *d.P)
			if *d.P < 0.0001 {
				p = "< 0.0001"
			}
		}
		if d.Detectable != nil {
			smallest = fmt.Sprintf("%.3f", *d.Detectable)
		}
		grid = append(grid, []string{
			d.Second, fmt.Sprintf("%+.3f", d.Estimate), interval, p, fmt.Sprintf("%d/%d/%d", d.Better, d.Worse, d.Equal), smallest,
		})
	}
	writeGrid(out, grid)
	methods := distinct(r.Differences, func(d Difference) string { return d.Method })
	tests := distinct(r.Differences, func(d Difference) string { return d.Test })
	fmt.Fprintf(out, "\ninterval: %s; p: %s (seed %d); detectable: the true difference that as many tasks as these, as unlike as these, show in 80 of 100 studies\n", methods, tests, r.Seed)
}

// distinct are the names in their first order, without those that are empty: which of them a row has follows from its
// data, and stands in the JSON.
func distinct(differences []Difference, name func(Difference) string) string {
	var names []string
	for _, d := range differences {
		if n := name(d); n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " or ")
}

// details prints every task with the files that each arm named.
func (r Report) details(out *strings.Builder) {
	for _, task := range r.Results {
		fmt.Fprintf(out, "\n%s %s\n", task.ID, shown(task.Subject))
		fmt.Fprintf(out, "  gold: %s", list(task.Gold))
		if task.Added > 0 {
			fmt.Fprintf(out, " (and %d that base does not have)", task.Added)
		}
		out.WriteString("\n")
		for _, arm := range task.Arms {
			fmt.Fprintf(out, "  %s: recall@10 %s, %s tokens: %s", shown(arm.Name), arm.RecallAt10.Text(3), arm.Tokens.Text(0), list(arm.Files))
			if arm.Status != StatusOK {
				fmt.Fprintf(out, " [%s: %s]", arm.Status, shown(arm.Reason))
			}
			out.WriteString("\n")
		}
	}
}

// list joins names for a line; an empty one is a dash.
func list(names []string) string {
	if len(names) == 0 {
		return "—"
	}
	visible := make([]string, len(names))
	for i, name := range names {
		visible[i] = shown(name)
	}
	return strings.Join(visible, ", ")
}

// shown escapes what would move the cursor or hide text.
func shown(text string) string {
	var out strings.Builder
	for _, c := range text {
		if unicode.IsPrint(c) {
			out.WriteRune(c)
		} else {
			quoted := strconv.QuoteRune(c)
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return out.String()
}

// writeGrid aligns columns: the first to the left, the others to the right.
func writeGrid(out *strings.Builder, grid [][]string) {
	widths := make([]int, len(grid[0]))
	for i := range grid {
		grid[i][0] = shown(grid[i][0])
		for j, cell := range grid[i] {
			widths[j] = max(widths[j], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range grid {
		var line strings.Builder
		for j, cell := range row {
			pad := strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell))
			switch {
			case j == 0:
				line.WriteString(cell + pad)
			default:
				line.WriteString("  " + pad + cell)
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
