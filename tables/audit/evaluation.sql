-- title: rates rest on evaluated runs
-- severity: warning
-- means: none, or only some, of the arm's runs were evaluated; the others count as failures by their own fault, so the
-- rate is one of crashes as much as of solutions.
SELECT arm AS subject, true AS found,
       CASE WHEN evaluated = 0 THEN 'none of ' || decided || ' decided runs was evaluated'
            ELSE evaluated || ' of ' || decided || ' decided runs were evaluated, the others failed by their own fault' END
       || CASE WHEN missing > 0 THEN '; ' || missing || ' more are missing' ELSE '' END AS text,
       evaluated AS numerator, decided AS denominator
FROM (SELECT arm, count(*) FILTER (WHERE resolved_by IN ('tests', 'outcome')) AS evaluated, count(resolved_at_1) AS decided,
             count(*) FILTER (WHERE resolved_at_1 IS NULL AND outcome IS DISTINCT FROM 'not_applicable') AS missing FROM included GROUP BY arm)
WHERE evaluated < decided OR missing > 0 AND evaluated = 0 ORDER BY arm
