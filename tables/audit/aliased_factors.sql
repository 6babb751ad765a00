-- title: factors can be told apart
-- severity: warning
-- of: included runs: FROM included
-- means: each level of one factor occurs with one level of the other alone, so no analysis can say which of them made a difference.
WITH all_factors AS (
    SELECT run_id, factor, coalesce(level, '') AS level FROM treatment
    UNION ALL SELECT run_id, 'harness_id', harness_id FROM included
    UNION ALL SELECT run_id, 'model_key', coalesce(model_key, '') FROM included
),
varying AS (SELECT factor FROM all_factors GROUP BY factor HAVING count(DISTINCT level) > 1),
pairs AS (
    SELECT a.factor AS first, b.factor AS second, count(DISTINCT (a.level, b.level)) AS together,
           count(DISTINCT a.level) AS first_levels, count(DISTINCT b.level) AS second_levels
    FROM all_factors a JOIN all_factors b ON a.run_id = b.run_id AND a.factor < b.factor
    WHERE a.factor IN (FROM varying) AND b.factor IN (FROM varying) GROUP BY ALL
)
-- A harness or model that stands for one treatment level is how an evaluator names its arms.
SELECT first || ' and ' || second AS subject, true AS found,
       'the ' || first_levels || ' levels of one go with the ' || second_levels || ' levels of the other, one to one' AS text,
       NULL::BIGINT AS numerator, NULL::BIGINT AS denominator
FROM pairs WHERE together = first_levels AND together = second_levels
AND NOT (first IN ('harness_id', 'model_key') AND second NOT IN ('harness_id', 'model_key') OR second IN ('harness_id', 'model_key') AND first NOT IN ('harness_id', 'model_key'))
ORDER BY first, second
