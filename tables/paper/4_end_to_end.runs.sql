-- The runs behind each row of table 4, and the planned cells without a run.
SELECT arm, run_id, '' AS role FROM runs
UNION ALL
SELECT arm, NULL, experiment_id || ': ' || task_id || CASE WHEN repetition IS NOT NULL THEN ', repetition ' || repetition ELSE '' END FROM plan WHERE run_id IS NULL
