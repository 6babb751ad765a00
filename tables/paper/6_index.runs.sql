-- The runs behind each row of table 6: those that used the index.
SELECT DISTINCT index_id, run_id, '' AS role FROM (
    SELECT index_id, run_id FROM resource_samples WHERE scope = 'index' AND index_id IS NOT NULL
    UNION ALL
    SELECT index_id, run_id FROM queries WHERE index_id IS NOT NULL
    UNION ALL
    SELECT index_id, run_id FROM runs WHERE index_id IS NOT NULL)
