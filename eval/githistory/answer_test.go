package githistory

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAnswer(t *testing.T) {
	for _, c := range []struct {
		name   string
		format Format
		jq     string
		text   string
		want   []string
		fails  bool
	}{
		{"nothing", Auto, "", " \n", nil, false},
		{"lines", Auto, "", "a.go\nb c.go\n\n d.go\n", []string{"a.go", "b c.go", " d.go"}, false},
		{"windows lines", Auto, "", "a.go\r\nb.go\r\n", []string{"a.go", "b.go"}, false},
		{"a return that is part of a name", Lines, "", "a\r\nb\n", []string{"a\r", "b"}, false},
		{"list of strings", Auto, "", `["a","b","a"]`, []string{"a", "b", "a"}, false},
		{"objects", Auto, "", `[{"path":"a","score":1},{"file_path":"b"}]`, []string{"a", "b"}, false},
		{"results", Auto, "", `{"took":3,"results":[{"file":"a"},{"file":"b"}]}`, []string{"a", "b"}, false},
		{"no result", Auto, "", `{"results":[]}`, nil, false},
		{"json lines", Auto, "", "{\"path\":\"a\"}\n{\"path\":\"b\"}\n", []string{"a", "b"}, false},
		{"jq", JSON, ".r[].p", `{"r":[{"p":"a"},{"p":"b"}]}`, []string{"a", "b"}, false},
		{"jq to a list", JSON, ".r", `{"r":["a","b"]}`, []string{"a", "b"}, false},
		{"jq a line", JSONLines, ".data.path.text", `{"data":{"path":{"text":"a"}}}` + "\n" + `{"data":{}}`, []string{"a"}, false},
		{"jq of another type", JSON, ".n", `{"n":3}`, nil, true},
		{"jq on text", Auto, ".n", "a.go\n", nil, true},
		{"jq on one text", Text, `split("\n")[] | select(. != "") | split(":")[0]`, "a.go:3:x\nb.go:4:y\n", []string{"a.go", "b.go"}, false},
		{"text without jq", Text, "", "a.go:3:x\n", nil, true},
		{"nonsense as json", JSON, "", "Segmentation fault", nil, true},
		{"half a json line", JSONLines, "", "{\"path\":\"a\"}\n{\"pa", nil, true},
		{"json without a list", JSON, "", `{"answer":42}`, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, err := compileJQ(c.jq)
			if err != nil {
				t.Fatal(err)
			}
			have, err := parseAnswer([]byte(c.text), c.format, code)
			if (err != nil) != c.fails {
				t.Fatalf("have error %v, want one: %v", err, c.fails)
			}
			if diff := cmp.Diff(strings.Join(c.want, "|"), strings.Join(have, "|")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzParseAnswer(f *testing.F) {
	f.Add("a.go\n", "auto")
	f.Add(`{"results":[{"path":"a"}]}`, "json")
	f.Add("{\"path\":\"a\"}\n", "jsonl")
	f.Fuzz(func(t *testing.T, text, format string) {
		paths, err := parseAnswer([]byte(text), Format(format), nil)
		if err != nil && len(paths) > 0 {
			t.Errorf("have %d paths and an error, want one of the two", len(paths))
		}
	})
}

// TestCasePathSpelling: the fifteen spellings of one answer, each tried alone.
func TestCasePathSpelling(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(outside(t, "ASSAY_CASES", "cases"), "042-path-spelling", "expected.json"))
	if err != nil {
		t.Skip("case 042-path-spelling is not here")
	}
	var file struct {
		Expect struct {
			Match   map[string]bool `json:"match"`
			EvalGit struct {
				Unknown int `json:"unknown_path"`
			} `json:"eval_git"`
		} `json:"expect"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	known := newPathSet([]Entry{{Path: "backend/a.py", Kind: File}, {Path: "lib/b.py", Kind: File}})
	unknown := 0
	for spelling, want := range file.Expect.Match {
		answered := strings.ReplaceAll(spelling, "{CHECKOUT}", "/cache/assay/0123456789ab/repo")
		path, ok := known.clean(answered, "/cache/assay/0123456789ab/repo")
		if ok != want || ok && path != "backend/a.py" {
			t.Errorf("%q: have %q, %v; want match %v", spelling, path, ok, want)
		}
		if !ok {
			unknown++
		}
	}
	if unknown != file.Expect.EvalGit.Unknown {
		t.Errorf("have %d unknown paths, want %d", unknown, file.Expect.EvalGit.Unknown)
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{"a/b", "/root/a", "../a", "a//./b", "a/..", "\xff"} {
		f.Add(seed)
	}
	known := newPathSet([]Entry{{Path: "a/b", Kind: File}, {Path: "c", Kind: Link}, {Path: "s", Kind: Submodule}})
	f.Fuzz(func(t *testing.T, answered string) {
		path, ok := known.clean(answered, "/root")
		if ok && path != "a/b" && path != "c" {
			t.Errorf("%q: have %q known, want only paths of the tree", answered, path)
		}
	})
}

func TestKeywords(t *testing.T) {
	for text, want := range map[string]string{
		"fix(compose): keep HugeGraph auth on restart": "compose|keep|HugeGraph|auth|restart",
		"Add the max_file_size of Cache to cache v2":   "max_file_size|Cache",
		"Été à la plage, 日本語":                          "Été|plage|日本語",
		"fix it":                                       "",
	} {
		if diff := cmp.Diff(want, strings.Join(Keywords(text), "|")); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
	for i := 1; i < len(StopWords); i++ {
		if StopWords[i-1] >= StopWords[i] {
			t.Errorf("stop words: have %q before %q, want them sorted", StopWords[i-1], StopWords[i])
		}
	}
}

func TestInterleave(t *testing.T) {
	hits := func(files string) (out []Hit) {
		for file := range strings.SplitSeq(files, " ") {
			out = append(out, Hit{File: file})
		}
		return out
	}
	var have []string
	for _, hit := range interleave([][]Hit{hits("a b c d"), hits("b e"), nil, hits("f b g")}) {
		have = append(have, hit.File)
	}
	if diff := cmp.Diff("a b f e c g d", strings.Join(have, " ")); diff != "" {
		t.Error(diff)
	}
}

func TestHide(t *testing.T) {
	have := hide([]string{
		"HOME=/home/u", "PATH=/usr/bin:/home/u/repo/bin:/bin", "PWD=/home/u/repo", "OLDPWD=/x", "GIT_DIR=/home/u/repo/.git",
		"INIT_CWD=/home/u/repo", "TOKEN=abc", "PYTHONPATH=/home/u/repo",
	}, []string{"/home/u/repo"}, "/cache/assay/0123456789ab/repo")
	want := []string{"HOME=/home/u", "PATH=/usr/bin:/bin", "TOKEN=abc", "PWD=/cache/assay/0123456789ab/repo",
		"GIT_CEILING_DIRECTORIES=/cache/assay/0123456789ab"}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}
