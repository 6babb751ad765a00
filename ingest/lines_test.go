package ingest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/assay-bench/assay/schema"
)

// collect reads all lines of a text, with a bound on their length.
func collect(t testing.TB, r io.Reader, maximum int) (texts []string, places []schema.Position, ends []lineEnd) {
	t.Helper()
	l := lines{maximum: maximum, buf: make([]byte, 16)}
	l.reset(r)
	for {
		line, p, how, err := l.next()
		if errors.Is(err, io.EOF) {
			return texts, places, ends
		}
		if err != nil {
			t.Fatal(err)
		}
		texts, places, ends = append(texts, string(line)), append(places, p), append(ends, how)
	}
}

func TestLines(t *testing.T) {
	cases := []struct {
		text string
		want []string
		ends []lineEnd
	}{
		{"", nil, nil},
		{"a\n", []string{"a"}, []lineEnd{endNewline}},
		{"a\nbc", []string{"a", "bc"}, []lineEnd{endNewline, endFile}},
		{"\n\n", []string{"", ""}, []lineEnd{endNewline, endNewline}},
		{"a\r\nb\r\n", []string{"a\r", "b\r"}, []lineEnd{endNewline, endNewline}},
		{strings.Repeat("x", 40) + "\nb\n", []string{"", "b"}, []lineEnd{endTooLong, endNewline}},
		{"a\n" + strings.Repeat("x", 40), []string{"a", ""}, []lineEnd{endNewline, endTooLong}},
		{strings.Repeat("x", 32) + "\nb", []string{strings.Repeat("x", 32), "b"}, []lineEnd{endNewline, endFile}},
	}
	for _, c := range cases {
		texts, _, ends := collect(t, strings.NewReader(c.text), 32)
		if !slices.Equal(texts, c.want) || !slices.Equal(ends, c.ends) {
			t.Errorf("%q: have %q %v, want %q %v", c.text, texts, ends, c.want, c.ends)
		}
	}
}

// Whatever the sizes of the reads, the lines are those of a plain split, and
// every place leads back to its bytes.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\n\nccc"), uint8(8))
	f.Add([]byte("\xef\xbb\xbf{}\r\n"), uint8(1))
	f.Add(bytes.Repeat([]byte("x"), 300), uint8(100))
	f.Fuzz(func(t *testing.T, text []byte, maximum uint8) {
		limit := int(maximum) + 1
		var want [][]byte
		for line := range bytes.Lines(text) {
			want = append(want, bytes.TrimSuffix(line, []byte("\n")))
		}
		for _, r := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text)), iotest.DataErrReader(bytes.NewReader(text))} {
			texts, places, ends := collect(t, r, limit)
			if len(texts) != len(want) {
				t.Fatalf("%d lines, want %d", len(texts), len(want))
			}
			for i, p := range places {
				if p.Line != int64(i)+1 || !bytes.Equal(text[p.Offset:p.Offset+p.Length], want[i]) {
					t.Errorf("line %d has place %+v, want that of %q", i+1, p, want[i])
				}
				if tooLong := len(want[i]) > limit; tooLong != (ends[i] == endTooLong) || !tooLong && texts[i] != string(want[i]) {
					t.Errorf("line %d: have %q %v, want %q", i+1, texts[i], ends[i], want[i])
				}
			}
		}
	})
}

// A line without end takes no more memory than the bound.
func TestLineMemoryIsBounded(t *testing.T) {
	l := lines{maximum: 1 << 20}
	l.reset(io.LimitReader(zeros{}, 64<<20))
	if _, p, how, err := l.next(); err != nil || how != endTooLong || p.Length != 64<<20 {
		t.Errorf("have %+v %v %v, want one line that is too long", p, how, err)
	}
	if have, want := cap(l.buf), 1<<20+2*blockBytes; have > want {
		t.Errorf("the buffer grew to %d bytes, want at most %d", have, want)
	}
}

type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestJudgePatch(t *testing.T) {
	cases := []struct {
		name, text string
		state      PatchState
		added      int64
		removed    int64
	}{
		{"no byte", "", PatchBlank, 0, 0},
		{"white space", " \n\t\n", PatchBlank, 0, 0},
		{"headers only", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", PatchNoLineChanges, 0, 0},
		{"an empty file", "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n", PatchNoLineChanges, 0, 0},
		{"one line", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", PatchReal, 1, 1},
		{"a removed line of dashes", "--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- x\n a\n", PatchReal, 0, 1},
		{"an added line of pluses", "--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+++ y\n+z\n\\ No newline at end of file\n", PatchReal, 2, 0},
		{"two files", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/y\n+++ b/y\n@@ -3,3 +3,4 @@ f\n a\n+b\n c\n d\n", PatchReal, 2, 1},
		{"no hunk headers", "--- a/x\n+++ b/x\n-a\n", PatchReal, 0, 1},
		{"words", "I could not do it.\n", PatchNoLineChanges, 0, 0},
	}
	for _, c := range cases {
		p := judgePatch([]byte(c.text))
		if p.State != c.state || p.AddedLines != c.added || p.RemovedLines != c.removed {
			t.Errorf("%s: have %q +%d -%d, want %q +%d -%d", c.name, p.State, p.AddedLines, p.RemovedLines, c.state, c.added, c.removed)
		}
	}
}

func FuzzPatch(f *testing.F) {
	f.Add([]byte("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := judgePatch(text)
		if lines := int64(bytes.Count(text, []byte("\n"))) + 1; p.AddedLines+p.RemovedLines > lines {
			t.Errorf("+%d -%d in %d lines", p.AddedLines, p.RemovedLines, lines)
		}
	})
}

func TestSafeArtifact(t *testing.T) {
	for name, want := range map[string]bool{
		"patch.diff": true, "context/ab": true, "a b": true, "..": false, "../x": false, "a/../../x": false, "/etc/passwd": false,
		"a//b": false, "./a": false, "": false, ".": false, `a\b`: false, "c:x": false, "a\x00": false, "a/..": false,
	} {
		if have := safeArtifact(name); have != want {
			t.Errorf("safeArtifact(%q) = %v, want %v", name, have, want)
		}
	}
}
