-- The runs behind each row of table 7, and the planned cells without a run.
SELECT 'failure stage' AS section, harness, coalesce(failure_stage, 'unknown') AS name, run_id, '' AS role FROM included WHERE resolved_at_1 = 0
UNION ALL
SELECT 'not evaluated', harness, reason, run_id, '' FROM missing JOIN included USING (run_id) WHERE metric = 'resolved_at_1' AND state = 'missing'
UNION ALL
SELECT 'ending', harness, ending, run_id, '' FROM runs WHERE ending <> 'completed'
UNION ALL
SELECT 'exception', harness, error_type, run_id, '' FROM runs WHERE error_type IS NOT NULL
UNION ALL
SELECT 'exception', harness, 'all exceptions', run_id, '' FROM runs WHERE error_type IS NOT NULL
UNION ALL
SELECT 'exclusion', harness, excluded_by, run_id, '' FROM runs WHERE excluded_by IS NOT NULL
UNION ALL
SELECT 'left out', coalesce(r.harness, '(no harness)'), x.class || ': ' || x.reason, NULL, x.raw_path || coalesce('/' || x.file, '') || coalesce(':' || x.line, '')
FROM exclusions x LEFT JOIN (SELECT DISTINCT harness_id, harness FROM runs) r ON r.harness_id = x.harness_id WHERE x.class <> 'excluded' AND x.place = 1
UNION ALL
SELECT 'accounting', coalesce(r.harness, '(no harness)'), unnest(['directories', CASE x.class WHEN 'copy' THEN 'copies' ELSE x.class END]), NULL, x.raw_path
FROM exclusions x LEFT JOIN (SELECT DISTINCT harness_id, harness FROM runs) r ON r.harness_id = x.harness_id WHERE x.class <> 'excluded' AND x.place = 1
UNION ALL
SELECT 'accounting', harness, unnest(['directories', 'runs', CASE WHEN excluded_by IS NULL THEN 'included' ELSE 'excluded' END]), run_id, '' FROM runs
UNION ALL
SELECT 'accounting', harness, CASE study_outside(run_id) WHEN 'extra_run' THEN 'extra' ELSE 'unplanned' END, run_id, '' FROM runs WHERE study_outside(run_id) IS NOT NULL
UNION ALL
SELECT 'accounting', coalesce(r.harness, p.harness_id), unnest(CASE WHEN p.run_id IS NULL THEN ['planned', 'absent'] ELSE ['planned'] END), p.run_id,
       p.experiment_id || ': ' || p.arm || ', ' || p.task_id || CASE WHEN p.repetition IS NOT NULL THEN ', repetition ' || p.repetition ELSE '' END
FROM plan p LEFT JOIN (SELECT DISTINCT harness_id, harness FROM runs) r ON r.harness_id = p.harness_id
