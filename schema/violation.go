package schema

import "bytes"

// A Violation is one way in which a line or a document breaks the contract.
type Violation struct {
	// Code is what is wrong.
	Code *FindingCode
	// Offset is the byte in the text, from 0.
	Offset int
	// Pointer is the JSON pointer of the value, or empty for the whole.
	Pointer string
	// Have is what stands there, shortened but not redacted: redact before showing.
	Have string
	// Want is what the contract asks for.
	Want string
}

// LineColumn turns an offset in a text of several lines into a line and a byte
// column, both from 1.
func LineColumn(b []byte, offset int) (line, column int64) {
	if offset > len(b) {
		offset = len(b)
	}
	before := b[:offset]
	return int64(bytes.Count(before, []byte{'\n'})) + 1, int64(offset - bytes.LastIndexByte(before, '\n'))
}
