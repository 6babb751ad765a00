-- title: some patch of every arm changes a line
-- severity: error
-- of: included runs with a recorded patch: FROM included WHERE patch_state IS NOT NULL
-- means: every recorded patch of the arm is missing, empty or without a changed line; the harness may not have
-- collected what the agent wrote.
SELECT arm AS subject, true AS found,
       'none of ' || count(patch_state) || ' recorded patches changes a line' AS text, 0::BIGINT AS numerator, count(patch_state) AS denominator
FROM included WHERE patch_state IS NOT NULL
GROUP BY arm HAVING count(*) FILTER (WHERE patch_state = 'real') = 0 ORDER BY arm
