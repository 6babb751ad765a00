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

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain ä \"x\"": "plain ä \"x\"", "\x1b[31m": `\u001b[31m`, "a\nb": `a\u000ab`, "r\u202e1": `r\u202e1`,
		"\xff": `\xff`, "\U000e0001": `\U000e0001`, "": "",
	} {
		if have := printable(in); have != want {
			t.Errorf("%q: have %s, want %s", in, have, want)
		}
	}
}
