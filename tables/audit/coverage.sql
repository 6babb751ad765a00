-- title: metrics are known of as many runs in every arm
-- severity: warning
-- means: a metric is known of a share of runs that differs between arms by more than a tenth; its means compare
-- different kinds of runs. A metric that applies to a run and has no value there is missing, never zero.
WITH applies AS (
    SELECT m.arm, m.metric, count(*) AS runs, sum(m.observed)::BIGINT AS observed
    FROM measured m LEFT JOIN missing x ON x.run_id = m.run_id AND x.metric = m.metric
    WHERE x.state IS DISTINCT FROM 'not_applicable' GROUP BY ALL
),
-- An arm without any value has no mean to compare: its dash says so.
spread AS (SELECT metric, max(observed / runs) - min(observed / runs) FILTER (WHERE observed > 0) AS spread, sum(observed)::BIGINT AS observed, sum(runs)::BIGINT AS runs, count(*) AS arms FROM applies GROUP BY metric),
reasons AS (SELECT i.arm, x.metric, mode(x.reason ORDER BY x.reason) AS reason FROM missing x JOIN included i USING (run_id) WHERE x.state = 'missing' GROUP BY ALL)
SELECT 1 AS place, a.metric || ' in ' || a.arm AS subject, coalesce(s.spread > 0.1 AND a.observed > 0, false) AS found,
       'known of ' || a.observed || ' of ' || a.runs || ' runs; otherwise mostly ' || coalesce(r.reason, 'unknown') AS text,
       a.observed AS numerator, a.runs AS denominator
FROM applies a JOIN spread s USING (metric) LEFT JOIN reasons r ON r.arm = a.arm AND r.metric = a.metric
WHERE a.observed < a.runs AND s.observed > 0
UNION ALL
SELECT 2, 'no arm', false, 'not measured at all: ' || string_agg(metric, ', ' ORDER BY metric), count(*), (SELECT count(*) FROM spread)
FROM spread WHERE observed = 0 HAVING count(*) > 0
ORDER BY place, subject
