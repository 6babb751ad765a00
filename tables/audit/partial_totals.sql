-- title: declared totals are no partial sums
-- severity: warning
-- of: included runs that count by a declared total: FROM included WHERE 'totals' IN (input_tokens_from, output_tokens_from, cached_input_tokens_from, cache_write_input_tokens_from, reasoning_tokens_from, tool_tokens_from, cost_usd_from)
-- means: some calls of the run report nothing, and the declared total equals the sum over those that do: it is perhaps
-- not a total but that partial sum.
WITH totals AS (
    SELECT arm, unnest([
        {'metric': 'input_tokens', 'from': input_tokens_from, 'partial': input_tokens_partial::DOUBLE, 'declared': input_tokens_declared::DOUBLE, 'calls': input_tokens_calls, 'events': model_calls},
        {'metric': 'output_tokens', 'from': output_tokens_from, 'partial': output_tokens_partial::DOUBLE, 'declared': output_tokens_declared::DOUBLE, 'calls': output_tokens_calls, 'events': model_calls},
        {'metric': 'cached_input_tokens', 'from': cached_input_tokens_from, 'partial': cached_input_tokens_partial::DOUBLE, 'declared': cached_input_tokens_declared::DOUBLE, 'calls': cached_input_tokens_calls, 'events': model_calls},
        {'metric': 'cache_write_input_tokens', 'from': cache_write_input_tokens_from, 'partial': cache_write_input_tokens_partial::DOUBLE, 'declared': cache_write_input_tokens_declared::DOUBLE, 'calls': cache_write_input_tokens_calls, 'events': model_calls},
        {'metric': 'reasoning_tokens', 'from': reasoning_tokens_from, 'partial': reasoning_tokens_partial::DOUBLE, 'declared': reasoning_tokens_declared::DOUBLE, 'calls': reasoning_tokens_calls, 'events': model_calls},
        {'metric': 'tool_tokens', 'from': tool_tokens_from, 'partial': tool_tokens_partial::DOUBLE, 'declared': tool_tokens_declared::DOUBLE, 'calls': tool_tokens_calls, 'events': tool_calls},
        {'metric': 'cost_usd', 'from': cost_usd_from, 'partial': cost_usd_partial::DOUBLE, 'declared': cost_usd_declared::DOUBLE, 'calls': cost_usd_calls, 'events': model_calls}], recursive := true)
    FROM included
)
SELECT arm || ', ' || metric AS subject, true AS found,
       'in ' || count(*) FILTER (WHERE declared = partial) || ' of ' || count(*) || ' runs with an incomplete sum, the declared total equals it' AS text,
       count(*) FILTER (WHERE declared = partial) AS numerator, count(*) AS denominator
FROM totals WHERE "from" = 'totals' AND calls > 0 AND calls < events AND declared IS NOT NULL
GROUP BY arm, metric HAVING count(*) FILTER (WHERE declared = partial) > 0 ORDER BY arm, metric
