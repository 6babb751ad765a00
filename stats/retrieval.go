package stats

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Judgements are the grades of the judged documents of a query. A document
// that is not in it is unjudged, and so is one with a negative grade.
type Judgements map[string]int

// A ScoredDocument is a line of a run.
type ScoredDocument struct {
	// ID is the document.
	ID string
	// Score orders documents; higher is better.
	Score float64
}

// RankByScore orders documents as trec_eval does: by score from the top, ties by
// id from the end of the byte order. The rank column of a run plays no part. A
// repeated document keeps its best place; the others are dropped and counted,
// where trec_eval would stop.
func RankByScore(documents []ScoredDocument) (ranked []string, duplicates int) {
	ordered := slices.Clone(documents)
	slices.SortFunc(ordered, func(a, b ScoredDocument) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID))
	})
	ids := make([]string, len(ordered))
	for i, d := range ordered {
		ids[i] = d.ID
	}
	return Deduplicate(ids)
}

// Deduplicate keeps the first of every id.
func Deduplicate(ranked []string) (unique []string, duplicates int) {
	seen := make(map[string]bool, len(ranked))
	for _, id := range ranked {
		if seen[id] {
			duplicates++
			continue
		}
		seen[id] = true
		unique = append(unique, id)
	}
	return unique, duplicates
}

// A Gain turns a grade into the gain of NDCG. Negative grades have none.
type Gain uint8

const (
	// LinearGain is the grade itself: trec_eval's.
	LinearGain Gain = iota
	// ExponentialGain is 2^grade - 1 (Burges et al., ICML 2005). It is not
	// trec_eval's, and gives other numbers for graded judgements.
	ExponentialGain
)

func (g Gain) of(grade int) float64 {
	switch {
	case grade <= 0:
		return 0
	case g == ExponentialGain:
		return math.Exp2(float64(grade)) - 1
	}
	return float64(grade)
}

// A Ranking is one query's ranked documents beside its judgements. Its measures
// are trec_eval's to the last digit; a cutoff of 0 means the whole list.
//
// Where no document is relevant every measure is 0, as in trec_eval, and Reason
// is Undefined: a table that wants 0/0 to be missing asks for it first.
type Ranking struct {
	grades   []int // of the returned documents; unjudged where not judged
	ideal    []int // positive grades of all judged documents, from the top
	level    int
	relevant int
	nonrel   int // judged, not relevant, grade not negative
	unjudged int // among those returned, negative grades included
}

const gradeUnjudged = math.MinInt

// NewRanking judges a list without repeats (see Deduplicate); documents of at
// least the given level are relevant, usually 1. NDCG does not depend on the level.
func NewRanking(ranked []string, judged Judgements, level int) Ranking {
	r := Ranking{level: level}
	for _, grade := range judged {
		switch {
		case grade >= level:
			r.relevant++
		case grade >= 0:
			r.nonrel++
		}
		if grade > 0 {
			r.ideal = append(r.ideal, grade)
		}
	}
	slices.SortFunc(r.ideal, func(a, b int) int { return cmp.Compare(b, a) })
	for _, id := range ranked {
		grade, ok := judged[id]
		if !ok {
			grade = gradeUnjudged
		}
		if grade < 0 {
			r.unjudged++
		}
		r.grades = append(r.grades, grade)
	}
	return r
}

// Reason is Undefined where the query has no relevant document.
func (r Ranking) Reason() Reason {
	if r.relevant == 0 {
		return Undefined
	}
	return ""
}

// Returned is the number of documents in the list.
func (r Ranking) Returned() int { return len(r.grades) }

// Relevant is the number of relevant documents of the query.
func (r Ranking) Relevant() int { return r.relevant }

// RelevantReturned is the number of relevant documents within the cutoff.
func (r Ranking) RelevantReturned(k int) int {
	n := 0
	for _, grade := range r.grades[:r.cut(k)] {
		if grade >= r.level {
			n++
		}
	}
	return n
}

// UnjudgedReturned is the number of returned documents without a judgement, or
// with a negative grade.
func (r Ranking) UnjudgedReturned() int { return r.unjudged }

func (r Ranking) cut(k int) int {
	if k == 0 {
		return len(r.grades)
	}
	return min(k, len(r.grades))
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// Precision divides by k even where fewer documents were returned (P_k).
func (r Ranking) Precision(k int) float64 { return share(r.RelevantReturned(k), k) }

// PrecisionOverReturned divides by the number of documents within the cutoff.
func (r Ranking) PrecisionOverReturned(k int) float64 {
	return share(r.RelevantReturned(k), r.cut(k))
}

// Recall divides by the number of relevant documents (recall_k).
func (r Ranking) Recall(k int) float64 { return share(r.RelevantReturned(k), r.relevant) }

// Success is 1 where a relevant document is within the cutoff (success_k, hit@k).
func (r Ranking) Success(k int) float64 { return float64(min(1, r.RelevantReturned(k))) }

// F1 is the harmonic mean of Precision and Recall.
func (r Ranking) F1(k int) float64 {
	p, c := r.Precision(k), r.Recall(k)
	if p+c == 0 {
		return 0
	}
	return 2 * p * c / (p + c)
}

// ReciprocalRank is one over the rank of the first relevant document, 0 where
// it is beyond the cutoff (recip_rank).
func (r Ranking) ReciprocalRank(k int) float64 {
	for i, grade := range r.grades[:r.cut(k)] {
		if grade >= r.level {
			return 1 / float64(i+1)
		}
	}
	return 0
}

func (r Ranking) sumOfPrecisions(k int) float64 {
	sum, found := 0.0, 0
	for i, grade := range r.grades[:r.cut(k)] {
		if grade >= r.level {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return sum
}

// AveragePrecision divides by the number of relevant documents, whatever the
// cutoff (map, map_cut_k).
func (r Ranking) AveragePrecision(k int) float64 {
	if r.relevant == 0 {
		return 0
	}
	return r.sumOfPrecisions(k) / float64(r.relevant)
}

// AveragePrecisionOverReachable divides by what the cutoff lets one reach,
// min(k, relevant): the variant of many libraries, and not trec_eval's.
func (r Ranking) AveragePrecisionOverReachable(k int) float64 {
	reachable := r.relevant
	if k > 0 {
		reachable = min(k, reachable)
	}
	if reachable == 0 {
		return 0
	}
	return r.sumOfPrecisions(k) / float64(reachable)
}

// RPrecision is the precision at the number of relevant documents (Rprec).
func (r Ranking) RPrecision() float64 {
	if r.relevant == 0 {
		return 0
	}
	return r.Precision(r.relevant)
}

// DCG discounts the gain at rank i by log2(i+1) (Jarvelin and Kekalainen, ACM
// TOIS 20 (2002) 422-446, in trec_eval's form).
func (r Ranking) DCG(k int, g Gain) float64 { return dcg(r.grades[:r.cut(k)], g) }

func dcg(grades []int, g Gain) float64 {
	sum := 0.0
	for i, grade := range grades {
		sum += g.of(grade) / math.Log2(float64(i+2))
	}
	return sum
}

// NDCG divides DCG by that of the best order of all judged documents, within
// the same cutoff (ndcg, ndcg_cut_k).
func (r Ranking) NDCG(k int, g Gain) float64 {
	ideal := r.ideal
	if k > 0 {
		ideal = ideal[:min(k, len(ideal))]
	}
	best := dcg(ideal, g)
	if best == 0 {
		return 0
	}
	return r.DCG(k, g) / best
}

// BPref counts, for each relevant document returned, the judged non-relevant
// ones above it (Buckley and Voorhees, SIGIR 2004, in trec_eval's form).
func (r Ranking) BPref() float64 {
	if r.relevant == 0 {
		return 0
	}
	sum, above := 0.0, 0
	for _, grade := range r.grades {
		switch {
		case grade >= r.level:
			sum++
			if above > 0 {
				sum -= float64(min(above, r.relevant)) / float64(min(r.nonrel, r.relevant))
			}
		case grade >= 0:
			above++
		}
	}
	return sum / float64(r.relevant)
}

// A QuerySet says over which queries a mean goes.
type QuerySet uint8

const (
	// JudgedQueries are all queries with judgements; one without a list scores
	// 0 (trec_eval -c).
	JudgedQueries QuerySet = iota
	// AnsweredQueries are those with judgements and a list.
	AnsweredQueries
	// RelevantQueries are those with a relevant document.
	RelevantQueries
)

// Queries are the rankings of all judged queries.
type Queries struct {
	// Names are the judged queries, in order.
	Names []string
	// Rankings belong to Names.
	Rankings []Ranking
	// Answered says which of Names have a list.
	Answered []bool
	// Unjudged are the queries with a list and without judgements, in order.
	// They are in no mean.
	Unjudged []string
}

// NewQueries judges the lists of many queries.
func NewQueries(judged map[string]Judgements, lists map[string][]string, level int) Queries {
	var q Queries
	for _, name := range slices.Sorted(maps.Keys(judged)) {
		list, ok := lists[name]
		q.Names = append(q.Names, name)
		q.Rankings = append(q.Rankings, NewRanking(list, judged[name], level))
		q.Answered = append(q.Answered, ok)
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		if _, ok := judged[name]; !ok {
			q.Unjudged = append(q.Unjudged, name)
		}
	}
	return q
}

// Mean is the mean of a measure over a set of queries, and their number; NoData
// where the set is empty.
func (q Queries) Mean(set QuerySet, measure func(Ranking) float64) (value float64, queries int, reason Reason) {
	var values []float64
	for i, r := range q.Rankings {
		if set == AnsweredQueries && !q.Answered[i] || set == RelevantQueries && r.Relevant() == 0 {
			continue
		}
		values = append(values, measure(r))
	}
	value, reason = Mean(values)
	return value, len(values), reason
}
