package recall

import (
	"fmt"
	"strings"
	"testing"
)

func TestUsualForm(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{``, `[]`},
		{" \n", `[]`},
		{`null`, `[]`},
		{`[]`, `[]`},
		{`{"results":null}`, `[]`},
		{`{"results":[],"took":3}`, `[]`},
		{`["a","b"]`, `[result-1=a result-2=b]`},
		{"\ufeff" + `[{"id":7,"body":"a"},{"id":"x","content":"b"}]`, `[7=a x=b]`},
		{`{"results":[{"id":"x","body":"a"},{"id":"x","body":"b"}]}`, `[x=a result-2=b]`},
		{`{"results":[{"id":"x","body":null},{"id":"y","body":"b"}]}`, `[x= y=b]`},
		{`{"hits":{"total":1,"hits":[{"_id":"x","_source":{"body":"a"}}]}}`, `[x=a]`},
		{`{"data":{"entries":[{"entry":{"id":"x","text":"a"},"score":0.3}]}}`, `[x=a]`},
		{`{"content":[{"type":"text","text":"a"}]}`, `[result-1=a]`},
		{`[{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`, "[result-1=a\nb]"},
		{"{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"text\":\"b\"}\n", `[1=a 2=b]`},
		{`{"id":1,"text":"a"}`, `[1=a]`},
		{`{"matches":[{"path":"a/b.go","snippet":"s"}]}`, `[a/b.go=s]`},
		{`{"results":[{"body":"1"},{"body":"2"},{"body":"3"},{"body":"4"},{"body":"5"},{"body":"6"}]}`, `[result-1=1 result-2=2 result-3=3 result-4=4 result-5=5]`},
	} {
		have, err := UsualForm().Results([]byte(c.in), 5)
		if err != nil || shownResults(have) != c.want {
			t.Errorf("%s: have %s, %v, want %s", c.in, shownResults(have), err, c.want)
		}
	}
	for _, c := range []struct{ in, want string }{
		{`oops`, "not JSON"}, {`{"results":[`, "not JSON"}, {`[1,2]`, "no body"}, {`{"count":0}`, "no results found"},
		{`{"results":[{"sha":"x"}]}`, "no body"}, {`{"error":"no index"}`, "no index"}, {`{"results":[],"error":"no index"}`, "no index"},
		{`7`, "no results found"},
	} {
		if have, err := UsualForm().Results([]byte(c.in), 5); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %s, %v, want an error with %q", c.in, shownResults(have), err, c.want)
		}
	}
}

func TestOtherForms(t *testing.T) {
	for _, c := range []struct{ path, in, want, err string }{
		{".a[].b", `{"a":[{"b":"x"},{"b":null}]}`, `[result-1=x result-2=]`, ""},
		{".a", `{"a":["x","y"]}`, `[result-1=x result-2=y]`, ""},
		{".a[]", `{"a":[{"id":1,"text":"x"}]}`, `[1=x]`, ""},
		{".a[]?", `{"b":1}`, `[]`, ""},
		{".a[]", `{"b":1}`, ``, "jq path"},
		{".a", `{"a":1}`, ``, "want a text"},
		{".b", "{\"b\":\"x\"}\n{\"b\":\"y\"}", `[result-1=x result-2=y]`, ""},
		{"$ENV", `{}`, ``, "want a text"},
	} {
		form, err := PathForm(c.path)
		if err != nil {
			t.Fatal(err)
		}
		have, err := form.Results([]byte(c.in), 5)
		if c.err == "" && (err != nil || shownResults(have) != c.want) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s of %s: have %s, %v, want %s %s", c.path, c.in, shownResults(have), err, c.want, c.err)
		}
	}
	for _, path := range []string{".a[", "nosuch(1)", ""} {
		if _, err := PathForm(path); err == nil {
			t.Errorf("%q: have no error, want one", path)
		}
	}
	if have, err := PlainForm().Results([]byte(" some text\n"), 5); err != nil || shownResults(have) != "[result-1=some text]" {
		t.Errorf("plain: have %s, %v", shownResults(have), err)
	}
}

func shownResults(found []Found) string {
	var parts []string
	for _, f := range found {
		parts = append(parts, f.ID+"="+f.Body)
	}
	return fmt.Sprint(parts)
}

func FuzzResults(f *testing.F) {
	for _, s := range []string{`{"results":[{"id":1,"body":"x"}]}`, `[[[["a"]]]]`, `{"hits":{"hits":[]}}`, "{}\n{}", `"x"`, `{"error":{}}`} {
		f.Add([]byte(s))
	}
	path, err := PathForm(".results[].body")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, form := range []Form{UsualForm(), PlainForm(), path} {
			found, err := form.Results(data, 3)
			if err != nil && found != nil || len(found) > 3 {
				t.Errorf("have %d results and %v, want at most 3, or an error", len(found), err)
			}
			for i, one := range found {
				if one.ID == "" {
					t.Errorf("result %d: have no id, want one", i+1)
				}
			}
		}
	})
}
