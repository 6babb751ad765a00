package derive

import (
	"math"
	"testing"

	"github.com/assay-bench/assay/schema"
)

// A dice gives small numbers from the bytes of a fuzz input, then zeros.
type dice struct{ bytes []byte }

func (d *dice) roll(sides int) int {
	if len(d.bytes) == 0 {
		return 0
	}
	n := int(d.bytes[0]) % sides
	d.bytes = d.bytes[1:]
	return n
}

func (d *dice) path() string {
	return []string{"a", "./a", "b/c", "b//c", "../d", "e/", "f:1-2", "g", "x/../g", ""}[d.roll(10)]
}

func (d *dice) grade() schema.Opt[float64] {
	return []schema.Opt[float64]{schema.None[float64](), schema.Some(0.0), schema.Some(-1.0), schema.Some(3.0), schema.Some(math.MaxFloat64), schema.Some(5e-324)}[d.roll(6)]
}

func (d *dice) count() schema.Opt[int64] {
	return []schema.Opt[int64]{schema.None[int64](), schema.Some[int64](0), schema.Some[int64](7), schema.Some[int64](math.MaxInt64)}[d.roll(4)]
}

func (d *dice) ms() schema.Opt[float64] {
	return []schema.Opt[float64]{schema.None[float64](), schema.Some(0.0), schema.Some(5e-324), schema.Some(12.5), schema.Some(math.MaxFloat64)}[d.roll(5)]
}

// trace makes a run that the contract allows, however odd.
func (d *dice) trace() *trace {
	gold := &schema.Gold{}
	for range d.roll(4) {
		gold.Files = append(gold.Files, schema.GoldFile{Path: d.path(), Grade: d.grade()})
		gold.Functions = append(gold.Functions, schema.GoldFunction{File: d.path(), StartLine: d.count(), EndLine: d.count(), Grade: d.grade()})
	}
	t := newTrace(schema.Task{Gold: gold})
	if d.roll(2) == 1 {
		t.manifest.Source = &schema.Source{Format: schema.Some(trecFormat)}
	}
	for len(d.bytes) > 0 {
		d.event(t)
	}
	return t.finish(schema.RunFinished{Ending: schema.Sets[0].Words[d.roll(6)].Name})
}

func (d *dice) event(t *trace) {
	query := string(rune('p' + d.roll(3)))
	switch d.roll(6) {
	case 0:
		t.query(schema.RetrievalQuery{QueryID: query, Results: int64(d.roll(5)), Status: schema.StatusOK.Name, Limit: d.count(), LatencyMS: d.ms(), ResultTokens: d.count()})
	case 1, 2:
		t.candidate(schema.RetrievalCandidate{QueryID: query, Rank: int64(1 + d.roll(4)), File: schema.Some(d.path()), StartLine: d.count(), EndLine: d.count(), Tokens: d.count(), Score: d.grade()})
	case 3:
		t.addAt(schema.Event{Type: &schema.EventFileRead, FileRead: &schema.FileRead{Path: d.path()}}, schema.Some(hour+schema.Time(d.roll(99)-9)*1e6))
	case 4:
		t.model(schema.ModelCall{CallID: "m", Attempt: schema.Some(int64(1 + d.roll(2))), LatencyMS: d.ms(), Usage: &schema.Usage{InputTokens: d.count(), OutputTokens: d.count()}})
	case 5:
		t.edit(schema.Edit{TargetPaths: []string{d.path(), d.path()}, Applied: d.roll(2) == 1})
	}
}

// Whatever a run holds: nothing panics, no double leaves its range, shares stay
// between 0 and 1, recall never falls as k grows, and a metric sees no more than
// it says it reads.
func FuzzRun(f *testing.F) {
	f.Add([]byte("run"))
	f.Add([]byte{3, 0, 3, 1, 2, 7, 3, 0, 0, 1, 1, 1, 0, 0, 2, 2, 0, 3, 1, 1, 1, 2, 1, 0, 0, 3, 2, 2, 2, 5, 0, 1, 1})
	r, part := New(), New()
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if len(bytes) > 2000 {
			t.Skip("longer inputs make longer runs, not other ones")
		}
		d := &dice{bytes}
		tr := d.trace()
		rows := tr.deriveWith(r)
		checkShares(t, schema.ValueColumns(schema.LevelRun), rows.Run.Values)
		for i := range rows.Queries {
			checkShares(t, schema.ValueColumns(schema.LevelQuery), rows.Queries[i].Values)
		}
		for _, m := range schema.Metrics {
			want := column(rows, m)
			for i, have := range column(tr.only(m.Reads).deriveWith(part), m) {
				if show(have) != show(want[i]) {
					t.Errorf("%s %s: have %s from what it reads, %s from all", m.Level, m.Name, show(have), show(want[i]))
				}
			}
		}
	})
}

func checkShares(t *testing.T, columns []schema.ValueColumn, values []schema.Value) {
	t.Helper()
	last := map[string]float64{}
	for i, c := range columns {
		f, ok := number(values[i])
		if c.Companion != nil || !ok || c.Metric.Kind != schema.KindMean && c.Metric.Kind != schema.KindRate {
			continue
		}
		if f < 0 || f > 1+1e-12 {
			t.Errorf("%s: have %v, want 0 to 1", c.Name, f)
		}
		for _, family := range []string{"file_recall_at_", "function_recall_at_", "hit_at_"} {
			if len(c.Name) > len(family) && c.Name[:len(family)] == family {
				if f < last[family] {
					t.Errorf("%s: have %v, below %v at a smaller k", c.Name, f, last[family])
				}
				last[family] = f
			}
		}
	}
}
