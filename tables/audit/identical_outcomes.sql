-- title: arms do not all come out the same
-- severity: warning
-- of: tasks with an outcome in two arms: FROM (FROM outcome SELECT task_id WHERE value IS NOT NULL GROUP BY task_id HAVING count(DISTINCT arm) > 1)
-- means: all arms came out the same on every run that they share (at least two), which real treatments do not do: the
-- outcome may not depend on the apparatus at all. Some arms of many that agree on ten runs or more are listed as a
-- fact: one may have run in place of the other, or they differ in a factor that cannot move this outcome.
WITH signatures AS (
    SELECT arm, count(*) AS runs, md5(string_agg(task_id || chr(0) || coalesce(repetition, 0) || chr(0) || pairing || chr(0) || value, chr(1) ORDER BY task_id, repetition, pairing)) AS signature
    FROM outcome WHERE value IS NOT NULL GROUP BY arm
),
-- Arms with the same values on the same runs are one group; only one of each need be compared with the others.
alike AS (SELECT signature, min(arm) AS first, list(arm ORDER BY arm) AS arms, count(*) AS n, min(runs) AS runs FROM signatures GROUP BY signature),
foremost AS (SELECT * FROM outcome WHERE arm IN (SELECT first FROM alike) AND value IS NOT NULL),
pairs AS (
    SELECT a.arm AS first, b.arm AS second, count(*) AS shared, count(*) FILTER (WHERE a.value = b.value) AS same
    FROM foremost a JOIN foremost b ON a.task_id = b.task_id AND a.repetition IS NOT DISTINCT FROM b.repetition AND a.pairing = b.pairing AND a.arm < b.arm
    GROUP BY ALL
),
whole AS (
    SELECT (SELECT count(*) FROM signatures) AS arms, coalesce((SELECT min(shared) FROM pairs), (SELECT min(runs) FROM alike)) AS shared
    WHERE (SELECT count(*) FROM signatures) > 1 AND NOT EXISTS (SELECT 1 FROM pairs WHERE same < shared)
      AND (SELECT count(*) FROM pairs) = (SELECT count(*) * (count(*) - 1) // 2 FROM alike)
)
SELECT 'all ' || arms || ' arms' AS subject, true AS found, 'the same ' || study_primary() || ' on every shared run, ' || shared || ' at least' AS text, shared AS numerator, shared AS denominator
FROM whole WHERE shared >= 2
UNION ALL
SELECT n || ' arms', false, 'the same ' || study_primary() || ' on all ' || runs || ' runs: ' || array_to_string(arms[:3], '; ') || CASE WHEN n > 3 THEN '; and ' || (n - 3) || ' more' ELSE '' END, runs, runs
FROM alike WHERE n > 1 AND runs >= 10 AND NOT EXISTS (FROM whole)
UNION ALL
SELECT first || ' and ' || second, false, 'the same ' || study_primary() || ' on all ' || shared || ' shared runs', same, shared
FROM pairs WHERE same = shared AND shared >= 10 AND NOT EXISTS (FROM whole)
ORDER BY subject, text
