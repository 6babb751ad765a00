package dataset

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
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
		run, q, rank := i/500, i/10, int64(i%10+1)
		h := uint32(i) * 2654435761
		rows[i] = benchRow{RunID: fmt.Sprintf("%032x", run*7919), Seq: int64(i%500 + 2), Line: int64(i%500 + 2), Offset: int64(i%500) * 310, Length: 300 + int64(h%20),
			TS: schema.Some(schema.Time(1_767_000_000_000_000 + int64(i)*1700)), Included: true, QueryID: fmt.Sprintf("q-%d", q%50), Rank: rank,
			File: schema.Some(fmt.Sprintf("src/d%02d/file_%05d.go", h%50, h%20000)), Source: schema.Some([]string{"grep", "embedding", "bm25"}[h%3]),
			Score: schema.Some(float64(h) / (1 << 32)), Tokens: schema.Some(int64(h % 900)), Packed: schema.Some(h%2 == 0)}
		if h%4 == 0 {
			rows[i].Start, rows[i].End = schema.Some(int64(h%1000)), schema.Some(int64(h%1000+20))
		}
	}
	return rows
}

func BenchmarkWriterCandidates(b *testing.B) {
	rows := benchRows(1_000_000)
	b.ReportAllocs()
	for b.Loop() {
		var n countWriter
		w := newWriter[benchRow](&n, "candidates", []string{"run_id", "seq"}, rowColumns(reflect.TypeFor[benchRow]()))
		if err := w.Write(rows); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/1e6, "MB/file")
	}
}

type countWriter int64

func (n *countWriter) Write(b []byte) (int, error) { *n += countWriter(len(b)); return len(b), nil }

var _ io.Writer = new(countWriter)

func TestWriterIsDeterministic(t *testing.T) {
	rows := benchRows(40_000)
	sums := map[[32]byte]bool{}
	for _, step := range []int{1, 7, 256, 40_000} {
		var b bytes.Buffer
		w := newWriter[benchRow](&b, "candidates", []string{"run_id", "seq"}, rowColumns(reflect.TypeFor[benchRow]()))
		for i := 0; i < len(rows); i += step {
			if err := w.Write(rows[i:min(i+step, len(rows))]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		sums[sha256.Sum256(b.Bytes())] = true
	}
	if len(sums) != 1 {
		t.Errorf("have %d different files for one list of rows written in steps of 1, 7, 256 and all, want 1", len(sums))
	}
	_ = strings.ToLower
}
