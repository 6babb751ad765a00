-- What became of every run: failure stages of included runs, errors, exclusions
-- under their first reason, and the accounting, which must add up. A row a
-- harness and kind of failure.
WITH harnesses AS (
    SELECT DISTINCT harness, harness_id FROM runs
    UNION
    SELECT DISTINCT harness_id, harness_id FROM plan WHERE harness_id NOT IN (SELECT harness_id FROM runs)
    UNION
    SELECT '(no harness)', NULL FROM exclusions WHERE class <> 'excluded' AND harness_id IS NULL
),
outside AS (SELECT harness, study_outside(run_id) AS reason FROM runs),
facts AS (
    SELECT 1 AS place, 'failure stage' AS section, harness, failure_stage AS name, count(*) AS n
    FROM included WHERE resolved_at_1 = 0 GROUP BY ALL
    UNION ALL
    SELECT 2, 'not evaluated', i.harness, m.reason, count(*) FROM missing m JOIN included i USING (run_id)
    WHERE m.metric = 'resolved_at_1' AND m.state = 'missing' GROUP BY ALL
    UNION ALL
    SELECT 3, 'ending', harness, ending, count(*) FROM runs WHERE ending IS NOT NULL AND ending <> 'completed' GROUP BY ALL
    UNION ALL
    SELECT 4, 'exception', harness, error_type, count(*) FROM runs WHERE error_type IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT 5, 'exception', harness, 'all exceptions', count(*) FROM runs WHERE error_type IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT 6, 'exclusion', harness, excluded_by, count(*) FROM runs WHERE excluded_by IS NOT NULL GROUP BY ALL
    UNION ALL
    SELECT 7, 'left out', coalesce(h.harness, '(no harness)'), x.class || ': ' || x.reason, count(*)
    FROM exclusions x LEFT JOIN harnesses h ON h.harness_id = x.harness_id WHERE x.class <> 'excluded' AND x.place = 1 GROUP BY ALL
),
accounts AS (
    SELECT h.harness,
           (SELECT count(*) FROM runs r WHERE r.harness = h.harness) AS runs,
           (SELECT count(*) FROM included r WHERE r.harness = h.harness) AS included,
           (SELECT count(*) FROM runs r WHERE r.harness = h.harness AND r.excluded_by IS NOT NULL) AS excluded,
           (SELECT count(*) FROM outside r WHERE r.harness = h.harness AND r.reason = 'extra_run') AS extra,
           (SELECT count(*) FROM outside r WHERE r.harness = h.harness AND r.reason = 'unplanned') AS unplanned,
           (SELECT count(*) FROM plan p WHERE p.harness_id = h.harness_id) AS planned,
           (SELECT count(*) FROM plan p WHERE p.harness_id = h.harness_id AND p.run_id IS NULL) AS absent,
           (SELECT count(*) FROM exclusions x WHERE x.place = 1 AND x.class = 'copy' AND x.harness_id IS NOT DISTINCT FROM h.harness_id) AS copies,
           (SELECT count(*) FROM exclusions x WHERE x.place = 1 AND x.class = 'superseded' AND x.harness_id IS NOT DISTINCT FROM h.harness_id) AS superseded,
           h.harness_id,
           (SELECT count(*) FROM exclusions x WHERE x.place = 1 AND x.class = 'unidentified' AND x.harness_id IS NOT DISTINCT FROM h.harness_id) AS unidentified
    FROM harnesses h
),
accounted AS (
    SELECT 8 AS place, 'accounting' AS section, harness, line.name, line.n
    FROM accounts, unnest([
        {'name': 'directories', 'n': runs + copies + superseded + unidentified},
        {'name': 'runs', 'n': runs}, {'name': 'copies', 'n': copies}, {'name': 'superseded', 'n': superseded}, {'name': 'unidentified', 'n': unidentified},
        {'name': 'included', 'n': included}, {'name': 'excluded', 'n': excluded},
        {'name': 'planned', 'n': planned}, {'name': 'absent', 'n': absent},
        {'name': 'extra', 'n': extra}, {'name': 'unplanned', 'n': unplanned}]) AS u(line)
    WHERE harness_id IS NOT NULL OR line.n > 0
),
bases AS (
    SELECT harness, 1 AS place, count(*) FILTER (WHERE resolved_at_1 = 0) AS total FROM included GROUP BY harness
    UNION ALL SELECT harness, 2, count(*) FROM included GROUP BY harness
    UNION ALL SELECT harness, unnest([3, 4, 5, 6]), count(*) FROM runs GROUP BY harness
)
SELECT section, harness, name, ordinal > 1 AND section <> lag(section) OVER (ORDER BY ordinal) AS first_of_section, runs,
       CASE WHEN total > 0 THEN runs END AS share_count, CASE WHEN total > 0 THEN total END AS share_total,
       CASE WHEN coalesce(total, 0) = 0 THEN 'not_applicable' END AS share_state,
       (SELECT 'Inferred, as no plan names arms, tasks and repetitions: ' || count(*) || ' of the planned cells, ' || count(*) FILTER (run_id IS NULL)
               || ' of them absent: every arm with every task, as often as any was repeated.'
        FROM plan WHERE inferred HAVING count(*) > 0) AS plan_remark
FROM (
    SELECT f.section, f.harness, coalesce(f.name, 'unknown') AS name, f.n AS runs, b.total,
           row_number() OVER (ORDER BY
               CASE f.section WHEN 'failure stage' THEN 1 WHEN 'not evaluated' THEN 2 WHEN 'ending' THEN 3 WHEN 'exception' THEN 4 WHEN 'exclusion' THEN 5 WHEN 'left out' THEN 6 ELSE 7 END,
               f.harness, f.place,
               CASE WHEN f.section = 'accounting' THEN list_position(['directories', 'runs', 'copies', 'superseded', 'unidentified', 'included', 'excluded',
                   'planned', 'absent', 'extra', 'unplanned'], f.name) END,
               f.n DESC, f.name) AS ordinal
    FROM (SELECT * FROM facts UNION ALL SELECT * FROM accounted) f
    LEFT JOIN bases b ON b.harness = f.harness AND b.place = f.place)
ORDER BY ordinal
