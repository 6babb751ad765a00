package dataset

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"github.com/assay-bench/assay/schema"
)

// everyType has a column of each type that a row struct may have.
type everyType struct {
	Key     int64                   `col:"key"`
	Text    string                  `col:"text"`
	OptText schema.Opt[string]      `col:"opt_text"`
	OptInt  schema.Opt[int64]       `col:"opt_int"`
	Double  float64                 `col:"double"`
	OptDbl  schema.Opt[float64]     `col:"opt_double"`
	Bool    bool                    `col:"bool"`
	OptBool schema.Opt[bool]        `col:"opt_bool"`
	TS      schema.Opt[schema.Time] `col:"ts"`
	USD     schema.Opt[schema.USD]  `col:"usd"`
	List    []string                `col:"list"`
}

// extremes are rows with the ends of each range, and with nothing.
var extremes = []everyType{
	{Key: math.MinInt64},
	{Key: 0, Text: "", OptText: schema.Some(""), OptInt: schema.Some(int64(0)), OptDbl: schema.Some(0.0),
		OptBool: schema.Some(false), TS: schema.Some(schema.Time(0)), USD: schema.Some(schema.USD(0)), List: []string{}},
	{Key: 1, Text: "a\x00b\n", OptText: schema.Some("näïve 漢字 🎈"), OptInt: schema.Some(int64(math.MinInt64)), Double: -math.MaxFloat64,
		OptDbl: schema.Some(math.SmallestNonzeroFloat64), Bool: true, OptBool: schema.Some(true),
		TS: schema.Some(schema.Time(-1)), USD: schema.Some(schema.USD(-schema.MaxUSD)), List: []string{"a"}},
	{Key: math.MaxInt64, Text: strings.Repeat("x", 100_000), OptText: schema.Some("x"), OptInt: schema.Some(int64(math.MaxInt64)),
		Double: math.Copysign(0, -1), OptDbl: schema.Some(0.1), TS: schema.Some(schema.Time(1_767_323_045_678_999)),
		USD: schema.Some(schema.USD(schema.MaxUSD)), List: []string{"a", "", "b"}},
}

// TestRoundTrip reads every type back through a reader that is not the writing
// library: missing stays missing, and an empty list is not a missing one.
func TestRoundTrip(t *testing.T) {
	path := writeFile(t, []string{"key"}, extremes)
	for _, c := range []struct {
		expr string
		want []string
	}{
		{"key", []string{"-9223372036854775808", "0", "1", "9223372036854775807"}},
		{"text = repeat('x', 100000)", []string{"false", "false", "false", "true"}},
		{"hex(text[:4])", []string{"", "", "6100620A", "78787878"}},
		{"opt_text", []string{"NULL", "", "näïve 漢字 🎈", "x"}},
		{"opt_int", []string{"NULL", "0", "-9223372036854775808", "9223372036854775807"}},
		{"double", []string{"0.0", "0.0", "-1.7976931348623157e+308", "-0.0"}},
		{"opt_double", []string{"NULL", "0.0", "5e-324", "0.1"}},
		{"bool", []string{"false", "false", "true", "false"}},
		{"opt_bool", []string{"NULL", "false", "true", "NULL"}},
		{"epoch_us(ts)", []string{"NULL", "0", "-1", "1767323045678999"}},
		{"usd", []string{"NULL", "0.000000000", "-999999999.999999999", "999999999.999999999"}},
		{"len(list)", []string{"NULL", "0", "1", "3"}},
		{"list::VARCHAR", []string{"NULL", "[]", "[a]", "[a, '', b]"}},
	} {
		t.Run(c.expr, func(t *testing.T) {
			have := column(t, fmt.Sprintf("SELECT (%s)::VARCHAR FROM '%s' ORDER BY key", c.expr, path))
			if !reflect.DeepEqual(have, c.want) {
				t.Errorf("have %q, want %q", have, c.want)
			}
		})
	}
	want := []string{"BIGINT", "VARCHAR", "VARCHAR", "BIGINT", "DOUBLE", "DOUBLE", "BOOLEAN", "BOOLEAN", "TIMESTAMP WITH TIME ZONE", "DECIMAL(18,9)", "VARCHAR[]"}
	if have := column(t, fmt.Sprintf("SELECT column_type FROM (DESCRIBE SELECT * FROM '%s')", path)); !reflect.DeepEqual(have, want) {
		t.Errorf("types: have %v, want %v", have, want)
	}
}

// TestColumnOrder holds the declared order, which the library would sort.
func TestColumnOrder(t *testing.T) {
	foot, err := ReadFooter(writeFile(t, []string{"key"}, extremes))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"key", "text", "opt_text", "opt_int", "double", "opt_double", "bool", "opt_bool", "ts", "usd", "list"}
	if !slices.Equal(foot.Columns, want) {
		t.Errorf("have %v, want %v", foot.Columns, want)
	}
}

func TestEmptyTable(t *testing.T) {
	path := writeFile(t, []string{"key"}, []everyType{})
	if have := column(t, fmt.Sprintf("SELECT count(*)::VARCHAR FROM '%s'", path)); have[0] != "0" {
		t.Errorf("have %s rows, want 0", have[0])
	}
}

// TestTextStatistics: a reader skips row groups by the bounds of a column, so
// they must be those of a full scan.
func TestTextStatistics(t *testing.T) {
	rows := benchRows(300_000)
	rows[3].File, rows[290_000].File = schema.Some("!first"), schema.Some("~"+strings.Repeat("last", 40))
	path := writeFile(t, []string{"run_id", "seq"}, rows)
	for _, c := range []string{"run_id", "query_id", "file", "source"} {
		stats := column(t, fmt.Sprintf("SELECT min(stats_min_value) || ' ' || max(stats_max_value) FROM parquet_metadata('%s') WHERE path_in_schema = '%s'", path, c))
		scan := column(t, fmt.Sprintf("SELECT min(%[2]s || '') || ' ' || max(%[2]s || '') FROM '%[1]s'", path, c))
		if stats[0] != scan[0] {
			t.Errorf("%s: statistics have %s, a scan %s", c, stats[0], scan[0])
		}
	}
	for _, value := range []string{"!first", "~" + strings.Repeat("last", 40)} {
		if n := column(t, fmt.Sprintf("SELECT count(*)::VARCHAR FROM '%s' WHERE file = '%s'", path, value)); n[0] != "1" {
			t.Errorf("file %.10s…: have %s rows, want 1", value, n[0])
		}
	}
	if have := column(t, fmt.Sprintf("SELECT DISTINCT row_group_num_rows::VARCHAR FROM parquet_metadata('%s') ORDER BY 1", path)); !slices.Equal(have, []string{"131072", "37856"}) {
		t.Errorf("row groups of %v rows, want 131072 and the rest", have)
	}
}

func TestStamp(t *testing.T) {
	path := writeFile(t, []string{"run_id", "seq"}, benchRows(5000))
	count := "SELECT count(*) || ' ' || sum(hash(t))::VARCHAR FROM '" + path + "' t"
	before := column(t, count)
	for range 2 { // twice: the second replaces the first
		if err := Stamp(path, map[string]string{"assay.b": "2", "assay.a": "1"}); err != nil {
			t.Fatal(err)
		}
	}
	if after := column(t, count); after[0] != before[0] {
		t.Errorf("rows changed: have %s, want %s", after[0], before[0])
	}
	have := column(t, fmt.Sprintf("SELECT key::VARCHAR || '=' || value::VARCHAR FROM parquet_kv_metadata('%s')", path))
	if want := []string{"assay.a=1", "assay.b=2"}; !slices.Equal(have, want) {
		t.Errorf("metadata: have %v, want %v", have, want)
	}
}

func writeFile[Row any](t *testing.T, key []string, rows []Row) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := writeAll(f, key, rows, max(len(rows), 1)); err != nil {
		t.Fatal(err)
	}
	return path
}

// column runs a query of one text column; NULL reads "NULL".
func column(t *testing.T, query string) []string {
	t.Helper()
	db, err := sql.Open("duckdb", "?autoinstall_known_extensions=false&autoload_known_extensions=false")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s sql.NullString
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		if !s.Valid {
			s.String = "NULL"
		}
		list = append(list, s.String)
	}
	return list
}
