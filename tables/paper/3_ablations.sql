-- Each level of the query and packing factors against the reference level, on
-- runs that are equal in task, repetition and every other factor. Runs that several
-- experiments made of one cell are numbered; equal numbers pair, whatever the
-- experiments call the arm.
WITH comparisons AS (
    SELECT 1 AS place, 'file_recall_at_10' AS metric, * FROM ablations('SELECT * REPLACE (row_number() OVER (PARTITION BY '
        || concat_ws(', ', 'task_id, repetition, harness_id, model_key', nullif(retrieval_factors(), '')) || ' ORDER BY experiment_id, run_id) AS pairing) FROM retrieved',
        'response=file_recall_at_10 factors=' || retrieval_ablations() || ' others=' || option_text(retrieval_factors() || ',pairing,harness_id,model_key')
        || ' reference=' || option_text(retrieval_references()))
    UNION ALL
    SELECT 2, 'gold_within_budget', * FROM ablations('SELECT * REPLACE (row_number() OVER (PARTITION BY '
        || concat_ws(', ', 'task_id, repetition, harness_id, model_key', nullif(retrieval_factors(), '')) || ' ORDER BY experiment_id, run_id) AS pairing) FROM retrieved',
        'response=gold_within_budget factors=' || retrieval_ablations() || ' others=' || option_text(retrieval_factors() || ',pairing,harness_id,model_key')
        || ' reference=' || option_text(retrieval_references()))
),
shown AS (
    SELECT c.*, coalesce(m.heading, metric) AS outcome,
           replace(replace(replace(factor, 'factor_', ''), 'harness_id', 'harness'), 'model_key', 'model') AS factor_name
    FROM comparisons c LEFT JOIN metrics m ON m.name = c.metric AND m.level = 'run'
    WHERE (SELECT sum(pairs) FROM comparisons) > 0
)
SELECT metric, outcome, factor, arm AS level, factor_name || ': ' || arm || ' − ' || baseline AS comparison,
       row_number() OVER (PARTITION BY metric ORDER BY factor, arm) = 1 AS first_of_outcome,
       difference, low AS difference_low, high AS difference_high,
       CASE WHEN difference IS NULL THEN 'not_estimable' END AS difference_state,
       CASE WHEN difference IS NULL THEN coalesce(why, 'no pair') END AS difference_why,
       CASE WHEN difference IS NOT NULL AND low IS NULL THEN coalesce(interval_why, 'no interval') END AS difference_interval_why,
       p, CASE WHEN p IS NULL THEN 'not_estimable' END AS p_state, CASE WHEN p IS NULL THEN coalesce(why, 'no pair') END AS p_why,
       p_holm, CASE WHEN p_holm IS NULL THEN 'not_estimable' END AS p_holm_state, CASE WHEN p_holm IS NULL THEN coalesce(why, 'no pair') END AS p_holm_why,
       -- No difference of these outcomes exceeds 1: a study that could only show more could show nothing.
       CASE WHEN detectable <= 1 THEN detectable END AS detectable,
       CASE WHEN detectable IS NULL OR detectable > 1 THEN 'not_estimable' END AS detectable_state,
       CASE WHEN detectable IS NULL OR detectable > 1 THEN coalesce(why, interval_why, 'too few') END AS detectable_why,
       tasks, won + lost AS live_tasks, pairs, unmatched_arm + unmatched_baseline AS unmatched,
       outcome || ': ' || coalesce(holm_tests, 0) || CASE holm_tests WHEN 1 THEN ' estimable comparison' ELSE ' estimable comparisons' END || ' in the Holm family; '
           || 'interval: ' || coalesce(methods, 'none') || '; p: ' || coalesce(tests, 'none')
           || CASE WHEN all_draws > 0 THEN '; ' || format('{:,}', all_draws) || ' draws, seed ' || seeds ELSE '' END || '.' AS remark
FROM shown LEFT JOIN (
    SELECT metric, string_agg(DISTINCT method, ' or ' ORDER BY method) AS methods, string_agg(DISTINCT test, ' or ' ORDER BY test) AS tests,
           max(draws) AS all_draws, max(seed) AS seeds
    FROM comparisons GROUP BY metric) USING (metric)
ORDER BY place, factor, arm
