package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2"
)

// engineSettings keep DuckDB to what it has built in and to two threads.
const engineSettings = "?autoinstall_known_extensions=false&autoload_known_extensions=false&threads=2"

// runDuckDB writes runs, queries and candidates of the raw runs into the folder
// out, by the statements of text: typed read_ndjson over all trajectories, three
// COPY. No hashing, no lineage, no check.
func runDuckDB(raw, out, text string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	db, err := sql.Open("duckdb", engineSettings)
	if err != nil {
		return err
	}
	defer db.Close()
	// Temporary tables belong to a connection.
	db.SetMaxOpenConns(1)
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

// analystSQL makes a few columns of each table, and no metric but sums.
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
