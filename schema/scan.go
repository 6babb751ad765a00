package schema

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// MaxDepth is the deepest nesting of a value that is read.
const MaxDepth = 64

// maxSafeInteger is the largest integer that RFC 8785 can tell from its neighbours.
const maxSafeInteger = 1<<53 - 1

// A scanner reads one JSON value strictly: UTF-8, no duplicate keys, no unpaired
// surrogates, no NaN, nothing after the value. It stops at the first fault.
// encoding/json accepts duplicate keys and invalid UTF-8, and matches keys of
// another case; that is why this one is here.
type scanner struct {
	b        []byte
	i        int
	depth    int
	safeInts bool
	fault    *Violation
	keys     []string
	arena    []byte
}

// A token of text: its bytes without quotes, and whether escapes stand in them.
type text struct {
	start, end int
	escaped    bool
}

func (s *scanner) reset(b []byte) {
	s.b, s.i, s.depth, s.fault = b, 0, 0, nil
	s.keys, s.arena = s.keys[:0], s.arena[:0]
}

func (s *scanner) fail(code *FindingCode, at int, have, want string) bool {
	if s.fault == nil {
		s.fault = &Violation{Code: code, Offset: at, Have: have, Want: want}
	}
	return false
}

func (s *scanner) syntax(want string) bool {
	return s.fail(&JSONSyntax, s.i, s.haveAt(s.i), want)
}

// haveAt shows what stands at an offset, at most 24 bytes of it.
func (s *scanner) haveAt(i int) string {
	if i >= len(s.b) {
		return "the end"
	}
	return excerpt(s.b[i:], 24)
}

// excerpt cuts b to n bytes at a rune boundary.
func excerpt(b []byte, n int) string {
	if len(b) <= n {
		return string(b)
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return string(b[:n]) + "…"
}

// checkUTF8 finds the first byte that is no UTF-8.
func (s *scanner) checkUTF8() bool {
	if utf8.Valid(s.b) {
		return true
	}
	for i := 0; i < len(s.b); {
		r, n := utf8.DecodeRune(s.b[i:])
		if r == utf8.RuneError && n <= 1 {
			return s.fail(&InvalidUTF8, i, "byte 0x"+strconv.FormatUint(uint64(s.b[i]), 16), "UTF-8")
		}
		i += n
	}
	return true
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\n', '\r':
			s.i++
		default:
			return
		}
	}
}

// peek returns the next byte that is no space, or 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops marks the bytes of w that are a quote, a backslash or a control character.
func stops(w uint64) uint64 {
	quote := w ^ (ones * '"')
	slash := w ^ (ones * '\\')
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*0x20)&^w) & highs
}

// str reads a string whose opening quote is the next byte.
func (s *scanner) str() (text, bool) {
	t := text{start: s.i + 1}
	i := s.i + 1
	for {
		for i+8 <= len(s.b) {
			m := stops(binary.LittleEndian.Uint64(s.b[i:]))
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) / 8
			break
		}
		if i >= len(s.b) {
			s.i = len(s.b)
			return t, s.fail(&JSONSyntax, s.i, "the end", "the string closed by a quote")
		}
		switch c := s.b[i]; {
		case c == '"':
			t.end, s.i = i, i+1
			return t, true
		case c == '\\':
			t.escaped = true
			n, ok := s.escape(i)
			if !ok {
				return t, false
			}
			i += n
		case c < 0x20:
			s.i = i
			return t, s.fail(&JSONSyntax, i, "control character 0x"+strconv.FormatUint(uint64(c), 16), "an escape such as \\n")
		default:
			i++
		}
	}
}

// escape checks the escape at i and returns its length, both halves of a surrogate pair together.
func (s *scanner) escape(i int) (int, bool) {
	if i+1 >= len(s.b) {
		return 0, s.fail(&JSONSyntax, i, "the end", "an escape")
	}
	switch s.b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case 'u':
	default:
		return 0, s.fail(&JSONSyntax, i, excerpt(s.b[i:], 2), "an escape such as \\n or \\u00e4")
	}
	r, ok := hex4(s.b, i+2)
	if !ok {
		return 0, s.fail(&JSONSyntax, i, excerpt(s.b[i:], 6), "four hex digits after \\u")
	}
	if r < 0xd800 || r > 0xdfff {
		return 6, true
	}
	if low, ok := hex4(s.b, i+8); ok && r < 0xdc00 && s.b[i+6] == '\\' && s.b[i+7] == 'u' && low >= 0xdc00 && low <= 0xdfff {
		return 12, true
	}
	return 0, s.fail(&InvalidUTF8, i, string(s.b[i:i+6]), "a surrogate pair")
}

func hex4(b []byte, i int) (rune, bool) {
	if i+4 > len(b) {
		return 0, false
	}
	var r rune
	for _, c := range b[i : i+4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// value returns the text of t. Without escapes it aliases the input, with them
// the scanner's arena: both are overwritten by the next read.
func (s *scanner) value(t text) string {
	if !t.escaped {
		return alias(s.b[t.start:t.end])
	}
	start := len(s.arena)
	s.arena = appendUnescaped(s.arena, s.b[t.start:t.end])
	return alias(s.arena[start:])
}

func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// appendUnescaped appends b, whose escapes were checked, with them resolved.
func appendUnescaped(out, b []byte) []byte {
	for i := 0; i < len(b); {
		if b[i] != '\\' {
			out = append(out, b[i])
			i++
			continue
		}
		c := b[i+1]
		i += 2
		switch c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, _ := hex4(b, i)
			i += 4
			if r >= 0xd800 && r < 0xdc00 {
				low, _ := hex4(b, i+2)
				r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
				i += 6
			}
			out = utf8.AppendRune(out, r)
			continue
		}
		out = append(out, c)
	}
	return out
}

// A number token: its text, and whether it is an integer literal.
type number struct {
	start, end int
	integer    bool
}

// num reads a number by the grammar of RFC 8259 and checks that a double holds it.
func (s *scanner) num() (number, bool) {
	n := number{start: s.i, integer: true}
	i := s.i
	if i < len(s.b) && s.b[i] == '-' {
		i++
	}
	switch {
	case i < len(s.b) && s.b[i] == '0':
		i++
	default:
		if i = digits(s.b, i); i == n.start || s.b[i-1] == '-' {
			return n, s.syntax("a value")
		}
	}
	if i < len(s.b) && s.b[i] == '.' {
		n.integer = false
		j := digits(s.b, i+1)
		if j == i+1 {
			s.i = j
			return n, s.syntax("a digit after the decimal point")
		}
		i = j
	}
	if i < len(s.b) && (s.b[i] == 'e' || s.b[i] == 'E') {
		n.integer = false
		j := i + 1
		if j < len(s.b) && (s.b[j] == '+' || s.b[j] == '-') {
			j++
		}
		k := digits(s.b, j)
		if k == j {
			s.i = k
			return n, s.syntax("a digit in the exponent")
		}
		i = k
	}
	n.end, s.i = i, i
	return n, s.numberRange(n)
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

// numberRange refuses what a double cannot hold, and in hashed documents the
// integers that RFC 8785 cannot tell apart.
func (s *scanner) numberRange(n number) bool {
	if s.safeInts && n.integer {
		v, err := strconv.ParseInt(s.numText(n), 10, 64)
		if err != nil || v > maxSafeInteger || v < -maxSafeInteger {
			return s.fail(&NumberOutOfRange, n.start, excerpt(s.b[n.start:n.end], 40), "an integer within +-(2^53-1)")
		}
		return true
	}
	if n.end-n.start < 300 && (n.integer || !hasExponent(s.b[n.start:n.end])) {
		return true
	}
	if v, err := strconv.ParseFloat(s.numText(n), 64); err != nil && math.IsInf(v, 0) {
		return s.fail(&NumberOutOfRange, n.start, excerpt(s.b[n.start:n.end], 40), "a number that a double can hold")
	}
	return true
}

func hasExponent(b []byte) bool {
	for _, c := range b {
		if c|0x20 == 'e' {
			return true
		}
	}
	return false
}

func (s *scanner) numText(n number) string { return alias(s.b[n.start:n.end]) }

func (s *scanner) literal(word string) bool {
	if len(s.b)-s.i < len(word) || alias(s.b[s.i:s.i+len(word)]) != word {
		return s.syntax("a value")
	}
	s.i += len(word)
	return true
}

func (s *scanner) enter() bool {
	s.depth++
	if s.depth > MaxDepth {
		return s.fail(&DepthLimit, s.i, "nesting deeper than 64", "at most 64")
	}
	s.i++
	return true
}

// skip reads one value of any kind, checking it fully.
func (s *scanner) skip() bool {
	switch c := s.peek(); {
	case c == '"':
		_, ok := s.str()
		return ok
	case c == '{':
		return s.skipObject()
	case c == '[':
		return s.skipArray()
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	case c == '-' || c >= '0' && c <= '9':
		_, ok := s.num()
		return ok
	}
	return s.syntax("a value")
}

func (s *scanner) skipArray() bool {
	return s.elements(func(int) bool { return s.skip() })
}

func (s *scanner) skipObject() bool {
	return s.members(func(string, int) bool { return s.skip() })
}

// elements calls f before each element of the array at hand.
func (s *scanner) elements(f func(n int) bool) bool {
	if !s.enter() {
		return false
	}
	if s.peek() == ']' {
		s.i++
		s.depth--
		return true
	}
	for n := 0; ; n++ {
		if s.space(); !f(n) {
			return false
		}
		switch s.peek() {
		case ',':
			s.i++
		case ']':
			s.i++
			s.depth--
			return true
		default:
			return s.syntax("',' or ']'")
		}
	}
}

// members calls f before the value of each member, and refuses a key that
// stands twice.
func (s *scanner) members(f func(key string, at int) bool) bool {
	if !s.enter() {
		return false
	}
	base := len(s.keys)
	var seen map[string]bool
	if s.peek() == '}' {
		s.i++
		s.depth--
		return true
	}
	for {
		key, at, ok := s.key()
		if !ok {
			return false
		}
		if seen, ok = s.unique(key, at, base, seen); !ok {
			return false
		}
		if s.space(); !f(key, at) {
			return false
		}
		switch s.peek() {
		case ',':
			s.i++
		case '}':
			s.i++
			s.depth--
			s.keys = s.keys[:base]
			return true
		default:
			return s.syntax("',' or '}'")
		}
	}
}

func (s *scanner) key() (key string, at int, ok bool) {
	if s.peek() != '"' {
		return "", 0, s.syntax("a key in quotes")
	}
	at = s.i
	t, ok := s.str()
	if !ok {
		return "", 0, false
	}
	key = s.value(t)
	if s.peek() != ':' {
		return "", 0, s.syntax("':'")
	}
	s.i++
	return key, at, true
}

// unique remembers key among those of its object. Few keys are compared one by
// one, many by a map, so that an object of a million keys costs no square.
func (s *scanner) unique(key string, at, base int, seen map[string]bool) (map[string]bool, bool) {
	duplicate := false
	if seen != nil {
		duplicate = seen[key]
		seen[key] = true
	} else {
		for _, k := range s.keys[base:] {
			if k == key {
				duplicate = true
				break
			}
		}
	}
	if duplicate {
		return seen, s.fail(&DuplicateKey, at, "the key "+strconv.Quote(excerpt([]byte(key), 40))+" a second time", "each key once")
	}
	s.keys = append(s.keys, key)
	if seen == nil && len(s.keys)-base > 24 {
		seen = map[string]bool{}
		for _, k := range s.keys[base:] {
			seen[k] = true
		}
	}
	return seen, true
}

// end checks that nothing but space follows the value.
func (s *scanner) end() bool {
	if s.peek() != 0 || s.i < len(s.b) {
		return s.fail(&JSONSyntax, s.i, s.haveAt(s.i), "nothing after the object")
	}
	return true
}
