package recall

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// excerptRunes is how much is shown on either side of a keyword.
const excerptRunes = 30

// Show prints everything about one question: the raw answer, the bodies, and each keyword with where it stands.
func Show(w io.Writer, o Outcome, features Features) error {
	var out strings.Builder
	fmt.Fprintf(&out, "question %s: %s\n", o.Question.ID, oneLine(o.Question.Query))
	fmt.Fprintf(&out, "answer, %d bytes:\n%s\n", len(o.Answer.Raw), indented(string(o.Answer.Raw)))
	if o.Answer.Reason != "" {
		fmt.Fprintf(&out, "error: %s\n", oneLine(o.Answer.Reason))
	}
	for i, result := range o.Answer.Results {
		fmt.Fprintf(&out, "body %d, id %s:\n%s\n", i+1, oneLine(result.ID), indented(result.Body))
	}
	for _, keyword := range o.Question.Keywords {
		fmt.Fprintf(&out, "keyword %q: %s\n", keyword, whereFound(o, keyword, features.WholeWord))
	}
	fmt.Fprintln(&out, o.Line())
	_, err := io.WriteString(w, out.String())
	return err
}

// whereFound is the first place of a keyword. It is looked for in the joined bodies, as the score does, so that
// a keyword that runs over from one body into the next is found there too.
func whereFound(o Outcome, keyword string, wholeWord bool) string {
	text := strings.ToLower(strings.Join(o.Answer.bodies(), "\n"))
	term := strings.ToLower(keyword)
	offsets := places(text, term, wholeWord)
	if len(offsets) == 0 {
		return "missed"
	}
	at, body := offsets[0], 1
	for _, b := range o.Answer.bodies() {
		if length := len(strings.ToLower(b)) + 1; at >= length {
			at -= length
			body++
			continue
		}
		break
	}
	before, after := text[:offsets[0]], text[offsets[0]+len(term):]
	for range excerptRunes {
		_, size := utf8.DecodeLastRuneInString(before)
		before = before[:len(before)-size]
		_, size = utf8.DecodeRuneInString(after)
		after = after[size:]
	}
	excerpt := text[len(before) : len(text)-len(after)]
	return fmt.Sprintf("matched, body %d, byte %d, %d in all: …%s…", body, at+1, len(offsets), oneLine(excerpt))
}

// indented sets a text off from what is said about it.
func indented(text string) string {
	if strings.TrimSpace(text) == "" {
		return "    (blank)"
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = "    " + oneLine(lines[i])
	}
	return strings.Join(lines, "\n")
}
