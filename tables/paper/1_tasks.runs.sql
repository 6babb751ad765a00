-- The runs behind each row of table 1.
SELECT repository, false AS is_total, run_id, '' AS role FROM runs
UNION ALL
SELECT 'all repositories', true, run_id, '' FROM runs
