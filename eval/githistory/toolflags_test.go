package githistory

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestToolFlags(t *testing.T) {
	have, err := ToolFlags{
		Commands:  []string{"rg=rg -l {query} .", "mine=x --k=v {query}"},
		Servers:   []string{"s=node s.js"},
		Calls:     []string{"find"},
		Arguments: []string{`{"q":"{query}","o":"a=b"}`},
		Paths:     []string{`.a[] | select(.b == "c")`, "mine=.r[]"},
		Versions:  []string{"rg=rg --version"},
		Formats:   []string{"mine=json"},
		Expand:    []string{"keywords:5", "mine=keywords:2"},
	}.Specs()
	if err != nil {
		t.Fatal(err)
	}
	want := []ToolSpec{
		{Name: "rg", Command: "rg -l {query} .", Format: Auto, JQ: `.a[] | select(.b == "c")`, Expand: 5, VersionCommand: "rg --version"},
		{Name: "mine", Command: "x --k=v {query}", Format: JSON, JQ: ".r[]", Expand: 2},
		{Name: "s", Command: "node s.js", Call: "find", Arguments: `{"q":"{query}","o":"a=b"}`, Format: Auto, JQ: `.a[] | select(.b == "c")`, Expand: 5},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func TestToolFlagsThatAreWrong(t *testing.T) {
	for name, c := range map[string]struct {
		flags ToolFlags
		want  string
	}{
		"no name":        {ToolFlags{Commands: []string{"rg -l"}}, "NAME="},
		"no command":     {ToolFlags{Commands: []string{"rg= "}}, "NAME="},
		"no call":        {ToolFlags{Servers: []string{"s=x"}}, "call"},
		"unknown format": {ToolFlags{Commands: []string{"a=b"}, Formats: []string{"xml"}}, "xml"},
		"no keywords":    {ToolFlags{Commands: []string{"a=b"}, Expand: []string{"keywords:0"}}, "keywords:N"},
		"other words":    {ToolFlags{Commands: []string{"a=b"}, Expand: []string{"5"}}, "keywords:N"},
	} {
		if _, err := c.flags.Specs(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %q in it", name, err, c.want)
		}
	}
}
