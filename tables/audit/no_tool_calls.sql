-- title: every arm with a model called tools
-- severity: warning
-- means: no run of the arm called a tool although a model ran; an agent whose tools cannot be called fails every task.
-- It is no fault where the arm has no tools on purpose.
SELECT arm AS subject, true AS found, 'no tool call in any of ' || count(*) || ' runs' AS text, 0::BIGINT AS numerator, count(*) AS denominator
FROM included WHERE model_key IS NOT NULL
GROUP BY arm HAVING count(tool_calls) > 0 AND max(tool_calls) = 0 ORDER BY arm
