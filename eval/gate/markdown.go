package gate

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes the report as a step summary for a pull request.
func (r Report) Markdown(w io.Writer) error {
	var out strings.Builder
	fmt.Fprintf(&out, "## Gate: %s\n\n", r.Verdict)
	if r.Title != "" {
		fmt.Fprintf(&out, "%s\n\n", escapeMarkdown(r.Title))
	}
	if len(r.Comparisons) > 0 {
		fmt.Fprintf(&out, "| %s |\n", strings.Join(headings, " | "))
		fmt.Fprintf(&out, "|---|---|%s---|\n", strings.Repeat("--:|", len(headings)-3))
		for _, c := range r.Comparisons {
			cells := c.cells()
			for i := range cells {
				cells[i] = escapeMarkdown(cells[i])
			}
			if c.Verdict != Pass {
				cells[len(cells)-1] = "**" + cells[len(cells)-1] + "**"
			}
			fmt.Fprintf(&out, "| %s |\n", strings.Join(cells, " | "))
		}
		out.WriteByte('\n')
	}
	for _, line := range r.lines() {
		if line != "" {
			fmt.Fprintf(&out, "* %s\n", escapeMarkdown(line))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// escapeMarkdown keeps a name from becoming markup, a column or a line of its own.
func escapeMarkdown(text string) string {
	return markdownEscaper.Replace(text)
}

var markdownEscaper = strings.NewReplacer(
	"\\", "\\\\", "|", "\\|", "\n", " ", "\r", " ", "<", "&lt;", ">", "&gt;", "&", "&amp;",
	"*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]",
)
