package duck_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestFactorialByEveryMethod: on a balanced study, every cell run twice a task,
// the difference of two levels is the same by every linear method, and an unknown
// method is refused with the known ones.
func TestFactorialByEveryMethod(t *testing.T) {
	db := open(t)
	const study = `SELECT ''t'' || (i // 8) AS task_id, CASE WHEN i % 2 = 0 THEN ''off'' ELSE ''on'' END AS tool,
		CASE WHEN (i // 2) % 2 = 0 THEN ''small'' ELSE ''large'' END AS model, ((i * 7919) % 13) / 13.0 + (i % 2) * 0.5 AS y, (i * 7919) % 3 = 0 AS z FROM range(96) r(i)`
	estimate := func(method string) float64 {
		t.Helper()
		res, err := db.Query(context.Background(), "SELECT estimate, method FROM factorial('"+study+"', 'response=y factors=tool,model method="+method+
			" reference=tool:off') WHERE kind = 'level' AND term = 'tool' AND level = 'on'")
		if err != nil {
			t.Fatal(err)
		}
		v, ok := res.Rows[0][0].Number()
		if !ok {
			t.Fatalf("%s: have no estimate", method)
		}
		return v
	}
	want := estimate("ols")
	for _, method := range []string{"lmm", "rm"} {
		if got := estimate(method); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: have %v, want %v", method, got, want)
		}
	}
	if rows := query(t, db, "SELECT p FROM factorial('"+study+"', 'response=z factors=tool,model method=logistic') WHERE kind = 'term'"); len(rows) != 3 {
		t.Errorf("logistic: have %d terms, want 3", len(rows))
	}
	_, err := db.Query(context.Background(), "SELECT * FROM factorial('"+study+"', 'response=y factors=tool method=magic')")
	if err == nil || !strings.Contains(err.Error(), "ols, lmm, rm, logistic") {
		t.Errorf("have %v, want an error that lists the methods", err)
	}
}

// TestFactorialNamesTheInterval: 39 of 40 against 36 have the outer limits, which hold
// those of t; 20 against 24 the limits of t alone.
func TestFactorialNamesTheInterval(t *testing.T) {
	db := open(t)
	const study = `SELECT ''t'' || t AS task_id, tool, CASE tool WHEN ''off'' THEN t < %s ELSE t * 7 %% 40 < %s END AS y FROM range(40) r(t), (VALUES (''off''), (''on'')) a(tool)`
	for counts, want := range map[[2]string]string{{"39", "36"}: "the outer of cluster-robust t and hybrid score limits", {"20", "24"}: "cluster-robust t"} {
		rows := query(t, db, "SELECT interval, low < estimate AND estimate < high FROM factorial('"+fmt.Sprintf(study, counts[0], counts[1])+"', 'response=y factors=tool reference=tool:off') WHERE level = 'on'")
		if len(rows) != 1 || rows[0][0] != want || rows[0][1] != "true" {
			t.Errorf("%v of 40: have %v, want %s", counts, rows, want)
		}
	}
}
