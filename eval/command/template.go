package command

import (
	"fmt"
	"strings"
	"unicode"
)

// Template is a command line split into words once, with placeholders such as {q} left in them.
// The words are split before anything is filled in, so a value can never become a second argument,
// a redirection or a variable: no shell sees it.
type Template struct {
	words []string
}

// Parse splits a command line into words as a POSIX shell would: blanks separate, single quotes keep
// everything, double quotes keep all but a backslash before " or \, and a backslash outside of quotes
// keeps the next character. Nothing is expanded.
func Parse(line string) (Template, error) {
	var words []string
	var word strings.Builder
	open := false // a word has begun, though it may still be empty: ''
	runes := []rune(line)
	for i := 0; i < len(runes); i++ {
		switch c := runes[i]; {
		case unicode.IsSpace(c):
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
		case c == '\'' || c == '"':
			open = true
			end := closeQuote(runes, i, &word)
			if end < 0 {
				return Template{}, fmt.Errorf("command %q: quote opened at character %d is not closed", line, i+1)
			}
			i = end
		case c == '\\':
			if i+1 == len(runes) {
				return Template{}, fmt.Errorf("command %q: ends in a backslash", line)
			}
			i++
			word.WriteRune(runes[i])
			open = true
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if open {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return Template{}, fmt.Errorf("command %q: have no program, want its name first", line)
	}
	return Template{words: words}, nil
}

// closeQuote copies what the quote at i encloses to word and returns the index of its end, or -1.
func closeQuote(runes []rune, i int, word *strings.Builder) int {
	quote := runes[i]
	for i++; i < len(runes); i++ {
		switch {
		case runes[i] == quote:
			return i
		case quote == '"' && runes[i] == '\\' && i+1 < len(runes) && (runes[i+1] == '"' || runes[i+1] == '\\'):
			i++
			word.WriteRune(runes[i])
		default:
			word.WriteRune(runes[i])
		}
	}
	return -1
}

// Uses says whether a placeholder, written {name}, stands anywhere in the template.
func (t Template) Uses(name string) bool {
	for _, w := range t.words {
		if strings.Contains(w, "{"+name+"}") {
			return true
		}
	}
	return false
}

// Value is what one placeholder stands for.
type Value struct {
	// Name is the placeholder without its braces.
	Name string
	// Text replaces it, byte for byte.
	Text string
}

// Fill returns the arguments with every placeholder replaced, in one pass: a value that itself holds
// "{limit}" stays as it is. The number of arguments never depends on the values.
func (t Template) Fill(values ...Value) []string {
	pairs := make([]string, 0, 2*len(values))
	for _, v := range values {
		pairs = append(pairs, "{"+v.Name+"}", v.Text)
	}
	replacer := strings.NewReplacer(pairs...)
	args := make([]string, len(t.words))
	for i, w := range t.words {
		args[i] = replacer.Replace(w)
	}
	return args
}
