package derive

import (
	"cmp"
	"slices"
)

// trecFormat is the source format of runs whose order is that of their scores.
const trecFormat = "trec"

// orderByScore orders candidates as trec_eval does: by score, read as a 32-bit
// float, descending, then by document id descending. The rank column is noise
// there; how many places contradict it is counted.
func (r *Run) orderByScore(list []int32) {
	rows := r.rows.Candidates
	byScore := func(a, b int32) int {
		return cmp.Or(
			cmp.Compare(float32(rows[b].Score.Or(0)), float32(rows[a].Score.Or(0))),
			cmp.Compare(r.retrieval.of[b].entity.text, r.retrieval.of[a].entity.text),
			cmp.Compare(a, b))
	}
	slices.SortFunc(list, byScore)
	ranks := slices.Clone(list)
	slices.SortFunc(ranks, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rows[a].Rank, rows[b].Rank), byScore(a, b))
	})
	for i := range list {
		if list[i] != ranks[i] {
			r.work.disagree.add(rows[ranks[i]].Line, "")
		}
	}
}
