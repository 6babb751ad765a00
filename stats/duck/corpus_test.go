package duck_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/assay-bench/assay/stats/duck"
)

// corpusFile is a file of the corpus of published studies, beside the repository
// or in the folder that ASSAY_CORPUS names.
func corpusFile(t *testing.T, path string) string {
	t.Helper()
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		root, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil; _, err = os.Stat(filepath.Join(root, "go.mod")) {
			if filepath.Dir(root) == root {
				t.Skip("no go.mod above the test: the corpus cannot be found")
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, "..", "shared", "corpus")
	}
	file := filepath.Join(dir, filepath.FromSlash(path))
	if _, err := os.Stat(file); err != nil {
		t.Skipf("the corpus is not here: no %s; set ASSAY_CORPUS", path)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// openCorpus opens one file of the corpus as assay sql does.
func openCorpus(t *testing.T, path string) *duck.DB {
	t.Helper()
	file := corpusFile(t, path)
	r, err := duck.FileRelation(file)
	if err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(context.Background(), duck.Source{Dir: filepath.Dir(file), Relations: []duck.Relation{r}}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// holds compares a row with published values.
func holds(t *testing.T, db *duck.DB, q string, want ...float64) {
	t.Helper()
	res, err := db.Query(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		have, ok := res.Rows[0][i].Number()
		if !ok || math.Abs(have-w) > 5e-5*math.Max(1, math.Abs(w)) {
			t.Errorf("%s: have %v, want %v", res.Columns[i].Name, res.Rows[0][i], w)
		}
	}
}

// TestCorpusReliability: five equal runs of 100 tasks and two changed ones, as the
// study's summary.json states: 66 always, 16 never, 18 unstable, 76 by majority;
// exact McNemar of each changed run against the majority. A task that a run does
// not list has no valid patch and counts as unresolved.
func TestCorpusReliability(t *testing.T) {
	db := openCorpus(t, "swebench/reliability-study/scored/per_run_results.json")
	holds(t, db, `
		WITH wide AS (UNPIVOT (SELECT to_json(COLUMNS(*)) FROM per_run_results) ON COLUMNS(*) INTO NAME run VALUE outcomes),
		listed AS (SELECT run, key AS task_id, value::INT AS ok FROM wide, json_each(outcomes)),
		scored AS (SELECT w.run, t.task_id, coalesce(ok, 0) AS ok FROM (SELECT DISTINCT task_id FROM listed) t CROSS JOIN wide w
			LEFT JOIN listed l ON l.run = w.run AND l.task_id = t.task_id),
		per AS (SELECT task_id, sum(ok) FILTER (WHERE run LIKE 'i0%') AS n, sum(ok) FILTER (WHERE run = 'i1c') AS i1c, sum(ok) FILTER (WHERE run = 'i1d') AS i1d
			FROM scored GROUP BY 1)
		SELECT count(*) AS tasks, count(*) FILTER (WHERE n = 5) AS always, count(*) FILTER (WHERE n = 0) AS never,
			count(*) FILTER (WHERE n BETWEEN 1 AND 4) AS unstable, count(*) FILTER (WHERE n >= 3) AS majority,
			mcnemar(count(*) FILTER (WHERE n >= 3 AND i1c = 0), count(*) FILTER (WHERE n < 3 AND i1c = 1)).p AS i1c,
			mcnemar(count(*) FILTER (WHERE n >= 3 AND i1d = 0), count(*) FILTER (WHERE n < 3 AND i1d = 1)).p AS i1d FROM per`,
		100, 66, 16, 18, 76, 0.7266, 1)
}

// TestCorpusAblation: 30 tasks, success rates of five runs against two. As
// published: 29 positive, none negative, W = 435, mean 0.9667. The published z of
// 4.703 is without the correction for ties (29 differences of nearly one size);
// it is taken here from W. The exact p, 2^-28, is far below the published 3e-6.
func TestCorpusAblation(t *testing.T) {
	db := openCorpus(t, "swebench/reliability-study/outputs/p4_generic_per_run_results.json")
	holds(t, db, `
		WITH runs AS (SELECT 1.0 AS side, value AS outcomes FROM (SELECT to_json(baseline) AS j FROM p4_generic_per_run_results), json_each(j)
			UNION ALL SELECT -1.0, value FROM (SELECT to_json(p4_generic) AS j FROM p4_generic_per_run_results), json_each(j)),
		per AS (SELECT side, key AS task_id, avg(value::INT) AS rate FROM runs, json_each(outcomes) GROUP BY ALL),
		d AS (SELECT task_id, sum(side * rate)::DOUBLE AS delta FROM per GROUP BY 1),
		s AS (SELECT avg(delta) AS mean, sign_test(list(delta ORDER BY task_id)) AS sign, wilcoxon(list(delta ORDER BY task_id)) AS w FROM d)
		SELECT mean, sign.positive, sign.negative, w.v, (w.v - 29 * 30 / 4.0) / sqrt(29 * 30 * 59 / 24.0) AS z, sign.p * 2.0 ** 28 AS p FROM s`,
		0.9667, 29, 0, 435, 4.703, 1)
}

// TestCorpusMemory: 113 pairs of partial scores: 69 improved, 33 worse, 11 equal;
// means 0.774167 and 0.856332.
func TestCorpusMemory(t *testing.T) {
	db := openCorpus(t, "harness-factor/deep-swe-bench/reports/om-memory-pilot-w10/paired_manifest.json")
	holds(t, db, `SELECT won, lost, tasks - won - lost, pairs, difference FROM paired('
		SELECT r.task || ''#'' || r.rep AS task_id, 1 AS repetition, arm, CASE arm WHEN ''om'' THEN r.om.reward_partial ELSE r.baseline.reward_partial END AS score
		FROM (SELECT unnest(rows) AS r FROM paired_manifest), (VALUES (''baseline''), (''om'')) a(arm)', 'response=score arm=arm baseline=baseline')`,
		69, 33, 11, 113, 0.856332-0.774167)
}

// TestCorpusContext: 300 items in three conditions. The source gives McNemar's
// chi-squared without continuity correction, 2.4615 (p 0.1167) and 0.0303 (p
// 0.8618), from 17 against 9 and 17 against 16; the exact p of the same counts are
// 0.1686 and 1, which paired reports.
func TestCorpusContext(t *testing.T) {
	db := openCorpus(t, "experiment-stats/exp10-context-isolation/results/scores.jsonl")
	for arm, want := range map[string][]float64{
		"full-history": {9, 17, 300, 0.168638, 2.4615384615, 0.1166644648},
		"contaminated": {16, 17, 300, 1, 0.0303030303, 0.8618044330},
	} {
		holds(t, db, `SELECT won, lost, tasks, p, mcnemar(won, lost).chi_squared, mcnemar(won, lost).p_chi_squared
			FROM paired('SELECT *, 1 AS repetition FROM scores WHERE condition <> ''haiku45-scoped''', 'response=correct arm=condition baseline=scoped') WHERE arm = '`+arm+`'`, want...)
	}
}
