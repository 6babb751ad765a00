-- The events with their data typed by read_ndjson itself: one struct of all fields that
-- any table needs of any event.
CREATE TEMP TABLE ev AS SELECT m.r, e.seq, e.ts, e.type, e.data, CASE WHEN e.type = 'tool_call' THEN {'status': e.data.status, 'error_kind': e.data.error_kind, 'result_tokens': e.data.result_tokens} END AS call
	FROM read_ndjson('{raw}/*/*/*/*/trajectory.jsonl', columns = {run_id: 'VARCHAR', seq: 'BIGINT', ts: 'TIMESTAMPTZ', type: 'VARCHAR', data: 'STRUCT(
	query_id VARCHAR, results BIGINT, status VARCHAR, query VARCHAR, query_kind VARCHAR, source VARCHAR, "limit" BIGINT, latency_ms DOUBLE, result_bytes BIGINT,
	result_tokens BIGINT, index_id VARCHAR, "rank" BIGINT, file VARCHAR, doc_id VARCHAR, symbol VARCHAR, start_line BIGINT, end_line BIGINT, score DOUBLE, tokens BIGINT,
	packed BOOLEAN,
	task STRUCT(repo VARCHAR, base_commit VARCHAR, language VARCHAR, scenario VARCHAR, difficulty VARCHAR, statement_sha256 VARCHAR, statement_tokens BIGINT, fail_to_pass BIGINT, pass_to_pass BIGINT, gold STRUCT(files STRUCT(path VARCHAR, grade DOUBLE)[], docs STRUCT(doc_id VARCHAR, grade DOUBLE)[], functions STRUCT(file VARCHAR, symbol VARCHAR, start_line BIGINT, end_line BIGINT, grade DOUBLE)[])),
	limits STRUCT(max_wall_ms BIGINT, max_model_calls BIGINT, max_tool_calls BIGINT, max_input_tokens BIGINT, max_output_tokens BIGINT), execution_order BIGINT,
	ending VARCHAR, outcome VARCHAR, failure_stage VARCHAR, error_kind VARCHAR, error_type VARCHAR, patch VARCHAR,
	totals STRUCT(model_calls BIGINT, tool_calls BIGINT, test_runs BIGINT, user_turns BIGINT, input_tokens BIGINT, output_tokens BIGINT, cached_input_tokens BIGINT, cache_write_input_tokens BIGINT, reasoning_tokens BIGINT, tool_tokens BIGINT, cost_usd DECIMAL(18,9), agent_wall_ms BIGINT),
	attempt BIGINT, usage STRUCT(input_tokens BIGINT, output_tokens BIGINT, cached_input_tokens BIGINT, cache_write_input_tokens BIGINT, reasoning_tokens BIGINT),
	cost_usd DECIMAL(18,9), path VARCHAR, content_sha256 VARCHAR, target_paths VARCHAR[], applied BOOLEAN, syntax_ok BOOLEAN, kind VARCHAR, exit_status BIGINT,
	fail_to_pass STRUCT(passed BIGINT, total BIGINT), pass_to_pass STRUCT(passed BIGINT, total BIGINT), scope VARCHAR,
	measurements STRUCT(index_build_ms DOUBLE, index_update_ms DOUBLE, rss_bytes BIGINT, disk_bytes BIGINT))'}) e JOIN man m USING (run_id);
CREATE TEMP TABLE asked AS SELECT r, seq, ts, data.query_id, data.results, data.status, data.query, data.query_kind, data.source, data."limit", data.latency_ms, data.result_bytes, data.result_tokens, data.index_id FROM ev WHERE type = 'retrieval_query';
CREATE TEMP TABLE candidate AS SELECT r, seq, ts, data.query_id, data."rank", data.file, data.doc_id, data.symbol, data.start_line, data.end_line, data.score, data.tokens, data.packed FROM ev WHERE type = 'retrieval_candidate';
CREATE TEMP TABLE started AS SELECT r, seq, ts, data.task, data.limits, data.execution_order FROM ev WHERE type = 'run_started';
CREATE TEMP TABLE finished AS SELECT r, ts, data.ending, data.outcome, data.failure_stage, data.error_kind, data.error_type, data.patch, data.totals FROM ev WHERE type = 'run_finished';
CREATE TEMP TABLE called AS SELECT r, seq, data.attempt, data.usage, data.cost_usd, data.latency_ms FROM ev WHERE type = 'model_call';
CREATE TEMP TABLE worked AS SELECT r, seq, ts, type, data.path, data.start_line, data.end_line, data.content_sha256, data.target_paths, data.applied, data.syntax_ok, data.kind, data.exit_status, data.fail_to_pass, data.pass_to_pass, data.scope, data.measurements, data.index_id FROM ev WHERE type IN ('file_read', 'edit', 'test_run', 'resource_sample');
