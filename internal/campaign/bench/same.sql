-- The tables runs, queries and candidates of a dataset, by SQL over the raw files:
-- every column that can be had so, with the dataset's names, types, values and order
-- of rows. {raw} is the folder of the run directories, {out} that of the tables.
--
-- What the dataset has and read_ndjson cannot give is left out: hashes and sizes of
-- files, and line, byte_offset and byte_length of events (beyondSQL in same.go).
-- Passed over too, for the input of the benchmark has none of it: paths that are not
-- clean, functions in the answer, patch.diff, the order of TREC runs, quoting in the
-- names of arms, what other runs say of a task, and exclusions by plan or by findings.
-- No line is validated, and no text is searched for secrets.
--
-- The order of rows is made at the end; keeping that of the files costs half of the
-- time of reading. {events} stands for the statements that read the trajectories.
SET preserve_insertion_order = false;
CREATE TEMP TABLE man AS SELECT row_number() OVER (ORDER BY run_id) AS r, * EXCLUDE (filename), substr(parse_dirpath(filename), len('{raw}') + 2) AS raw_path
	FROM read_json('{raw}/*/*/*/*/run_manifest.json', filename = true, columns = {
	schema_version: 'VARCHAR', run_id: 'VARCHAR', experiment_id: 'VARCHAR', task_id: 'VARCHAR', harness_id: 'VARCHAR', harness_config_sha256: 'VARCHAR', model_config_sha256: 'VARCHAR',
	model_key: 'VARCHAR', model_metadata: 'STRUCT(pricing VARCHAR)', treatment: 'STRUCT(retriever VARCHAR)', context_budget: 'BIGINT', seed: 'VARCHAR', repetition: 'BIGINT',
	repo: 'STRUCT(name VARCHAR, "commit" VARCHAR, language VARCHAR, files BIGINT, lines BIGINT)', code_revision: 'VARCHAR', harness_version: 'VARCHAR',
	benchmark: 'STRUCT(name VARCHAR, version VARCHAR, split VARCHAR)', task_sha256: 'VARCHAR',
	source: 'STRUCT(format VARCHAR, path VARCHAR, sha256 VARCHAR, line BIGINT, experiment VARCHAR, harness VARCHAR, task VARCHAR, trial VARCHAR)', created_at: 'TIMESTAMPTZ'});
CREATE TEMP TABLE res AS SELECT * FROM read_json('{raw}/*/*/*/*/test_results.json', columns = {
	run_id: 'VARCHAR', evaluator: 'STRUCT(name VARCHAR, version VARCHAR)', patch: 'STRUCT(applied BOOLEAN)', tests: 'STRUCT(name VARCHAR, "set" VARCHAR, status VARCHAR)[]',
	counts: 'STRUCT(fail_to_pass STRUCT(passed BIGINT, total BIGINT), pass_to_pass STRUCT(passed BIGINT, total BIGINT))'});
{events}
-- A share of the gold, a hit in it: not known beyond the place where the tool cut the list.
CREATE MACRO part(found, gold, k, cut) AS CASE WHEN gold > 0 AND k <= coalesce(cut, k) THEN coalesce(found, 0) / gold END;
CREATE MACRO hit(found, gold, k, cut) AS CASE WHEN gold > 0 AND k <= coalesce(cut, k) THEN (coalesce(found, 0) > 0)::BIGINT END;
-- A sum over calls that all say the field, else the declared total; and which of the two it is.
CREATE MACRO total(s, n, calls, declared, active) AS CASE WHEN calls > 0 AND n = calls THEN s WHEN declared IS NOT NULL THEN declared WHEN calls = 0 AND active THEN 0 END;
CREATE MACRO origin(n, calls, declared, active) AS CASE WHEN calls > 0 AND n = calls THEN 'events' WHEN declared IS NOT NULL THEN 'totals' WHEN calls = 0 AND active THEN 'events' END;
CREATE MACRO partial(s, n, calls) AS CASE WHEN n BETWEEN 1 AND calls - 1 THEN s END;
CREATE MACRO counted(n, declared, active) AS CASE WHEN n > 0 THEN n WHEN declared IS NOT NULL THEN declared WHEN active THEN 0 END;
CREATE MACRO counted_from(n, declared, active) AS CASE WHEN n > 0 THEN 'events' WHEN declared IS NOT NULL THEN 'totals' WHEN active THEN 'events' END;
-- The answer, each item once, and what it says of the whole run.
CREATE TEMP TABLE gold AS SELECT r, item, bool_or(file) AS file, max(grade) AS grade FROM (
	SELECT r, f.path AS item, true AS file, coalesce(f.grade, 1) AS grade FROM (SELECT r, unnest(task.gold.files) AS f FROM started)
	UNION ALL SELECT r, d.doc_id, false, coalesce(d.grade, 1) FROM (SELECT r, unnest(task.gold.docs) AS d FROM started)) GROUP BY r, item;
CREATE TEMP TABLE answer AS SELECT r, m.run_id, coalesce(f.included, true) AS included, CASE WHEN coalesce(f.included, true) THEN g.n END AS n, files, docs, ideal, s.task.gold.files IS NOT NULL AS has_files, s.task.gold.docs IS NOT NULL AS has_docs, has_files OR has_docs AS known
	FROM man m LEFT JOIN started s USING (r)
	LEFT JOIN (SELECT r, NOT coalesce(failure_stage IN ('setup', 'infrastructure') OR ending = 'cancelled', false) AS included FROM finished) f USING (r)
	LEFT JOIN (SELECT r, count(*) AS n, count(*) FILTER (file) AS files, count(*) FILTER (NOT file) AS docs, sum(grade / log2(place + 1)) FILTER (place <= 10) AS ideal
		FROM (SELECT r, file, grade, row_number() OVER (PARTITION BY r ORDER BY grade DESC) AS place FROM gold WHERE grade > 0) GROUP BY r) g USING (r);
-- The distinct candidates of each query in the order of (rank, seq), which "order" holds in one number.
CREATE TEMP TABLE listed AS SELECT *, row_number() OVER (PARTITION BY r, query_id ORDER BY "order") AS list_rank
	FROM (SELECT r, query_id, coalesce(file, doc_id) AS item, min("rank" << 32 | seq) AS "order" FROM candidate GROUP BY ALL);
CREATE TEMP TABLE query AS SELECT *, NOT bool_or(coalesce(query_kind = 'final', false)) OVER (PARTITION BY r) OR coalesce(query_kind = 'final', false) AS in_list,
		CASE WHEN "limit" > 0 AND coalesce(results, candidates) >= "limit" THEN "limit" END AS cut
	FROM (SELECT r, query_id, least(q.seq, c.seq) AS seq, coalesce(q.ts, c.ts) AS ts, q.seq IS NULL AS inferred, q.* EXCLUDE (r, query_id, seq, ts), coalesce(c.candidates, 0) AS candidates, coalesce(c.candidates - l.items, 0) AS duplicates, c.sized, c.tokens
		FROM asked q FULL JOIN (SELECT r, query_id, min(seq) AS seq, arg_min(ts, seq) AS ts, count(*) AS candidates, count(tokens) AS sized, sum(tokens) AS tokens FROM candidate GROUP BY r, query_id) c USING (r, query_id)
			LEFT JOIN (SELECT r, query_id, count(*) AS items FROM listed GROUP BY r, query_id) l USING (r, query_id));
-- Where the gold stands in the lists of the queries and of the run.
CREATE TEMP TABLE found AS SELECT r, query_id, count(*) FILTER (list_rank <= 1) AS f1, count(*) FILTER (list_rank <= 3) AS f3, count(*) FILTER (list_rank <= 5) AS f5, count(*) FILTER (list_rank <= 10) AS f10, count(*) FILTER (list_rank <= 20) AS f20,
		min(list_rank) AS first, sum(grade / log2(list_rank + 1)) FILTER (list_rank <= 10) AS gain, sum(nth / list_rank) AS precisions
	FROM (SELECT r, query_id, list_rank, grade, row_number() OVER (PARTITION BY r, query_id ORDER BY list_rank) AS nth FROM listed JOIN gold USING (r, item) WHERE grade > 0) GROUP BY r, query_id;
CREATE TEMP TABLE run_found AS SELECT r, count(*) AS items, count(*) FILTER (grade > 0 AND place <= 1) AS f1, count(*) FILTER (grade > 0 AND place <= 3) AS f3, count(*) FILTER (grade > 0 AND place <= 5) AS f5,
		count(*) FILTER (grade > 0 AND place <= 10) AS f10, count(*) FILTER (grade > 0 AND place <= 20) AS f20, min(place) FILTER (grade > 0) AS first, sum(grade / log2(place + 1)) FILTER (grade > 0 AND place <= 10) AS gain
	FROM (SELECT r, item, row_number() OVER (PARTITION BY r ORDER BY min(q.seq << 32 | l.list_rank)) AS place FROM listed l JOIN query q USING (r, query_id) WHERE q.in_list GROUP BY r, item)
	LEFT JOIN gold USING (r, item) GROUP BY r;
CREATE TEMP TABLE asked_run AS SELECT r, count(*) FILTER (in_list) AS members, max(cut) FILTER (in_list) AS cut, sum(candidates) FILTER (in_list) AS candidates FROM query GROUP BY r;
-- The gold within the context budget, of runs that have one.
CREATE TEMP TABLE packed AS SELECT r, CASE WHEN bool_and(tokens IS NOT NULL) THEN count(DISTINCT item) FILTER (grade > 0 AND paid <= context_budget) END AS reached
	FROM (SELECT r, coalesce(c.file, c.doc_id) AS item, c.tokens, m.context_budget, sum(c.tokens) OVER (PARTITION BY r ORDER BY q.seq, c."rank", c.seq) AS paid
		FROM candidate c JOIN man m USING (r) JOIN query q USING (r, query_id) WHERE m.context_budget IS NOT NULL AND q.in_list) LEFT JOIN gold USING (r, item) GROUP BY r;
COPY (SELECT a.run_id, c.seq, a.included, c.query_id, c."rank", l.list_rank, c.file, c.doc_id, c.symbol, c.start_line, c.end_line, c.score, c.tokens, c.packed, CASE WHEN a.known THEN coalesce(g.grade, 0) END AS grade
	FROM candidate c JOIN answer a USING (r) LEFT JOIN listed l ON l.r = c.r AND l.query_id = c.query_id AND l."order" = c."rank" << 32 | c.seq LEFT JOIN gold g ON g.r = c.r AND g.item = coalesce(c.file, c.doc_id)
	ORDER BY c.r, c.seq) TO '{out}/candidates.parquet' (FORMAT parquet, COMPRESSION zstd);
COPY (SELECT a.run_id, q.seq, a.included, q.ts, q.query_id, q.inferred, q.in_list, q.query, q.query_kind, q.source, q.status, q."limit" AS result_limit, q.results, q.candidates, q.duplicates, q.result_bytes, q.index_id,
		part(f.f1, n, 1, cut) AS file_recall_at_1, part(f.f3, n, 3, cut) AS file_recall_at_3, part(f.f5, n, 5, cut) AS file_recall_at_5, part(f.f10, n, 10, cut) AS file_recall_at_10, part(f.f20, n, 20, cut) AS file_recall_at_20,
		NULL::DOUBLE AS function_recall_at_1, NULL::DOUBLE AS function_recall_at_3, NULL::DOUBLE AS function_recall_at_5, NULL::DOUBLE AS function_recall_at_10, NULL::DOUBLE AS function_recall_at_20,
		hit(f.f1, n, 1, cut) AS hit_at_1, hit(f.f3, n, 3, cut) AS hit_at_3, hit(f.f5, n, 5, cut) AS hit_at_5, hit(f.f10, n, 10, cut) AS hit_at_10, hit(f.f20, n, 20, cut) AS hit_at_20,
		CASE WHEN n > 0 THEN coalesce(1 / f.first, 0) END AS mrr, CASE WHEN n > 0 AND 10 <= coalesce(cut, 10) THEN coalesce(f.gain, 0) / ideal END AS ndcg_at_10, CASE WHEN n > 0 THEN coalesce(f.precisions, 0) / n END AS ap,
		CASE WHEN NOT a.included THEN NULL WHEN q.result_tokens IS NOT NULL THEN q.result_tokens WHEN q.candidates = 0 AND q.results = 0 THEN 0 WHEN q.candidates > 0 AND q.sized = q.candidates THEN q.tokens END::BIGINT AS tokens,
		CASE WHEN a.included THEN q.latency_ms END AS latency_ms
	FROM query q JOIN answer a USING (r) LEFT JOIN found f USING (r, query_id)
	ORDER BY q.r, q.seq) TO '{out}/queries.parquet' (FORMAT parquet, COMPRESSION zstd);
-- A test listed twice counts as its worst.
CREATE TEMP TABLE tests AS SELECT run_id, count(*) FILTER ("set" = 'fail_to_pass') AS f2p, count(*) FILTER ("set" = 'fail_to_pass' AND passed) AS f2p_passed, count(*) FILTER ("set" = 'pass_to_pass') AS p2p, count(*) FILTER ("set" = 'pass_to_pass' AND passed) AS p2p_passed
	FROM (SELECT run_id, t."set" AS "set", bool_and(t.status = 'passed') AS passed FROM (SELECT run_id, unnest(tests) AS t FROM res) GROUP BY run_id, t."set", rtrim(t.name, E' \t\r\n')) GROUP BY run_id;
-- What the calls and the work of a run add up to.
CREATE TEMP TABLE spent AS SELECT r, count(*) AS calls, count(*) FILTER (attempt > 1) AS retries, sum(usage.input_tokens) AS input, count(usage.input_tokens) AS input_n, sum(usage.output_tokens) AS output, count(usage.output_tokens) AS output_n,
		sum(usage.cached_input_tokens) AS cached, count(usage.cached_input_tokens) AS cached_n, sum(usage.cache_write_input_tokens) AS written, count(usage.cache_write_input_tokens) AS written_n,
		sum(usage.reasoning_tokens) AS reasoning, count(usage.reasoning_tokens) AS reasoning_n, sum(cost_usd) AS cost, count(cost_usd) AS cost_n, sum(latency_ms) AS latency, count(latency_ms) AS latency_n FROM called GROUP BY r;
CREATE TEMP TABLE used AS SELECT r, count(*) AS calls, count(call.result_tokens) AS sized, sum(call.result_tokens) AS tokens,
		count(*) FILTER (call.status <> 'ok' AND coalesce(call.error_kind, 'tool') = 'tool') AS tool_failures, count(*) FILTER (call.status <> 'ok' AND call.error_kind = 'parser') AS parser_failures FROM ev WHERE type = 'tool_call' GROUP BY r;
CREATE TEMP TABLE seen AS SELECT r, count(*) AS events, count(*) FILTER (type NOT IN ('run_started', 'run_finished')) > 0 AS active FROM ev GROUP BY r;
CREATE TEMP TABLE did AS SELECT r, count(*) FILTER (type = 'file_read') AS reads, count(*) FILTER (type = 'edit') AS edits, count(*) FILTER (type = 'edit' AND applied) AS applied, arg_max(applied, seq) FILTER (type = 'edit') AS last_applied,
		arg_max(CASE WHEN type = 'edit' THEN syntax_ok ELSE exit_status = 0 END, seq) FILTER (type = 'edit' OR kind = 'syntax') AS syntax, arg_max(exit_status = 0, seq) FILTER (kind = 'lint') AS lint, arg_max(exit_status = 0, seq) FILTER (kind = 'build') AS build,
		count(*) FILTER (type = 'test_run') AS test_runs, arg_max(fail_to_pass, seq) AS f2p, arg_max(pass_to_pass, seq) AS p2p,
		max(measurements.index_build_ms) FILTER (scope = 'index') AS index_build_ms, max(measurements.index_update_ms) FILTER (scope = 'index') AS index_update_ms,
		max(measurements.rss_bytes) FILTER (scope = 'index') AS index_rss_bytes, max(measurements.disk_bytes) FILTER (scope = 'index') AS index_disk_bytes FROM worked GROUP BY r;
CREATE TEMP TABLE reread AS SELECT r, sum(n - 1) AS repeated FROM (SELECT r, count(*) AS n FROM worked WHERE type = 'file_read' GROUP BY r, path, start_line, end_line, content_sha256) GROUP BY r;
-- From file to file: back is a switch to a path seen before.
CREATE TEMP TABLE moves AS SELECT r, count(*) - 1 AS switches, count(*) - count(DISTINCT path) AS back FROM (
		SELECT r, path, lag(path) OVER (PARTITION BY r ORDER BY seq, i) AS before FROM (SELECT r, seq, 0 AS i, path FROM worked WHERE type = 'file_read'
			UNION ALL SELECT r, seq, unnest(range(len(target_paths))), unnest(target_paths) FROM worked WHERE type = 'edit'))
	WHERE path IS DISTINCT FROM before GROUP BY r;
CREATE TEMP TABLE reached AS SELECT w.r, min(w.seq) AS seq, arg_min(w.ts, w.seq) AS ts FROM worked w JOIN gold g ON g.r = w.r AND g.item = w.path AND g.file AND g.grade > 0 WHERE w.type = 'file_read' GROUP BY w.r;
CREATE TEMP TABLE before_gold AS SELECT r, count(*) FILTER (tool) AS tool_calls, CASE WHEN count(*) FILTER (NOT tool) = count(tokens) THEN coalesce(sum(tokens), 0) END AS tokens FROM (
		SELECT r, seq, false AS tool, usage.input_tokens + usage.output_tokens AS tokens FROM called UNION ALL SELECT r, seq, true, NULL FROM ev WHERE type = 'tool_call') e JOIN reached g USING (r) WHERE e.seq < g.seq GROUP BY r;
CREATE TEMP TABLE timed AS SELECT r, quantile_cont(latency_ms, [0.5, 0.95]) AS q FROM asked GROUP BY r;
CREATE TEMP TABLE indexed AS SELECT r, arg_min(index_id, seq) AS index_id FROM (SELECT r, seq, index_id FROM asked UNION ALL SELECT r, seq, index_id FROM worked WHERE type = 'resource_sample') GROUP BY r;
-- Whether the task was done, by the first rule that applies.
CREATE TEMP TABLE judged AS SELECT *, CASE WHEN resolved_by IS NULL THEN NULL WHEN resolved_by = 'tests' THEN coalesce(applied, true) AND f2p_passed = f2p AND p2p_passed = p2p ELSE outcome = 'resolved' END AS resolved FROM (
	SELECT *, CASE WHEN f2p > 0 THEN 'tests' WHEN outcome IN ('resolved', 'unresolved') THEN 'outcome' WHEN outcome = 'not_evaluated' AND fault IS NULL
		AND (patch_state <> 'real' OR NOT applied OR failure_stage IS NOT NULL OR ending <> 'completed' AND patch_state IS DISTINCT FROM 'real') THEN 'fault' END AS resolved_by FROM (
	SELECT m.r, f.* EXCLUDE (r, ts), f.ts AS finished_at, e.evaluator, e.patch.applied AS applied, e.run_id IS NOT NULL AS evaluated,
		CASE f.patch WHEN 'none' THEN 'missing' WHEN 'empty' THEN 'empty' END AS patch_state,
		CASE WHEN failure_stage IN ('setup', 'infrastructure') OR ending = 'cancelled' THEN 'infrastructure' WHEN failure_stage = 'evaluate' AND outcome = 'not_evaluated' THEN 'evaluator' END AS fault,
		CASE WHEN len(e.tests) > 0 THEN t.f2p ELSE coalesce(e.counts.fail_to_pass.total, 0) END AS f2p, CASE WHEN len(e.tests) > 0 THEN t.f2p_passed ELSE e.counts.fail_to_pass.passed END AS f2p_passed,
		CASE WHEN len(e.tests) > 0 THEN t.p2p ELSE coalesce(e.counts.pass_to_pass.total, 0) END AS p2p, CASE WHEN len(e.tests) > 0 THEN t.p2p_passed ELSE coalesce(e.counts.pass_to_pass.passed, 0) END AS p2p_passed
	FROM man m LEFT JOIN finished f USING (r) LEFT JOIN res e USING (run_id) LEFT JOIN tests t USING (run_id)));
-- The metrics of the included runs.
CREATE TEMP TABLE measured AS SELECT * EXCLUDE (untracked) FROM (SELECT j.r, coalesce(total(c.cost, c.cost_n, coalesce(c.calls, 0), j.totals.cost_usd, active) = 0 AND (c.input > 0 OR c.output > 0 OR j.totals.input_tokens > 0 OR j.totals.output_tokens > 0) AND m.model_metadata.pricing IS DISTINCT FROM 'free', false) AS untracked, j.resolved::BIGINT AS resolved_at_1, j.resolved_by,
		CASE WHEN j.f2p > 0 THEN j.f2p_passed / j.f2p WHEN d.f2p.total > 0 THEN d.f2p.passed / d.f2p.total END AS fail_to_pass, CASE WHEN j.f2p > 0 THEN j.f2p_passed WHEN d.f2p.total > 0 THEN d.f2p.passed END AS fail_to_pass_passed,
		CASE WHEN j.f2p > 0 THEN j.f2p WHEN d.f2p.total > 0 THEN d.f2p.total END AS fail_to_pass_listed, CASE WHEN j.f2p > 0 THEN 'test_results' WHEN d.f2p.total > 0 THEN 'events' END AS fail_to_pass_from,
		CASE WHEN j.p2p > 0 THEN j.p2p_passed / j.p2p WHEN d.p2p.total > 0 THEN d.p2p.passed / d.p2p.total END AS pass_to_pass, CASE WHEN j.p2p > 0 THEN j.p2p_passed WHEN d.p2p.total > 0 THEN d.p2p.passed END AS pass_to_pass_passed,
		CASE WHEN j.p2p > 0 THEN j.p2p WHEN d.p2p.total > 0 THEN d.p2p.total END AS pass_to_pass_listed, CASE WHEN j.p2p > 0 THEN 'test_results' WHEN d.p2p.total > 0 THEN 'events' END AS pass_to_pass_from,
		pass_to_pass_listed - pass_to_pass_passed AS regressions, pass_to_pass_from AS regressions_from,
		part(l.f1, n, 1, cut) AS file_recall_at_1, part(l.f3, n, 3, cut) AS file_recall_at_3, part(l.f5, n, 5, cut) AS file_recall_at_5, part(l.f10, n, 10, cut) AS file_recall_at_10, part(l.f20, n, 20, cut) AS file_recall_at_20,
		NULL::DOUBLE AS function_recall_at_1, NULL::DOUBLE AS function_recall_at_3, NULL::DOUBLE AS function_recall_at_5, NULL::DOUBLE AS function_recall_at_10, NULL::DOUBLE AS function_recall_at_20,
		hit(l.f1, n, 1, cut) AS hit_at_1, hit(l.f3, n, 3, cut) AS hit_at_3, hit(l.f5, n, 5, cut) AS hit_at_5, hit(l.f10, n, 10, cut) AS hit_at_10, hit(l.f20, n, 20, cut) AS hit_at_20,
		CASE WHEN n > 0 THEN coalesce(1 / l.first, 0) END AS mrr, CASE WHEN n > 0 AND 10 <= coalesce(cut, 10) THEN coalesce(l.gain, 0) / ideal END AS ndcg_at_10,
		CASE WHEN n > 0 THEN k.candidates - coalesce(l.items, 0) END::BIGINT AS duplicate_candidates, CASE WHEN n > 0 THEN p.reached / n END AS gold_within_budget,
		CASE WHEN g.ts >= s.ts THEN (epoch_us(g.ts) - epoch_us(s.ts)) / 1e3 END AS time_to_first_gold_ms, CASE WHEN a.files > 0 AND d.reads > 0 THEN (g.seq IS NOT NULL)::BIGINT END AS first_gold_reached,
		CASE WHEN g.seq IS NOT NULL AND b.r IS NULL THEN 0 ELSE b.tokens END::BIGINT AS tokens_to_first_gold, CASE WHEN g.seq IS NOT NULL THEN coalesce(b.tool_calls, 0) END AS tool_calls_to_first_gold,
		CASE WHEN active THEN coalesce(re.repeated, 0) END::BIGINT AS repeated_reads, CASE WHEN mv.switches >= 2 THEN mv.back / mv.switches END AS churn,
		coalesce(j.applied, d.last_applied)::BIGINT AS patch_applied, CASE WHEN j.applied IS NOT NULL THEN 'test_results' WHEN d.last_applied IS NOT NULL THEN 'events' END AS patch_applied_from, CASE WHEN d.edits > 0 THEN d.applied / d.edits END AS edit_success, d.syntax::BIGINT AS syntax_ok, d.lint::BIGINT AS lint_ok, d.build::BIGINT AS build_ok,
		CASE WHEN j.patch = 'empty' THEN 0 END::BIGINT AS patch_files, patch_files AS patch_hunks, patch_files AS patch_lines_added, patch_files AS patch_lines_removed,
		total(c.input, c.input_n, coalesce(c.calls, 0), j.totals.input_tokens, active)::BIGINT AS input_tokens, origin(c.input_n, coalesce(c.calls, 0), j.totals.input_tokens, active) AS input_tokens_from, j.totals.input_tokens AS input_tokens_declared, partial(c.input, c.input_n, c.calls)::BIGINT AS input_tokens_partial, c.input_n AS input_tokens_calls,
		total(c.output, c.output_n, coalesce(c.calls, 0), j.totals.output_tokens, active)::BIGINT AS output_tokens, origin(c.output_n, coalesce(c.calls, 0), j.totals.output_tokens, active) AS output_tokens_from, j.totals.output_tokens AS output_tokens_declared, partial(c.output, c.output_n, c.calls)::BIGINT AS output_tokens_partial, c.output_n AS output_tokens_calls,
		total(c.cached, c.cached_n, coalesce(c.calls, 0), j.totals.cached_input_tokens, active)::BIGINT AS cached_input_tokens, origin(c.cached_n, coalesce(c.calls, 0), j.totals.cached_input_tokens, active) AS cached_input_tokens_from, j.totals.cached_input_tokens AS cached_input_tokens_declared, partial(c.cached, c.cached_n, c.calls)::BIGINT AS cached_input_tokens_partial, c.cached_n AS cached_input_tokens_calls,
		total(c.written, c.written_n, coalesce(c.calls, 0), j.totals.cache_write_input_tokens, active)::BIGINT AS cache_write_input_tokens, origin(c.written_n, coalesce(c.calls, 0), j.totals.cache_write_input_tokens, active) AS cache_write_input_tokens_from, j.totals.cache_write_input_tokens AS cache_write_input_tokens_declared, partial(c.written, c.written_n, c.calls)::BIGINT AS cache_write_input_tokens_partial, c.written_n AS cache_write_input_tokens_calls,
		total(c.reasoning, c.reasoning_n, coalesce(c.calls, 0), j.totals.reasoning_tokens, active)::BIGINT AS reasoning_tokens, origin(c.reasoning_n, coalesce(c.calls, 0), j.totals.reasoning_tokens, active) AS reasoning_tokens_from, j.totals.reasoning_tokens AS reasoning_tokens_declared, partial(c.reasoning, c.reasoning_n, c.calls)::BIGINT AS reasoning_tokens_partial, c.reasoning_n AS reasoning_tokens_calls,
		total(u.tokens, u.sized, coalesce(u.calls, 0), j.totals.tool_tokens, active)::BIGINT AS tool_tokens, origin(u.sized, coalesce(u.calls, 0), j.totals.tool_tokens, active) AS tool_tokens_from, j.totals.tool_tokens AS tool_tokens_declared, partial(u.tokens, u.sized, u.calls)::BIGINT AS tool_tokens_partial, u.sized AS tool_tokens_calls,
		CASE WHEN NOT untracked THEN total(c.cost, c.cost_n, coalesce(c.calls, 0), j.totals.cost_usd, active) END::DECIMAL(18,9) AS cost_usd, CASE WHEN NOT untracked THEN origin(c.cost_n, coalesce(c.calls, 0), j.totals.cost_usd, active) END AS cost_usd_from, CASE WHEN untracked THEN coalesce(j.totals.cost_usd, 0) ELSE j.totals.cost_usd END::DECIMAL(18,9) AS cost_usd_declared, partial(c.cost, c.cost_n, c.calls)::DECIMAL(18,9) AS cost_usd_partial, c.cost_n AS cost_usd_calls,
		j.totals.user_turns AS user_turns,
		CASE WHEN c.calls > 0 THEN c.calls - c.retries ELSE counted(0, j.totals.model_calls, active) END::BIGINT AS model_calls, counted_from(coalesce(c.calls, 0), j.totals.model_calls, active) AS model_calls_from, j.totals.model_calls AS model_calls_declared, c.retries AS model_call_retries,
		counted(coalesce(u.calls, 0), j.totals.tool_calls, active)::BIGINT AS tool_calls, counted_from(coalesce(u.calls, 0), j.totals.tool_calls, active) AS tool_calls_from, j.totals.tool_calls AS tool_calls_declared,
		counted(coalesce(d.test_runs, 0), j.totals.test_runs, active)::BIGINT AS test_runs, counted_from(coalesce(d.test_runs, 0), j.totals.test_runs, active) AS test_runs_from, j.totals.test_runs AS test_runs_declared,
		CASE WHEN j.totals.agent_wall_ms IS NOT NULL THEN j.totals.agent_wall_ms / 1000 WHEN j.finished_at >= s.ts THEN (epoch_us(j.finished_at) - epoch_us(s.ts)) / 1e6 END AS wall_time_s,
		CASE WHEN j.totals.agent_wall_ms IS NOT NULL THEN 'totals' WHEN j.finished_at >= s.ts THEN 'events' END AS wall_time_s_from,
		CASE WHEN c.output_n = c.calls AND c.latency_n = c.calls AND c.latency > 0 THEN c.output / (c.latency / 1000) END AS output_tokens_per_s,
		d.index_build_ms, d.index_update_ms, d.index_rss_bytes, d.index_disk_bytes, ti.q[1] AS query_p50_ms, ti.q[2] AS query_p95_ms, (j.ending = 'timeout')::BIGINT AS timed_out,
		CASE WHEN active THEN coalesce(u.tool_failures, 0) END AS tool_failures, CASE WHEN active THEN coalesce(u.parser_failures, 0) END AS parser_failures, CASE WHEN active THEN coalesce(d.edits - d.applied, 0) END AS edit_failures,
		CASE WHEN j.resolved THEN NULL WHEN j.failure_stage IS NOT NULL THEN j.failure_stage WHEN j.resolved IS NOT NULL THEN 'unknown' END AS failure_stage
	FROM judged j JOIN man m USING (r) LEFT JOIN started s USING (r) LEFT JOIN answer a USING (r) LEFT JOIN seen n1 USING (r) LEFT JOIN did d USING (r) LEFT JOIN spent c USING (r) LEFT JOIN used u USING (r)
		LEFT JOIN reread re USING (r) LEFT JOIN moves mv USING (r) LEFT JOIN reached g USING (r) LEFT JOIN before_gold b USING (r) LEFT JOIN timed ti USING (r)
		LEFT JOIN (SELECT r, candidates, CASE WHEN members = 1 THEN cut END AS cut FROM asked_run) k USING (r) LEFT JOIN run_found l USING (r) LEFT JOIN packed p USING (r)
	WHERE a.included);
COPY (SELECT m.run_id, m.experiment_id, m.harness_id, m.task_id, m.model_key, concat_ws(' / ', m.harness_id, m.model_key, 'retriever=' || m.treatment.retriever) AS arm, m.seed, m.repetition, m.context_budget, m.code_revision, m.harness_version,
		m.harness_config_sha256, m.model_config_sha256, m.benchmark.name AS benchmark_name, m.benchmark.version AS benchmark_version, m.benchmark.split AS benchmark_split, m.task_sha256,
		coalesce(m.repo.name, s.task.repo) AS repo_name, coalesce(m.repo.commit, s.task.base_commit) AS repo_commit, m.repo.language AS repo_language, m.repo.files AS repo_files, m.repo.lines AS repo_lines, coalesce(s.task.language, m.repo.language) AS language,
		s.task.scenario AS scenario, s.task.difficulty AS difficulty, s.task.statement_sha256 AS statement_sha256, s.task.statement_tokens AS statement_tokens,
		CASE WHEN a.has_files THEN coalesce(a.files, 0) END AS gold_files, CASE WHEN a.has_docs THEN coalesce(a.docs, 0) END AS gold_docs, NULL::BIGINT AS gold_functions, s.task.fail_to_pass AS fail_to_pass_tests, s.task.pass_to_pass AS pass_to_pass_tests,
		s.limits.max_wall_ms AS max_wall_ms, s.limits.max_model_calls AS max_model_calls, s.limits.max_tool_calls AS max_tool_calls, s.limits.max_input_tokens AS max_input_tokens, s.limits.max_output_tokens AS max_output_tokens, s.execution_order,
		m.source.format AS source_format, m.source.path AS source_path, m.source.sha256 AS source_sha256, m.source.line AS source_line, m.source.experiment AS source_experiment, m.source.harness AS source_harness, m.source.task AS source_task, m.source.trial AS source_trial,
		CASE WHEN j.fault = 'infrastructure' THEN j.fault END AS excluded_by, j.ending, j.outcome, CASE WHEN x.resolved_by = 'fault' THEN 'agent' ELSE j.fault END AS fault, j.failure_stage AS failure_stage_declared, j.error_kind, j.error_type, j.patch_state,
		j.evaluator.name AS evaluator_name, j.evaluator.version AS evaluator_version, m.created_at, s.ts AS started_at, j.finished_at, i.index_id, coalesce(e.events, 0) AS events, m.raw_path, CASE WHEN e.events > 0 THEN 'trajectory.jsonl' END AS trajectory_file, m.schema_version,
		x.* EXCLUDE (r), m.treatment.retriever AS factor_retriever
	FROM man m JOIN judged j USING (r) LEFT JOIN started s USING (r) LEFT JOIN answer a USING (r) LEFT JOIN seen e USING (r) LEFT JOIN indexed i USING (r) LEFT JOIN measured x USING (r)
	ORDER BY m.r) TO '{out}/runs.parquet' (FORMAT parquet, COMPRESSION zstd);
