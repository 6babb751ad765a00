-- title: settings outside the treatment are the same in every arm
-- severity: warning
-- of: tasks with included runs of two arms: FROM (FROM included SELECT task_id GROUP BY task_id HAVING count(DISTINCT arm) > 1)
-- means: on the same task two arms ran under different settings that are no factor, so a difference between them may be
-- the setting's. Settings that the plan lists as comparable are compared over all arms; the versions of a harness, and
-- the configuration of a model, otherwise only between arms of the same harness or model.
WITH settings AS (
    SELECT run_id, arm, experiment_id, harness_id, model_key, task_id, setting, value FROM (
        SELECT run_id, arm, experiment_id, harness_id, model_key, task_id,
               coalesce(context_budget::VARCHAR, '(none)') AS context_budget, coalesce(code_revision, '(none)') AS code_revision,
               coalesce(harness_version, '(none)') AS harness_version, coalesce(harness_config_sha256, '(none)') AS harness_config,
               coalesce(model_config_sha256, '(none)') AS model_config, coalesce(model_key, '(none)') AS model,
               coalesce(benchmark_name, '(none)') AS benchmark_name, coalesce(benchmark_version, '(none)') AS benchmark_version, coalesce(benchmark_split, '(none)') AS benchmark_split,
               coalesce(task_sha256, '(none)') AS task_sha256, coalesce(statement_sha256, '(none)') AS statement_sha256,
               coalesce(repo_name, '(none)') AS repo_name, coalesce(repo_commit, '(none)') AS repo_commit,
               coalesce(max_wall_ms::VARCHAR, '(none)') AS limits_max_wall_ms, coalesce(max_model_calls::VARCHAR, '(none)') AS limits_max_model_calls,
               coalesce(max_tool_calls::VARCHAR, '(none)') AS limits_max_tool_calls, coalesce(max_input_tokens::VARCHAR, '(none)') AS limits_max_input_tokens,
               coalesce(max_output_tokens::VARCHAR, '(none)') AS limits_max_output_tokens,
               -- A run that was not evaluated has no evaluator to differ from another.
               evaluator_name, evaluator_version
        FROM included)
    UNPIVOT (value FOR setting IN (* EXCLUDE (run_id, arm, experiment_id, harness_id, model_key, task_id)))
),
-- The names of the plan, as columns: limits.max_wall_ms, repo.commit, model_config.temperature, harness_version.
declared AS (
    SELECT DISTINCT s.setting, c.setting AS declared_as
    FROM plan_comparable c JOIN (SELECT DISTINCT setting FROM settings) s
    ON s.setting = replace(c.setting, '.', '_') OR starts_with(s.setting, replace(c.setting, '.', '_') || '_')
       OR s.setting = 'limits_' || replace(c.setting, '.', '_') OR starts_with(replace(c.setting, '.', '_'), s.setting || '_')
       OR s.setting || '_key' = c.setting
),
-- Undeclared, a configuration is where the treatment acts, and a model is what is compared.
groups AS (
    SELECT s.*, d.declared_as,
           CASE WHEN d.setting IS NOT NULL THEN '' WHEN s.setting = 'harness_version' THEN s.harness_id WHEN s.setting = 'model_config' THEN coalesce(s.model_key, '') ELSE '' END AS among
    FROM settings s LEFT JOIN declared d USING (setting)
    WHERE d.setting IS NOT NULL OR s.setting NOT IN ('harness_config', 'model')
),
tasks AS (
    SELECT setting, any_value(declared_as) AS declared_as, among, task_id, count(DISTINCT arm) AS arms, count(DISTINCT value) AS values,
           max(per_arm) AS per_arm, list(DISTINCT value ORDER BY value) AS list
    FROM (SELECT *, count(DISTINCT value) OVER (PARTITION BY setting, among, task_id, arm) AS per_arm FROM groups)
    GROUP BY setting, among, task_id HAVING count(DISTINCT arm) > 1
)
SELECT setting || CASE WHEN among = '' THEN '' ELSE ' of ' || among END AS subject, true AS found,
       'differs between arms on ' || count(*) FILTER (WHERE values > 1) || ' of ' || count(*) || ' tasks, as '
       || array_to_string(list_transform((any_value(list ORDER BY task_id) FILTER (WHERE values > 1))[:3], x -> CASE WHEN length(x) > 20 THEN left(x, 12) || '…' ELSE x END), ' and ')
       || CASE WHEN any_value(declared_as) IS NOT NULL THEN '; the plan wants it equal' || CASE WHEN any_value(declared_as) LIKE setting || '.%' THEN ' (' || any_value(declared_as) || ': the dataset holds the hash of the whole configuration alone)' ELSE '' END ELSE '' END AS text,
       count(*) FILTER (WHERE values > 1) AS numerator, count(*) AS denominator
FROM tasks
WHERE NOT EXISTS (SELECT 1 FROM treatment t WHERE t.factor = setting OR setting = 'context_budget' AND t.factor = 'budget')
GROUP BY setting, among HAVING count(*) FILTER (WHERE values > 1) > 0
UNION ALL
SELECT setting, false, 'the plan wants it equal, but no setting of that name stands in the dataset', NULL, NULL
FROM plan_comparable WHERE setting NOT IN (SELECT declared_as FROM declared)
ORDER BY subject
