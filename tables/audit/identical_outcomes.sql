-- title: arms with identical outcomes
-- severity: warning
-- means: two arms came out the same on every run that they share (at least ten; all arms together: at least two), which
-- real treatments rarely do: one may have run in place of the other.
WITH pairs AS (
    SELECT a.arm AS first, b.arm AS second, count(*) AS shared, count(*) FILTER (WHERE a.value = b.value) AS same
    FROM outcome a JOIN outcome b ON a.task_id = b.task_id AND a.repetition IS NOT DISTINCT FROM b.repetition AND a.pairing = b.pairing AND a.arm < b.arm
    WHERE a.value IS NOT NULL AND b.value IS NOT NULL GROUP BY ALL
),
whole AS (SELECT bool_and(shared = same) AND min(shared) >= 2 AND count(*) > 1 AS identical, min(shared) AS shared FROM pairs)
SELECT 'all arms' AS subject, true AS found, 'the same ' || study_primary() || ' on every shared run' AS text, shared AS numerator, shared AS denominator FROM whole WHERE identical
UNION ALL
SELECT first || ' and ' || second, true, 'the same ' || study_primary() || ' on all ' || shared || ' shared runs', same, shared
FROM pairs WHERE same = shared AND (shared >= 10 OR shared >= 2 AND (SELECT count(*) FROM pairs) = 1) AND NOT coalesce((SELECT identical FROM whole), false)
ORDER BY subject
