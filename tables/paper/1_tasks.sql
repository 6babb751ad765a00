-- One row a repository, and a total: what the tasks of the study are.
-- A task counts once, however many runs and experiments it has; what the runs do not say is NULL.
WITH tasks AS (
    SELECT task_id,
           any_value(repository ORDER BY run_id) AS repository,
           max(coalesce(language, repo_language)) AS language,
           max(repo_files) AS files, max(repo_lines) AS lines,
           max(gold_files) AS gold_files, max(gold_functions) AS gold_functions, max(gold_docs) AS gold_docs,
           max(statement_tokens) AS statement_tokens,
           max(fail_to_pass_tests) AS fail_to_pass, max(pass_to_pass_tests) AS pass_to_pass,
           max(difficulty) AS difficulty, max(scenario) AS scenario
    FROM runs GROUP BY task_id
),
grouped AS (
    SELECT repository, false AS is_total, * EXCLUDE (repository) FROM tasks
    UNION ALL BY NAME
    SELECT 'all repositories' AS repository, true AS is_total, * EXCLUDE (repository) FROM tasks
),
mix AS (
    SELECT repository, is_total,
           (SELECT string_agg(word || ' ' || n, ', ' ORDER BY n DESC, word) FROM (
               SELECT coalesce(d.difficulty, 'unknown') AS word, count(*) AS n, count(d.difficulty) AS known FROM grouped d
               WHERE d.repository = g.repository AND d.is_total = g.is_total GROUP BY 1) HAVING sum(known) > 0) AS difficulties,
           (SELECT string_agg(word || ' ' || n, ', ' ORDER BY n DESC, word) FROM (
               SELECT coalesce(d.scenario, 'unknown') AS word, count(*) AS n, count(d.scenario) AS known FROM grouped d
               WHERE d.repository = g.repository AND d.is_total = g.is_total GROUP BY 1) HAVING sum(known) > 0) AS scenarios
    FROM (SELECT DISTINCT repository, is_total FROM grouped) g
)
SELECT g.repository, g.is_total,
       count(*) AS tasks,
       CASE WHEN count(DISTINCT language) = 1 THEN max(language) WHEN count(DISTINCT language) > 1 THEN count(DISTINCT language) || ' languages' END AS language,
       CASE WHEN NOT g.is_total THEN max(files) END AS files,
       CASE WHEN NOT g.is_total THEN max(lines) END AS lines,
       CASE WHEN g.is_total THEN 'not_applicable' END AS files_state,
       CASE WHEN g.is_total THEN 'not_applicable' END AS lines_state,
       quantile_cont(gold_files::DOUBLE, 0.5) AS gold_files, quantile_cont(gold_files::DOUBLE, 0.25) AS gold_files_q1, quantile_cont(gold_files::DOUBLE, 0.75) AS gold_files_q3,
       count(gold_files) AS gold_files_observed, count(*) - count(gold_files) AS gold_files_missing,
       quantile_cont(gold_functions::DOUBLE, 0.5) AS gold_functions, quantile_cont(gold_functions::DOUBLE, 0.25) AS gold_functions_q1, quantile_cont(gold_functions::DOUBLE, 0.75) AS gold_functions_q3,
       count(gold_functions) AS gold_functions_observed, count(*) - count(gold_functions) AS gold_functions_missing,
       quantile_cont(statement_tokens::DOUBLE, 0.5) AS statement_tokens, quantile_cont(statement_tokens::DOUBLE, 0.25) AS statement_tokens_q1, quantile_cont(statement_tokens::DOUBLE, 0.75) AS statement_tokens_q3,
       count(statement_tokens) AS statement_tokens_observed, count(*) - count(statement_tokens) AS statement_tokens_missing,
       quantile_cont(fail_to_pass::DOUBLE, 0.5) AS fail_to_pass, quantile_cont(fail_to_pass::DOUBLE, 0.25) AS fail_to_pass_q1, quantile_cont(fail_to_pass::DOUBLE, 0.75) AS fail_to_pass_q3,
       count(fail_to_pass) AS fail_to_pass_observed, count(*) - count(fail_to_pass) AS fail_to_pass_missing,
       quantile_cont(pass_to_pass::DOUBLE, 0.5) AS pass_to_pass, quantile_cont(pass_to_pass::DOUBLE, 0.25) AS pass_to_pass_q1, quantile_cont(pass_to_pass::DOUBLE, 0.75) AS pass_to_pass_q3,
       count(pass_to_pass) AS pass_to_pass_observed, count(*) - count(pass_to_pass) AS pass_to_pass_missing,
       any_value(mix.difficulties) AS difficulties, any_value(mix.scenarios) AS scenarios,
       (SELECT 'Not described: ' || count(DISTINCT task_id) || CASE count(DISTINCT task_id) WHEN 1 THEN ' planned task of which no run is there.' ELSE ' planned tasks of which no run is there.' END
        FROM plan WHERE task_id NOT IN (SELECT task_id FROM runs) HAVING count(*) > 0) AS unseen_remark
FROM grouped g JOIN mix ON mix.repository = g.repository AND mix.is_total = g.is_total
GROUP BY g.repository, g.is_total
ORDER BY g.is_total, g.repository
