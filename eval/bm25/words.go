package bm25

import (
	"unicode"
	"unicode/utf8"
)

// maxWord is the length in bytes above which a run is no word: keys, hashes and embedded data.
const maxWord = 64

// Words calls each for every word of text, lower-cased, in order. A word is a run of letters, digits and "_".
// A run of several parts (parseHTTPHeader, max_file_size) gives its parts and then itself without "_", so that
// it is found by a part and by its whole name in either spelling. The slice is reused: copy it to keep it.
func Words(text []byte, each func(word []byte)) {
	t := splitter{each: each}
	t.run(text)
}

// splitter cuts text into words without allocating a word.
type splitter struct {
	each  func([]byte)
	whole [maxWord]byte // the run so far, lower-cased, without "_"
	size  int           // its length; beyond maxWord the run is dropped
	cuts  [maxWord]int  // where parts after the first begin in whole
	parts int
}

// class is what a byte is to the splitter.
type class uint8

const (
	other class = iota
	lower
	upper
	digit
	under
	wide // the beginning or a part of a character outside of ASCII
)

// classes has the class of every byte. It is never changed.
var classes = func() (table [256]class) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z':
			table[c] = lower
		case c >= 'A' && c <= 'Z':
			table[c] = upper
		case c >= '0' && c <= '9':
			table[c] = digit
		case c == '_':
			table[c] = under
		case c >= utf8.RuneSelf:
			table[c] = wide
		}
	}
	return table
}()

func (t *splitter) run(text []byte) {
	previous := other
	for i := 0; i < len(text); {
		c := text[i]
		kind := classes[c]
		if kind == other {
			if previous != other {
				t.flush()
				previous = other
			}
			i++
			continue
		}
		if kind == wide {
			size := t.wide(text[i:], previous)
			if size < 0 { // no letter: it ends the run
				t.flush()
				previous, size = other, -size
			} else {
				previous = wide
			}
			i += size
			continue
		}
		switch {
		case kind == under:
			t.cut()
		case kind == upper && (previous == lower || previous == digit || previous == wide):
			t.cut()
		case kind == upper && previous == upper && i+1 < len(text) && classes[text[i+1]] == lower:
			t.cut() // the H of HTTPHeader that begins Header
		case kind == digit && previous != digit && previous != other, kind != digit && previous == digit:
			if kind != under {
				t.cut()
			}
		}
		if kind == upper {
			c += 'a' - 'A'
		}
		if kind != under {
			t.put(c)
		}
		previous = kind
		i++
	}
	t.flush()
}

// wide adds one character outside of ASCII and returns its size, or minus its size where it is no letter or digit.
func (t *splitter) wide(text []byte, previous class) int {
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
		return -size
	}
	if unicode.IsUpper(r) && previous != upper && previous != other {
		t.cut()
	}
	var buffer [utf8.UTFMax]byte
	for _, c := range buffer[:utf8.EncodeRune(buffer[:], unicode.ToLower(r))] {
		t.put(c)
	}
	return size
}

func (t *splitter) put(c byte) {
	if t.size < maxWord {
		t.whole[t.size] = c
	}
	t.size++
}

// cut begins a new part where the run so far has one.
func (t *splitter) cut() {
	if t.size == 0 || t.size >= maxWord || t.parts > 0 && t.cuts[t.parts-1] == t.size {
		return
	}
	t.cuts[t.parts] = t.size
	t.parts++
}

// flush hands over the words of the run.
func (t *splitter) flush() {
	size, parts := t.size, t.parts
	t.size, t.parts = 0, 0
	if size == 0 || size > maxWord {
		return
	}
	if parts > 0 && t.cuts[parts-1] == size {
		parts-- // a trailing "_"
	}
	if parts > 0 {
		start := 0
		for _, end := range t.cuts[:parts] {
			t.each(t.whole[start:end])
			start = end
		}
		t.each(t.whole[start:size])
	}
	t.each(t.whole[:size])
}
