package schema

import "strings"

// assigned finds the value that a name ending at end is given, in JSON, in a
// NAME=value line, in a header or in a URL. The names key and token stand for
// much else in source code: outside of such a place they need a value that looks
// drawn at random.
func assigned(s string, end int, word nameWord) (int, int, bool) {
	start := nameStart(s, end)
	name := strings.TrimLeft(s[start:end], "-_.")
	if contractName(name) {
		return 0, 0, false
	}
	p := place{s: s, start: start, word: word, name: name}
	i := end
	for i < len(s) && s[i] == '\\' {
		i++
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		p.quoted = true
		i++
	} else {
		i = end
	}
	i = skipBlanks(s, i)
	if i >= len(s) {
		return 0, 0, false
	}
	switch {
	case s[i] == ':' && (p.quoted || i == end):
		return p.value(i + 1)
	case s[i] == '=' && i+1 < len(s) && s[i+1] != '=':
		p.equals, p.spaced = true, i != end && !p.quoted
		return p.value(i + 1)
	}
	return 0, 0, false
}

func nameStart(s string, end int) int {
	i := end
	for i > 0 && end-i < 128 {
		if c := s[i-1]; !isAlphanumeric(c) && c != '_' && c != '-' && c != '.' {
			break
		}
		i--
	}
	return i
}

func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

// A place is where a name stands that a value is assigned to.
type place struct {
	s      string
	start  int
	word   nameWord
	name   string
	quoted bool
	equals bool
	spaced bool
}

// value finds the value behind the separator and judges it.
func (p place) value(i int) (int, int, bool) {
	s := p.s
	i = skipBlanks(s, i)
	open := i
	for i < len(s) && s[i] == '\\' {
		i++
	}
	escapes := i - open
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		end := closingQuote(s, i+1, min(len(s), i+1+judgedBytes), s[i], escapes)
		start, end, ok := p.judge(i+1, end, true)
		if ok {
			end = closingQuote(s, end, len(s), s[i], escapes)
		}
		return start, end, ok
	}
	if p.quoted {
		// A number, true, null, an object or an expression: no text to hide.
		return 0, 0, false
	}
	end := p.bareEnd(open, open+judgedBytes)
	start, end, ok := p.judge(open, end, false)
	if ok {
		end = p.bareEnd(end, len(s))
	}
	return start, end, ok
}

// closingQuote finds, from i up to bound, the quote that closes a string opened
// with as many escapes.
func closingQuote(s string, i, bound int, quote byte, escapes int) int {
	for ; i < bound; i++ {
		if s[i] == '\n' {
			return i
		}
		if s[i] != quote {
			continue
		}
		n := 0
		for i-n-1 >= 0 && s[i-n-1] == '\\' {
			n++
		}
		if n <= escapes {
			return i - n
		}
	}
	return bound
}

// bareEnd finds the end of a value without quotes: a header runs to the end of
// its line, anything else to the next blank or separator.
func (p place) bareEnd(i, bound int) int {
	header := !p.equals && (p.word == wordAuthorization || p.word == wordCookie)
	for ; i < min(len(p.s), bound); i++ {
		switch c := p.s[i]; {
		case c == '\n' || c == '\r' || c == '"' || c == '\'' || c == '`' || c == '\\':
			return i
		case header:
		case c <= ' ' || c == '&' || c == ';' || c == ',' || c == ')' || c == '<' || c == '>' || c == '#':
			return i
		}
	}
	return i
}

// judge decides whether the value is a secret, by where its name stands.
func (p place) judge(start, end int, quotedValue bool) (int, int, bool) {
	if start >= end || placeholder(p.s[start:end]) {
		return 0, 0, false
	}
	v := p.s[start:end]
	ok := false
	switch {
	case p.quoted:
		ok = true
	case p.spaced && !quotedValue:
		// "x = y" without quotes is source code or prose.
		ok = !p.word.weak() && looksRandom(v)
	case p.equals && p.inURL():
		ok = true
	case p.name == "key":
		ok = looksRandom(v)
	case p.word.weak() && isNumber(v):
	case p.equals && isUpper(p.name), p.atLineStart():
		ok = true
	case p.word == wordAuthorization, p.word == wordCookie:
		ok = true
	case p.word.weak():
		ok = looksRandom(v)
	default:
		ok = quotedValue || p.equals && !strings.ContainsAny(v, "([") || looksRandom(v)
	}
	return start, end, ok
}

func (p place) inURL() bool {
	return p.start > 0 && (p.s[p.start-1] == '?' || p.s[p.start-1] == '&')
}

// atLineStart reports whether the name begins a line, a quoted text or a flag.
func (p place) atLineStart() bool {
	before := strings.TrimRight(p.s[max(0, p.start-16):p.start], " \t")
	for _, word := range []string{"export", "set", "setx"} {
		before = strings.TrimRight(strings.TrimSuffix(before, word), " \t")
	}
	if p.start == 0 || before == "" && p.start <= 16 || strings.HasPrefix(p.s[p.start:], "--") {
		return true
	}
	if before == "" {
		return false
	}
	switch before[len(before)-1] {
	case '\n', '\r', '"', '\'':
		return true
	}
	// A line break of a JSON string that is still escaped.
	return strings.HasSuffix(before, `\`) && p.s[p.start] == 'n'
}

// placeholder reports whether a value stands for a secret without being one.
func placeholder(v string) bool {
	v = strings.TrimSpace(v)
	for _, p := range []string{"$", "{", "<", "%", "os.", "process.env", "getenv", "self.", "Bearer $", "Bearer {", "Bearer <", "Bearer " + SecretText} {
		if strings.HasPrefix(v, p) {
			return true
		}
	}
	if len(v) > 64 {
		return false
	}
	switch strings.ToLower(v) {
	case "", SecretText, "none", "null", "nil", "true", "false", "undefined", "redacted", "[redacted]", "<redacted>", "bearer", "basic":
		return true
	}
	return escapedBlanks(v) || strings.Trim(v, "*") == "" || strings.Trim(strings.ToLower(v), "x") == "" || strings.Trim(v, ".") == "" || v == "…"
}

// escapedBlanks reports whether v is nothing but escapes of control characters,
// which is how a finding shows them.
func escapedBlanks(v string) bool {
	for v != "" {
		switch {
		case len(v) >= 6 && (strings.HasPrefix(v, `\u000`) || strings.HasPrefix(v, `\u001`)):
			v = v[6:]
		case len(v) >= 2 && v[0] == '\\' && strings.ContainsRune("tnrbf", rune(v[1])):
			v = v[2:]
		default:
			return false
		}
	}
	return true
}

// looksRandom reports whether v has the length and the mixture of a drawn value.
func looksRandom(v string) bool {
	digits, letters := 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			digits++
		case isAlphanumeric(c):
			letters++
		case c == '(' || c == '[' || c == ' ':
			return false
		}
	}
	return len(v) >= 16 && digits >= 2 && letters >= 4
}

func isNumber(v string) bool { return v != "" && strings.Trim(v, "+-.0123456789eE_") == "" }

func isUpper(name string) bool { return name == strings.ToUpper(name) }
