package capture

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/assay-bench/assay/schema"
)

// MaxPrompt is the length of a kept prompt in characters.
const MaxPrompt = 500

// personal are the forms of numbers and addresses that belong to a person. Each is replaced by a word that says
// what stood there. They are wide on purpose: a version or a line number lost is cheaper than a number kept.
var personal = []struct {
	form *regexp.Regexp
	word string
}{
	{regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+`), "[email]"},
	{regexp.MustCompile(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b`), "[account]"},
	{regexp.MustCompile(`\+\d[\d ()./-]{6,18}\d`), "[phone]"},
	{regexp.MustCompile(`\b\d{3}-\d{2}-\d{4}\b`), "[number]"},
	{regexp.MustCompile(`\b(?:\d[ -]?){12,18}\d\b`), "[number]"},
	{regexp.MustCompile(`\(?\b0?\d{2,4}\)?[ ./-]\d{3,4}[ ./-]\d{3,4}\b`), "[phone]"},
}

// Redact removes secrets and personal numbers from a prompt and cuts it to MaxPrompt characters. What looks like
// a secret is replaced before anything is cut, so that no half of one stays.
func Redact(prompt string) string {
	text, _ := schema.Redact(strings.ToValidUTF8(prompt, "\uFFFD"))
	for _, p := range personal {
		text = p.form.ReplaceAllString(text, p.word)
	}
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > MaxPrompt {
		text = string([]rune(text)[:MaxPrompt])
	}
	return text
}
