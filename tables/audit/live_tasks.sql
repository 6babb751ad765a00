-- title: some tasks tell the arms apart
-- severity: warning
-- of: tasks with an outcome in two arms: FROM (FROM outcome SELECT task_id WHERE value IS NOT NULL GROUP BY task_id HAVING count(DISTINCT arm) > 1)
-- means: every arm agrees on every task, so that this set of tasks cannot tell the arms apart. Only live tasks, on
-- which arms differ, carry a difference.
WITH by_arm AS (SELECT task_id, arm, round(avg(value), 12) AS mean FROM outcome WHERE value IS NOT NULL GROUP BY ALL),
tasks AS (SELECT task_id, count(*) AS arms, count(DISTINCT mean) > 1 AS live, max(mean) AS best, min(mean) AS worst FROM by_arm GROUP BY task_id HAVING count(*) > 1)
SELECT study_primary() AS subject, count(*) FILTER (WHERE live) = 0 AS found,
       count(*) FILTER (WHERE live) || ' of ' || count(*) || ' shared tasks are live; ' || count(*) FILTER (WHERE best = 0) || ' are 0 in every arm, '
       || count(*) FILTER (WHERE worst = 1) || ' are 1 in every arm' AS text,
       count(*) FILTER (WHERE live) AS numerator, count(*) AS denominator
FROM tasks HAVING count(*) > 0
