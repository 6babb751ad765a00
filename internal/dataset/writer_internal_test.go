package dataset

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// benchRow has the shape of a candidate: eighteen columns, half of them nullable.
type benchRow struct {
	RunID    string                  `col:"run_id"`
	Seq      int64                   `col:"seq"`
	Line     int64                   `col:"line"`
	Offset   int64                   `col:"byte_offset"`
	Length   int64                   `col:"byte_length"`
	TS       schema.Opt[schema.Time] `col:"ts"`
	Included bool                    `col:"included"`
	QueryID  string                  `col:"query_id"`
	Rank     int64                   `col:"rank"`
	File     schema.Opt[string]      `col:"file"`
	DocID    schema.Opt[string]      `col:"doc_id"`
	Source   schema.Opt[string]      `col:"source"`
	Symbol   schema.Opt[string]      `col:"symbol"`
	Start    schema.Opt[int64]       `col:"start_line"`
	End      schema.Opt[int64]       `col:"end_line"`
	Score    schema.Opt[float64]     `col:"score"`
	Tokens   schema.Opt[int64]       `col:"tokens"`
	Packed   schema.Opt[bool]        `col:"packed"`
}

func benchRows(n int) []benchRow {
	rows := make([]benchRow, n)
	for i := range rows {
		h := uint32(i) * 2654435761
		rows[i] = benchRow{
			RunID: fmt.Sprintf("%032x", i/500*7919), Seq: int64(i%500 + 2), Line: int64(i%500 + 2),
			Offset: int64(i%500) * 310, Length: 300 + int64(h%20), Included: true,
			TS:      schema.Some(schema.Time(1_767_000_000_000_000 + int64(i)*1700)),
			QueryID: fmt.Sprintf("q-%d", i/10%50), Rank: int64(i%10 + 1),
			File:   schema.Some(fmt.Sprintf("src/d%02d/file_%05d.go", h%50, h%20000)),
			Source: schema.Some([]string{"grep", "embedding", "bm25"}[h%3]),
			Score:  schema.Some(float64(h) / (1 << 32)), Tokens: schema.Some(int64(h % 900)), Packed: schema.Some(h%2 == 0),
		}
		if h%4 == 0 {
			rows[i].Start, rows[i].End = schema.Some(int64(h%1000)), schema.Some(int64(h%1000+20))
		}
	}
	return rows
}

// writeAll writes rows in slices of a size.
func writeAll[Row any](w io.Writer, key []string, rows []Row, step int) error {
	out := newWriter[Row](w, "t", key, rowColumns(reflect.TypeFor[Row]()))
	for i := 0; i < len(rows); i += step {
		if err := out.Write(rows[i:min(i+step, len(rows))]); err != nil {
			return err
		}
	}
	return out.Close()
}

// BenchmarkWriter writes a million rows of eighteen columns.
func BenchmarkWriter(b *testing.B) {
	rows := benchRows(1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		var n countWriter
		if err := writeAll(&n, []string{"run_id", "seq"}, rows, len(rows)); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/1e6, "MB/file")
	}
}

type countWriter int64

func (n *countWriter) Write(b []byte) (int, error) { *n += countWriter(len(b)); return len(b), nil }

func TestWriterBytesDependOnRowsAlone(t *testing.T) {
	rows := benchRows(150_000) // more than one row group
	sums := map[[32]byte]int{}
	for _, step := range []int{1, 7, 256, len(rows)} {
		var b bytes.Buffer
		if err := writeAll(&b, []string{"run_id", "seq"}, rows, step); err != nil {
			t.Fatal(err)
		}
		sums[sha256.Sum256(b.Bytes())]++
	}
	if len(sums) != 1 {
		t.Errorf("have %d different files for one list of rows in slices of 1, 7, 256 and all, want 1", len(sums))
	}
}

func TestWriterRefuses(t *testing.T) {
	type row struct {
		X schema.Opt[float64]    `col:"x"`
		S string                 `col:"s"`
		M schema.Opt[schema.USD] `col:"m"`
	}
	for _, c := range []struct {
		name string
		row  row
		want string
	}{
		{"NaN", row{X: schema.Some(math.NaN())}, "t: row 2: x: have NaN, want a finite number"},
		{"infinity", row{X: schema.Some(math.Inf(-1))}, "t: row 2: x: have -Inf, want a finite number"},
		{"a lone byte", row{S: "a\xff"}, `t: row 2: s: have "a\xff", want UTF-8`},
		{"19 digits", row{M: schema.Some(schema.USD(1e18))}, "t: row 2: m: have 1000000000.000000000 dollars, want less than 1e9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := writeAll(io.Discard, nil, []row{{}, c.row}, 1)
			if err == nil || err.Error() != c.want {
				t.Errorf("have %v, want %s", err, c.want)
			}
		})
	}
}

func TestFactors(t *testing.T) {
	have, err := Factors([]string{"zeta", "Top-K", "zeta", "éa"})
	want := []Factor{{"éa", "factor__a"}, {"Top-K", "factor_top_k"}, {"zeta", "factor_zeta"}}
	if err != nil || !reflect.DeepEqual(have, want) {
		t.Errorf("have %v %v, want %v", have, err, want)
	}
	_, err = Factors([]string{"top_k", "Top K"})
	if err == nil || !strings.Contains(err.Error(), `"Top K"`) || !strings.Contains(err.Error(), `"top_k"`) {
		t.Errorf("have %v, want an error that names both factors", err)
	}
}
