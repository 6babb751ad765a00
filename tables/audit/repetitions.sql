-- title: repetitions and how alike they are
-- severity: info
-- of: included runs with an outcome: FROM outcome WHERE value IS NOT NULL
-- means: runs of one task resemble each other, so they count less than runs of different tasks. The intra-task correlation
-- is the analysis-of-variance estimator for unequal numbers (Donner, International Statistical Review 54, 1986);
-- the effective number of runs is runs / (1 + (n0 - 1) x correlation). Where few of many tasks were repeated, that
-- estimator can leave the range from -1 to 1, and is not reported.
WITH by_task AS (SELECT arm, task_id, count(*) AS n, sum(value ORDER BY run_id) AS total, sum(value * value ORDER BY run_id) AS squares FROM outcome WHERE value IS NOT NULL GROUP BY ALL),
sums AS (
    SELECT arm, count(*) AS tasks, sum(n)::BIGINT AS runs, min(n) AS least, max(n) AS most, count(*) FILTER (WHERE n > 1) AS repeated, sum(n * n)::BIGINT AS n_squares,
           sum(total ORDER BY task_id) AS total, sum(squares ORDER BY task_id) AS squares, sum(total * total / n ORDER BY task_id) AS between_tasks
    FROM by_task GROUP BY arm
),
squares AS (
    SELECT *, (runs - n_squares / runs) / (tasks - 1) AS n0,
           greatest(between_tasks - total * total / runs, 0) / (tasks - 1) AS between_mean, greatest(squares - between_tasks, 0) / (runs - tasks) AS within_mean
    FROM sums WHERE runs > tasks AND tasks > 1
),
correlations AS (SELECT *, (between_mean - within_mean) / nullif(between_mean + (n0 - 1) * within_mean, 0) AS icc FROM squares)
SELECT s.arm AS subject, false AS found,
       s.least || CASE WHEN s.most > s.least THEN ' to ' || s.most ELSE '' END || CASE s.most WHEN 1 THEN ' run a task; ' ELSE ' runs a task; ' END ||
       CASE WHEN s.runs = s.tasks THEN 'without repetitions nothing is known of how much a rerun changes'
            WHEN s.repeated = 1 THEN 'intra-task correlation not estimable: a single task was repeated'
            WHEN c.icc IS NULL THEN 'intra-task correlation not estimable: the outcome does not vary'
            WHEN abs(c.icc) > 1 THEN 'intra-task correlation not estimable: ' || s.repeated || ' of ' || s.tasks || ' tasks were repeated'
            ELSE printf('intra-task correlation %.3f, %d runs are worth about %.0f', c.icc, s.runs, least(s.runs / (1 + (c.n0 - 1) * greatest(c.icc, 0)), s.runs)) END AS text,
       s.runs AS numerator, s.tasks AS denominator
FROM sums s LEFT JOIN correlations c USING (arm) ORDER BY s.arm
