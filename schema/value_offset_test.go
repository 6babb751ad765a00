package schema_test

import (
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestValueOffset(t *testing.T) {
	const text = `{"seq" : 7, "data":{"a/b":[1,{"x~":null}],"seq":"s"},"empty":{}}`
	for pointer, want := range map[string]string{
		"": `{"seq" :`, "/seq": "7,", "/data": `{"a/b"`, "/data/seq": `"s"`, "/data/a~1b": "[1", "/data/a~1b/0": "1,",
		"/data/a~1b/1": `{"x~"`, "/data/a~1b/1/x~0": "null", "/empty": "{}}",
	} {
		at, ok := schema.ValueOffset([]byte(text), pointer)
		if !ok || !strings.HasPrefix(text[at:], want) {
			t.Errorf("%s: have %d, %v, want the place of %s", pointer, at, ok, want)
		}
	}
	for _, pointer := range []string{"/none", "/seq/0", "seq", "/data/a~1b/2"} {
		if at, ok := schema.ValueOffset([]byte(text), pointer); ok {
			t.Errorf("%s: have %d, want nothing", pointer, at)
		}
	}
	if _, ok := schema.ValueOffset([]byte(`{"a":`), "/a"); ok {
		t.Error("a cut text: have a value, want nothing")
	}
}
