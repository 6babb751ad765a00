package githistory

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/ianaindex"
)

// message is the text of a commit, decoded to UTF-8.
type message struct {
	subject string
	body    string
}

// parseCommit reads a raw commit object: the message begins after the first empty line, the encoding header says
// how it is written. An unknown encoding leaves the bytes as they are; what is no UTF-8 then becomes U+FFFD.
func parseCommit(raw []byte) message {
	head, text, _ := strings.Cut(string(raw), "\n\n")
	text, _, _ = strings.Cut(text, "\x00") // git ends a message there
	for line := range strings.SplitSeq(head, "\n") {
		if name, ok := strings.CutPrefix(line, "encoding "); ok {
			text = decode(text, name)
		}
	}
	return splitMessage(strings.ToValidUTF8(text, "\uFFFD"))
}

// decode converts text from a named encoding, or returns it unchanged where the name or the bytes are wrong.
func decode(text, name string) string {
	if strings.EqualFold(name, "utf-8") || strings.EqualFold(name, "utf8") {
		return text
	}
	encoding, err := ianaindex.IANA.Encoding(name)
	if err != nil || encoding == nil {
		return text
	}
	decoded, err := encoding.NewDecoder().String(text)
	if err != nil || !utf8.ValidString(decoded) {
		return text
	}
	return decoded
}

// splitMessage folds the first paragraph to one line as `git log --format=%s` does: blanks at the ends of lines
// go, those at their beginnings stay, and lines are joined by one blank. The rest is the body.
func splitMessage(text string) message {
	lines := strings.Split(text, "\n")
	for len(lines) > 0 && blank(lines[0]) {
		lines = lines[1:]
	}
	var subject []string
	for len(lines) > 0 && !blank(lines[0]) {
		subject = append(subject, strings.TrimRight(lines[0], gitSpace))
		lines = lines[1:]
	}
	return message{
		subject: strings.Join(subject, " "),
		body:    strings.Trim(strings.Join(lines, "\n"), gitSpace),
	}
}

// gitSpace is what git's isspace takes for a blank.
const gitSpace = " \t\n\r"

func blank(line string) bool { return strings.Trim(line, gitSpace) == "" }
