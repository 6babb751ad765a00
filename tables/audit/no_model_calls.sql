-- title: every arm with a model called it
-- severity: error
-- of: included runs that name a model and count its calls: FROM included WHERE model_key IS NOT NULL AND model_calls IS NOT NULL
-- means: no run of the arm called a model although one is named; its rates are those of an apparatus that was not running.
SELECT arm AS subject, true AS found, 'no model call in any of ' || count(model_calls) || CASE count(model_calls) WHEN 1 THEN ' run' ELSE ' runs' END AS text, 0::BIGINT AS numerator, count(model_calls) AS denominator
FROM included WHERE model_key IS NOT NULL
GROUP BY arm HAVING count(model_calls) > 0 AND max(model_calls) = 0 ORDER BY arm
