-- title: rates rest on evaluated runs
-- severity: warning
-- of: included runs with something to resolve: FROM included WHERE outcome IS DISTINCT FROM 'not_applicable'
-- means: none, or only some, of the arm's runs were evaluated; the others count as failures by their own fault, so the
-- rate is one of crashes as much as of solutions.
SELECT arm AS subject, true AS found,
       CASE WHEN decided = 0 THEN 'no run was evaluated, nor did one fail by its own fault'
            WHEN evaluated = 0 THEN 'no run was evaluated; ' || decided || ' failed by their own fault'
            ELSE evaluated || ' of ' || decided || ' decided runs were evaluated, the others failed by their own fault' END
       || CASE WHEN missing > 0 THEN '; the outcome of ' || missing || CASE WHEN decided > 0 THEN ' more' ELSE '' END || ' is missing' ELSE '' END AS text,
       evaluated AS numerator, decided AS denominator
FROM (SELECT arm, count(*) FILTER (WHERE resolved_by IN ('tests', 'outcome')) AS evaluated, count(resolved_at_1) AS decided,
             count(*) FILTER (WHERE resolved_at_1 IS NULL AND outcome IS DISTINCT FROM 'not_applicable') AS missing FROM included GROUP BY arm)
WHERE evaluated < decided OR missing > 0 AND evaluated = 0 ORDER BY arm
