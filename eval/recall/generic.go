package recall

import (
	"slices"
	"strings"
)

// genericWords are English function words, and words that stand in almost any text about software. A keyword
// made of nothing else tells answers apart no better than a coin does. They are sorted.
var genericWords = strings.Fields(`
a about above after again all also always an and any are as at based be because been before being between both but by
call called can case change check class code come common contain could create current data default define described
did different do does done down each either end every example field file find first following for from function get
give given go good has have he help her here his how however i if implementation in include information into is it
item its just key know last line list look made main make many may method might more most must name need needed new no
not now number object of off old on one only open option or order other our out over own part place point possible
provide read result return run same section see set several she should show simple since so some source specific start
state such support system take text than that the their them then there these they thing this those three through time
to two type under until up us use used user uses using value various very want was way we well were what when where
whether which while who why will with within without word work would write you your
`)

// generic says that a lower-cased keyword is a generic word, a phrase of such words, or one or two letters.
func generic(keyword string) bool {
	words := strings.Fields(keyword)
	for _, word := range words {
		if _, found := slices.BinarySearch(genericWords, word); !found {
			return len(words) == 1 && shortWord(word)
		}
	}
	return true
}

// shortWord is one letter, or two: found inside of longer words nearly anywhere. Digits and signs are specific.
func shortWord(word string) bool {
	return len(word) <= 2 && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}
