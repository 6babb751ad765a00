-- title: the accounting adds up
-- severity: error
-- means: runs are lost or counted twice between the plan, the runs, the exclusions and the metrics,
-- so that no denominator can be believed.
WITH outside AS (SELECT harness_id, study_outside(run_id) AS outside FROM runs),
lines AS (
    SELECT 1 AS place, 'planned + unplanned = runs + absent - extra' AS subject,
           (SELECT count(*) FROM plan) + (SELECT count(*) FROM outside WHERE outside = 'unplanned') AS have,
           (SELECT count(*) FROM runs) + (SELECT count(*) FROM plan WHERE run_id IS NULL) - (SELECT count(*) FROM outside WHERE outside = 'extra_run') AS want
    UNION ALL
    SELECT 2, 'runs = runs with distinct ids', (SELECT count(*) FROM runs), (SELECT count(DISTINCT run_id) FROM runs)
    UNION ALL
    SELECT 3, 'excluded runs = excluded runs with a reason in exclusions',
           (SELECT count(*) FROM runs_stored WHERE excluded_by IS NOT NULL),
           (SELECT count(*) FROM runs_stored WHERE excluded_by IS NOT NULL AND run_id IN (SELECT run_id FROM exclusions WHERE class = 'excluded' AND place = 1))
    UNION ALL
    SELECT 4, 'filled cells = runs that fill exactly one cell',
           (SELECT count(*) FROM plan WHERE run_id IS NOT NULL),
           (SELECT count(*) FROM runs WHERE run_id IN (SELECT run_id FROM plan GROUP BY run_id HAVING count(*) = 1))
    UNION ALL
    SELECT 5, 'harnesses = harnesses whose planned + unplanned = runs + absent - extra', count(*), count(*) FILTER (planned + unplanned = runs + absent - extra)
    FROM (
        SELECT h.harness_id,
               (SELECT count(*) FROM plan p WHERE p.harness_id = h.harness_id) AS planned,
               (SELECT count(*) FROM plan p WHERE p.harness_id = h.harness_id AND p.run_id IS NULL) AS absent,
               (SELECT count(*) FROM runs r WHERE r.harness_id = h.harness_id) AS runs,
               (SELECT count(*) FROM outside r WHERE r.harness_id = h.harness_id AND r.outside = 'unplanned') AS unplanned,
               (SELECT count(*) FROM outside r WHERE r.harness_id = h.harness_id AND r.outside = 'extra_run') AS extra
        FROM (SELECT harness_id FROM plan UNION SELECT harness_id FROM runs) h)
    UNION ALL
    SELECT 6, 'included x metrics = observed + missing + not applicable',
           (SELECT count(*) FROM measured),
           coalesce((SELECT sum(observed)::BIGINT FROM measured), 0) + (SELECT count(*) FROM missing JOIN included USING (run_id) JOIN (SELECT DISTINCT metric FROM measured) USING (metric))
)
SELECT subject, have <> want AS found, have || CASE WHEN have = want THEN ' = ' ELSE ' is not ' END || want
       || CASE WHEN place = 1 THEN coalesce((SELECT ' (inferred, as no plan names arms, tasks and repetitions: ' || count(*) || ' planned cells)' FROM plan WHERE inferred HAVING count(*) > 0), '') ELSE '' END AS text, have AS numerator, want AS denominator
FROM lines ORDER BY place
