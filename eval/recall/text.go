package recall

import (
	"fmt"
	"io"
	"strings"
)

// Line is one question as it is printed while a run goes on: verdict, id, score, question, and what was missed.
func (o Outcome) Line() string {
	text := "-    "
	if o.Scored {
		text = o.Score.Text()
	}
	line := fmt.Sprintf("%-5s  %s  %s  %s", o.Verdict, text, o.Question.ID, oneLine(o.Question.Query))
	switch {
	case o.Verdict == Error:
		line += "  error: " + oneLine(o.Answer.Reason)
	case len(o.Missed) > 0:
		line += "  missed: " + oneLine(strings.Join(o.Missed, ","))
	}
	if len(o.Forbidden) > 0 {
		line += "  forbidden: " + oneLine(strings.Join(o.Forbidden, ","))
	}
	return line
}

// WriteSummary prints the counts after the lines. Any EMPTY or ERROR is said again on the last line: even one
// points at a broken pipeline.
func (r Result) WriteSummary(w io.Writer) error {
	c := r.Counts()
	var out strings.Builder
	fmt.Fprintf(&out, "\n%d questions, %s, first %d results%s\n", c.Total, r.Setup.Tool.Name, r.Setup.Limit, withFeatures(r.Setup.Features))
	fmt.Fprintf(&out, "PASS   %d/%d (%s, score at least 0.60)\n", c.Pass, c.Total, c.PassRate)
	fmt.Fprintf(&out, "FAIL   %d\nEMPTY  %d\nERROR  %d\n", c.Fail, c.Empty, c.Error)
	fmt.Fprintf(&out, "score at least 0.40: %d, at least 0.20: %d, zero: %d\n", c.AtLeast040, c.AtLeast020, c.ZeroHit)
	if c.NoAnswer > 0 {
		fmt.Fprintf(&out, "without answer: %d, in no score\n", c.NoAnswer)
	}
	if c.MeanKeywordRecall == nil {
		fmt.Fprintf(&out, "mean keyword recall: %s\n", percent(0, 0))
	} else {
		fmt.Fprintf(&out, "mean keyword recall: %.3f over %d questions\n", *c.MeanKeywordRecall, c.MeanOver)
	}
	if warning := r.warning(); warning != "" {
		fmt.Fprintln(&out, warning)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// warning names the questions that are EMPTY or ERROR.
func (r Result) warning() string {
	var parts []string
	for _, verdict := range []Verdict{Empty, Error} {
		var ids []string
		for _, o := range r.Outcomes {
			if o.Verdict == verdict {
				ids = append(ids, o.Question.ID.String())
			}
		}
		if len(ids) > 0 {
			parts = append(parts, fmt.Sprintf("%d %s (%s)", len(ids), verdict, strings.Join(ids, ", ")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "look at: " + strings.Join(parts, "; ")
}

// Observation is the result in one line, for the notes of the user.
func (r Result) Observation() string {
	c := r.Counts()
	text := fmt.Sprintf("%dQ recall eval of %s: %d PASS / %d FAIL / %d EMPTY", c.Total, r.Setup.Tool.Name, c.Pass, c.Fail, c.Empty)
	if c.Error > 0 {
		text += fmt.Sprintf(" / %d ERROR", c.Error)
	}
	if c.MeanKeywordRecall != nil {
		text += fmt.Sprintf("; mean keyword recall %.3f", *c.MeanKeywordRecall)
	}
	return text
}

func withFeatures(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", with " + strings.Join(names, ", ")
}

// oneLine keeps a text on its line and free of terminal control characters.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case r < ' ' || r == 0x7f || (r >= 0x80 && r < 0xa0):
			return '\ufffd'
		default:
			return r
		}
	}, strings.ToValidUTF8(text, "\ufffd"))
}
