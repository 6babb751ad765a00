package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The wanted words are those a POSIX shell gives for the same line (printf '%s\n' …), with expansion off.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
	}{
		{`rg -l {q} .`, []string{"rg", "-l", "{q}", "."}},
		{`  cortex   recall --json "{q}"  `, []string{"cortex", "recall", "--json", "{q}"}},
		{`sh -c 'echo "$1"' x {q}`, []string{"sh", "-c", `echo "$1"`, "x", "{q}"}},
		{`a '' ""`, []string{"a", "", ""}},
		{`a b\ c "d\"e\n" 'f\'`, []string{"a", "b c", `d"e\n`, `f\`}},
		{`a --q='{q}'x`, []string{"a", "--q={q}x"}},
	} {
		got, err := Parse(c.line)
		if err != nil || !slices.Equal(got.words, c.want) {
			t.Errorf("Parse(%q) = %q, %v, want %q", c.line, got.words, err, c.want)
		}
	}
	for _, line := range []string{"", "  ", `"" x`, `a "b`, `a 'b`, `a \`} {
		if got, err := Parse(line); err == nil {
			t.Errorf("Parse(%q) = %q, want an error", line, got.words)
		}
	}
}

func TestFillIsOnePassAndNeverSplits(t *testing.T) {
	template, err := Parse("tool --n={limit} {q}")
	if err != nil {
		t.Fatal(err)
	}
	got := template.Fill(Value{"q", `$(rm -rf /) {limit} "x'`}, Value{"limit", "5"})
	if want := []string{"tool", "--n=5", `$(rm -rf /) {limit} "x'`}; !slices.Equal(got, want) {
		t.Errorf("have %q, want %q", got, want)
	}
	if !template.Uses("q") || template.Uses("repo") {
		t.Error("Uses: have q missing or repo present, want the reverse")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`a b`, `a "b c" 'd'`, `a \`, `'`, "a\x00b \xff"} {
		f.Add(s, "v")
	}
	f.Fuzz(func(t *testing.T, line, value string) {
		template, err := Parse(line)
		if err != nil {
			return
		}
		if args := template.Fill(Value{"q", value}); len(args) != len(template.words) {
			t.Errorf("%q: %d arguments from %d words", line, len(args), len(template.words))
		}
		quoted := make([]string, len(template.words))
		for i, w := range template.words {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		again, err := Parse(strings.Join(quoted, " "))
		if err != nil || !slices.Equal(again.words, template.words) {
			t.Errorf("quoting %q and parsing again gives %q, %v", template.words, again.words, err)
		}
	})
}

func ExampleTemplate_Fill() {
	template, _ := Parse(`search --limit {limit} -- {q}`)
	fmt.Printf("%q\n", template.Fill(Value{"q", "what is a datom; and why"}, Value{"limit", "5"}))
	// Output: ["search" "--limit" "5" "--" "what is a datom; and why"]
}
