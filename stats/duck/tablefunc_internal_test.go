package duck

import (
	"context"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
)

// The engine binds a statement more than once; a function over a query computes once
// for it, and not at all to be explained.
func TestTableFuncComputesOnce(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, Source{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.sql.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	f := tableFunc{"counted_calls", []outColumn{{"n", duckdb.TYPE_BIGINT}}, func(context.Context, *DB, string, string) ([][]any, error) {
		calls++
		return [][]any{{int64(calls)}, {int64(calls)}}, nil
	}}
	if err := f.register(db, conn); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		query string
		calls int
	}{
		{"EXPLAIN SELECT * FROM counted_calls('', '')", 0},
		{"SELECT * FROM counted_calls('', '')", 1},
		{"SELECT a.n FROM counted_calls('', '') a, counted_calls('', '') b", 2},
	} {
		calls = 0
		if _, err := db.Query(ctx, c.query); err != nil || calls != c.calls {
			t.Errorf("%s: have %d calls and %v, want %d", c.query, calls, err, c.calls)
		}
	}
}
