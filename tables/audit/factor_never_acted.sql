-- title: every level of a factor acted
-- severity: error
-- of: included runs with a factor of which the plan says what it acts through: FROM treatment JOIN plan_factors USING (factor) WHERE acts_through IS NOT NULL
-- means: no run at the level used any of the tools or events by which the plan says that the factor acts, so the level
-- was not applied. The reference level may rest; the share of runs in which a level acted stands beside each.
WITH activity AS (
    SELECT DISTINCT run_id, tool AS what FROM tool_calls
    UNION SELECT DISTINCT run_id, unnest(['tool_call']) FROM tool_calls
    UNION SELECT DISTINCT run_id, 'model_call' FROM model_calls
    UNION SELECT DISTINCT run_id, 'retrieval_query' FROM queries WHERE NOT inferred
    UNION SELECT DISTINCT run_id, 'retrieval_candidate' FROM candidates
    UNION SELECT DISTINCT run_id, 'file_read' FROM file_reads
    UNION SELECT DISTINCT run_id, 'edit' FROM edits
    UNION SELECT DISTINCT run_id, 'test_run' FROM test_runs
    UNION SELECT DISTINCT run_id, 'resource_sample' FROM resource_samples
),
levels AS (
    SELECT t.factor, t.level, count(DISTINCT t.run_id) AS runs,
           count(DISTINCT t.run_id) FILTER (WHERE a.run_id IS NOT NULL) AS acted,
           any_value(f.through) AS through, coalesce(t.level = any_value(f.reference), false) AS is_reference
    FROM treatment t
    JOIN (SELECT factor, min(reference) AS reference, list(acts_through ORDER BY acts_through) AS through FROM plan_factors GROUP BY factor HAVING count(acts_through) > 0) f USING (factor)
    LEFT JOIN activity a ON a.run_id = t.run_id AND list_contains(f.through, a.what)
    WHERE t.level IS NOT NULL GROUP BY t.factor, t.level
)
SELECT factor || '=' || level AS subject, acted = 0 AND NOT is_reference AS found,
       'acted in ' || acted || ' of ' || runs || ' runs (through ' || array_to_string(through, ', ') || ')' AS text, acted AS numerator, runs AS denominator
FROM levels
UNION ALL
SELECT factor, false, 'the plan does not name what it acts through, so nothing shows that it acted', NULL, NULL
FROM plan_factors WHERE acts_through IS NULL
ORDER BY subject
