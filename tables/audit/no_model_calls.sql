-- title: every arm with a model called it
-- severity: error
-- means: no run of the arm called a model although one is named; its rates are those of an apparatus that was not running.
SELECT arm AS subject, true AS found, 'no model call in any of ' || count(*) || ' runs' AS text, 0::BIGINT AS numerator, count(*) AS denominator
FROM included WHERE model_key IS NOT NULL
GROUP BY arm HAVING count(model_calls) > 0 AND max(model_calls) = 0 ORDER BY arm
