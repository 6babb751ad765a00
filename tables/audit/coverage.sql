-- title: metrics are known of as many runs in every arm
-- severity: warning
-- of: included runs: FROM included
-- means: a metric is known of fewer runs of an arm than of the other arms together, by more than a tenth of them and by
-- more than three standard errors; its means compare different kinds of runs. A metric that applies to a run and has no
-- value there is missing, never zero.
WITH applies AS (
    SELECT m.arm, m.metric, count(*) AS runs, sum(m.observed)::BIGINT AS observed
    FROM measured m LEFT JOIN missing x ON x.run_id = m.run_id AND x.metric = m.metric
    WHERE x.state IS DISTINCT FROM 'not_applicable' GROUP BY ALL
),
-- An arm without any value has no mean to compare: its dash says so.
beside AS (
    SELECT *, sum(runs) FILTER (WHERE observed > 0) OVER same AS all_runs, sum(observed) OVER same AS all_observed,
           all_runs - runs AS others_runs, all_observed - observed AS others_observed
    FROM applies WINDOW same AS (PARTITION BY metric)
),
differences AS (
    SELECT *, others_observed / nullif(others_runs, 0) - observed / runs AS short,
           all_observed / all_runs * (1 - all_observed / all_runs) * (1 / runs + 1 / nullif(others_runs, 0)) AS variance
    FROM beside
),
reasons AS (SELECT i.arm, x.metric, mode(x.reason ORDER BY x.reason) AS reason FROM missing x JOIN included i USING (run_id) WHERE x.state = 'missing' GROUP BY ALL)
SELECT 1 AS place, a.metric || ' in ' || a.arm AS subject, coalesce(a.observed > 0 AND short > 0.1 AND short * short > 9 * variance, false) AS found,
       'known of ' || a.observed || ' of ' || a.runs || ' runs; otherwise mostly ' || coalesce(r.reason, 'unknown') AS text,
       a.observed AS numerator, a.runs AS denominator
FROM differences a LEFT JOIN reasons r ON r.arm = a.arm AND r.metric = a.metric
WHERE a.observed < a.runs AND all_observed > 0
UNION ALL
SELECT 2, 'no arm', false, 'not measured at all: ' || string_agg(DISTINCT metric, ', ' ORDER BY metric), count(DISTINCT metric), (SELECT count(DISTINCT metric) FROM applies)
FROM beside WHERE all_observed = 0 HAVING count(*) > 0
ORDER BY place, subject
