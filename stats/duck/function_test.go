package duck_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/assay-bench/assay/stats/duck"
)

// TestPublishedValues holds the functions in SQL to published values.
func TestPublishedValues(t *testing.T) {
	db := open(t)
	for _, c := range []struct {
		query     string
		want      float64
		tolerance float64
		source    string
	}{
		{"SELECT fisher(3, 4, 1, 4).p", 0.4857142857, 1e-9, "Fisher's tea tasting; R 4.2.2, ?fisher.test"},
		{"SELECT mcnemar(18, 5).p", 0.010622, 5e-7, "R 4.2.2, binom.test(5, 23)"},
		{"SELECT mcnemar(86, 150).chi_squared", 17.356, 5e-4, "Agresti, Categorical Data Analysis, 1990, section 10.1: 17.36; by hand 64^2/236"},
		{"SELECT sign_test(list_concat(list_resize([]::DOUBLE[], 18, 1.0), list_resize([]::DOUBLE[], 5, -1.0))).p", 0.010622, 5e-7, "the same counts"},
		{"SELECT wilcoxon([0.952, -0.147, 1.022, 0.430, 0.620, 0.590, 0.490, -0.080, 0.010]).p", 0.0390625, 1e-12, "Hollander and Wolfe (1973), p. 29; R 4.2.2, ?wilcox.test, twice the one-sided 0.01953"},
		{"SELECT wilcoxon([0.952, -0.147, 1.022, 0.430, 0.620, 0.590, 0.490, -0.080, 0.010]).v", 40, 0, "the same"},
		{"SELECT two_rates(56, 70, 48, 80).low", 0.0524, 5e-5, "Newcombe, Statistics in Medicine 17 (1998) 873-890, table II (a), method 10"},
		{"SELECT two_rates(56, 70, 48, 80).high", 0.3339, 5e-5, "the same"},
		{"SELECT two_rates(56, 70, 48, 80).odds_ratio", 56.0 * 32 / (14 * 48), 1e-12, "by hand"},
		{"SELECT pass_at_k([1, 0, 0, 1, 1, 1], ['a', 'a', 'a', 'b', 'b', 'b'], 2).estimate", (2.0/3 + 1) / 2, 1e-12, "by hand: 1 - C(2,2)/C(3,2), and 1"},
		{"SELECT pass_hat_k([1, 1, 0, 1, 1, 1], ['a', 'a', 'a', 'b', 'b', 'b'], 2).estimate", (1.0/3 + 1) / 2, 1e-12, "by hand: C(2,2)/C(3,2), and 1"},
		{"SELECT worst_case(7, 17, 3).high", 0.5, 1e-15, "by hand: (7+3)/20"},
		{"SELECT retrieval(['a', 'b', 'a', 'c'], ['b', 'd'], 10).recall", 0.5, 0, "by hand"},
		{"SELECT retrieval(['a', 'b', 'a', 'c'], ['b', 'd'], 2).precision", 0.5, 0, "by hand"},
		{"SELECT retrieval(['a', 'b', 'a', 'c'], ['b', 'd'], 10).reciprocal_rank", 0.5, 0, "by hand"},
		{"SELECT retrieval(['a', 'b', 'a', 'c'], ['b', 'd'], 10).duplicates", 1, 0, "by hand"},
	} {
		have, err := strconv.ParseFloat(query(t, db, c.query)[0][0], 64)
		if err != nil || math.Abs(have-c.want) > c.tolerance {
			t.Errorf("%s: have %v (%v), want %v (%s)", c.query, have, err, c.want, c.source)
		}
	}
}

// rounding are the times of 22 players to round first base by three methods
// (Hollander and Wolfe 1973, p. 140; R 4.2.2, ?friedman.test).
var rounding = duck.Relation{Name: "rounding", Query: `
	SELECT row_number() OVER () AS task_id, * FROM (VALUES (5.40, 5.50, 5.55), (5.85, 5.70, 5.75), (5.20, 5.60, 5.50), (5.55, 5.50, 5.40), (5.90, 5.85, 5.70),
	(5.45, 5.55, 5.60), (5.40, 5.40, 5.35), (5.45, 5.50, 5.35), (5.25, 5.15, 5.00), (5.85, 5.80, 5.70), (5.25, 5.20, 5.10), (5.65, 5.55, 5.45), (5.60, 5.35, 5.45),
	(5.05, 5.00, 4.95), (5.50, 5.50, 5.40), (5.45, 5.55, 5.50), (5.55, 5.55, 5.35), (5.45, 5.50, 5.55), (5.50, 5.45, 5.25), (5.65, 5.60, 5.40), (5.70, 5.65, 5.55),
	(6.30, 6.30, 6.25)) v(round_out, narrow_angle, wide_angle)`}

func TestFriedman(t *testing.T) {
	db := open(t, rounding)
	rows := query(t, db, `SELECT statistic, df, p, units, arms FROM friedman('UNPIVOT rounding ON round_out, narrow_angle, wide_angle INTO NAME arm VALUE seconds', 'response=seconds arm=arm')`)
	near(t, "chi-squared", rows[0][0], 11.143, 5e-4)
	near(t, "p", rows[0][2], 0.003805, 5e-7)
	if rows[0][1] != "2" || rows[0][3] != "22" || rows[0][4] != "3" {
		t.Errorf("have %v, want 2 degrees of freedom, 22 units, 3 arms", rows[0])
	}
}

func near(t *testing.T, what, have string, want, tolerance float64) {
	t.Helper()
	if v, err := strconv.ParseFloat(have, 64); err != nil || math.Abs(v-want) > tolerance {
		t.Errorf("%s: have %s, want %v", what, have, want)
	}
}

// Cochran's Q of four tasks under three arms, by hand: columns 3, 1, 1 and rows 2, 2, 1, 0;
// Q = 2 (3 (9+1+1) - 25) / (3*5 - (4+4+1)) = 16/6.
func TestCochranQ(t *testing.T) {
	db := open(t, duck.Relation{Name: "runs", Query: `SELECT * FROM (VALUES ('a','x',1),('a','y',1),('a','z',0),('b','x',1),('b','y',0),('b','z',1),
		('c','x',1),('c','y',0),('c','z',0),('d','x',0),('d','y',0),('d','z',0),('e','x',1)) v(task_id, arm, ok)`})
	rows := query(t, db, "SELECT statistic, units, dropped, informative FROM cochran_q('FROM runs', 'response=ok arm=arm')")
	near(t, "Q", rows[0][0], 16.0/6, 1e-12)
	if rows[0][1] != "4" || rows[0][2] != "1" || rows[0][3] != "3" {
		t.Errorf("have %v, want 4 units, 1 dropped, 3 informative", rows[0])
	}
}

// Two repositories: without a the difference is 0, without b it is 1, over all 1/3.
func TestLeaveOneOut(t *testing.T) {
	db := open(t, duck.Relation{Name: "runs", Query: `SELECT *, 1 AS repetition FROM (VALUES ('t1','a','new',1),('t1','a','base',0),('t2','b','new',1),('t2','b','base',1),
		('t3','b','new',0),('t3','b','base',0)) v(task_id, repository, arm, ok)`})
	rows := query(t, db, "SELECT left_out, difference, lowest, highest, same_sign FROM leave_one_out('FROM runs', 'response=ok arm=arm baseline=base cluster=repository') ORDER BY 1")
	if len(rows) != 2 || rows[0][0] != "a" || rows[0][1] != "0" || rows[1][1] != "1" || rows[1][2] != "0" || rows[1][3] != "1" || rows[1][4] != "false" {
		t.Errorf("have %v, want a: 0, b: 1, another sign", rows)
	}
}

// An arm that is better on every task stays first in every draw.
func TestRanking(t *testing.T) {
	db := open(t, duck.Relation{Name: "runs", Query: "SELECT 't' || t AS task_id, arm, CASE arm WHEN 'good' THEN t + 1 ELSE t END AS score FROM range(10) r(t), (VALUES ('good'), ('bad')) a(arm)"})
	rows := query(t, db, "SELECT arm, same_order FROM ranking('FROM runs', 'response=score arm=arm')")
	if len(rows) != 2 || rows[0][0] != "good" || rows[0][1] != "1" {
		t.Errorf("have %v, want good first in all draws", rows)
	}
	rows = query(t, db, "SELECT arm, mean FROM ranking('FROM runs', 'response=score arm=arm higher=worse')")
	if rows[0][0] != "bad" || rows[0][1] != "4.5" {
		t.Errorf("have %v, want bad first with a mean of 4.5", rows)
	}
}

// Cohen (1988), table 2.4.1 for paired t: a standardised difference of 0.5 needs 34
// pairs for a power of 0.8 at the two-sided level 0.05 (R 4.2.2, power.t.test: n = 33.4).
func TestPower(t *testing.T) {
	db := open(t, duck.Relation{Name: "runs", Query: `SELECT 't' || t AS task_id, 1 AS repetition, arm, CASE arm WHEN 'new' THEN 2.0 * (t % 2) ELSE 0 END AS score
		FROM range(40) r(t), (VALUES ('new'), ('base')) a(arm)`})
	// The task differences are 0 and 2 in equal numbers, so their deviation is sqrt(40/39).
	half := strconv.FormatFloat(0.5*math.Sqrt(40.0/39), 'g', -1, 64)
	rows := query(t, db, "SELECT required_tasks, observed_tasks, sd FROM power('FROM runs', 'response=score arm=arm baseline=base repetitions=1 difference="+half+"')")
	if rows[0][0] != "34" || rows[0][1] != "40" {
		t.Errorf("have %v, want 34 required of 40 observed", rows[0])
	}
	near(t, "sd", rows[0][2], math.Sqrt(40.0/39), 1e-12)
}

// Methods by name give what the functions of their names give.
func TestPairedMethods(t *testing.T) {
	db := open(t, included)
	for method, test := range map[string]string{"newcombe": "McNemar exact", "midp": "McNemar mid-p", "bootstrap": "sign flip, exact", "studentized": "bootstrap t, symmetric", "t": "paired t", "wilcoxon": "signed rank, exact", "sign": "sign, exact"} {
		rows := query(t, db, "SELECT test, p FROM paired('FROM included', 'response=resolved_at_1 arm=arm baseline=base method="+method+"') WHERE arm = 'd'")
		if rows[0][0] != test || rows[0][1] == "" {
			t.Errorf("method %s: have %v, want %s", method, rows[0], test)
		}
	}
}

func TestFactorialMethods(t *testing.T) {
	db := open(t, included)
	for _, method := range []string{"ols", "lmm", "rm"} {
		rows := query(t, db, "SELECT term, p FROM factorial('FROM included', 'response=file_recall_at_10 factors=factor_retriever,factor_packing method="+method+"') WHERE kind = 'term'")
		if len(rows) != 3 || rows[0][1] == "" {
			t.Errorf("method %s: have %v, want three tested terms", method, rows)
		}
	}
	rows := query(t, db, "SELECT lr_p, method FROM factorial('FROM included', 'response=resolved_at_1 factors=factor_retriever,factor_packing method=logistic') WHERE kind = 'term'")
	if len(rows) != 3 || rows[0][0] == "" {
		t.Errorf("method logistic: have %v, want three likelihood ratio tests", rows)
	}
}
