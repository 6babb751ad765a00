package duck

import (
	"strings"
	"testing"
)

// TestParseOptions: by the description of options.
func TestParseOptions(t *testing.T) {
	o, err := parseOptions("f", "a=1 b='two words, and ''quotes''' c=x,y", "a", "b", "c")
	if err != nil || o.values["a"] != "1" || o.values["b"] != "two words, and 'quotes'" || strings.Join(o.list("c"), "|") != "x|y" {
		t.Errorf("have %v %v, want 1, two words, and 'quotes', x and y", o.values, err)
	}
	for _, text := range []string{"a", "a=1 a=2", "d=1", "b='x", "=1", "a b=1"} {
		if o, err := parseOptions("f", text, "a", "b"); err == nil {
			t.Errorf("%q: have %v, want it refused", text, o.values)
		}
	}
}

// FuzzParseOptions: what is accepted, written back quoted, reads the same.
func FuzzParseOptions(f *testing.F) {
	f.Add("a=1 b='x ''y'''")
	f.Add("b=")
	f.Add("a='' b=é")
	f.Fuzz(func(t *testing.T, text string) {
		first, err := parseOptions("f", text, "a", "b")
		if err != nil {
			return
		}
		var parts []string
		for _, key := range []string{"a", "b"} {
			if v, ok := first.values[key]; ok {
				parts = append(parts, key+"="+literal(v))
			}
		}
		second, err := parseOptions("f", strings.Join(parts, " "), "a", "b")
		if err != nil || len(second.values) != len(first.values) {
			t.Fatalf("%q: have %v %v, want %v", text, second.values, err, first.values)
		}
		for key, v := range first.values {
			if second.values[key] != v {
				t.Fatalf("%q: have %q, want %q", text, second.values[key], v)
			}
		}
	})
}
