package schema

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// ValueOffset finds the byte at which the value that a JSON pointer names begins.
// It reads the text once more, so it is for what was found to be at fault.
func ValueOffset(text []byte, pointer string) (offset int, ok bool) {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		from := int(d.InputOffset())
		if _, err := d.ReadToken(); err != nil {
			return 0, false
		}
		kind, length := d.StackIndex(d.StackDepth())
		isName := kind == '{' && length%2 == 1
		if isName || string(d.StackPointer()) != pointer {
			continue
		}
		for from < len(text) && bytes.IndexByte([]byte(" \t\r\n:,"), text[from]) >= 0 {
			from++
		}
		return from, true
	}
}
