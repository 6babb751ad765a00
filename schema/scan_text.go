package schema

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// A token of text: its bytes without quotes, and whether escapes stand in them.
type text struct {
	start, end int
	escaped    bool
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops marks the first byte of w, and perhaps some behind it, that is a quote, a
// backslash or a control character. With bit 1 turned a quote comes right above the
// control characters, so that one subtraction finds both.
func stops(w uint64) uint64 {
	turned := w ^ (ones * 0x02)
	slash := w ^ (ones * '\\')
	return ((turned-ones*('"'^0x02+1))&^turned | (slash-ones)&^slash) & highs
}

// str reads a string whose opening quote is the next byte. It notes whether there
// are bytes beyond ASCII, in it or a few behind it.
func (s *scanner) str() (text, bool) {
	t := text{start: s.i + 1}
	b, i, seen := s.b, s.i+1, s.seen
	for {
		for len(b)-i >= 8 {
			w := binary.LittleEndian.Uint64(b[i:])
			seen |= w
			m := stops(w)
			if m == 0 {
				i += 8
				continue
			}
			i += bits.TrailingZeros64(m) / 8
			break
		}
		if i >= len(b) {
			s.i = len(s.b)
			return t, s.fail(&JSONSyntax, s.i, "the end", "the string closed by a quote")
		}
		switch c := b[i]; {
		case c == '"':
			t.end, s.i, s.seen = i, i+1, seen
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
			seen |= uint64(c)
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
