package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2"
)

// runDuckDB makes runs, queries and candidates the way an analyst would: typed
// read_ndjson over all trajectories, three COPY. No hashing, no lineage, no check.
// With metrics, candidates get their grade and place in the list, and queries and
// runs recall@10 and MRR, which assay's tables have too.
func runDuckDB(raw, out string, metrics bool) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	db, err := sql.Open("duckdb", "?autoinstall_known_extensions=false&autoload_known_extensions=false&threads=2")
	if err != nil {
		return err
	}
	defer db.Close()
	text := analystSQL
	if metrics {
		text = readSQL + metricsSQL
	}
	r := strings.NewReplacer("{raw}", filepath.ToSlash(raw), "{out}", filepath.ToSlash(out))
	for _, statement := range strings.Split(text, ";\n") {
		if strings.TrimSpace(statement) == "" {
			continue
		}
		if _, err := db.Exec(r.Replace(statement)); err != nil {
			return err
		}
	}
	return nil
}

const readSQL = `
CREATE TABLE ev AS SELECT run_id, seq, ts, type, data FROM read_ndjson('{raw}/*/*/*/*/trajectory.jsonl', columns = {
	run_id: 'VARCHAR', seq: 'BIGINT', ts: 'TIMESTAMPTZ', type: 'VARCHAR', data: 'STRUCT(query_id VARCHAR, "rank" BIGINT, file VARCHAR, score DOUBLE, tokens BIGINT, start_line BIGINT,
	results BIGINT, status VARCHAR, query VARCHAR, source VARCHAR, "limit" BIGINT, latency_ms DOUBLE, usage STRUCT(input_tokens BIGINT, output_tokens BIGINT), cost_usd DECIMAL(18,9),
	ending VARCHAR, outcome VARCHAR, task STRUCT(id VARCHAR, gold STRUCT(files STRUCT(path VARCHAR)[])))'})
	WHERE type IN ('run_started', 'retrieval_query', 'retrieval_candidate', 'model_call', 'tool_call', 'run_finished');
CREATE TABLE man AS SELECT run_id, experiment_id, harness_id, task_id, model_key, repetition, treatment FROM read_json('{raw}/*/*/*/*/run_manifest.json', columns = {
	run_id: 'VARCHAR', experiment_id: 'VARCHAR', harness_id: 'VARCHAR', task_id: 'VARCHAR', model_key: 'VARCHAR', repetition: 'BIGINT', treatment: 'STRUCT(retriever VARCHAR)'});
`

const analystSQL = readSQL + `
COPY (SELECT run_id, seq, data.query_id, data."rank", data.file, data.score, data.tokens, data.start_line FROM ev WHERE type = 'retrieval_candidate' ORDER BY run_id, seq)
	TO '{out}/candidates.parquet' (FORMAT parquet, COMPRESSION zstd);
COPY (SELECT run_id, seq, data.query_id, data.results, data.status, data.query, data.source, data."limit", data.latency_ms FROM ev WHERE type = 'retrieval_query' ORDER BY run_id, seq)
	TO '{out}/queries.parquet' (FORMAT parquet, COMPRESSION zstd);
COPY (SELECT m.*, s.* EXCLUDE (run_id) FROM man m JOIN (
		SELECT run_id, count(*) FILTER (WHERE type = 'model_call') AS model_calls, count(*) FILTER (WHERE type = 'tool_call') AS tool_calls,
			sum(data.usage.input_tokens) AS input_tokens, sum(data.usage.output_tokens) AS output_tokens, sum(data.cost_usd) FILTER (WHERE type = 'model_call') AS cost_usd,
			max(data.ending) AS ending, max(data.outcome) AS outcome, min(ts) AS started_at, max(ts) AS finished_at
		FROM ev GROUP BY run_id) s USING (run_id) ORDER BY m.run_id)
	TO '{out}/runs.parquet' (FORMAT parquet, COMPRESSION zstd)
`

const metricsSQL = `
CREATE TABLE gold AS SELECT DISTINCT run_id, f.path AS file FROM (SELECT run_id, unnest(data.task.gold.files) AS f FROM ev WHERE type = 'run_started');
CREATE TABLE cand AS
	SELECT c.*, CASE WHEN g.file IS NULL THEN 0 ELSE 1 END AS grade, CASE WHEN twin = 1 THEN row_number() OVER (PARTITION BY c.run_id, c.query_id, twin ORDER BY c."rank", c.seq) END AS list_rank
	FROM (SELECT run_id, seq, data.query_id AS query_id, data."rank" AS "rank", data.file AS file, data.score AS score, data.tokens AS tokens, data.start_line AS start_line,
			row_number() OVER (PARTITION BY run_id, data.query_id, data.file ORDER BY data."rank", seq) AS twin
		FROM ev WHERE type = 'retrieval_candidate') c
	LEFT JOIN gold g ON g.run_id = c.run_id AND g.file = c.file;
CREATE TABLE golds AS SELECT run_id, count(*) AS n FROM gold GROUP BY run_id;
CREATE TABLE measured AS SELECT c.run_id, c.query_id, count(*) FILTER (WHERE grade > 0 AND list_rank <= 10) / any_value(g.n) AS recall_at_10, coalesce(1.0 / min(list_rank) FILTER (WHERE grade > 0), 0) AS mrr
	FROM cand c JOIN golds g USING (run_id) GROUP BY c.run_id, c.query_id;
CREATE TABLE run_list AS SELECT run_id, file, any_value(grade) AS grade, row_number() OVER (PARTITION BY run_id ORDER BY min(seq)) AS place FROM cand GROUP BY run_id, file;
CREATE TABLE run_measured AS SELECT l.run_id, count(*) FILTER (WHERE grade > 0 AND place <= 10) / any_value(g.n) AS recall_at_10, coalesce(1.0 / min(place) FILTER (WHERE grade > 0), 0) AS mrr
	FROM run_list l JOIN golds g USING (run_id) GROUP BY l.run_id;
COPY (SELECT * EXCLUDE (twin) FROM cand ORDER BY run_id, seq) TO '{out}/candidates.parquet' (FORMAT parquet, COMPRESSION zstd);
COPY (SELECT e.run_id, e.seq, e.data.query_id, e.data.results, e.data.status, e.data.query, e.data.source, e.data."limit", e.data.latency_ms, m.recall_at_10, m.mrr
		FROM ev e LEFT JOIN measured m ON m.run_id = e.run_id AND m.query_id = e.data.query_id WHERE type = 'retrieval_query' ORDER BY e.run_id, e.seq)
	TO '{out}/queries.parquet' (FORMAT parquet, COMPRESSION zstd);
COPY (SELECT m.*, s.* EXCLUDE (run_id), q.recall_at_10, q.mrr FROM man m JOIN (
		SELECT run_id, count(*) FILTER (WHERE type = 'model_call') AS model_calls, count(*) FILTER (WHERE type = 'tool_call') AS tool_calls,
			sum(data.usage.input_tokens) AS input_tokens, sum(data.usage.output_tokens) AS output_tokens, sum(data.cost_usd) FILTER (WHERE type = 'model_call') AS cost_usd,
			max(data.ending) AS ending, max(data.outcome) AS outcome, min(ts) AS started_at, max(ts) AS finished_at
		FROM ev GROUP BY run_id) s USING (run_id) LEFT JOIN run_measured q USING (run_id) ORDER BY m.run_id)
	TO '{out}/runs.parquet' (FORMAT parquet, COMPRESSION zstd)
`
