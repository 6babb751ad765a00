package schema_test

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// TestDecodeUTF8: bytes that are no UTF-8 are found wherever they stand, before any
// other fault of the line, on the first line and on those that begin as it does.
func TestDecodeUTF8(t *testing.T) {
	const good = `{"schema_version":"1.0.0","run_id":"r","seq":1,"ts":"2026-01-02T03:04:05Z","type":"file_read","data":{"path":"P","content_sha256":null}}`
	tests := []struct {
		name, line string
		code       *schema.FindingCode // nil: accepted
		offset     int                 // of the fault, where it is invalid_utf8
	}{
		{"ASCII", good, nil, 0},
		{"two, three and four bytes", strings.Replace(good, `"P"`, `"äœ→𝛼"`, 1), nil, 0},
		{"a run id of other letters", strings.Replace(good, `"r"`, `"rün"`, 1), nil, 0},
		{"in a short text", strings.Replace(good, `"P"`, "\"\xff\"", 1), &schema.InvalidUTF8, strings.Index(good, "P")},
		{"in a long text", strings.Replace(good, `"P"`, `"`+strings.Repeat("a", 29)+"\xc3\"", 1), &schema.InvalidUTF8, strings.Index(good, "P") + 29},
		{"in the run id", strings.Replace(good, `"r"`, "\"\x80\"", 1), &schema.InvalidUTF8, strings.Index(good, `r",`)},
		{"in a key", strings.Replace(good, `"ts"`, "\"t\xc0s\"", 1), &schema.InvalidUTF8, strings.Index(good, `ts"`) + 1},
		{"between values", strings.Replace(good, `,"type"`, ",\xa0\"type\"", 1), &schema.InvalidUTF8, strings.Index(good, `"type"`)},
		{"behind a fault of syntax", strings.Replace(good, `:1,`, `:01,`, 1) + "\xfe", &schema.InvalidUTF8, len(good) + 1},
		{"behind a broken rule", strings.Replace(good, `"P"`, `7`, 1) + "\xfe", &schema.InvalidUTF8, len(good) - 2},
		{"a space that is none of JSON's", strings.Replace(good, `,"type"`, ",\u00a0\"type\"", 1), &schema.JSONSyntax, 0},
		{"a surrogate in three bytes", strings.Replace(good, `"P"`, "\"\xed\xa0\x80\"", 1), &schema.InvalidUTF8, strings.Index(good, "P")},
		{"longer than need be", strings.Replace(good, `"P"`, "\"\xc0\xaf\"", 1), &schema.InvalidUTF8, strings.Index(good, "P")},
	}
	for _, tt := range tests {
		d := schema.NewEventDecoder()
		for _, pass := range []string{"first", "second"} {
			e, found := d.Decode([]byte(tt.line))
			switch {
			case tt.code == nil:
				if e == nil || len(found) > 0 {
					t.Errorf("%s, %s time: have %v, want an event", tt.name, pass, found)
				}
			case e != nil || len(found) != 1 || found[0].Code != tt.code:
				t.Errorf("%s, %s time: have %v, want one %s", tt.name, pass, found, tt.code.Name)
			case tt.code == &schema.InvalidUTF8 && (found[0].Offset != tt.offset || found[0].Pointer != ""):
				t.Errorf("%s, %s time: have it at byte %d %q, want %d", tt.name, pass, found[0].Offset, found[0].Pointer, tt.offset)
			}
		}
	}
}
