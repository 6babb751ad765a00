package symbols

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every expectation is counted by hand in the text beside it.
func TestRead(t *testing.T) {
	for _, c := range []struct{ file, source, want string }{
		{"a.go", "package a\n\nconst Limit = 3\n\ntype Set[K any] struct {\n\tn int\n}\n\nfunc (s *Set[K]) Add(k K) {\n\ts.n++\n}\n\nfunc New() int {\n\treturn 1\n}\n",
			"value Limit 3-3; type Set 5-7; function Set.Add 9-11; function New 13-15"},
		{"a.py", "import x\nLIMIT = 3\n\nclass A:\n    @property\n    def b(self):\n        def inner():\n            pass\n        return 1\n\n\nasync def c():\n    pass\n",
			"value LIMIT 2-2; type A 4-9; function A.b 5-9; function A.b.inner 7-8; function c 12-13"},
		{"a.js", "class A {\n  m() {\n  }\n}\nconst f = () => {\n};\nfunction g() {}\nexports.h = function () {\n};\n",
			"type A 1-4; function A.m 2-3; function f 5-6; function g 7-7; function exports.h 8-9"},
		{"a.ts", "interface I { x: number }\nexport class A {\n  private m(): void {\n  }\n}\nnamespace N {\n  export function g() {}\n}\nenum E { A }\n",
			"type I 1-1; type A 2-5; function A.m 3-4; function N.g 7-7; type E 9-9"},
		{"a.tsx", "export const View = () => <div/>;\n", "function View 1-1"},
		{"A.java", "class A {\n  A() {\n  }\n  int m() {\n    return 1;\n  }\n}\n", "type A 1-7; function A.A 2-3; function A.m 4-6"},
		{"a.rs", "struct S;\nimpl S {\n    fn m(&self) {\n    }\n}\nmod n {\n    pub fn f() {}\n}\ntrait T { fn g(); }\n",
			"type S 1-1; function S.m 3-4; function n.f 7-7; type T 9-9; function T.g 9-9"},
		{"a.c", "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nstruct s { int n; };\nstatic char *name(int a)\n{\n\treturn 0;\n}\n",
			"function MAX 1-1; type s 2-2; function name 3-6"},
		{"a.cpp", "namespace n {\nclass A {\n  int m() { return 1; }\n};\n}\nint n::A::k(int a) {\n  return a;\n}\n",
			"type n.A 2-4; function n.A.m 3-3; function n.A.k 6-8"},
	} {
		t.Run(c.file, func(t *testing.T) {
			reader := NewReader()
			defer reader.Close()
			outline, ok := reader.Read(c.file, []byte(c.source))
			if !ok {
				t.Fatalf("have not read, want an outline")
			}
			var have []string
			for _, d := range outline.Definitions {
				have = append(have, fmt.Sprintf("%s %s %d-%d", d.Kind, d.Name, d.StartLine, d.EndLine))
			}
			if diff := cmp.Diff(c.want, strings.Join(have, "; ")); diff != "" {
				t.Error(diff)
			}
			if len(outline.Lost) > 0 {
				t.Errorf("have lost %v, want none", outline.Lost)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	reader := NewReader()
	defer reader.Close()
	if _, ok := reader.Read("a.kt", []byte("fun a() {}")); ok {
		t.Error("a language without a grammar: have an outline, want none")
	}
	if _, ok := reader.Read("a.go", make([]byte, MaxBytes+1)); ok {
		t.Error("a file beyond MaxBytes: have an outline, want none")
	}
	if outline, _ := reader.Read("a.go", []byte("package a\nfunc (((\n")); len(outline.Lost) == 0 {
		t.Error("broken text: have nothing lost, want its lines")
	}
}

func FuzzRead(f *testing.F) {
	f.Add("a.go", "package a\nfunc F() {}\n")
	f.Add("a.cpp", "int A::operator+(int) { return 1; }")
	f.Add("a.py", "def f(")
	f.Fuzz(func(t *testing.T, file, source string) {
		reader := NewReader()
		defer reader.Close()
		lines := strings.Count(source, "\n") + 1
		outline, _ := reader.Read(file, []byte(source))
		for _, d := range outline.Definitions {
			if d.StartLine < 1 || d.EndLine < d.StartLine || d.EndLine > lines {
				t.Errorf("%s: have lines %d-%d, want within 1-%d", d.Name, d.StartLine, d.EndLine, lines)
			}
		}
	})
}

func ExampleReader() {
	reader := NewReader()
	defer reader.Close()
	outline, _ := reader.Read("a.go", []byte("package a\n\nfunc Load() error {\n\treturn nil\n}\n"))
	for _, d := range outline.Definitions {
		fmt.Println(d.Kind, d.Name, d.StartLine, d.EndLine)
	}
	// Output: function Load 3 5
}
