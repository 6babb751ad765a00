package schema

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

// A hint is a place in a text where a secret may stand: behind a name that ends
// there, or at a prefix of a known form.
type hint struct {
	// at is the anchor byte that led here; the search goes on behind it.
	at int
	// word is the ending of a name, or 0 where a form was met.
	word nameWord
	// end is the byte behind the name.
	end int
	// form checks a known form whose text begins at start.
	form *secretForm
	// start is where the form's text begins.
	start int
}

// A nameWord is an ending of names that announce secrets.
type nameWord byte

const (
	wordKey nameWord = iota + 1
	wordToken
	wordCookie
	wordPassword
	wordSecret
	wordAuthorization
	wordAPIKey
)

// weak words also name harmless things: a sort key, a lexer's token.
func (w nameWord) weak() bool { return w == wordKey || w == wordToken }

// A secretForm is a form that values of one sort of secret have.
type secretForm struct {
	// prefix begins the text; '?' stands for any lower-case letter.
	prefix string
	// anchor is the place in prefix of the byte that the search stops at.
	anchor int
	// min is the least number of word bytes behind the prefix.
	min int
	// digit asks for at least one digit behind the prefix.
	digit bool
}

// secretForms are the public formats of credentials: prefixes published by
// their issuers so that leaks can be recognised.
var secretForms = []secretForm{
	{prefix: "sk-", anchor: 1, min: 16, digit: true},
	{prefix: "sk_live_", anchor: 1, min: 16},
	{prefix: "sk_test_", anchor: 1, min: 16},
	{prefix: "rk_live_", anchor: 1, min: 16},
	{prefix: "gh?_", anchor: 1, min: 30},
	{prefix: "github_pat_", anchor: 6, min: 22},
	{prefix: "hf_", anchor: 2, min: 30},
	{prefix: "npm_", anchor: 2, min: 30},
	{prefix: "glpat-", anchor: 1, min: 16},
	{prefix: "xox?-", anchor: 1, min: 10, digit: true},
	{prefix: "AKIA", anchor: 2, min: 16},
	{prefix: "ASIA", anchor: 2, min: 16},
	{prefix: "AIza", anchor: 2, min: 30},
	{prefix: "eyJ", anchor: 2, min: 10},
	{prefix: "PRIVATE KEY-----", anchor: 8, min: 0},
	{prefix: "://", anchor: 1, min: 3},
	{prefix: escapePrefix, anchor: 1},
}

// escapePrefix begins an escape that may hide a letter of a name in JSON.
const escapePrefix = `\u00`

// formsAt lists the forms by their anchor byte.
var formsAt = func() (table [256][]*secretForm) {
	for i := range secretForms {
		f := &secretForms[i]
		table[f.prefix[f.anchor]] = append(table[f.prefix[f.anchor]], f)
	}
	return table
}()

// triples are three bytes of each name and form, its anchor byte among them.
// One of their two pairs stands at an even distance from wherever the search
// began, so that it need look at every other byte only.
var triples = []string{
	"key", "oke", "oki", "swo", "_wo", "-wo", "swd", "ecr", "iza",
	"sk-", "sk_", "rk_", "ghp", "gho", "ghu", "ghs", "ghr", "b_p", "hf_", "pm_", "glp", "xox",
	"KIA", "SIA", "Iza", "eyJ", "KEY", "://", `\u0`,
}

// pairs marks the pairs of bytes that triples hold, the words in any case.
var pairs = func() (set [1 << 16 / 64]uint64) {
	for _, t := range triples {
		for _, word := range []string{t, strings.ToUpper(t), strings.ToUpper(t[:1]) + t[1:], t[:1] + strings.ToUpper(t[1:2]) + t[2:],
			t[:2] + strings.ToUpper(t[2:]), strings.ToUpper(t[:2]) + t[2:], t[:1] + strings.ToUpper(t[1:]), strings.ToUpper(t[:1]) + t[1:2] + strings.ToUpper(t[2:])} {
			for i := range 2 {
				n := uint16(word[i]) | uint16(word[i+1])<<8
				set[n>>6] |= 1 << (n & 63)
			}
		}
	}
	return set
}()

func marked(n uint16) bool { return pairs[n>>6]>>(n&63)&1 != 0 }

// nextPair finds the next marked pair at an even distance from i.
func nextPair(s string, i int) int {
	b := unsafe.Slice(unsafe.StringData(s), len(s))
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		switch {
		case marked(uint16(w)):
			return i
		case marked(uint16(w >> 16)):
			return i + 2
		case marked(uint16(w >> 32)):
			return i + 4
		case marked(uint16(w >> 48)):
			return i + 6
		}
	}
	for ; i+2 <= len(b); i += 2 {
		if marked(uint16(b[i]) | uint16(b[i+1])<<8) {
			return i
		}
	}
	return -1
}

// nextHint finds the next hint whose anchor byte is at or behind from.
func nextHint(s string, from int) (hint, bool) {
	checked := from
	for p := from &^ 1; ; p += 2 {
		if p = nextPair(s, p); p < 0 {
			return hint{}, false
		}
		for i := max(p-1, checked); i < min(p+3, len(s)); i++ {
			if h, ok := hintAt(s, i); ok {
				return h, true
			}
			checked = i + 1
		}
	}
}

// hintAt reads the hint whose anchor byte is at i.
func hintAt(s string, i int) (hint, bool) {
	for _, f := range formsAt[s[i]] {
		if start := i - f.anchor; start >= 0 && hasForm(s[start:], f.prefix) {
			return hint{at: i, form: f, start: start}, true
		}
	}
	if end := nameEnd(s, i); end > 0 && (end == len(s) || !isAlphanumeric(s[end])) {
		if w, ok := nameEndingAt(s, end); ok {
			return hint{at: i, word: w, end: end}, true
		}
	}
	return hint{}, false
}

func hasForm(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if s[i] != prefix[i] && (prefix[i] != '?' || s[i] < 'a' || s[i] > 'z') {
			return false
		}
	}
	return true
}

// nameEnd returns where a name's last word ends whose anchor byte is at i, or 0.
func nameEnd(s string, i int) int {
	end := 0
	switch s[i] | 0x20 {
	case 'k': // key, token, cookie: three bytes to the end each
		if i+2 < len(s) && s[i+1]|0x20 == 'e' && (s[i+2]|0x20 == 'y' || s[i+2]|0x20 == 'n') ||
			i+2 < len(s) && s[i+1]|0x20 == 'i' && s[i+2]|0x20 == 'e' {
			end = i + 3
		}
	case 'w': // password, passwd
		if i+3 < len(s) && s[i+1]|0x20 == 'o' && s[i+3]|0x20 == 'd' {
			end = i + 4
		} else if i+1 < len(s) && s[i+1]|0x20 == 'd' {
			end = i + 2
		}
	case 'c': // secret
		if i+3 < len(s) && s[i+1]|0x20 == 'r' && s[i+3]|0x20 == 't' {
			end = i + 4
		}
	case 'z': // authorization
		if i+5 < len(s) && s[i+1]|0x20 == 'a' && s[i+5]|0x20 == 'n' {
			end = i + 6
		}
	}
	return end
}

// nameEndingAt says which word the name ending at end closes with.
func nameEndingAt(s string, end int) (nameWord, bool) {
	switch {
	case endsInFold(s, end, "key"):
		if endsInFold(s, beforeSeparator(s, end-3), "api") {
			return wordAPIKey, true
		}
		return wordKey, true
	case endsInFold(s, end, "token"):
		return wordToken, true
	case endsInFold(s, end, "cookie"):
		return wordCookie, true
	case endsInFold(s, end, "word") && endsInFold(s, beforeSeparator(s, end-4), "pass"), endsInFold(s, end, "passwd"):
		return wordPassword, true
	case endsInFold(s, end, "secret"):
		return wordSecret, true
	case endsInFold(s, end, "authorization"):
		return wordAuthorization, true
	}
	return 0, false
}

// beforeSeparator steps over one '-' or '_' in front of end.
func beforeSeparator(s string, end int) int {
	if end > 0 && (s[end-1] == '-' || s[end-1] == '_') {
		return end - 1
	}
	return end
}

// endsInFold reports whether s up to end closes with word, in any case.
func endsInFold(s string, end int, word string) bool {
	start := end - len(word)
	if start < 0 {
		return false
	}
	for i := range len(word) {
		c := s[start+i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// secret returns the place of the secret that the hint leads to.
func (h hint) secret(s string) (start, end int, ok bool) {
	if h.form != nil {
		return h.form.match(s, h.start)
	}
	return assigned(s, h.end, h.word)
}

// insideWord reports whether the text at hand is inside a longer word, as sk- is in
// task-1, where match finds no credential. The letter before it may also be the end
// of an escape in JSON, which stands for another one.
func (h hint) insideWord(s string) bool {
	switch i := h.start; {
	case h.form.min == 0 || !isAlphanumeric(h.form.prefix[0]) || i == 0 || !isAlphanumeric(s[i-1]):
		return false
	case i >= 2 && s[i-2] == '\\':
		return false
	default:
		return i < 6 || s[i-6] != '\\' || s[i-5] != 'u'
	}
}

func (f *secretForm) match(s string, start int) (int, int, bool) {
	switch f.prefix {
	case "PRIVATE KEY-----":
		return privateKey(s, start)
	case "://":
		return userInfo(s, start+3)
	case escapePrefix:
		return 0, 0, false
	}
	if start > 0 && isAlphanumeric(s[start-1]) {
		return 0, 0, false
	}
	from := start + len(f.prefix)
	end, dots, digit := from, 0, false
	for end < len(s) && end-from < judgedBytes && isCredentialByte(s[end]) {
		if s[end] == '.' {
			dots++
		}
		digit = digit || s[end] >= '0' && s[end] <= '9'
		end++
	}
	if end-from < f.min || f.digit && !digit || f.prefix == "eyJ" && dots < 2 && !strings.Contains(s[from:end], ".eyJ") {
		return 0, 0, false
	}
	for end < len(s) && isCredentialByte(s[end]) {
		end++
	}
	return start, end, true
}

// judgedBytes is how much of a value is looked at to tell whether it is a
// secret, so that a hostile text costs no square. One that is, is spanned whole.
const judgedBytes = 512

func isCredentialByte(c byte) bool {
	return isAlphanumeric(c) || c == '_' || c == '-' || c == '.' || c == '+' || c == '/' || c == '~' || c == '='
}

// privateKey spans a PEM block from its BEGIN to its END, or to the end of the text.
func privateKey(s string, at int) (int, int, bool) {
	first := max(0, at-40)
	line := strings.LastIndex(s[first:at], "-----BEGIN")
	if line < 0 {
		return 0, 0, false
	}
	line += first
	end := len(s)
	if i := strings.Index(s[at+3:], "-----END"); i >= 0 {
		end = at + 3 + i
		if j := strings.Index(s[end+8:], "-----"); j >= 0 {
			end += 8 + j + 5
		}
	}
	return line, end, true
}

// userInfo spans the password of scheme://user:password@host.
func userInfo(s string, at int) (int, int, bool) {
	colon := 0
	for i := at; i < len(s) && i < at+256; i++ {
		switch c := s[i]; {
		case c == '@':
			if colon == 0 || colon+1 == i || placeholder(s[colon+1:i]) {
				return 0, 0, false
			}
			return colon + 1, i, true
		case c == ':':
			if colon == 0 {
				colon = i
			}
		case c <= ' ' || c == '/' || c == '"' || c == '\'' || c == '\\' || c == '?' || c == '#':
			return 0, 0, false
		}
	}
	return 0, 0, false
}
