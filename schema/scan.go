package schema

import (
	"strconv"
	"unicode/utf8"

	simd "github.com/segmentio/asm/utf8"
)

// MaxDepth is the deepest nesting of a value that is read.
const MaxDepth = 64

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
	// seen has a high bit set where a string holds more than ASCII.
	seen  uint64
	keys  []string
	arena []byte
}

func (s *scanner) reset(b []byte) {
	s.b, s.i, s.depth, s.fault, s.seen = b, 0, 0, nil, 0
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
	if simd.Valid(s.b) {
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

// ascii reports whether what was read so far holds nothing beyond ASCII: outside of
// strings such a byte is a fault of syntax.
func (s *scanner) ascii() bool { return s.seen&highs == 0 }

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
	base := len(s.keys)
	var seen map[string]bool
	more, ok := s.open()
	for more {
		key, at, found := s.key()
		if !found {
			return false
		}
		if seen, ok = s.unique(key, at, base, seen); !ok {
			return false
		}
		if s.space(); !f(key, at) {
			return false
		}
		if more, ok = s.next(base); !ok {
			return false
		}
	}
	return ok
}

// open enters the object at hand and reports whether it has members.
func (s *scanner) open() (more, ok bool) {
	if !s.enter() {
		return false, false
	}
	if s.peek() == '}' {
		s.i++
		s.depth--
		return false, true
	}
	return true, true
}

// next steps over what follows a member, and reports whether another one does.
// The keys that the object remembered begin at base.
func (s *scanner) next(base int) (more, ok bool) {
	switch s.peek() {
	case ',':
		s.i++
		return true, true
	case '}':
		s.i++
		s.depth--
		s.keys = s.keys[:base]
		return false, true
	}
	return false, s.syntax("',' or '}'")
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
		return seen, s.duplicate(key, at)
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

func (s *scanner) duplicate(key string, at int) bool {
	return s.fail(&DuplicateKey, at, "the key "+strconv.Quote(excerpt([]byte(key), 40))+" a second time", "each key once")
}

// end checks that nothing but space follows the value.
func (s *scanner) end() bool {
	if s.peek() != 0 || s.i < len(s.b) {
		return s.fail(&JSONSyntax, s.i, s.haveAt(s.i), "nothing after the object")
	}
	return true
}
