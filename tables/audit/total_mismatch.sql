-- title: declared totals are the sums of their parts
-- severity: warning
-- of: included runs that declare a total: FROM included WHERE coalesce(input_tokens_declared, output_tokens_declared, cached_input_tokens_declared, cache_write_input_tokens_declared, reasoning_tokens_declared, tool_tokens_declared, cost_usd_declared, model_calls_declared, tool_calls_declared, test_runs_declared) IS NOT NULL
-- means: the harness declares another total than its events add up to; the events count, but one of the two is wrong.
WITH totals AS (
    SELECT arm, unnest([
        {'metric': 'input_tokens', 'from': input_tokens_from, 'sum': input_tokens::DOUBLE, 'declared': input_tokens_declared::DOUBLE, 'exact': true},
        {'metric': 'output_tokens', 'from': output_tokens_from, 'sum': output_tokens::DOUBLE, 'declared': output_tokens_declared::DOUBLE, 'exact': true},
        {'metric': 'cached_input_tokens', 'from': cached_input_tokens_from, 'sum': cached_input_tokens::DOUBLE, 'declared': cached_input_tokens_declared::DOUBLE, 'exact': true},
        {'metric': 'cache_write_input_tokens', 'from': cache_write_input_tokens_from, 'sum': cache_write_input_tokens::DOUBLE, 'declared': cache_write_input_tokens_declared::DOUBLE, 'exact': true},
        {'metric': 'reasoning_tokens', 'from': reasoning_tokens_from, 'sum': reasoning_tokens::DOUBLE, 'declared': reasoning_tokens_declared::DOUBLE, 'exact': true},
        {'metric': 'tool_tokens', 'from': tool_tokens_from, 'sum': tool_tokens::DOUBLE, 'declared': tool_tokens_declared::DOUBLE, 'exact': true},
        {'metric': 'cost_usd', 'from': cost_usd_from, 'sum': cost_usd::DOUBLE, 'declared': cost_usd_declared::DOUBLE, 'exact': false},
        {'metric': 'model_calls', 'from': model_calls_from, 'sum': model_calls::DOUBLE, 'declared': model_calls_declared::DOUBLE, 'exact': true},
        {'metric': 'tool_calls', 'from': tool_calls_from, 'sum': tool_calls::DOUBLE, 'declared': tool_calls_declared::DOUBLE, 'exact': true},
        {'metric': 'test_runs', 'from': test_runs_from, 'sum': test_runs::DOUBLE, 'declared': test_runs_declared::DOUBLE, 'exact': true}], recursive := true)
    FROM included
),
compared AS (SELECT arm, metric, CASE WHEN exact THEN sum <> declared ELSE abs(sum - declared) > 1e-9 * greatest(abs(sum), abs(declared)) END AS differs FROM totals WHERE "from" = 'events' AND declared IS NOT NULL AND sum IS NOT NULL)
SELECT arm || ', ' || metric AS subject, count(*) FILTER (WHERE differs) > 0 AS found,
       'differs in ' || count(*) FILTER (WHERE differs) || ' of ' || count(*) || ' runs that declare it' AS text,
       count(*) FILTER (WHERE differs) AS numerator, count(*) AS denominator
FROM compared GROUP BY arm, metric HAVING count(*) FILTER (WHERE differs) > 0 ORDER BY arm, metric
