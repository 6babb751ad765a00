-- The runs behind each row of table 4, those of the baseline that it is compared with,
-- and the planned cells without a run.
SELECT arm, run_id, '' AS role FROM runs
UNION ALL
SELECT a.arm, r.run_id, 'baseline' FROM (SELECT DISTINCT arm FROM runs) a JOIN runs r ON r.arm = study_baseline() AND r.arm <> a.arm
UNION ALL
SELECT arm, NULL, experiment_id || ': ' || task_id || CASE WHEN repetition IS NOT NULL THEN ', repetition ' || repetition ELSE '' END FROM plan WHERE run_id IS NULL
