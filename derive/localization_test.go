package derive

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

// asked adds a query with a limit, or none where it is 0, and its files.
func (t *trace) asked(id string, limit int64, kind string, files ...string) *trace {
	q := schema.RetrievalQuery{QueryID: id, Results: int64(len(files)), Status: schema.StatusOK.Name}
	if limit > 0 {
		q.Limit = schema.Some(limit)
	}
	if kind != "" {
		q.QueryKind = schema.Some(kind)
	}
	t.query(q)
	for i, f := range files {
		t.candidate(schema.RetrievalCandidate{QueryID: id, Rank: int64(i + 1), File: schema.Some(f)})
	}
	return t
}

// Which list a run has, and what is not known of it. Values by hand.
func TestRankedList(t *testing.T) {
	task := schema.Task{Gold: goldFiles("g1", "g2")}
	for _, c := range []struct {
		name string
		run  *trace
		want map[string]string
	}{
		{"no retrieval event", newTrace(task), map[string]string{"file_recall_at_10": "[no_retrieval]", "mrr": "[no_retrieval]", "duplicate_candidates": "[no_retrieval]", "gold_within_budget": "[no_retrieval]"}},
		{"nothing came back", newTrace(task).asked("q", 10, ""), map[string]string{"file_recall_at_10": "0", "hit_at_1": "0", "mrr": "0", "ndcg_at_10": "0", "duplicate_candidates": "0"}},
		{"no gold", newTrace(schema.Task{}).asked("q", 0, "", "a"), map[string]string{"file_recall_at_10": "[no_gold]", "hit_at_1": "[no_gold]", "mrr": "[no_gold]"}},
		{"the tool gave fewer than asked", newTrace(task).asked("q", 5, "", "a", "g1"), map[string]string{"file_recall_at_5": "0.5", "file_recall_at_10": "0.5"}},
		{"the tool gave as many as asked", newTrace(task).asked("q", 3, "", "a", "g1", "b"),
			map[string]string{"file_recall_at_3": "0.5", "file_recall_at_5": "[cut_at_limit]", "hit_at_5": "[cut_at_limit]", "ndcg_at_10": "[cut_at_limit]", "mrr": "0.5"}},
		{"two queries, in order of asking", newTrace(task).asked("q1", 2, "", "a", "g1").asked("q2", 2, "", "g1", "g2"),
			map[string]string{"file_recall_at_3": "1", "file_recall_at_1": "0", "duplicate_candidates": "1", "mrr": "0.5"}},
		{"the final query alone counts", newTrace(task).asked("q1", 0, "", "g1", "g2").asked("q2", 0, schema.QueryKindFinal, "a", "b", "g2"),
			map[string]string{"file_recall_at_10": "0.5", "hit_at_1": "0", "duplicate_candidates": "0"}},
		{"the final query alone is cut", newTrace(task).asked("q1", 1, "", "g1").asked("q2", 3, schema.QueryKindFinal, "a", "b", "g2"),
			map[string]string{"file_recall_at_3": "0.5", "file_recall_at_5": "[cut_at_limit]"}},
		{"all spellings are one file", newTrace(task).asked("q", 0, "", "./g1", "x/../g1", "g2"), map[string]string{"file_recall_at_3": "1", "duplicate_candidates": "1"}},
	} {
		t.Run(c.name, func(t *testing.T) { wants(t, c.run.finish(schema.RunFinished{}).derive(), c.want) })
	}
}

// Candidates are ordered by their rank, and by seq where ranks are equal,
// whatever the order of lines; queries may be mixed.
func TestOrderOfCandidates(t *testing.T) {
	tr := newTrace(schema.Task{Gold: goldFiles("g")})
	put := func(query string, rank int64, file string) {
		tr.candidate(schema.RetrievalCandidate{QueryID: query, Rank: rank, File: schema.Some(file)})
	}
	put("q1", 2, "b")
	put("q2", 1, "d")
	put("q1", 2, "c")
	put("q1", 1, "a")
	put("q2", 2, "g")
	rows := tr.finish(schema.RunFinished{}).derive()
	want := []int64{2, 1, 3, 1, 2}
	for i, w := range want {
		if have := rows.Candidates[i].ListRank.Or(0); have != w {
			t.Errorf("candidate %d: list_rank: have %d, want %d", i, have, w)
		}
	}
	// a b c d g
	wants(t, rows, map[string]string{"mrr": "0.2"})
}

// Functions match by symbol or by a shared line, in one file. Values by hand.
func TestFunctionRecall(t *testing.T) {
	line := func(n int64) schema.Opt[int64] { return schema.Some(n) }
	gold := &schema.Gold{Functions: []schema.GoldFunction{
		{File: "a.go", Symbol: schema.Some("F"), StartLine: line(10), EndLine: line(20)},
		{File: "a.go", Symbol: schema.Some("G"), StartLine: line(30), EndLine: line(40)},
		{File: "b.go", Symbol: schema.Some("F")},
		{File: "c.go", Symbol: schema.Some("H"), Grade: schema.Some(0.0)},
	}}
	for _, c := range []struct {
		name string
		list []schema.RetrievalCandidate
		want string
	}{
		{"by symbol, in its file only", []schema.RetrievalCandidate{{File: schema.Some("a.go"), Symbol: schema.Some("F")}}, "0.3333333333333333"},
		{"a symbol of another file", []schema.RetrievalCandidate{{File: schema.Some("d.go"), Symbol: schema.Some("F")}}, "0"},
		{"a span that shares its last line", []schema.RetrievalCandidate{{File: schema.Some("a.go"), StartLine: line(1), EndLine: line(10)}}, "0.3333333333333333"},
		{"a span that ends before", []schema.RetrievalCandidate{{File: schema.Some("a.go"), StartLine: line(1), EndLine: line(9)}}, "0"},
		{"a lone line", []schema.RetrievalCandidate{{File: schema.Some("a.go"), StartLine: line(35)}}, "0.3333333333333333"},
		{"one wide span matches several", []schema.RetrievalCandidate{{File: schema.Some("a.go"), StartLine: line(1), EndLine: line(99)}}, "0.6666666666666666"},
		{"each gold counts once", []schema.RetrievalCandidate{{File: schema.Some("a.go"), Symbol: schema.Some("F")}, {File: schema.Some("a.go"), StartLine: line(12)}}, "0.3333333333333333"},
		{"a file alone is no function", []schema.RetrievalCandidate{{File: schema.Some("a.go")}}, "0"},
		{"grade 0 is not relevant", []schema.RetrievalCandidate{{File: schema.Some("c.go"), Symbol: schema.Some("H")}}, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTrace(schema.Task{Gold: gold})
			for i, candidate := range c.list {
				candidate.QueryID, candidate.Rank = "q", int64(i+1)
				tr.candidate(candidate)
			}
			rows := tr.finish(schema.RunFinished{}).derive()
			wants(t, rows, map[string]string{"function_recall_at_20": c.want, "file_recall_at_10": "[no_gold]"})
		})
	}
}

// The first k of the function list are those that carry a symbol or a span.
func TestFunctionListSkipsFiles(t *testing.T) {
	tr := newTrace(schema.Task{Gold: &schema.Gold{Functions: []schema.GoldFunction{{File: "a.go", Symbol: schema.Some("F")}}}})
	for i := range 4 {
		tr.candidate(schema.RetrievalCandidate{QueryID: "q", Rank: int64(i + 1), File: schema.Some("a.go")})
	}
	tr.candidate(schema.RetrievalCandidate{QueryID: "q", Rank: 5, File: schema.Some("a.go"), Symbol: schema.Some("F")})
	wants(t, tr.finish(schema.RunFinished{}).derive(), map[string]string{"function_recall_at_1": "1"})
}

// The budget of the runs here is 100 tokens. Values by hand.
func TestGoldWithinBudget(t *testing.T) {
	type sized struct {
		file   string
		tokens int64
	}
	for _, c := range []struct {
		name string
		list []sized
		want string
	}{
		{"exactly the budget", []sized{{"g1", 60}, {"g2", 40}}, "1"},
		{"one token above", []sized{{"g1", 60}, {"g2", 41}}, "0.5"},
		{"repeats are paid again", []sized{{"g1", 40}, {"g1", 40}, {"g2", 40}}, "0.5"},
		{"none is skipped", []sized{{"a", 101}, {"g1", 1}, {"g2", 1}}, "0"},
		{"a candidate without tokens", []sized{{"g1", 10}, {"g2", -1}}, "[no_tokens]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := newTrace(schema.Task{Gold: goldFiles("g1", "g2")})
			for i, s := range c.list {
				candidate := schema.RetrievalCandidate{QueryID: "q", Rank: int64(i + 1), File: schema.Some(s.file)}
				if s.tokens >= 0 {
					candidate.Tokens = schema.Some(s.tokens)
				}
				tr.candidate(candidate)
			}
			tr.finish(schema.RunFinished{})
			wants(t, tr.derive(), map[string]string{"gold_within_budget": c.want})
		})
	}
	tr := newTrace(schema.Task{Gold: goldFiles("g1")}).answers("q", "g1").finish(schema.RunFinished{})
	tr.manifest.ContextBudget = schema.None[int64]()
	wants(t, tr.derive(), map[string]string{"gold_within_budget": "[no_budget]"})
}
