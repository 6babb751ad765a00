package githistory

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-bench/assay/eval/symbols"
)

func filesOf(hits []Hit) string {
	var files []string
	for _, hit := range hits {
		files = append(files, hit.File)
	}
	return strings.Join(files, " ")
}

// TestCochangeByHand: "parse" is in the subjects of the first two commits, which vote for a, b and c. BM25 gives the
// shorter subject more weight, so a and b (half of it each) stand before what the longer one votes for; d changed
// together with a and comes in behind.
func TestCochangeByHand(t *testing.T) {
	history := []past{
		{"parse", []string{"a", "b"}},
		{"parse the other thing quickly", []string{"c"}},
		{"unrelated", []string{"a", "d"}},
		{"unrelated again", []string{"e"}},
	}
	hits := cochangeRanker(history)("parse", 10)
	for _, file := range []string{"a", "b", "c", "d"} {
		if !strings.Contains(" "+filesOf(hits)+" ", " "+file+" ") {
			t.Errorf("have %s, want %s in it", filesOf(hits), file)
		}
	}
	if strings.Contains(filesOf(hits), "e") {
		t.Errorf("have %s, want no e: it never changed with any of them", filesOf(hits))
	}
	if have := filesOf(cochangeRanker(history)("nothing of it", 10)); have != "" {
		t.Errorf("have %s, want nothing", have)
	}
}

func TestPopularByHand(t *testing.T) {
	rank := popularRanker([]past{{"", []string{"b", "c"}}, {"", []string{"c", "a"}}, {"", []string{"c"}}})
	if have := filesOf(rank("anything", 10)); have != "c a b" {
		t.Errorf("have %s, want c a b: three commits, then one each by path", have)
	}
	if have := filesOf(rank("anything", 1)); have != "c" {
		t.Errorf("have %s, want c", have)
	}
}

// TestHybridByHand: a is first in one list and third in the other, 1/61 + 1/63 = 0.03227; b is second in both,
// 2/62 = 0.03226; c stands in one list only, 1/63.
func TestHybridByHand(t *testing.T) {
	fixed := func(files string) ranker {
		return func(string, int) (hits []Hit) {
			for _, file := range strings.Fields(files) {
				hits = append(hits, Hit{File: file, Known: true})
			}
			return hits
		}
	}
	b := &baselines{rankers: map[string]ranker{"one": fixed("a b c"), "two": fixed("x b a")}}
	hits := b.hybridRanker([]string{"one", "two"})("", 4)
	if have := filesOf(hits); have != "a b x c" {
		t.Errorf("have %s, want a b x c", have)
	}
	want := []Source{{Name: "one", Rank: 1}, {Name: "two", Rank: 3}}
	if diff := cmp.Diff(want, hits[0].Sources); diff != "" {
		t.Error(diff)
	}
}

// TestBestDefinition: a definition begins at the line of its name's length here, and ends at twice it.
func TestBestDefinition(t *testing.T) {
	outline := symbols.Outline{Definitions: []symbols.Definition{
		{Name: "openFileQuickly", StartLine: 15, EndLine: 30}, {Name: "openFile", StartLine: 8, EndLine: 16}, {Name: "close", StartLine: 5, EndLine: 10},
	}}
	for query, want := range map[string]string{"open the file": "openFile", "close it": "close", "quickly open": "openFileQuickly", "nothing": ""} {
		have, lines, ok := bestDefinition(compact(outline), wordSet(query))
		if have != want || ok != (want != "") {
			t.Errorf("%q: have %q, want %q", query, have, want)
		}
		if ok && (int(lines.firstLine) != len(want) || int(lines.lastLine) != 2*len(want)) {
			t.Errorf("%q: have lines %d to %d", query, lines.firstLine, lines.lastLine)
		}
	}
}
