package stats_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/assay-bench/assay/stats"
)

// jsonLines reads a file of JSON lines, compressed or not.
func jsonLines(t *testing.T, path string) []refValue {
	t.Helper()
	if strings.HasSuffix(path, ".gz") {
		path = unzipped(t, path)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []refValue
	s := bufio.NewScanner(f)
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		var v any
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, refValue{v})
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return out
}

// allFound is 1 where every relevant document is within the cutoff: what papers
// on fault localization call Acc@k.
func allFound(k int) func(stats.Ranking) float64 {
	return func(r stats.Ranking) float64 {
		if r.Relevant() > 0 && r.RelevantReturned(k) == r.Relevant() {
			return 1
		}
		return 0
	}
}

func anyFound(k int) func(stats.Ranking) float64 {
	return func(r stats.Ranking) float64 { return r.Success(k) }
}

func recallAt(k int) func(stats.Ranking) float64 {
	return func(r stats.Ranking) float64 { return r.Recall(k) }
}

// checkMean compares a mean over a set to four digits, and its number of queries.
func checkMean(t *testing.T, what string, q stats.Queries, set stats.QuerySet, measure func(stats.Ranking) float64, want float64, queries int) {
	t.Helper()
	got, n, _ := q.Mean(set, measure)
	if n != queries {
		t.Errorf("%s: over %d, want %d", what, n, queries)
	}
	equal(t, what, got, want, 5.0001e-5)
}

// TestCorpusLocAgent: one agent on the 300 tasks of SWE-bench Lite, gold inside
// each row. Lists of files, and of entities where the key has every file's.
func TestCorpusLocAgent(t *testing.T) {
	folder := corpusFolder(t, "localization/locagent-swebench-lite")
	key := readJSON(t, filepath.Join(folder, "EXPECTED.json"))
	rows := jsonLines(t, filepath.Join(folder, "evaluation", "loc_output", "locagent", "claude_3-5", "loc_outputs.jsonl.gz"))
	files, entities := map[string]stats.Judgements{}, map[string]stats.Judgements{}
	fileLists, entityLists := map[string][]string{}, map[string][]string{}
	for _, row := range rows {
		id := row.get("instance_id").str()
		fileLists[id], _ = stats.Deduplicate(row.get("found_files").strs())
		entityLists[id], _ = stats.Deduplicate(row.get("found_entities").strs())
		files[id], entities[id] = stats.Judgements{}, stats.Judgements{}
		whole := true
		for _, change := range row.get("meta_data").get("gt_file_changes").items() {
			files[id][change.get("file").str()] = 1
			edited := change.get("changes").get("edited_entities")
			whole = whole && edited.present() && len(edited.items()) > 0
			for _, e := range edited.items() {
				entities[id][e.str()] = 1
			}
		}
		if !whole {
			delete(entities, id)
			delete(entityLists, id)
		}
	}
	q := stats.NewQueries(files, fileLists, 1)
	for _, k := range []int{1, 3, 5} {
		want := key.get("recomputed_vs_gt_file_changes").get("@" + strconv.Itoa(k))
		for name, measure := range map[string]func(stats.Ranking) float64{"all_gold_in_top_k": allFound(k), "any_hit": anyFound(k), "recall": recallAt(k)} {
			checkMean(t, name+"@"+strconv.Itoa(k), q, stats.JudgedQueries, measure, want.get(name).float(), want.get("n").int())
		}
	}
	q = stats.NewQueries(entities, entityLists, 1)
	for _, k := range []int{5, 10} {
		want := key.get("recomputed_entities").get("@" + strconv.Itoa(k))
		checkMean(t, "entities@"+strconv.Itoa(k), q, stats.JudgedQueries, allFound(k), want.get("all_gold_in_top_k").float(), want.get("n").int())
	}
}

// TestCorpusCoSIL: three tools by three models on 300 tasks. The key counts a task
// without a row as a miss; by_our_rules leaves it out, and both are the measures'.
func TestCorpusCoSIL(t *testing.T) {
	folder := corpusFolder(t, "localization/cosil-tools-x-models")
	key := readJSON(t, filepath.Join(folder, "EXPECTED.json"))
	gold := readJSON(t, filepath.Join(folder, "gold_files.json"))
	judged := map[string]stats.Judgements{}
	for _, id := range gold.keys() {
		judged[id] = binary(gold.get(id).strs())
	}
	mrr := func(r stats.Ranking) float64 { return r.ReciprocalRank(0) }
	for _, file := range key.get("per_file").keys() {
		t.Run(filepath.Base(file), func(t *testing.T) {
			lists := map[string][]string{}
			for _, row := range jsonLines(t, filepath.Join(folder, filepath.FromSlash(file)+".gz")) {
				lists[row.get("instance_id").str()], _ = stats.Deduplicate(row.get("found_files").strs())
			}
			q := stats.NewQueries(judged, lists, 1)
			want, ours := key.get("per_file").get(file), key.get("by_our_rules").get("per_file").get(file)
			for _, k := range []int{1, 3, 5, 10} {
				at := strconv.Itoa(k)
				checkMean(t, "acc@"+at, q, stats.JudgedQueries, allFound(k), want.get("file_acc@"+at+"_over_300").float(), 300)
				if ours.present() {
					v := ours.get("file_recall_at_" + at).floats()
					checkMean(t, "recall@"+at, q, stats.AnsweredQueries, recallAt(k), v[0]/v[1], int(v[1]))
				}
			}
			checkMean(t, "mrr", q, stats.JudgedQueries, mrr, want.get("file_mrr_over_300").float(), 300)
			if ours.present() {
				checkMean(t, "mrr of those with a row", q, stats.AnsweredQueries, mrr, ours.get("mrr").float(), ours.get("observed").int())
			}
		})
	}
}

// TestCorpusMULocBench: 69 rows against 25 gold tasks. The key's figures over the
// tasks with a row, gold and, as published, a list that is not empty.
func TestCorpusMULocBench(t *testing.T) {
	folder := corpusFolder(t, "localization/locagent-mulocbench")
	key := readJSON(t, filepath.Join(folder, "EXPECTED.json"))
	judged := map[string]stats.Judgements{}
	for _, row := range jsonLines(t, filepath.Join(folder, "mulocbench_subset", "gt_location.jsonl")) {
		j := stats.Judgements{}
		for _, change := range row.get("file_changes").items() {
			j[change.get("file").str()] = 1
		}
		judged[row.get("instance_id").str()] = j
	}
	lists, filled := map[string][]string{}, map[string][]string{}
	for _, row := range jsonLines(t, filepath.Join(folder, "mulocbench_subset", "location", "loc_outputs.jsonl")) {
		id := row.get("instance_id").str()
		var first []string
		if samples := row.get("found_files").items(); len(samples) > 0 {
			first, _ = stats.Deduplicate(samples[0].strs())
		}
		if lists[id] = first; len(first) > 0 {
			filled[id] = first
		}
	}
	ours := key.at("by_our_rules.mulocbench_subset")
	answered := stats.NewQueries(judged, lists, 1)
	if got, want := len(answered.Unjudged), ours.get("unplanned").int(); got != want {
		t.Errorf("unplanned: %d, want %d", got, want)
	}
	observed := answeredWithGold(judged, lists)
	for _, k := range []int{1, 3, 5, 10} {
		at := strconv.Itoa(k)
		checkMean(t, "recall@"+at, observed, stats.JudgedQueries, recallAt(k), ours.get("file_recall_at_"+at).float(), ours.get("observed").int())
		if hit := ours.get("hit_at_" + at); hit.present() {
			checkMean(t, "hit@"+at, observed, stats.JudgedQueries, anyFound(k), hit.floats()[0]/hit.floats()[1], int(hit.floats()[1]))
		}
	}
	// The source's Acc@k asks for min(k, gold) files, its recall divides by five gold
	// files at most, the largest cutoff, and its MAP@k by k.
	full := func(k int) func(stats.Ranking) float64 {
		return func(r stats.Ranking) float64 {
			if r.RelevantReturned(k) == min(k, r.Relevant()) {
				return 1
			}
			return 0
		}
	}
	capped := func(k int) func(stats.Ranking) float64 {
		return func(r stats.Ranking) float64 { return float64(r.RelevantReturned(k)) / float64(min(5, r.Relevant())) }
	}
	published := answeredWithGold(judged, filled)
	stated := key.at("stated_by_source.mulocbench_subset")
	for _, k := range []int{1, 3, 5} {
		at := "@" + strconv.Itoa(k)
		for name, measure := range map[string]func(stats.Ranking) float64{
			"Acc": full(k), "Recall": capped(k),
			"P":    func(r stats.Ranking) float64 { return r.Precision(k) },
			"NDCG": func(r stats.Ranking) float64 { return r.NDCG(k, stats.LinearGain) },
			"MAP":  func(r stats.Ranking) float64 { return r.AveragePrecision(k) * float64(r.Relevant()) / float64(k) },
		} {
			checkMean(t, "published "+name+at, published, stats.JudgedQueries, measure, stated.get("file:"+name+at).float(), 15)
		}
	}
}

// answeredWithGold are the queries that have a relevant document and a list.
func answeredWithGold(judged map[string]stats.Judgements, lists map[string][]string) stats.Queries {
	kept, listed := map[string]stats.Judgements{}, map[string][]string{}
	for id, j := range judged {
		if list, ok := lists[id]; ok && len(j) > 0 {
			kept[id], listed[id] = j, list
		}
	}
	return stats.NewQueries(kept, listed, 1)
}
