package duck

import (
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/stats"
)

var passAtKFunction = passes("pass_at_k", stats.MeanPassAtK,
	"The probability that at least one of k runs of a task succeeds: the unbiased estimate of each task, 1 - C(n-c,k)/C(n,k) (Chen et al., Evaluating Large Language Models Trained on Code, 2021), averaged over tasks")

var passHatKFunction = passes("pass_hat_k", stats.MeanPassPowerK,
	"The probability that all of k runs of a task succeed, pass^k: the unbiased estimate of each task, C(c,k)/C(n,k) (Yao et al., tau-bench, 2024), averaged over tasks")

func passes(name string, estimate func(runs, successes []int, k int) stats.MeanOverTasks, doc string) Function {
	return Function{
		Name: name, Kind: "scalar",
		Arguments: "successes BIGINT[], tasks VARCHAR[], k BIGINT",
		Returns:   "STRUCT(estimate, se DOUBLE, tasks, dropped BIGINT, why VARCHAR)",
		Doc:       doc + ", with its standard error between tasks. NULL successes are missing. Tasks with fewer than k runs are dropped and counted.",
		Example:   "SELECT " + name + "([1, 0, 1, 1], ['a', 'a', 'b', 'b'], 2).estimate",
		register: func(_ *DB, conn *sql.Conn) error {
			inputs := []duckdb.TypeInfo{listOf(duckdb.TYPE_BIGINT), listOf(duckdb.TYPE_VARCHAR), typeInfo(duckdb.TYPE_BIGINT)}
			result := structOf(append(doubles("estimate", "se"), append(counts("tasks", "dropped"), texts("why")...)...)...)
			return registerScalar(conn, name, inputs, result, func(args []driver.Value) (any, error) {
				successes, runs, err := successesByTask(name, args[0], args[1])
				if err != nil {
					return nil, err
				}
				k := args[2].(int64)
				if k < 1 || k > 1_000_000 {
					return nil, fmt.Errorf("%s: have k %d, want 1 to 1000000", name, k)
				}
				m := estimate(runs, successes, int(k))
				return map[string]any{"estimate": finite(m.Mean, m.Reason.OK()), "se": finite(m.SE, m.Reason.OK() && m.SEReason.OK()),
					"tasks": int64(m.Tasks), "dropped": int64(m.Dropped), "why": words(m.Reason)}, nil
			})
		},
	}
}

// successesByTask counts the successes and runs of each task.
func successesByTask(function string, values, tasks any) (successes, runs []int, err error) {
	rows, _, err := valuesByTask(function, values, tasks)
	if err != nil {
		return nil, nil, err
	}
	successes, runs = make([]int, len(rows)), make([]int, len(rows))
	for t := range rows {
		runs[t] = len(rows[t])
		for _, v := range rows[t] {
			if v != 0 && v != 1 {
				return nil, nil, fmt.Errorf("%s: have success %v, want 0, 1 or NULL", function, v)
			}
			successes[t] += int(v)
		}
	}
	return successes, runs, nil
}

var retrievalFunction = Function{
	Name: "retrieval", Kind: "scalar",
	Arguments: "ranked VARCHAR[], relevant VARCHAR[], k BIGINT",
	Returns:   "STRUCT(recall, precision, f1, success, reciprocal_rank, average_precision, ndcg, r_precision DOUBLE, returned, relevant, duplicates BIGINT, why VARCHAR)",
	Doc:       "The measures of one ranked list against its relevant documents at the cutoff k (0: the whole list), by trec_eval's definitions: precision divides by k, average precision by all relevant documents, NDCG has linear gain and log2 discount. Repeats are dropped first and counted. NULL measures where nothing is relevant.",
	Example:   "SELECT retrieval(['a', 'b', 'c'], ['b', 'd'], 10).recall",
	register: func(_ *DB, conn *sql.Conn) error {
		inputs := []duckdb.TypeInfo{listOf(duckdb.TYPE_VARCHAR), listOf(duckdb.TYPE_VARCHAR), typeInfo(duckdb.TYPE_BIGINT)}
		all := doubles("recall", "precision", "f1", "success", "reciprocal_rank", "average_precision", "ndcg", "r_precision")
		all = append(append(all, counts("returned", "relevant", "duplicates")...), texts("why")...)
		return registerScalar(conn, "retrieval", inputs, structOf(all...), retrieval)
	},
}

func retrieval(args []driver.Value) (any, error) {
	ranked, err := textList("retrieval", args[0])
	if err != nil {
		return nil, err
	}
	relevant, err := textList("retrieval", args[1])
	if err != nil {
		return nil, err
	}
	k := args[2].(int64)
	if k < 0 || k > 1_000_000_000 {
		return nil, fmt.Errorf("retrieval: have k %d, want a rank, or 0 for the whole list", k)
	}
	judged := stats.Judgements{}
	for _, id := range relevant {
		judged[id] = 1
	}
	unique, duplicates := stats.Deduplicate(ranked)
	r, cut := stats.NewRanking(unique, judged, 1), int(k)
	ok := r.Reason().OK()
	return map[string]any{"recall": finite(r.Recall(cut), ok), "precision": finite(r.Precision(cut), ok), "f1": finite(r.F1(cut), ok), "success": finite(r.Success(cut), ok),
		"reciprocal_rank": finite(r.ReciprocalRank(cut), ok), "average_precision": finite(r.AveragePrecision(cut), ok),
		"ndcg": finite(r.NDCG(cut, stats.LinearGain), ok), "r_precision": finite(r.RPrecision(), ok),
		"returned": int64(r.Returned()), "relevant": int64(r.Relevant()), "duplicates": int64(duplicates), "why": words(r.Reason())}, nil
}

func textList(function string, list any) ([]string, error) {
	in, ok := list.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: have no list, want one", function)
	}
	out := make([]string, len(in))
	for i, v := range in {
		if out[i], ok = v.(string); !ok {
			return nil, fmt.Errorf("%s: have NULL at %d, want a text", function, i+1)
		}
	}
	return out, nil
}
