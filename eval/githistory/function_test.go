package githistory

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParsePatch(t *testing.T) {
	text := `diff --git a/x.go b/x.go
index 1..2 100644
--- a/x.go
+++ b/x.go
@@ -2 +2,2 @@ func f
--- a/not-a-header
++++ b/not-a-header
+more
@@ -9,0 +11 @@
+inserted
diff --git "a/n\303\244me\n.go" "b/n\303\244me\n.go"
deleted file mode 100644
--- "a/n\303\244me\n.go"
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
\ No newline at end of file
diff --git a/a b.go b/a b.go
--- a/a b.go	
+++ b/a b.go	
@@ -1 +1 @@
-a
+b
`
	have, err := parsePatch([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]hunk{
		"x.go":      {{2, 1, 2, 2}, {9, 0, 11, 1}},
		"näme\n.go": {{1, 2, 0, 0}},
		"a b.go":    {{1, 1, 1, 1}},
	}
	if diff := cmp.Diff(want, have, cmp.AllowUnexported(hunk{})); diff != "" {
		t.Error(diff)
	}
}

func FuzzParsePatch(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("@@ -1,99999999999999999999 +1 @@")
	f.Fuzz(func(t *testing.T, text string) {
		hunks, err := parsePatch([]byte(text))
		if err != nil && hunks != nil {
			t.Error("have hunks and an error, want one of the two")
		}
	})
}

// TestOldLine: line 2 was replaced by two lines, line 5 was deleted, one line was inserted after line 7.
func TestOldLine(t *testing.T) {
	hunks := []hunk{{2, 1, 2, 2}, {5, 1, 5, 0}, {7, 0, 8, 1}}
	for line, want := range map[int]int{1: 1, 2: 0, 3: 0, 4: 3, 5: 4, 6: 6, 7: 7, 8: 0, 9: 8} {
		have, ok := oldLine(hunks, line)
		if !ok {
			have = 0
		}
		if have != want {
			t.Errorf("line %d: have %d, want %d", line, have, want)
		}
	}
}

// TestFunctions follows lines through a commit between base and the task's parent.
func TestFunctions(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", "-b", "main")
	commit := func(message string, files map[string]string) {
		t.Helper()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-q", "-m", message)
	}
	base := "package a\n\nfunc One() int {\n\treturn 1\n}\n\nfunc Two() int {\n\treturn 2\n}\n"
	commit("Start", map[string]string{"a.go": base, "b.kt": "fun b() {}\n", "README.md": "x\n", "c.c": "int f(void)\n{\n\treturn 1;\n}\n"})
	git(t, dir, "tag", "base")
	shifted := strings.Replace(base, "package a\n", "package a\n\nfunc Zero() int {\n\treturn 0\n}\n", 1)
	commit("Insert before", map[string]string{"a.go": shifted})
	second := strings.Replace(shifted, "return 2", "return 22", 1)
	commit("Change the second", map[string]string{"a.go": second, "README.md": "y\n"})
	third := strings.Replace(second, "return 0", "return 00", 1)
	commit("Change what base lacks", map[string]string{"a.go": third})
	fourth := strings.Replace(third, "return 1\n", "x := 1\n\treturn 1\n", 1)
	commit("Insert into the first", map[string]string{"a.go": fourth, "b.kt": "fun b() { }\n"})
	fifth := strings.Replace(fourth, "return 1\n", "return 11\n", 1)
	commit("Change two files", map[string]string{"a.go": fifth, "c.c": "int f(void)\n{\n\treturn 2;\n}\n"})

	set := tasksOf(t, dir, Options{Base: "base", Head: "main", Functions: true})
	have := map[string]string{}
	for _, task := range set.Tasks {
		text := "missing"
		if task.FunctionsKnown {
			var names []string
			for _, f := range task.Functions {
				names = append(names, f.File+":"+f.Symbol)
			}
			text = strings.Join(names, " ")
		}
		have[task.Subject] = text
	}
	want := map[string]string{
		"Insert before":          "",         // between functions: in none
		"Change the second":      "a.go:Two", // the document beside it holds no functions
		"Change what base lacks": "",         // the line is younger than base
		"Insert into the first":  "missing",  // b.kt is of a language that is not read
		"Change two files":       "a.go:One c.c:f",
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}
