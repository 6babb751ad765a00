package githistory

import (
	"cmp"
	"slices"
	"strings"

	"github.com/assay-bench/assay/eval/bm25"
)

const (
	// similarCommits is how many earlier commits with a similar subject vote for their files.
	similarCommits = 50
	// sweepingFiles is the number of files above which an earlier commit says nothing about what belongs together.
	sweepingFiles = 50
	// cochangeSeeds is how many of the files voted for bring in those that changed together with them.
	cochangeSeeds = 5
	// cochangeWeight is how much of a seed's votes a file gets that always changed with it.
	cochangeWeight = 0.5
)

// cochangeRanker lets earlier commits vote: each of those whose subject is most like the query (BM25 over
// subjects) shares its weight among the files that it changed. The best of these files then bring in the files
// that changed together with them, by the share of the seed's commits in which they did.
func cochangeRanker(history []past) ranker {
	subjects := bm25.New()
	var commits []past
	together := map[string][]int{} // file -> commits that changed it
	for _, commit := range history {
		if len(commit.files) == 0 || len(commit.files) > sweepingFiles {
			continue
		}
		for _, file := range commit.files {
			together[file] = append(together[file], len(commits))
		}
		commits = append(commits, commit)
		subjects.Add([]byte(commit.subject))
	}
	return func(query string, limit int) []Hit {
		votes := map[string]float64{}
		for _, similar := range subjects.Search(query, similarCommits) {
			files := commits[similar.Document].files
			for _, file := range files {
				votes[file] += similar.Score / float64(len(files))
			}
		}
		seeds := ranked(votes)
		for _, seed := range seeds[:min(cochangeSeeds, len(seeds))] {
			neighbours(seed, together[seed.File], commits, votes)
		}
		hits := ranked(votes)
		return hits[:min(limit, len(hits))]
	}
}

// neighbours adds to votes for the files that changed together with a seed.
func neighbours(seed Hit, in []int, commits []past, votes map[string]float64) {
	counts := map[string]int{}
	for _, commit := range in {
		for _, file := range commits[commit].files {
			counts[file]++
		}
	}
	for file, n := range counts {
		if file != seed.File {
			votes[file] += float64(cochangeWeight * seed.Score * float64(n) / float64(len(in)))
		}
	}
}

// hybridRanker fuses the lists of other rankers: the score of a file is the sum of 1/(60+rank) over the lists.
func (b *baselines) hybridRanker(names []string) ranker {
	var rankers []ranker // as they are now: without the definitions that only a final list needs
	for _, name := range names {
		rankers = append(rankers, b.rankers[name])
	}
	return func(query string, limit int) []Hit {
		fused := map[string]Hit{}
		for n, name := range names {
			for i, hit := range rankers[n](query, fusionDepth) {
				f := fused[hit.File]
				f.File, f.Known, f.HasScore = hit.File, true, true
				f.Score += 1 / float64(fusionConstant+i+1)
				f.Sources = append(f.Sources, Source{Name: name, Rank: i + 1, Score: hit.Score})
				fused[hit.File] = f
			}
		}
		hits := make([]Hit, 0, len(fused))
		for _, hit := range fused {
			hits = append(hits, hit)
		}
		slices.SortFunc(hits, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.File, b.File))
		})
		return hits[:min(limit, len(hits))]
	}
}
