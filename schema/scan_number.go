package schema

import (
	"math"
	"strconv"
)

// maxSafeInteger is the largest integer that RFC 8785 can tell from its neighbours.
const maxSafeInteger = 1<<53 - 1

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
