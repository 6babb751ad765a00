package githistory

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// StopWords are never keywords: words of English, and of commit subjects, that name nothing in code.
var StopWords = []string{
	"about", "add", "added", "adds", "after", "all", "also", "and", "any", "are", "because", "been", "before", "being",
	"but", "can", "change", "changed", "changes", "chore", "could", "did", "docs", "does", "doing", "done", "each",
	"ensure", "even", "every", "feat", "fix", "fixed", "fixes", "for", "from", "get", "had", "has", "have", "how", "into",
	"its", "just", "less", "made", "make", "makes", "may", "more", "most", "must", "new", "not", "now", "off", "old",
	"one", "only", "onto", "other", "our", "out", "over", "perf", "refactor", "remove", "removed", "removes", "set",
	"should", "since", "some", "still", "style", "such", "support", "test", "tests", "than", "that", "the", "their",
	"them", "then", "there", "these", "they", "this", "those", "through", "too", "two", "under", "until", "update",
	"updated", "updates", "use", "used", "uses", "using", "via", "was", "were", "what", "when", "where", "which", "while",
	"who", "why", "will", "with", "within", "without", "would", "you", "your",
}

// Keywords are the maximal runs of letters, digits and "_" of at least 3 characters that are no stop words, in
// order of appearance; of words that differ only in case the first spelling is kept.
func Keywords(text string) []string {
	var words []string
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) {
		folded := strings.ToLower(word)
		if utf8.RuneCountInString(word) < 3 || seen[folded] {
			continue
		}
		if _, stop := slices.BinarySearch(StopWords, folded); stop {
			continue
		}
		seen[folded] = true
		words = append(words, word)
	}
	return words
}

// interleave takes the first results of every list in turn, then all second ones; repeats are dropped.
func interleave(lists [][]Hit) []Hit {
	var fused []Hit
	seen := map[string]bool{}
	for rank := 0; ; rank++ {
		more := false
		for _, list := range lists {
			if rank >= len(list) {
				continue
			}
			more = true
			if hit := list[rank]; !seen[hit.File] {
				seen[hit.File] = true
				fused = append(fused, hit)
			}
		}
		if !more {
			return fused
		}
	}
}
