package bm25

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// The parameters of the formula, at the values that its authors and the usual search engines use.
const (
	// K1 bounds what further occurrences of a word in one document add.
	K1 = 1.2
	// B is how much of a document's length is held against it.
	B = 0.75
)

// Index holds documents by number: the first added is 0. Adding is for one goroutine; once it is done,
// Search may be called from many.
type Index struct {
	terms   dictionary
	lists   []list // by number of the term
	tails   []tail
	lengths []uint32 // words a document
	total   uint64   // words in all
	touched []uint32 // terms of the document being added
}

// list is the documents of one term. Most terms stand in one, which is kept here.
type list struct {
	first       uint32 // the first document
	occurrences uint32 // in it
	count       uint32 // documents written
	pending     uint32 // occurrences in the document being added
	tail        uint32 // where the further documents are, if count is above 1
}

// tail is the documents behind the first as pairs of varints: distance to the one before, occurrences.
type tail struct {
	bytes []byte
	last  uint32 // last document written
}

// New makes an empty index.
func New() *Index { return &Index{terms: newDictionary()} }

// Add indexes one document and returns its number.
func (x *Index) Add(text ...[]byte) int {
	document := uint32(len(x.lengths))
	var length uint32
	for _, part := range text {
		Words(part, func(word []byte) {
			id, added := x.terms.add(word)
			if added {
				x.lists = append(x.lists, list{})
			}
			l := &x.lists[id]
			if l.pending == 0 {
				x.touched = append(x.touched, id)
			}
			l.pending++
			length++
		})
	}
	for _, id := range x.touched {
		x.write(&x.lists[id], document)
	}
	x.touched = x.touched[:0]
	x.lengths = append(x.lengths, length)
	x.total += uint64(length)
	return int(document)
}

// write puts the pending occurrences of a term behind its documents.
func (x *Index) write(l *list, document uint32) {
	switch l.count {
	case 0:
		l.first, l.occurrences = document, l.pending
	case 1:
		l.tail = uint32(len(x.tails))
		x.tails = append(x.tails, tail{last: l.first})
		fallthrough
	default:
		t := &x.tails[l.tail]
		t.bytes = binary.AppendUvarint(t.bytes, uint64(document-t.last))
		t.bytes = binary.AppendUvarint(t.bytes, uint64(l.pending))
		t.last = document
	}
	l.pending = 0
	l.count++
}

// each gives the documents of a term and its occurrences there.
func (x *Index) each(l *list, give func(document, occurrences uint32)) {
	give(l.first, l.occurrences)
	if l.count == 1 {
		return
	}
	document := uint64(l.first)
	for rest := x.tails[l.tail].bytes; len(rest) > 0; {
		step, size := binary.Uvarint(rest)
		rest = rest[size:]
		occurrences, size := binary.Uvarint(rest)
		rest = rest[size:]
		document += step
		give(uint32(document), uint32(occurrences))
	}
}

// Len is the number of documents.
func (x *Index) Len() int { return len(x.lengths) }

// Result is one document that shares a word with the query.
type Result struct {
	// Document is its number.
	Document int
	// Score is its BM25 weight, above zero.
	Score float64
}

// Search returns the limit best documents, best first, ties by number. A word that the query repeats counts
// once. The sum over words is taken in the order of the query, so a score has the same bits in every run.
func (x *Index) Search(query string, limit int) []Result {
	scores := x.score(query)
	best := make([]Result, 0, limit+1)
	for document, score := range scores {
		if score == 0 || len(best) == limit && (limit == 0 || score <= best[limit-1].Score) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, score, func(r Result, s float64) int {
			if r.Score >= s {
				return -1
			}
			return cmp.Compare(s, r.Score)
		})
		best = slices.Insert(best, at, Result{document, score})
		if len(best) > limit {
			best = best[:limit]
		}
	}
	return best
}

// score is the weight of every document.
func (x *Index) score(query string) []float64 {
	scores := make([]float64, len(x.lengths))
	if x.total == 0 {
		return scores
	}
	mean := float64(x.total) / float64(len(x.lengths))
	asked := map[uint32]bool{}
	Words([]byte(query), func(word []byte) {
		id, ok := x.terms.number(word)
		if !ok || asked[id] {
			return
		}
		asked[id] = true
		l := &x.lists[id]
		n := float64(l.count)
		idf := math.Log(1 + (float64(len(x.lengths))-n+0.5)/(n+0.5))
		x.each(l, func(document, occurrences uint32) {
			tf := float64(occurrences)
			norm := K1 * (1 - B + B*float64(x.lengths[document])/mean)
			scores[document] += float64(idf * float64(tf*(K1+1)) / (tf + norm))
		})
	})
	return scores
}
