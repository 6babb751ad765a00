-- The events with their data as JSON, typed table by table. Arguments of tools are
-- long and in no table, so that of a tool_call three fields are kept.
CREATE TEMP TABLE ev AS SELECT m.r, e.seq, e.ts, e.type, CASE WHEN e.type = 'tool_call' THEN from_json(e.data, '{"status": "VARCHAR", "error_kind": "VARCHAR", "result_tokens": "BIGINT"}') END AS call,
		CASE WHEN e.type <> 'tool_call' THEN e.data END AS data
	FROM read_ndjson('{raw}/*/*/*/*/trajectory.jsonl', columns = {run_id: 'VARCHAR', seq: 'BIGINT', ts: 'TIMESTAMPTZ', type: 'VARCHAR', data: 'JSON'}) e JOIN man m USING (run_id);
CREATE TEMP TABLE asked AS SELECT r, seq, ts, unnest(from_json(data, '{"query_id": "VARCHAR", "results": "BIGINT", "status": "VARCHAR", "query": "VARCHAR", "query_kind": "VARCHAR", "source": "VARCHAR",
	"limit": "BIGINT", "latency_ms": "DOUBLE", "result_bytes": "BIGINT", "result_tokens": "BIGINT", "index_id": "VARCHAR"}')) FROM ev WHERE type = 'retrieval_query';
CREATE TEMP TABLE candidate AS SELECT r, seq, ts, unnest(from_json(data, '{"query_id": "VARCHAR", "rank": "BIGINT", "file": "VARCHAR", "doc_id": "VARCHAR", "symbol": "VARCHAR", "start_line": "BIGINT", "end_line": "BIGINT",
	"score": "DOUBLE", "tokens": "BIGINT", "packed": "BOOLEAN"}')) FROM ev WHERE type = 'retrieval_candidate';
CREATE TEMP TABLE started AS SELECT r, seq, ts, unnest(from_json(data, '{"task": {"repo": "VARCHAR", "base_commit": "VARCHAR", "language": "VARCHAR", "scenario": "VARCHAR", "difficulty": "VARCHAR",
	"statement_sha256": "VARCHAR", "statement_tokens": "BIGINT", "fail_to_pass": "BIGINT", "pass_to_pass": "BIGINT", "gold": {"files": [{"path": "VARCHAR", "grade": "DOUBLE"}],
	"docs": [{"doc_id": "VARCHAR", "grade": "DOUBLE"}], "functions": [{"file": "VARCHAR", "symbol": "VARCHAR", "start_line": "BIGINT", "end_line": "BIGINT", "grade": "DOUBLE"}]}},
	"limits": {"max_wall_ms": "BIGINT", "max_model_calls": "BIGINT", "max_tool_calls": "BIGINT", "max_input_tokens": "BIGINT", "max_output_tokens": "BIGINT"}, "execution_order": "BIGINT"}')) FROM ev WHERE type = 'run_started';
CREATE TEMP TABLE finished AS SELECT r, ts, unnest(from_json(data, '{"ending": "VARCHAR", "outcome": "VARCHAR", "failure_stage": "VARCHAR", "error_kind": "VARCHAR", "error_type": "VARCHAR", "patch": "VARCHAR",
	"totals": {"model_calls": "BIGINT", "tool_calls": "BIGINT", "test_runs": "BIGINT", "user_turns": "BIGINT", "input_tokens": "BIGINT", "output_tokens": "BIGINT", "cached_input_tokens": "BIGINT",
	"cache_write_input_tokens": "BIGINT", "reasoning_tokens": "BIGINT", "tool_tokens": "BIGINT", "cost_usd": "DECIMAL(18,9)", "agent_wall_ms": "BIGINT"}}')) FROM ev WHERE type = 'run_finished';
CREATE TEMP TABLE called AS SELECT r, seq, unnest(from_json(data, '{"attempt": "BIGINT", "usage": {"input_tokens": "BIGINT", "output_tokens": "BIGINT", "cached_input_tokens": "BIGINT",
	"cache_write_input_tokens": "BIGINT", "reasoning_tokens": "BIGINT"}, "cost_usd": "DECIMAL(18,9)", "latency_ms": "DOUBLE"}')) FROM ev WHERE type = 'model_call';
CREATE TEMP TABLE worked AS SELECT r, seq, ts, type, unnest(from_json(data, '{"path": "VARCHAR", "start_line": "BIGINT", "end_line": "BIGINT", "content_sha256": "VARCHAR", "target_paths": ["VARCHAR"], "applied": "BOOLEAN",
	"syntax_ok": "BOOLEAN", "kind": "VARCHAR", "exit_status": "BIGINT", "fail_to_pass": {"passed": "BIGINT", "total": "BIGINT"}, "pass_to_pass": {"passed": "BIGINT", "total": "BIGINT"},
	"scope": "VARCHAR", "measurements": {"index_build_ms": "DOUBLE", "index_update_ms": "DOUBLE", "rss_bytes": "BIGINT", "disk_bytes": "BIGINT"}, "index_id": "VARCHAR"}'))
	FROM ev WHERE type IN ('file_read', 'edit', 'test_run', 'resource_sample');
