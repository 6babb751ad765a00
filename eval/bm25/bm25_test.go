package bm25

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func words(text string) []string {
	var out []string
	Words([]byte(text), func(word []byte) { out = append(out, string(word)) })
	return out
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"open the file":                "open the file",
		"parseHTTPHeader":              "parse http header parsehttpheader",
		"max_file_size":                "max file size maxfilesize",
		"MAX_FILE":                     "max file maxfile",
		"__init__":                     "init",
		"utf8Decode":                   "utf 8 decode utf8decode",
		"sha256":                       "sha 256 sha256",
		"x.y->z":                       "x y z",
		"Étage été":                    "étage été",
		"naïveÜber":                    "naïve über naïveüber",
		"日本語":                          "日本語",
		"a—b":                          "a b",
		"bad\xffbyte":                  "bad byte",
		strings.Repeat("a", 64):        strings.Repeat("a", 64),
		strings.Repeat("a", 65) + " b": "b",
		"_ __ a_":                      "a",
	} {
		if diff := cmp.Diff(strings.Fields(want), append([]string{}, words(text)...)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// TestSearchByHand: three documents of 2, 1 and 3 words, mean 2; the query word stands in documents 0 (twice) and
// 2 (once): idf = ln(1 + 1.5/2.5) = 0.4700036; document 0: 2*2.2/(2+1.2) = 1.375; document 2:
// 2.2/(1 + 1.2*(0.25+0.75*1.5)) = 2.2/2.65 = 0.8301887.
func TestSearchByHand(t *testing.T) {
	index := New()
	index.Add([]byte("cat cat"))
	index.Add([]byte("dog"))
	index.Add([]byte("cat dog fish"))
	results := index.Search("cat cat", 10)
	want := []Result{{0, 0.4700036292 * 1.375}, {2, 0.4700036292 * 0.8301886792}}
	if len(results) != 2 {
		t.Fatalf("have %v, want %v", results, want)
	}
	for i, r := range results {
		if r.Document != want[i].Document || math.Abs(r.Score-want[i].Score) > 1e-9 {
			t.Errorf("have %v, want %v", r, want[i])
		}
	}
}

// TestSearchAgainstSorting compares the bounded insertion with a full sort of the same scores, ties included.
func TestSearchAgainstSorting(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	index := New()
	for range 300 {
		var text strings.Builder
		for range 1 + source.IntN(4) {
			fmt.Fprintf(&text, "w%c ", 'a'+source.IntN(5))
		}
		index.Add([]byte(text.String()))
	}
	all := index.Search("wa wb wc", 300)
	for i := 1; i < len(all); i++ {
		if all[i-1].Score < all[i].Score || all[i-1].Score == all[i].Score && all[i-1].Document > all[i].Document {
			t.Fatalf("rank %d: have %v before %v", i, all[i-1], all[i])
		}
	}
	for _, limit := range []int{0, 1, 7, 50} {
		if diff := cmp.Diff(all[:limit], index.Search("wa wb wc", limit)); diff != "" {
			t.Errorf("limit %d: %s", limit, diff)
		}
	}
}

func TestSearchEmpty(t *testing.T) {
	if have := New().Search("a", 5); len(have) != 0 {
		t.Errorf("have %v, want nothing", have)
	}
	index := New()
	index.Add(nil)
	if have := index.Search("a", 5); len(have) != 0 {
		t.Errorf("have %v, want nothing", have)
	}
}

func FuzzWords(f *testing.F) {
	f.Add([]byte("parseHTTPHeader max_file_size été \xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		Words(text, func(word []byte) {
			if len(word) == 0 || len(word) > maxWord {
				t.Errorf("have a word of %d bytes, want 1 to %d", len(word), maxWord)
			}
			if bytes.ContainsAny(word, "_ \n") || bytes.ContainsFunc(word, func(r rune) bool { return r >= 'A' && r <= 'Z' }) {
				t.Errorf("have %q, want lower case without _", word)
			}
		})
	})
}

// source is about size bytes that look like code: a skewed choice among many names.
func sourceText(size int) []byte {
	random := rand.New(rand.NewPCG(7, 7))
	zipf := rand.NewZipf(random, 1.2, 4, 30000)
	var text bytes.Buffer
	for text.Len() < size {
		fmt.Fprintf(&text, "\tif err := handler%dRequest.parse_value%d(ctx, item%d); err != nil { return fmt.Errorf(\"item %%w\", err) }\n",
			zipf.Uint64(), zipf.Uint64(), zipf.Uint64())
	}
	return text.Bytes()
}

func BenchmarkAdd(b *testing.B) {
	text := sourceText(10 << 20)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		index := New()
		for i := 0; i < len(text); i += 10 << 10 {
			index.Add(text[i:min(i+10<<10, len(text))])
		}
	}
}

func BenchmarkSearch(b *testing.B) {
	text := sourceText(50 << 20)
	index := New()
	for i := 0; i < len(text); i += 10 << 10 {
		index.Add(text[i:min(i+10<<10, len(text))])
	}
	for b.Loop() {
		index.Search("keep the request handler from parsing an item twice when ctx is cancelled", 10)
	}
}

func Example() {
	index := New()
	index.Add([]byte("func openFile(name string) error"))
	index.Add([]byte("func closeSocket(s *Socket)"))
	for _, result := range index.Search("open a file", 10) {
		fmt.Println(result.Document)
	}
	// Output: 0
}
