-- Correctness and efficiency, a row a combination of harness, model and treatment.
WITH arms AS (
    SELECT arm, min(harness) AS harness, min(model_key) AS model, count(*) AS runs FROM runs GROUP BY arm
    UNION ALL
    SELECT arm, min(harness_id), min(model_key), 0 FROM plan WHERE arm NOT IN (SELECT arm FROM runs) GROUP BY arm
),
absent AS (SELECT arm, count(*) AS n FROM plan WHERE run_id IS NULL GROUP BY arm),
excluded AS (
    SELECT arm, count(*) AS n FROM runs WHERE excluded_by IS NOT NULL AND study_outside(run_id) IS NULL GROUP BY arm
),
lacking AS (
    SELECT arm, metric, count(*) AS n, mode(reason ORDER BY reason) AS reason
    FROM missing JOIN included USING (run_id) WHERE state = 'missing' GROUP BY arm, metric
),
lacks AS (SELECT arm, map_from_entries(list((metric, n) ORDER BY metric)) AS lacks, map_from_entries(list((metric, reason) ORDER BY metric)) AS reasons FROM lacking GROUP BY arm),
observed AS (
    SELECT arm,
           rate(list(resolved_at_1 ORDER BY run_id), list(task_id ORDER BY run_id)) AS resolved,
           rate(list(patch_applied ORDER BY run_id), list(task_id ORDER BY run_id)) AS applied,
           sum(regressions)::BIGINT AS regressions_sum, count(regressions) AS regressions_n,
           median_ci(list(input_tokens::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS input_tokens,
           median_ci(list(output_tokens::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS output_tokens,
           median_ci(list(cached_input_tokens::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS cached_input_tokens,
           median_ci(list(tool_tokens::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS tool_tokens,
           median_ci(list(model_calls::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS model_calls,
           median_ci(list(tool_calls::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS tool_calls,
           median_ci(list(test_runs::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS test_runs,
           median_ci(list(wall_time_s::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS wall_time_s,
           median_ci(list(cost_usd::DOUBLE ORDER BY run_id), list(task_id ORDER BY run_id)) AS cost_usd,
           sum(cost_usd) AS cost_sum, count(cost_usd) AS cost_n,
           count(*) FILTER (WHERE resolved_at_1 = 1 AND cost_usd IS NOT NULL) AS cost_resolved,
           count(*) FILTER (WHERE resolved_at_1 = 0 AND cost_usd IS NOT NULL) AS cost_failed_n,
           count(*) FILTER (WHERE resolved_at_1 = 0) AS failed_n
    FROM included GROUP BY arm
),
against AS (
    SELECT * FROM paired('SELECT * FROM included', 'response=resolved_at_1 arm=arm match=pairing baseline=' || option_text(study_baseline()))
),
methods AS (
    SELECT 'Differences: ' || coalesce(string_agg(DISTINCT method, ' or ' ORDER BY method), 'no interval')
           || '; p: ' || coalesce(string_agg(DISTINCT test, ' or ' ORDER BY test), 'no test')
           || CASE WHEN max(draws) > 0 THEN '; ' || format('{:,}', max(draws)) || ' draws, seed ' || max(seed) ELSE '' END
           || '; Holm over ' || coalesce(max(holm_tests), 0) || CASE max(holm_tests) WHEN 1 THEN ' arm' ELSE ' arms' END || ' against the baseline.' AS remark
    FROM against HAVING count(difference) > 0
),
left_out AS (
    SELECT arm, count(left_out) AS repositories, max(lowest) AS lowest, max(highest) AS highest, bool_and(same_sign) AS same_sign
    FROM leave_one_out('SELECT * FROM included', 'response=resolved_at_1 arm=arm match=pairing cluster=repository baseline=' || option_text(study_baseline()))
    GROUP BY arm
),
ranked AS (
    SELECT max(same_order) AS same_order, max(same_first) AS same_first, max(draws) AS draws, max(seed) AS seed
    FROM ranking('SELECT * FROM included WHERE resolved_at_1 IS NOT NULL', 'response=resolved_at_1 arm=arm')
)
SELECT a.arm, a.harness, a.model, a.arm = study_baseline() AS is_baseline,
       coalesce(resolved.numerator, 0) AS resolved_at_1_numerator, coalesce(resolved.n, 0) AS resolved_at_1_denominator,
       coalesce(e.n, 0) AS resolved_at_1_excluded, coalesce(lacks['resolved_at_1'], 0) AS resolved_at_1_missing, coalesce(b.n, 0) AS resolved_at_1_absent,
       resolved.low AS resolved_at_1_low, resolved.high AS resolved_at_1_high,
       CASE WHEN resolved.n > 0 AND resolved.low IS NULL THEN coalesce(resolved.why, 'no interval') END AS resolved_at_1_interval_why,
       CASE WHEN coalesce(resolved.n, 0) + coalesce(e.n, 0) + coalesce(lacks['resolved_at_1'], 0) + coalesce(b.n, 0) = 0 THEN 'not_applicable' END AS resolved_at_1_state,
       d.difference AS difference, d.low AS difference_low, d.high AS difference_high,
       CASE WHEN d.difference IS NOT NULL AND d.low IS NULL THEN coalesce(d.interval_why, 'no interval') END AS difference_interval_why,
       CASE WHEN a.arm = study_baseline() OR unasked THEN 'not_applicable' WHEN d.difference IS NULL THEN 'not_estimable' END AS difference_state,
       CASE WHEN a.arm <> study_baseline() AND NOT unasked AND d.difference IS NULL THEN coalesce(d.why, 'no pair') END AS difference_why,
       d.p, CASE WHEN a.arm = study_baseline() OR unasked THEN 'not_applicable' WHEN d.p IS NULL THEN 'not_estimable' END AS p_state,
       CASE WHEN a.arm <> study_baseline() AND NOT unasked AND d.p IS NULL THEN coalesce(d.why, 'no pair') END AS p_why,
       d.p_holm, CASE WHEN a.arm = study_baseline() OR unasked THEN 'not_applicable' WHEN d.p_holm IS NULL THEN 'not_estimable' END AS p_holm_state,
       CASE WHEN a.arm <> study_baseline() AND NOT unasked AND d.p_holm IS NULL THEN coalesce(d.why, 'no pair') END AS p_holm_why,
       -- No difference of rates exceeds 1: a study that could only show more could show nothing.
       CASE WHEN d.detectable <= 1 THEN d.detectable END AS detectable,
       CASE WHEN a.arm = study_baseline() OR unasked THEN 'not_applicable' WHEN d.detectable IS NULL OR d.detectable > 1 THEN 'not_estimable' END AS detectable_state,
       CASE WHEN a.arm <> study_baseline() AND NOT unasked AND (d.detectable IS NULL OR d.detectable > 1) THEN coalesce(d.why, d.interval_why, 'too few') END AS detectable_why,
       CASE WHEN regressions_n > 0 THEN regressions_sum END AS regressions, coalesce(regressions_n, 0) AS regressions_observed, coalesce(lacks['regressions'], 0) AS regressions_missing,
       CASE WHEN coalesce(regressions_n, 0) = 0 THEN CASE WHEN coalesce(lacks['regressions'], 0) > 0 AND NOT unasked THEN 'missing' ELSE 'not_applicable' END END AS regressions_state,
       coalesce(applied.numerator, 0) AS patch_applied_numerator, coalesce(applied.n, 0) AS patch_applied_denominator,
       coalesce(e.n, 0) AS patch_applied_excluded, coalesce(lacks['patch_applied'], 0) AS patch_applied_missing, coalesce(b.n, 0) AS patch_applied_absent,
       applied.low AS patch_applied_low, applied.high AS patch_applied_high,
       CASE WHEN applied.n > 0 AND applied.low IS NULL THEN coalesce(applied.why, 'no interval') END AS patch_applied_interval_why,
       CASE WHEN coalesce(applied.n, 0) + coalesce(lacks['patch_applied'], 0) = 0 OR coalesce(applied.n, 0) = 0 AND unasked THEN 'not_applicable' END AS patch_applied_state,
       input_tokens.estimate AS input_tokens, input_tokens.q1 AS input_tokens_q1, input_tokens.q3 AS input_tokens_q3, input_tokens.low AS input_tokens_low, input_tokens.high AS input_tokens_high,
       coalesce(input_tokens.n, 0) AS input_tokens_observed, coalesce(lacks['input_tokens'], 0) AS input_tokens_missing,
       CASE WHEN coalesce(input_tokens.n, 0) > 0 THEN NULL WHEN coalesce(lacks['input_tokens'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS input_tokens_state,
       CASE WHEN coalesce(input_tokens.n, 0) = 0 AND coalesce(lacks['input_tokens'], 0) > 0 THEN reasons['input_tokens'] END AS input_tokens_why,
       output_tokens.estimate AS output_tokens, output_tokens.q1 AS output_tokens_q1, output_tokens.q3 AS output_tokens_q3, output_tokens.low AS output_tokens_low, output_tokens.high AS output_tokens_high,
       coalesce(output_tokens.n, 0) AS output_tokens_observed, coalesce(lacks['output_tokens'], 0) AS output_tokens_missing,
       CASE WHEN coalesce(output_tokens.n, 0) > 0 THEN NULL WHEN coalesce(lacks['output_tokens'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS output_tokens_state,
       CASE WHEN coalesce(output_tokens.n, 0) = 0 AND coalesce(lacks['output_tokens'], 0) > 0 THEN reasons['output_tokens'] END AS output_tokens_why,
       cached_input_tokens.estimate AS cached_input_tokens, cached_input_tokens.q1 AS cached_input_tokens_q1, cached_input_tokens.q3 AS cached_input_tokens_q3, cached_input_tokens.low AS cached_input_tokens_low, cached_input_tokens.high AS cached_input_tokens_high,
       coalesce(cached_input_tokens.n, 0) AS cached_input_tokens_observed, coalesce(lacks['cached_input_tokens'], 0) AS cached_input_tokens_missing,
       CASE WHEN coalesce(cached_input_tokens.n, 0) > 0 THEN NULL WHEN coalesce(lacks['cached_input_tokens'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS cached_input_tokens_state,
       CASE WHEN coalesce(cached_input_tokens.n, 0) = 0 AND coalesce(lacks['cached_input_tokens'], 0) > 0 THEN reasons['cached_input_tokens'] END AS cached_input_tokens_why,
       tool_tokens.estimate AS tool_tokens, tool_tokens.q1 AS tool_tokens_q1, tool_tokens.q3 AS tool_tokens_q3, tool_tokens.low AS tool_tokens_low, tool_tokens.high AS tool_tokens_high,
       coalesce(tool_tokens.n, 0) AS tool_tokens_observed, coalesce(lacks['tool_tokens'], 0) AS tool_tokens_missing,
       CASE WHEN coalesce(tool_tokens.n, 0) > 0 THEN NULL WHEN coalesce(lacks['tool_tokens'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS tool_tokens_state,
       CASE WHEN coalesce(tool_tokens.n, 0) = 0 AND coalesce(lacks['tool_tokens'], 0) > 0 THEN reasons['tool_tokens'] END AS tool_tokens_why,
       model_calls.estimate AS model_calls, model_calls.q1 AS model_calls_q1, model_calls.q3 AS model_calls_q3, model_calls.low AS model_calls_low, model_calls.high AS model_calls_high,
       coalesce(model_calls.n, 0) AS model_calls_observed, coalesce(lacks['model_calls'], 0) AS model_calls_missing,
       CASE WHEN coalesce(model_calls.n, 0) > 0 THEN NULL WHEN coalesce(lacks['model_calls'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS model_calls_state,
       CASE WHEN coalesce(model_calls.n, 0) = 0 AND coalesce(lacks['model_calls'], 0) > 0 THEN reasons['model_calls'] END AS model_calls_why,
       tool_calls.estimate AS tool_calls, tool_calls.q1 AS tool_calls_q1, tool_calls.q3 AS tool_calls_q3, tool_calls.low AS tool_calls_low, tool_calls.high AS tool_calls_high,
       coalesce(tool_calls.n, 0) AS tool_calls_observed, coalesce(lacks['tool_calls'], 0) AS tool_calls_missing,
       CASE WHEN coalesce(tool_calls.n, 0) > 0 THEN NULL WHEN coalesce(lacks['tool_calls'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS tool_calls_state,
       CASE WHEN coalesce(tool_calls.n, 0) = 0 AND coalesce(lacks['tool_calls'], 0) > 0 THEN reasons['tool_calls'] END AS tool_calls_why,
       test_runs.estimate AS test_runs, test_runs.q1 AS test_runs_q1, test_runs.q3 AS test_runs_q3, test_runs.low AS test_runs_low, test_runs.high AS test_runs_high,
       coalesce(test_runs.n, 0) AS test_runs_observed, coalesce(lacks['test_runs'], 0) AS test_runs_missing,
       CASE WHEN coalesce(test_runs.n, 0) > 0 THEN NULL WHEN coalesce(lacks['test_runs'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS test_runs_state,
       CASE WHEN coalesce(test_runs.n, 0) = 0 AND coalesce(lacks['test_runs'], 0) > 0 THEN reasons['test_runs'] END AS test_runs_why,
       wall_time_s.estimate AS wall_time_s, wall_time_s.q1 AS wall_time_s_q1, wall_time_s.q3 AS wall_time_s_q3, wall_time_s.low AS wall_time_s_low, wall_time_s.high AS wall_time_s_high,
       coalesce(wall_time_s.n, 0) AS wall_time_s_observed, coalesce(lacks['wall_time_s'], 0) AS wall_time_s_missing,
       CASE WHEN coalesce(wall_time_s.n, 0) > 0 THEN NULL WHEN coalesce(lacks['wall_time_s'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS wall_time_s_state,
       CASE WHEN coalesce(wall_time_s.n, 0) = 0 AND coalesce(lacks['wall_time_s'], 0) > 0 THEN reasons['wall_time_s'] END AS wall_time_s_why,
       cost_usd.estimate AS cost_usd, cost_usd.q1 AS cost_usd_q1, cost_usd.q3 AS cost_usd_q3, cost_usd.low AS cost_usd_low, cost_usd.high AS cost_usd_high,
       coalesce(cost_usd.n, 0) AS cost_usd_observed, coalesce(lacks['cost_usd'], 0) AS cost_usd_missing,
       CASE WHEN coalesce(cost_usd.n, 0) > 0 THEN NULL WHEN coalesce(lacks['cost_usd'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END AS cost_usd_state,
       CASE WHEN coalesce(cost_usd.n, 0) = 0 AND coalesce(lacks['cost_usd'], 0) > 0 THEN reasons['cost_usd'] END AS cost_usd_why,
       CASE WHEN cost_n > 0 THEN cost_sum END AS cost_total, coalesce(cost_n, 0) AS cost_total_observed, coalesce(lacks['cost_usd'], 0) AS cost_total_missing,
       CASE WHEN coalesce(cost_n, 0) = 0 THEN CASE WHEN coalesce(lacks['cost_usd'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END END AS cost_total_state,
       CASE WHEN cost_resolved > 0 THEN cost_sum::DOUBLE / cost_resolved END AS cost_per_resolved,
       coalesce(cost_n, 0) AS cost_per_resolved_observed, coalesce(lacks['cost_usd'], 0) AS cost_per_resolved_missing,
       CASE WHEN coalesce(cost_n, 0) = 0 THEN CASE WHEN coalesce(lacks['cost_usd'], 0) > 0 THEN 'missing' ELSE 'not_applicable' END
            WHEN unasked THEN 'not_applicable'
            WHEN coalesce(cost_resolved, 0) = 0 THEN 'not_estimable' END AS cost_per_resolved_state,
       CASE WHEN cost_n > 0 AND cost_resolved = 0 AND NOT unasked THEN 'none resolved' END AS cost_per_resolved_why,
       CASE WHEN u.remark IS NOT NULL OR study_planned_baseline() NOT IN ('', study_baseline()) THEN 'Baseline of all differences: ' || study_baseline()
           || CASE WHEN study_planned_baseline() NOT IN ('', study_baseline()) THEN '; the plan names ' || study_planned_baseline() || ', of which no run is included' ELSE '' END
           || '.' END AS baseline_remark,
       u.remark AS method_remark,
       CASE WHEN k.same_order IS NOT NULL THEN 'The order of the arms by resolved@1 holds in ' || format('{:.1f}%', 100 * k.same_order) || ' of '
           || format('{:,}', k.draws) || ' draws of tasks, seed ' || k.seed || '; the first stays first in ' || format('{:.1f}%', 100 * k.same_first) || '.' END AS order_remark,
       a.arm || ': ' || nullif(concat_ws('; ',
           CASE WHEN d.tasks + d.unmatched_arm + d.unmatched_baseline > 0 THEN d.tasks || CASE d.tasks WHEN 1 THEN ' task' ELSE ' tasks' END || ' paired with the baseline, ' || (d.won + d.lost)
               || ' live (won ' || d.won || ', lost ' || d.lost || '), ' || (d.unmatched_arm + d.unmatched_baseline) || CASE d.unmatched_arm + d.unmatched_baseline WHEN 1 THEN ' run' ELSE ' runs' END || ' unmatched' END,
           CASE WHEN w.repositories > 1 THEN 'without any one of ' || w.repositories || ' repositories the difference lies between '
               || replace(format('{:+.3f}', w.lowest), '-', '−') || ' and ' || replace(format('{:+.3f}', w.highest), '-', '−')
               || CASE WHEN w.same_sign THEN '' ELSE ', its sign resting on a single repository' END END,
           CASE WHEN cost_n > 0 AND failed_n > 0 THEN 'cost known of ' || cost_failed_n || ' of ' || failed_n || ' failed runs' END), '') || '.' AS arm_remark,
       'Faults that count as failures: ' || study_faults() || '.' AS faults_remark
FROM arms a
LEFT JOIN observed o ON o.arm = a.arm
LEFT JOIN lacks l ON l.arm = a.arm
LEFT JOIN excluded e ON e.arm = a.arm
LEFT JOIN absent b ON b.arm = a.arm
LEFT JOIN against d ON d.arm = a.arm
LEFT JOIN left_out w ON w.arm = a.arm
CROSS JOIN ranked k
-- Nothing to resolve, as in runs of retrieval alone: then there is no difference to ask for.
CROSS JOIN LATERAL (SELECT coalesce(o.resolved.n, 0) + coalesce(e.n, 0) + coalesce(l.lacks['resolved_at_1'], 0) + coalesce(b.n, 0) = 0 AS unasked)
LEFT JOIN methods u ON true
ORDER BY a.harness, a.model, a.arm
