-- Dense-index systems: a row an index configuration. Build and update time are
-- one value an index and repository, the largest; query times are quantiles over
-- all queries of the configuration, never means of the runs' quantiles.
WITH samples AS (
    SELECT s.index_id, r.repository, r.task_id, max(s.index_build_ms) AS build, max(s.index_update_ms) AS updated,
           max(s.rss_bytes) AS rss, max(s.disk_bytes) AS disk, max(r.repo_files) AS files
    FROM resource_samples s JOIN included r USING (run_id)
    WHERE s.scope = 'index' AND s.index_id IS NOT NULL GROUP BY ALL
),
per_repository AS (
    SELECT index_id, repository, max(build) AS build, max(updated) AS updated, max(rss) AS rss, max(disk) AS disk, max(files) AS files
    FROM samples GROUP BY ALL
),
queried AS (
    SELECT coalesce(q.index_id, r.index_id) AS index_id, q.run_id, q.seq, q.latency_ms, r.task_id
    FROM queries q JOIN included r USING (run_id) WHERE coalesce(q.index_id, r.index_id) IS NOT NULL
),
times AS (
    SELECT index_id, quantile_ci(list(latency_ms::DOUBLE ORDER BY run_id, seq), list(task_id ORDER BY run_id, seq), 0.5) AS p50,
           quantile_ci(list(latency_ms::DOUBLE ORDER BY run_id, seq), list(task_id ORDER BY run_id, seq), 0.95) AS p95,
           count(*) AS queries, count(*) - count(latency_ms) AS untimed
    FROM queried GROUP BY index_id
),
recall AS (
    SELECT index_id, mean_ci(list(file_recall_at_10 ORDER BY run_id), list(task_id ORDER BY run_id)) AS m,
           count(*) - count(file_recall_at_10) AS missing
    FROM included WHERE index_id IS NOT NULL GROUP BY index_id
),
uses AS (SELECT DISTINCT index_id, run_id FROM queried UNION SELECT index_id, run_id FROM resource_samples WHERE scope = 'index' AND index_id IS NOT NULL),
settings AS (
    UNPIVOT (SELECT run_id, COLUMNS('^(factor_.*|harness)$')::VARCHAR FROM included)
    ON COLUMNS('^(factor_.*|harness)$') INTO NAME factor VALUE level
),
-- What tells a reader which runs used a configuration: the factors of which each has
-- one level, where the study has several, else the harnesses.
told AS (
    SELECT factor FROM (SELECT factor, index_id, count(DISTINCT level) AS levels, min(level) AS level FROM settings JOIN uses USING (run_id) GROUP BY ALL)
    WHERE factor <> 'harness' AND factor IN (SELECT factor FROM settings GROUP BY factor HAVING count(DISTINCT level) > 1)
    GROUP BY factor HAVING max(levels) = 1
),
users AS (
    SELECT index_id, string_agg(said, ', ' ORDER BY said) AS used_by
    FROM (SELECT DISTINCT index_id, CASE factor WHEN 'harness' THEN level ELSE replace(factor, 'factor_', '') || '=' || level END AS said
          FROM settings JOIN uses USING (run_id)
          WHERE factor IN (FROM told) OR factor = 'harness' AND (SELECT count(*) FROM told) = 0)
    GROUP BY index_id
),
indexes AS (SELECT index_id FROM per_repository UNION SELECT index_id FROM times UNION SELECT index_id FROM recall),
built AS (
    SELECT index_id, count(*) AS repositories,
           quantile_cont(build, 0.5) AS build, quantile_cont(build, 0.25) AS build_q1, quantile_cont(build, 0.75) AS build_q3, count(build) AS build_n,
           quantile_cont(updated, 0.5) AS updated, quantile_cont(updated, 0.25) AS updated_q1, quantile_cont(updated, 0.75) AS updated_q3, count(updated) AS updated_n,
           max(rss) AS rss, max(disk) AS disk,
           scaling(list(files::DOUBLE ORDER BY repository), list(build::DOUBLE ORDER BY repository)) AS slope
    FROM per_repository GROUP BY index_id
)
SELECT i.index_id, coalesce(u.used_by, '') AS used_by, coalesce(b.repositories, 0) AS repositories,
       b.build AS index_build_ms, b.build_q1 AS index_build_ms_q1, b.build_q3 AS index_build_ms_q3, coalesce(b.build_n, 0) AS index_build_ms_observed,
       coalesce(b.repositories, 0) - coalesce(b.build_n, 0) AS index_build_ms_missing,
       b.updated AS index_update_ms, b.updated_q1 AS index_update_ms_q1, b.updated_q3 AS index_update_ms_q3, coalesce(b.updated_n, 0) AS index_update_ms_observed,
       coalesce(b.repositories, 0) - coalesce(b.updated_n, 0) AS index_update_ms_missing,
       t.p50.estimate AS query_p50_ms, t.p50.low AS query_p50_ms_low, t.p50.high AS query_p50_ms_high, t.p50.n AS query_p50_ms_observed, t.untimed AS query_p50_ms_missing,
       CASE WHEN t.p50.estimate IS NOT NULL AND t.p50.low IS NULL THEN t.p50.why END AS query_p50_ms_interval_why,
       t.p95.estimate AS query_p95_ms, t.p95.low AS query_p95_ms_low, t.p95.high AS query_p95_ms_high, t.p95.n AS query_p95_ms_observed, t.untimed AS query_p95_ms_missing,
       CASE WHEN t.p95.estimate IS NOT NULL AND t.p95.low IS NULL THEN t.p95.why END AS query_p95_ms_interval_why,
       b.rss AS index_rss_bytes, b.disk AS index_disk_bytes,
       r.m.estimate AS file_recall_at_10, r.m.low AS file_recall_at_10_low, r.m.high AS file_recall_at_10_high,
       r.m.n AS file_recall_at_10_observed, r.missing AS file_recall_at_10_missing,
       CASE WHEN r.m.estimate IS NOT NULL AND r.m.low IS NULL THEN r.m.why END AS file_recall_at_10_interval_why,
       b.slope.estimate AS scaling, b.slope.low AS scaling_low, b.slope.high AS scaling_high,
       CASE WHEN b.slope.estimate IS NULL THEN 'not_estimable' END AS scaling_state,
       CASE WHEN b.slope.estimate IS NULL THEN coalesce(b.slope.why, 'too few') END AS scaling_why,
       CASE WHEN b.slope.estimate IS NOT NULL AND b.slope.low IS NULL THEN b.slope.why END AS scaling_interval_why
FROM indexes i
LEFT JOIN built b ON b.index_id = i.index_id
LEFT JOIN times t ON t.index_id = i.index_id
LEFT JOIN recall r ON r.index_id = i.index_id
LEFT JOIN users u ON u.index_id = i.index_id
ORDER BY i.index_id
