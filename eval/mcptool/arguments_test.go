package mcptool

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/assay-bench/assay/eval/command"
)

func TestArguments(t *testing.T) {
	values := []command.Value{{Name: "query", Text: "say \"hi\"\n{limit}"}, {Name: "limit", Text: "5"}}
	for _, c := range []struct{ template, want string }{
		{`{"query":"{query}","limit":{limit}}`, `{"query":"say \"hi\"\n{limit}","limit":5}`},
		{`{"q":{query},"n":"{limit}"}`, `{"q":"say \"hi\"\n{limit}","n":"5"}`},
		{`{"q":"in \"{limit}\" of {x}"}`, `{"q":"in \"5\" of {x}"}`},
		{`{}`, `{}`},
	} {
		have, err := Arguments(c.template, values...)
		if err != nil || string(have) != c.want {
			t.Errorf("%s: have %s, %v, want %s", c.template, have, err, c.want)
		}
	}
	for _, template := range []string{``, `[]`, `null`, `{"a":{other}}`, `{"a":1`, `{"a":1} {}`} {
		if have, err := Arguments(template, values...); err == nil {
			t.Errorf("%s: have %s, want an error", template, have)
		}
	}
}

func FuzzArguments(f *testing.F) {
	f.Add(`{"query":"{query}"}`, `a"b\`)
	f.Add(`{"query":{query},"x":"\\{query}"}`, "\x00\xff")
	f.Fuzz(func(t *testing.T, template, text string) {
		have, err := Arguments(template, command.Value{Name: "query", Text: text})
		if err == nil && !json.Valid(have) {
			t.Errorf("have %q, want JSON", have)
		}
		// A value can never add a member: the one-member template has one member whatever the value.
		fixed, err := Arguments(`{"query":"{query}"}`, command.Value{Name: "query", Text: text})
		var members map[string]string
		if err != nil || json.Unmarshal(fixed, &members) != nil || len(members) != 1 {
			t.Errorf("value %q: have %s, %v, want one member", text, fixed, err)
		}
	})
}

func ExampleArguments() {
	args, _ := Arguments(`{"query":"{query}","limit":{limit}}`,
		command.Value{Name: "query", Text: `where is "retry" set`}, command.Value{Name: "limit", Text: "10"})
	fmt.Println(string(args))
	// Output: {"query":"where is \"retry\" set","limit":10}
}
