-- The runs behind each row of table 2: all for a term, those at the level and at
-- the reference level for a difference of level means.
WITH settings AS (
    UNPIVOT (SELECT run_id, COLUMNS('^(factor_.*|harness_id|model_key)$')::VARCHAR FROM runs)
    ON COLUMNS('^(factor_.*|harness_id|model_key)$') INTO NAME factor VALUE level
),
factors AS (SELECT unnest(string_split(retrieval_factors(), ',')) AS factor),
terms AS (
    SELECT factor AS term FROM factors
    UNION ALL
    SELECT a.factor || ':' || b.factor FROM factors a, factors b WHERE a.factor <> b.factor
),
reference AS (
    SELECT factor, coalesce(retrieval_reference(factor),
        (SELECT min(level) FROM settings s JOIN retrieved USING (run_id) WHERE s.factor = f.factor)) AS level
    FROM factors f
),
outcomes AS (SELECT unnest(['file_recall_at_10', 'function_recall_at_10', 'mrr', 'ndcg_at_10']) AS metric)
SELECT metric, term, '' AS level, run_id, '' AS role FROM outcomes, terms, runs
UNION ALL
SELECT metric, s.factor, s.level, run_id, 'level' FROM outcomes, settings s JOIN factors USING (factor)
UNION ALL
SELECT metric, l.factor, l.level, s.run_id, 'reference'
FROM outcomes, (SELECT DISTINCT factor, level FROM settings JOIN factors USING (factor)) l
JOIN reference r ON r.factor = l.factor AND r.level <> l.level
JOIN settings s ON s.factor = r.factor AND s.level = r.level
