package gate

import (
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"
)

// shownTasks is how many changed tasks a text names; JSON has all.
const shownTasks = 10

// Text writes the report for a terminal.
func (r Report) Text(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "gate: %s\n", r.Verdict)
	if r.Title != "" {
		fmt.Fprintf(&out, "%s\n", r.Title)
	}
	if len(r.Comparisons) > 0 {
		out.WriteByte('\n')
		table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, strings.Join(headings, "\t"))
		for _, c := range r.Comparisons {
			fmt.Fprintln(table, strings.Join(c.cells(), "\t"))
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	for _, line := range r.lines() {
		fmt.Fprintf(&out, "%s\n", line)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

var headings = []string{"tool", "measure", "baseline", "now", "worse by", "limit", "won", "lost", "p", "verdict"}

// cells are one comparison as a row under headings. What was not measured is a dash.
func (c Comparison) cells() []string {
	won, lost, p := "-", "-", "-"
	if c.Paired {
		won, lost = fmt.Sprint(len(c.Won)), fmt.Sprint(len(c.Lost))
	}
	if c.P != nil {
		p = probabilityText(c.P)
	}
	tool := c.Tool
	if tool == "" {
		tool = "-"
	}
	return []string{tool, c.Measure.Name, c.figureText(c.Baseline), c.figureText(c.Current), c.worseText(), c.limitText(), won, lost, p, string(c.Verdict)}
}

// lines are what stands below the table: reasons, changed tasks, notes.
func (r Report) lines() []string {
	var lines []string
	for _, text := range r.Undecided {
		lines = append(lines, string(r.Verdict)+": "+text)
	}
	for _, c := range r.Comparisons {
		if c.Reason != "" && c.Verdict != CannotDecide {
			lines = append(lines, string(c.Verdict)+": "+c.Reason)
		}
	}
	for _, c := range r.Comparisons {
		if c.Measure.Kind == Amount {
			continue // nearly every task's amount changes
		}
		if len(c.Lost) > 0 {
			lines = append(lines, fmt.Sprintf("lost in %s: %s", c.label(), some(c.Lost, shownTasks)))
		}
		if len(c.Won) > 0 {
			lines = append(lines, fmt.Sprintf("won in %s: %s", c.label(), some(c.Won, shownTasks)))
		}
	}
	lines = append(lines, r.Notes...)
	if len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// some joins the first ids and counts the rest.
func some(ids []string, most int) string {
	if len(ids) <= most {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}

// figureText prints a figure as its kind is read.
func (c Comparison) figureText(f Figure) string {
	switch c.Measure.Kind {
	case Rate:
		return f.Text(3)
	case Amount:
		return f.Text(1)
	default:
		return f.Text(0)
	}
}

// worseText prints the change with as many decimals as it takes to tell it from the limit, so that no figure
// past its limit looks equal to it.
func (c Comparison) worseText() string {
	value, ok := c.Worse.Value()
	if !ok {
		return "-"
	}
	if c.Measure.Kind == Count {
		return value.FloatString(0)
	}
	decimals := 3
	for ; decimals < 9; decimals++ {
		if value.Cmp(c.Limit) == 0 || value.FloatString(decimals) != c.Limit.FloatString(decimals) {
			break
		}
	}
	if c.Measure.Kind == Amount {
		return new(big.Rat).Mul(value, big.NewRat(100, 1)).FloatString(decimals-2) + "%"
	}
	return value.FloatString(decimals)
}

// limitText prints the limit in the same unit.
func (c Comparison) limitText() string {
	if c.Limit == nil {
		return "-"
	}
	switch c.Measure.Kind {
	case Amount:
		return trimZeros(new(big.Rat).Mul(c.Limit, big.NewRat(100, 1))) + "%"
	default:
		return trimZeros(c.Limit)
	}
}

// trimZeros prints an exact decimal without trailing zeros.
func trimZeros(value *big.Rat) string {
	text := value.FloatString(12)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
