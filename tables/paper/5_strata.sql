-- Robustness: the rate and the primary outcome of each harness by scenario and
-- difficulty; the primary outcome against all other strata of the harness, and
-- whether its strata differ at all.
WITH analysed AS (
    SELECT * FROM strata('SELECT * FROM included', 'response=' || study_primary() || ' by=harness strata=' || study_strata())
),
fields AS (SELECT unnest(string_split(study_strata(), ',')) AS field),
settings AS (
    UNPIVOT (SELECT run_id, COLUMNS(c -> list_contains(string_split(study_strata(), ','), c))::VARCHAR FROM runs)
    ON COLUMNS(c -> list_contains(string_split(study_strata(), ','), c)) INTO NAME field VALUE value
),
primaries AS (
    UNPIVOT (SELECT run_id, COLUMNS(c -> c = study_primary())::DOUBLE FROM included)
    ON COLUMNS(c -> c = study_primary()) INTO NAME metric VALUE primary_value
),
placed AS (
    SELECT r.run_id, r.harness, r.task_id, r.excluded_by, study_outside(r.run_id) AS outside, r.resolved_at_1, p.primary_value, f.field, s.value
    FROM runs r CROSS JOIN fields f LEFT JOIN settings s ON s.run_id = r.run_id AND s.field = f.field
    LEFT JOIN primaries p ON p.run_id = r.run_id
),
rated AS (
    SELECT field, coalesce(value, 'unknown') AS stratum, harness,
           rate(list(resolved_at_1 ORDER BY run_id) FILTER (WHERE excluded_by IS NULL), list(task_id ORDER BY run_id) FILTER (WHERE excluded_by IS NULL)) AS r,
           mean_ci(list(primary_value ORDER BY run_id) FILTER (WHERE excluded_by IS NULL), list(task_id ORDER BY run_id) FILTER (WHERE excluded_by IS NULL)) AS m,
           count(*) FILTER (WHERE excluded_by IS NULL AND primary_value IS NULL) AS unmeasured,
           count(*) FILTER (WHERE excluded_by IS NOT NULL AND outside IS NULL) AS excluded,
           count(*) FILTER (WHERE excluded_by IS NULL AND run_id IN (SELECT run_id FROM missing WHERE metric = 'resolved_at_1' AND state = 'missing')) AS lacking
    FROM placed GROUP BY ALL
),
-- A planned cell without a run lies in the stratum that the task's runs lie in, where
-- they agree on one.
labels AS (
    SELECT r.task_id, s.field, any_value(s.value) AS value FROM settings s JOIN runs r USING (run_id)
    GROUP BY ALL HAVING count(DISTINCT s.value) = 1
),
harnesses AS (SELECT harness_id, min(harness) AS harness FROM runs GROUP BY ALL),
absent AS (
    SELECT f.field, coalesce(l.value, 'unknown') AS stratum, coalesce(h.harness, p.harness_id) AS harness, count(*) AS n
    FROM plan p CROSS JOIN fields f LEFT JOIN labels l ON l.task_id = p.task_id AND l.field = f.field
    LEFT JOIN harnesses h ON h.harness_id = p.harness_id
    WHERE p.run_id IS NULL GROUP BY ALL
),
cells AS (SELECT field, stratum, harness FROM rated UNION SELECT field, stratum, harness FROM absent),
worst AS (
    SELECT field, harness, min(m.estimate) AS lowest FROM rated WHERE m.tasks >= 5 GROUP BY ALL HAVING count(*) > 1
)
SELECT c.field, c.stratum, c.harness,
       row_number() OVER (PARTITION BY c.field ORDER BY c.harness, c.stratum) = 1 AS first_of_field,
       coalesce(q.r.numerator, 0) AS resolved_at_1_numerator, coalesce(q.r.n, 0) AS resolved_at_1_denominator, coalesce(q.excluded, 0) AS resolved_at_1_excluded,
       coalesce(q.lacking, 0) AS resolved_at_1_missing, coalesce(b.n, 0) AS resolved_at_1_absent,
       q.r.low AS resolved_at_1_low, q.r.high AS resolved_at_1_high,
       CASE WHEN q.r.n > 0 AND q.r.low IS NULL THEN coalesce(q.r.why, 'no interval') END AS resolved_at_1_interval_why,
       CASE WHEN coalesce(q.r.n, 0) + coalesce(q.lacking, 0) = 0 AND study_primary() <> 'resolved_at_1' OR coalesce(q.r.n, 0) + coalesce(q.excluded, 0) + coalesce(q.lacking, 0) + coalesce(b.n, 0) = 0 THEN 'not_applicable' END AS resolved_at_1_state,
       q.m.estimate AS primary_outcome, q.m.low AS primary_outcome_low, q.m.high AS primary_outcome_high, q.m.n AS primary_outcome_observed, coalesce(q.unmeasured, 0) AS primary_outcome_missing,
       CASE WHEN q.m.estimate IS NOT NULL AND q.m.low IS NULL THEN coalesce(q.m.why, 'no interval') END AS primary_outcome_interval_why,
       CASE WHEN study_primary() = 'resolved_at_1' THEN 'not_applicable' WHEN q.m.estimate IS NULL THEN 'missing' END AS primary_outcome_state,
       coalesce(q.m.tasks, 0) AS tasks,
       a.difference, a.low AS difference_low, a.high AS difference_high,
       CASE WHEN a.difference IS NULL THEN 'not_estimable' END AS difference_state,
       CASE WHEN a.difference IS NULL THEN coalesce(a.difference_why, 'no observations') END AS difference_why,
       CASE WHEN a.difference IS NOT NULL AND a.low IS NULL THEN coalesce(a.difference_why, 'no interval') END AS difference_interval_why,
       a.p, CASE WHEN a.p IS NULL THEN 'not_estimable' END AS p_state, CASE WHEN a.p IS NULL THEN coalesce(a.why, 'no observations') END AS p_why,
       a.p_holm, CASE WHEN a.p_holm IS NULL THEN 'not_estimable' END AS p_holm_state, CASE WHEN a.p_holm IS NULL THEN coalesce(a.why, 'no observations') END AS p_holm_why,
       CASE WHEN w.lowest IS NOT NULL AND q.m.tasks >= 5 AND q.m.estimate = w.lowest THEN 'worst' END AS mark,
       'Primary outcome, differences and heterogeneity: ' || coalesce((SELECT any_value(heading) FROM metrics x WHERE x.name = study_primary() AND x.level = 'run'), study_primary()) || '. Holm over ' || coalesce(a.holm_tests, 0) || CASE a.holm_tests WHEN 1 THEN ' heterogeneity test' ELSE ' heterogeneity tests' END || coalesce(' by ' || a.test, '') || '.' AS remark
FROM cells c
LEFT JOIN rated q ON q.field = c.field AND q.stratum = c.stratum AND q.harness = c.harness
LEFT JOIN absent b ON b.field = c.field AND b.stratum = c.stratum AND b.harness = c.harness
LEFT JOIN analysed a ON a.field = c.field AND a.stratum = c.stratum AND a.by = c.harness
LEFT JOIN worst w ON w.field = c.field AND w.harness = c.harness
ORDER BY c.field, c.harness, c.stratum
