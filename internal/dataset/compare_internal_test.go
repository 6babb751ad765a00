package dataset

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

func TestCompare(t *testing.T) {
	table := &schema.Table{Name: "t", Key: []string{"run_id", "seq"}}
	rows := benchRows(140_000)
	first := writeFile(t, table.Key, rows)
	if d, err := Compare(table, first, first); err != nil || len(d) > 0 {
		t.Errorf("one file: have %v %v, want no difference", d, err)
	}
	rows[135_000].Score, rows[139_000].Score = schema.Some(2.0), schema.None[float64]()
	rows[0].File = schema.Some("other")
	second := writeFile(t, table.Key, rows)
	d, err := Compare(table, second, first)
	if err != nil || len(d) != 2 {
		t.Fatalf("have %v %v, want two columns", d, err)
	}
	want := `t.file: 1 values differ, first in row 1 (run_id "00000000000000000000000000000000", seq 2): have "other", want "src/d00/file_00000.go"`
	if d[0].String() != want {
		t.Errorf("have %s\nwant %s", d[0], want)
	}
	if d[1].Column != "score" || d[1].Values != 2 || d[1].Row != 135_001 || d[1].Have != "2" {
		t.Errorf("have %+v, want two scores, the first in row 135001", d[1])
	}
	third := writeFile(t, table.Key, rows[:10])
	if d, err = Compare(table, third, first); err != nil || len(d) != 1 || d[0].String() != "t: have 10 rows, want 140000" {
		t.Errorf("have %v %v, want the numbers of rows", d, err)
	}
	lists := []everyType{{Key: 1, List: []string{}}, {Key: 2, List: []string{"a", "b"}}}
	fourth := writeFile(t, []string{"key"}, lists)
	lists[0].List = nil
	fifth := writeFile(t, []string{"key"}, lists)
	if d, err = Compare(&schema.Table{Name: "l", Key: []string{"key"}}, fourth, fifth); err != nil || len(d) != 1 || d[0].Column != "list" {
		t.Errorf("have %v %v, want an empty list to differ from a missing one", d, err)
	}
}
