-- The runs behind each row of table 5.
WITH settings AS (
    UNPIVOT (SELECT run_id, COLUMNS(c -> list_contains(string_split(study_strata(), ','), c))::VARCHAR FROM runs)
    ON COLUMNS(c -> list_contains(string_split(study_strata(), ','), c)) INTO NAME field VALUE value
)
SELECT f.field, coalesce(s.value, 'unknown') AS stratum, r.harness, r.run_id, '' AS role
FROM runs r CROSS JOIN (SELECT unnest(string_split(study_strata(), ',')) AS field) f
LEFT JOIN settings s ON s.run_id = r.run_id AND s.field = f.field
