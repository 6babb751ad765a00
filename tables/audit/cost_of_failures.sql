-- title: cost is known of failed runs as of solved ones
-- severity: warning
-- of: included runs of known cost: FROM included WHERE cost_usd IS NOT NULL
-- means: the cost of failed runs is known less often than that of solved ones, by more than a tenth of them; a run that
-- was killed often lost its bill, so cost per solved task is too low.
WITH arms AS (
    SELECT arm, count(*) FILTER (WHERE resolved_at_1 = 0) AS failed, count(*) FILTER (WHERE resolved_at_1 = 0 AND cost_usd IS NOT NULL) AS failed_known,
           count(*) FILTER (WHERE resolved_at_1 = 1) AS solved, count(*) FILTER (WHERE resolved_at_1 = 1 AND cost_usd IS NOT NULL) AS solved_known
    FROM included GROUP BY arm
)
SELECT arm AS subject, coalesce(solved_known / nullif(solved, 0) - failed_known / failed > 0.1, false) AS found,
       'cost known of ' || failed_known || ' of ' || failed || ' failed and ' || solved_known || ' of ' || solved || ' solved runs' AS text,
       failed_known AS numerator, failed AS denominator
FROM arms WHERE failed_known + solved_known > 0 AND failed > 0 ORDER BY arm
