-- The runs behind each row of table 5, those of the harness's other strata, and the
-- planned cells without a run.
WITH settings AS (
    UNPIVOT (SELECT run_id, COLUMNS(c -> list_contains(string_split(study_strata(), ','), c))::VARCHAR FROM runs)
    ON COLUMNS(c -> list_contains(string_split(study_strata(), ','), c)) INTO NAME field VALUE value
),
fields AS (SELECT unnest(string_split(study_strata(), ',')) AS field),
labels AS (
    SELECT r.task_id, s.field, any_value(s.value) AS value FROM settings s JOIN runs r USING (run_id)
    GROUP BY ALL HAVING count(DISTINCT s.value) = 1
),
placed AS (
    SELECT f.field, coalesce(s.value, 'unknown') AS stratum, r.harness, r.run_id
    FROM runs r CROSS JOIN fields f LEFT JOIN settings s ON s.run_id = r.run_id AND s.field = f.field
)
SELECT field, stratum, harness, run_id, '' AS role FROM placed
UNION ALL
SELECT c.field, c.stratum, c.harness, p.run_id, 'other strata'
FROM (SELECT DISTINCT field, stratum, harness FROM placed) c JOIN placed p ON p.field = c.field AND p.harness = c.harness AND p.stratum <> c.stratum
UNION ALL
SELECT f.field, coalesce(l.value, 'unknown'), coalesce(h.harness, p.harness_id), NULL,
       p.experiment_id || ': ' || p.arm || ', ' || p.task_id || CASE WHEN p.repetition IS NOT NULL THEN ', repetition ' || p.repetition ELSE '' END
FROM plan p CROSS JOIN fields f LEFT JOIN labels l ON l.task_id = p.task_id AND l.field = f.field
LEFT JOIN (SELECT harness_id, min(harness) AS harness FROM runs GROUP BY ALL) h ON h.harness_id = p.harness_id
WHERE p.run_id IS NULL
