package derive

import (
	"cmp"
	"slices"

	"github.com/assay-bench/assay/schema"
)

// deepest is the largest k of the metrics at k.
const deepest = 20

// retrievalFacts is what the run asked and was given.
type retrievalFacts struct {
	queries []queryFacts
	byID    map[string]int32
	// of holds, beside each candidate row, what its metrics need.
	of []candidateFacts
	// order holds the places of candidates, query by query, each in its order.
	order []int32
	// indexes of the queries that make up the run's list are those with InList.
	final bool
	list  ranked
	// prefix is the run's list before repeats are dropped.
	latencies []float64
	functions []functionKey
	stamp     uint32
}

func (f *retrievalFacts) reset() {
	byID := f.byID
	if byID == nil {
		byID = map[string]int32{}
	}
	clear(byID)
	*f = retrievalFacts{queries: emptied(f.queries), byID: byID, of: emptied(f.of), order: emptied(f.order),
		latencies: emptied(f.latencies), functions: f.functions, stamp: f.stamp}
}

// queryFacts is what the metrics of one query need.
type queryFacts struct {
	candidates int64
	from, to   int32
	tokens     schema.Opt[int64]
	latency    schema.Opt[float64]
	list       ranked
}

// candidateFacts is what the metrics of one candidate need.
type candidateFacts struct {
	entity *entity
	query  int32
}

// ranked is what a list of distinct candidates shows of the gold.
type ranked struct {
	// found counts the relevant gold, matched the gold functions, up to each cutoff.
	found, matched [len(schema.Cutoffs)]int64
	// first is the rank of the first relevant candidate, or 0.
	first int64
	// gain is the discounted gain of the first ten.
	gain float64
	// precision is the sum of the precisions at the relevant ranks.
	precision float64
	// dropped counts the candidates that stand earlier in the list.
	dropped int64
	// limit is the length at which the tool cut the list; 0: it did not.
	limit int64
}

// functionKey tells entries of the function list apart.
type functionKey struct {
	file        *entity
	symbol      string
	first, last int64
}

// list computes the ranked lists of the queries and of the run.
func (r *Run) list() {
	f := &r.retrieval
	r.orderCandidates()
	lone, members := -1, 0
	for i := range f.queries {
		q, row := &f.queries[i], &r.rows.Queries[i]
		q.list = r.rank(f.order[q.from:q.to], true)
		q.list.limit = cutAt(row)
		row.Candidates, row.Duplicates = q.candidates, q.list.dropped
		row.InList = !f.final || row.QueryKind.Or("") == schema.QueryKindFinal
		if row.InList {
			lone = i
			members++
		}
	}
	switch members {
	case 0:
	case 1:
		f.list = f.queries[lone].list
	default:
		f.list = r.rank(r.prefix(), false)
	}
}

// cutAt is the limit of a query that returned as many as asked, or 0.
func cutAt(row *schema.QueryRow) int64 {
	limit, ok := row.ResultLimit.Get()
	if ok && limit > 0 && row.Results.Or(row.Candidates) >= limit {
		return limit
	}
	return 0
}

// orderCandidates fills order: the candidates query by query, each in the order
// of its list.
func (r *Run) orderCandidates() {
	f := &r.retrieval
	at := int32(0)
	for i := range f.queries {
		q := &f.queries[i]
		q.from, q.to = at, at
		at += int32(q.candidates)
	}
	f.order = slices.Grow(f.order, int(at))[:at]
	for i := range f.of {
		q := &f.queries[f.of[i].query]
		f.order[q.to] = int32(i)
		q.to++
	}
	byScore := r.in.Manifest.Source != nil && r.in.Manifest.Source.Format.Or("") == trecFormat
	for i := range f.queries {
		q := &f.queries[i]
		part := f.order[q.from:q.to]
		if byScore {
			r.orderByScore(part)
		} else if !slices.IsSortedFunc(part, r.byRank) {
			slices.SortFunc(part, r.byRank)
		}
	}
}

// byRank orders candidates of one query by (rank, seq).
func (r *Run) byRank(a, b int32) int {
	return cmp.Or(cmp.Compare(r.rows.Candidates[a].Rank, r.rows.Candidates[b].Rank), cmp.Compare(a, b))
}

// prefix returns the candidates of the run's list, repeats included: the queries
// in the order of their first events, each in the order of its own list.
func (r *Run) prefix() []int32 {
	f := &r.retrieval
	if !f.final {
		return f.order
	}
	var list []int32
	for i := range f.queries {
		if r.rows.Queries[i].InList {
			list = append(list, f.order[f.queries[i].from:f.queries[i].to]...)
		}
	}
	return list
}

// rank walks a list, drops what stands in it already, and notes where the gold
// is. Where mark is true the places are written to the candidates' rows.
func (r *Run) rank(list []int32, mark bool) ranked {
	f := &r.retrieval
	f.stamp++
	var out ranked
	place, hits := int64(0), int64(0)
	for _, i := range list {
		e := f.of[i].entity
		if e.listed == f.stamp {
			out.dropped++
			continue
		}
		e.listed = f.stamp
		place++
		if mark {
			r.rows.Candidates[i].ListRank = schema.Some(place)
		}
		grade := r.gradeOf(e)
		if grade <= 0 {
			continue
		}
		hits++
		if hits == 1 {
			out.first = place
		}
		out.precision += float64(hits) / float64(place)
		if place <= int64(len(log2)) {
			out.gain += grade / log2[place-1]
		}
		for c, k := range schema.Cutoffs {
			if place <= int64(k) {
				out.found[c]++
			}
		}
	}
	if len(r.gold.functions) > 0 {
		r.rankFunctions(list, &out)
	}
	return out
}

// rankFunctions walks the candidates that carry a symbol or a span, as deep as
// the metrics look.
func (r *Run) rankFunctions(list []int32, out *ranked) {
	f := &r.retrieval
	f.functions = f.functions[:0]
	for _, i := range list {
		row := &r.rows.Candidates[i]
		if !row.File.Has() || !row.Symbol.Has() && !row.StartLine.Has() {
			continue
		}
		first, last := span(row.StartLine, row.EndLine)
		key := functionKey{file: f.of[i].entity, symbol: row.Symbol.Or(""), first: first, last: last}
		if slices.Contains(f.functions, key) {
			continue
		}
		f.functions = append(f.functions, key)
		place := len(f.functions)
		if n := r.matchFunctions(key); n > 0 {
			for c, k := range schema.Cutoffs {
				if place <= k {
					out.matched[c] += n
				}
			}
		}
		if place == deepest {
			return
		}
	}
}

// matchFunctions counts the gold functions that the entry is the first of its
// list to match.
func (r *Run) matchFunctions(key functionKey) (n int64) {
	for i := range r.gold.functions {
		g := &r.gold.functions[i]
		if g.file != key.file || g.matched == r.retrieval.stamp {
			continue
		}
		named := key.symbol != "" && key.symbol == g.symbol
		shared := key.first > 0 && g.first > 0 && key.first <= g.last && g.first <= key.last
		if named || shared {
			g.matched = r.retrieval.stamp
			n++
		}
	}
	return n
}
