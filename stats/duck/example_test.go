package duck_test

import (
	"context"
	"fmt"

	"github.com/assay-bench/assay/stats/duck"
)

// A query over a view calls the statistics as functions.
func Example() {
	ctx := context.Background()
	db, err := duck.Open(ctx, duck.Source{Relations: []duck.Relation{{Name: "runs", Query: "SELECT 't' || i AS task_id, (i % 3 = 0)::INT AS ok FROM range(12) r(i)"}}}, duck.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	res, err := db.Query(ctx, "SELECT r.n, round(r.estimate, 3), round(r.low, 3), round(r.high, 3), r.method FROM (SELECT rate(list(ok ORDER BY task_id), list(task_id ORDER BY task_id)) AS r FROM runs)")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range res.Rows[0] {
		fmt.Println(v)
	}
	// Output:
	// 12
	// 0.333
	// 0.138
	// 0.609
	// Wilson
}
