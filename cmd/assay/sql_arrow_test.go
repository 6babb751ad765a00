package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/assay-bench/assay/stats/duck"
)

// TestArrowKeepsTypes: numbers, dates and what is nested leave as what they are, and
// come back as the same values.
func TestArrowKeepsTypes(t *testing.T) {
	db, err := duck.Open(context.Background(), duck.Source{Dir: t.TempDir()}, duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var b bytes.Buffer
	const q = `SELECT 1 AS i, 18446744073709551615::UBIGINT AS u, sum(2::BIGINT) AS h, 1.250::DECIMAL(9,3) AS d, DATE '2026-01-02' AS day, TIMESTAMP '2026-01-02 03:04:05' AS t,
		TIMESTAMPTZ '2026-01-02 03:04:05+00' AS tz, [1, NULL] AS l, {'a': 'x', 'b': [0.5]} AS s, MAP {'k': 3} AS m, NULL::INTEGER AS n, [{'a': 1}, NULL] AS ls`
	if err := writeArrow(context.Background(), db, q, &b); err != nil {
		t.Fatal(err)
	}
	r, err := ipc.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	types := map[string]string{"i": "int64", "u": "uint64", "h": "decimal(38, 0)", "d": "decimal(9, 3)", "day": "date32", "t": "timestamp[us]", "tz": "timestamp[us, tz=UTC]",
		"l": "list<item: int64, nullable>", "s": "struct<a: utf8 nullable, b: list<item: decimal(2, 1), nullable> nullable>", "m": "map<utf8, int64, items_nullable>", "n": "int64",
		"ls": "list<item: struct<a: int64 nullable>, nullable>"}
	for _, f := range r.Schema().Fields() {
		if f.Type.String() != types[f.Name] {
			t.Errorf("%s: have type %s, want %s", f.Name, f.Type, types[f.Name])
		}
	}
	if !r.Next() {
		t.Fatal("have no record batch, want one")
	}
	have, err := r.RecordBatch().MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"d":"1.25","day":"2026-01-02","h":"2","i":1,"l":[1,null],"ls":[{"a":1},null],"m":[{"key":"k","value":3}],"n":null,"s":{"a":"x","b":["0.5"]},"t":"2026-01-02T03:04:05","tz":"2026-01-02T03:04:05Z","u":18446744073709551615}]`
	compact := jsontext.Value(have)
	if err := compact.Compact(); err != nil || string(compact) != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}
