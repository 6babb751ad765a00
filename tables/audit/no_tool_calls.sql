-- title: every arm with a model called tools
-- severity: warning
-- of: included runs that name a model and count tool calls: FROM included WHERE model_key IS NOT NULL AND tool_calls IS NOT NULL
-- means: no run of the arm called a tool although a model ran; an agent whose tools cannot be called fails every task.
-- It is no fault where the arm has no tools on purpose.
SELECT arm AS subject, true AS found, 'no tool call in any of ' || count(tool_calls) || CASE count(tool_calls) WHEN 1 THEN ' run' ELSE ' runs' END AS text, 0::BIGINT AS numerator, count(tool_calls) AS denominator
FROM included WHERE model_key IS NOT NULL
GROUP BY arm HAVING count(tool_calls) > 0 AND max(tool_calls) = 0 ORDER BY arm
