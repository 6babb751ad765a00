-- Main effects and two-factor interactions of the study's factors on retrieval, among the
-- runs that retrieved: a level at which nothing is asked is no level of a retrieval outcome.
-- A row a term; under a main effect one row a level that is not the reference.
WITH analysis AS (
    SELECT 1 AS place, 'file_recall_at_10' AS metric, * FROM factorial('SELECT * FROM retrieved',
        'response=file_recall_at_10 factors=' || retrieval_factors() || ' reference=' || option_text(retrieval_references()))
    UNION ALL
    SELECT 2, 'function_recall_at_10', * FROM factorial('SELECT * FROM retrieved',
        'response=function_recall_at_10 factors=' || retrieval_factors() || ' reference=' || option_text(retrieval_references()))
    UNION ALL
    SELECT 3, 'mrr', * FROM factorial('SELECT * FROM retrieved',
        'response=mrr factors=' || retrieval_factors() || ' reference=' || option_text(retrieval_references()))
    UNION ALL
    SELECT 4, 'ndcg_at_10', * FROM factorial('SELECT * FROM retrieved',
        'response=ndcg_at_10 factors=' || retrieval_factors() || ' reference=' || option_text(retrieval_references()))
),
numbered AS (SELECT * FROM analysis WHERE kind <> 'level' OR level <> reference),
shown AS (
    SELECT n.*, m.heading AS outcome, n."interval" LIKE 'the outer%' AS interval_wide,
           replace(replace(replace(n.term, 'factor_', ''), 'harness_id', 'harness'), 'model_key', 'model') AS term_name
    FROM numbered n LEFT JOIN metrics m ON m.name = n.metric AND m.level = 'run'
    WHERE (SELECT count(*) FROM analysis WHERE kind <> 'none') > 0
)
SELECT metric, coalesce(outcome, metric) AS outcome, kind = 'term' AND line = min(line) OVER (PARTITION BY metric) AS first_of_outcome,
       coalesce(term, '') AS term, coalesce(level, '') AS level, kind = 'level' AS is_level,
       CASE WHEN kind = 'none' THEN '(no analysis)' WHEN kind = 'term' THEN term_name ELSE level || ' − ' || coalesce(reference, '') END AS effect,
       CASE WHEN kind = 'term' AND df1 IS NOT NULL THEN format('{:.0f}, {:.1f}', df1, df2) END AS df,
       CASE WHEN kind = 'term' AND df1 IS NULL THEN 'not_estimable' WHEN kind = 'level' THEN 'not_applicable' END AS df_state,
       CASE WHEN kind = 'term' AND df1 IS NULL THEN coalesce(why, 'no test') END AS df_why,
       CASE WHEN kind = 'term' THEN statistic END AS f,
       CASE WHEN kind = 'term' AND statistic IS NULL THEN 'not_estimable' WHEN kind <> 'term' THEN 'not_applicable' END AS f_state,
       CASE WHEN kind = 'term' AND statistic IS NULL THEN coalesce(why, 'no test') || coalesce(': ' || empty_cells, '') END AS f_why,
       p AS p, CASE WHEN p IS NULL THEN 'not_estimable' END AS p_state, CASE WHEN p IS NULL THEN coalesce(why, 'no test') END AS p_why,
       p_holm, CASE WHEN kind <> 'term' THEN 'not_applicable' WHEN p_holm IS NULL THEN 'not_estimable' END AS p_holm_state,
       CASE WHEN kind = 'term' AND p_holm IS NULL THEN coalesce(why, 'no test') END AS p_holm_why,
       partial_eta_sq, CASE WHEN kind <> 'term' THEN 'not_applicable' WHEN partial_eta_sq IS NULL THEN 'not_estimable' END AS partial_eta_sq_state,
       CASE WHEN kind = 'term' AND partial_eta_sq IS NULL THEN coalesce(why, 'no test') END AS partial_eta_sq_why,
       mean, CASE WHEN kind <> 'level' THEN 'not_applicable' WHEN mean IS NULL THEN 'not_estimable' END AS mean_state,
       CASE WHEN kind = 'level' AND mean IS NULL THEN coalesce(why, 'no estimate') END AS mean_why,
       estimate AS difference, low AS difference_low, high AS difference_high,
       CASE WHEN estimate IS NOT NULL AND low IS NULL THEN coalesce(why, 'no interval') END AS difference_interval_why,
       CASE WHEN kind <> 'level' THEN 'not_applicable' WHEN estimate IS NULL THEN 'not_estimable' END AS difference_state,
       CASE WHEN kind = 'level' AND estimate IS NULL THEN coalesce(why, 'no estimate') END AS difference_why,
       -- No difference of these outcomes exceeds 1: a study that could only show more could show nothing.
       CASE WHEN detectable <= 1 THEN detectable END AS detectable,
       CASE WHEN kind <> 'level' THEN 'not_applicable' WHEN detectable IS NULL OR detectable > 1 THEN 'not_estimable' END AS detectable_state,
       CASE WHEN kind = 'level' AND (detectable IS NULL OR detectable > 1) THEN coalesce(why, 'too few') END AS detectable_why,
       coalesce(level_runs, runs) AS runs, tasks,
       CASE WHEN kind <> 'level' THEN coalesce(outcome, metric) || ': ' || coalesce(holm_tests, 0) || CASE holm_tests WHEN 1 THEN ' estimable term' ELSE ' estimable terms' END || ' in the Holm family; ' || runs || ' runs of ' || coalesce(tasks, 0) || CASE tasks WHEN 1 THEN ' task, ' ELSE ' tasks, ' END
           || coalesce(dropped, 0) || ' included runs without a value left out'
           || CASE WHEN asked_nothing > 0 THEN ', and ' || asked_nothing || ' that asked nothing' ELSE '' END || '.' END AS remark,
       -- The usual interval is that of the note.
       CASE WHEN interval_wide THEN coalesce(outcome, metric) || ', ' || level || ' − ' || coalesce(reference, '') || ': the outer of the limits of t and of the hybrid score, few successes or failures.' END AS interval_remark
FROM shown, (SELECT (SELECT count(*) FROM included) - (SELECT count(*) FROM retrieved) AS asked_nothing)
ORDER BY place, line
