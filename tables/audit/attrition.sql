-- title: runs are lost alike in every arm
-- severity: warning
-- of: planned runs: FROM plan
-- means: an arm lost more of its planned runs (excluded or absent) than the other arms together, by more than a tenth of
-- them and by more than two standard errors; a difference between what is left may come from what was lost. Or nothing
-- is left of the arm.
WITH arms AS (
    SELECT arm, count(*) AS planned,
           count(*) FILTER (WHERE p.run_id IS NULL OR p.run_id IN (SELECT run_id FROM runs WHERE excluded_by IS NOT NULL)) AS lost
    FROM plan p GROUP BY arm
),
beside AS (
    SELECT *, sum(planned) OVER () AS all_planned, sum(lost) OVER () AS all_lost, all_planned - planned AS others_planned, all_lost - lost AS others_lost FROM arms
),
differences AS (
    SELECT *, lost / planned - others_lost / nullif(others_planned, 0) AS excess,
           all_lost / all_planned * (1 - all_lost / all_planned) * (1 / planned + 1 / nullif(others_planned, 0)) AS variance
    FROM beside
)
SELECT arm AS subject, lost = planned OR coalesce(excess > 0.1 AND excess * excess > 4 * variance, false) AS found,
       lost || ' of ' || planned || ' planned runs are excluded or absent' AS text, lost AS numerator, planned AS denominator
FROM differences WHERE all_lost > 0 ORDER BY arm
