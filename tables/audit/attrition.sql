-- title: runs are lost alike in every arm
-- severity: warning
-- means: an arm lost more of its planned runs (excluded or absent) than another, by more than a tenth of them;
-- a difference between what is left may come from what was lost.
WITH arms AS (
    SELECT arm, count(*) AS planned,
           count(*) FILTER (WHERE p.run_id IS NULL OR p.run_id IN (SELECT run_id FROM runs WHERE excluded_by IS NOT NULL)) AS lost
    FROM plan p GROUP BY arm
)
SELECT arm AS subject, 10 * (lost / planned - (SELECT min(lost / planned) FROM arms)) > 1 AS found,
       lost || ' of ' || planned || ' planned runs are excluded or absent' AS text, lost AS numerator, planned AS denominator
FROM arms WHERE (SELECT max(lost) FROM arms) > 0 ORDER BY arm
