package tables

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

const ownSpec = `{
  "name": "own", "title": "Own table", "key": ["harness"], "rule": "is_total", "note_columns": ["remark"],
  "columns": [
    {"key": "harness", "kind": "text", "stub": true},
    {"key": "resolved_at_1", "heading": "resolved@1", "kind": "rate", "digits": 3},
    {"key": "gain", "kind": "estimate", "digits": 3, "signed": true, "null": "not_applicable"},
    {"key": "p", "kind": "p", "from": {"value": "holm_p"}},
    {"key": "tokens", "unit": "10³", "kind": "quartiles", "digits": 1, "shift": 3},
    {"key": "stage", "kind": "share", "digits": 2}
  ],
  "notes": ["A note."], "empty": "No run.", "events": ["run_started", "run_finished"]
}`

func own(t *testing.T) Spec {
	t.Helper()
	s, err := ParseSpec([]byte(ownSpec), "SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// record is what a query gives for one row of the own table.
func record(more Record) Record {
	r := Record{
		"harness": String("a"), "is_total": Truth(false), "remark": Null(),
		"resolved_at_1_numerator": Fixed(big.NewInt(7), 0), "resolved_at_1_denominator": Integer(17), "resolved_at_1_excluded": Integer(2),
		"resolved_at_1_low": Real(0.2), "resolved_at_1_high": Real(0.6),
		"gain": Null(), "holm_p": Real(0.5), "tokens": Real(1500), "tokens_q1": Integer(1000), "tokens_q3": Integer(2000),
		"tokens_observed": Integer(15), "tokens_missing": Integer(2), "stage_count": Integer(1), "stage_total": Integer(4),
	}
	for name, value := range more {
		r[name] = value
	}
	return r
}

func TestDraw(t *testing.T) {
	g, err := own(t).Draw([]Record{
		record(nil),
		record(Record{"harness": String("b"), "is_total": Truth(true), "remark": String("Holm over m = 3 tests."),
			"resolved_at_1_numerator": Null(), "resolved_at_1_denominator": Null(), "resolved_at_1_state": String("missing"), "resolved_at_1_why": String("no_outcome"),
			"gain": Real(0.25), "gain_interval_why": String("no variation"),
			"holm_p": Null(), "p_log10": Real(-400), "tokens": Null(), "tokens_q1": Null(), "tokens_q3": Null(), "tokens_why": String("too few")}),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{Key: "a", Cells: []Cell{Show(Text("a")),
			Show(Rate{Numerator: 7, Denominator: 17, Excluded: 2, Interval: Limits{Low: Float(0.2), High: Float(0.6)}}),
			NotApplicable(""), Show(PValue{P: Float(0.5)}),
			Show(Quartiles{Median: Int(1500), Q1: Int(1000), Q3: Int(2000), Coverage: Coverage{15, 2, true}}), Show(Share{1, 4})}},
		{Key: "b", Rule: true, Cells: []Cell{Show(Text("b")), Missing("no_outcome"),
			Show(Estimate{Value: Float(0.25), Interval: Limits{Why: "no variation"}}), Show(PValue{Log10: Int(-400)}),
			NotEstimable("too few"), Show(Share{1, 4})}},
	}
	for i, row := range want {
		for j, cell := range row.Cells {
			if got := g.Rows[i].Cells[j]; !reflect.DeepEqual(normal(got), normal(cell)) {
				t.Errorf("row %s, column %s: have %+v, want %+v", row.Key, g.Columns[j].Key, got, cell)
			}
		}
		if g.Rows[i].Key != row.Key || g.Rows[i].Rule != row.Rule {
			t.Errorf("row %d: have %s, %v", i, g.Rows[i].Key, g.Rows[i].Rule)
		}
	}
	if diff := cmp.Diff([]string{"A note.", "Holm over m = 3 tests."}, g.Notes); diff != "" {
		t.Error(diff)
	}
}

// Notes stand column by column: what holds for the table before what holds for a
// row, whatever the order of the rows.
func TestDrawNotes(t *testing.T) {
	s := Spec{Name: "x", Title: "X", SQL: "SELECT 1", Key: []string{"a"}, NoteColumns: []string{"table", "row"},
		Columns: []ColumnSpec{{Key: "a", Kind: KindText, Stub: true}}}
	g, err := s.Draw([]Record{
		{"a": String("1"), "table": Null(), "row": String("one")},
		{"a": String("2"), "table": String("all"), "row": String("two")},
		{"a": String("3"), "table": String("all"), "row": Null()},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"all", "one", "two"}, g.Notes); diff != "" {
		t.Error(diff)
	}
}

// A row that is part of the one above is set in, in the last column that names it,
// in every format that is read; the data are as they were.
func TestDrawIndent(t *testing.T) {
	s := Spec{Name: "x", Title: "X", SQL: "SELECT 1", Key: []string{"a"}, Indent: "part",
		Columns: []ColumnSpec{{Key: "a", Kind: KindText, Stub: true}, {Key: "b", Kind: KindText, Stub: true}, {Key: "n", Kind: KindNumber}}}
	g, err := s.Draw([]Record{
		{"a": String("f"), "b": String("all"), "n": Integer(2), "part": Truth(false)},
		{"a": String("g"), "b": String("one"), "n": Integer(1), "part": Truth(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ text, want string }{
		"markdown": {string(Markdown(g)), "| g   | \u00a0\u00a0one |   1 |"},
		"screen":   {string(Screen(g, Terminal{})), "\ng  \u00a0\u00a0one  1"},
		"latex":    {string(LaTeX(g, LaTeXPage{})), "g & ~~one & 1 "},
		"html":     {string(HTML(g)), ">\u00a0\u00a0one<"},
		"csv":      {string(CSV(g)), "g,one,1"},
		"json":     {string(JSON(g)), `"value": "one"`},
	} {
		if !strings.Contains(c.text, c.want) {
			t.Errorf("%s: have\n%s\nwant %q in it", name, c.text, c.want)
		}
	}
	if _, err := s.Draw([]Record{{"a": String("f"), "b": String("x"), "n": Integer(1)}}); err == nil || !strings.Contains(err.Error(), `indent: have no query column "part"`) {
		t.Errorf("without the column: have %v", err)
	}
}

// Kinds of one part, drawn by their names and from elsewhere.
func TestDrawSimpleKinds(t *testing.T) {
	s := Spec{Name: "x", Title: "X", SQL: "SELECT 1", Key: []string{"a", "b"}, Columns: []ColumnSpec{
		{Key: "text", Kind: KindText, From: map[string]string{"value": "flag"}},
		{Key: "number", Kind: KindNumber},
		{Key: "range", Kind: KindInterval, From: map[string]string{"low": "lo", "high": "hi"}},
	}}
	g, err := s.Draw([]Record{{"a": Integer(1), "b": String("x::y"), "flag": Truth(true), "number": Fixed(big.NewInt(1250), 2), "lo": Integer(-1), "hi": Real(0.5)},
		{"a": Integer(2), "b": String("z"), "flag": Integer(3), "number": Null(), "lo": Null(), "hi": Null()}})
	if err != nil {
		t.Fatal(err)
	}
	want := "row,text,text_state,text_why,number,number_state,number_why,range_low,range_high,range_state,range_why\n" +
		"1::x%3A%3Ay,true,value,,12.50,value,,-1,0.5,value,\n" +
		"2::z,3,value,,,missing,,,,missing,\n"
	if diff := cmp.Diff(want, string(CSV(g))); diff != "" {
		t.Error(diff)
	}
}

// normal is a cell by what it publishes: 400 and 4e2 are one number.
func normal(c Cell) string {
	var parts []string
	if c.Value != nil {
		for _, p := range c.Value.parts() {
			parts = append(parts, p.Text())
		}
	}
	return strings.Join(append(parts, string(c.State), c.Why), "|")
}

func TestDrawNothing(t *testing.T) {
	g, err := own(t).Draw(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := "No run. Events that would fill it: run_started, run_finished."
	for _, format := range Formats {
		if b := format.Files(g)[0].Bytes; format.Name != FormatCSV.Name && format.Name != FormatLaTeX.Name && !bytes.Contains(b, []byte("No run. ")) {
			t.Errorf("%s: have no %q in\n%s", format.Name, want, b)
		}
	}
	if g.Empty != want {
		t.Errorf("have %q, want %q", g.Empty, want)
	}
}

func TestDrawRefuses(t *testing.T) {
	for _, c := range []struct {
		more Record
		want string
	}{
		{Record{"gain": Real(math.NaN())}, "table own: record 1: row a: column gain: gain: have NaN, want a number or NULL"},
		{Record{"resolved_at_1_low": Real(math.Inf(-1))}, "have -Inf"},
		{Record{"resolved_at_1_numerator": Null()}, "have NULL in [resolved_at_1_numerator] beside values"},
		{Record{"resolved_at_1_numerator": Real(0.5)}, "resolved_at_1_numerator: have 0.5, want an integer"},
		{Record{"resolved_at_1_numerator": String("x")}, `resolved_at_1_numerator: have "x", want a number`},
		{Record{"resolved_at_1_numerator": Integer(18)}, "have a rate of 18/17"},
		{Record{"resolved_at_1_state": String("lost")}, `resolved_at_1_state: have "lost", want one of`},
		{Record{"gain_state": String("not_estimable")}, "n.e. without a reason"},
		{Record{"holm_p": Integer(0)}, "have p = 0"},
		{Record{"harness": Null()}, "record 1: key: harness: have NULL, want a value"},
	} {
		if _, err := own(t).Draw([]Record{record(c.more)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: have %v, want %q", c.more, err, c.want)
		}
	}
	lacking := record(nil)
	delete(lacking, "holm_p")
	if _, err := own(t).Draw([]Record{lacking}); err == nil || !strings.Contains(err.Error(), `have no query column "holm_p", want one of [gain`) {
		t.Errorf("have %v", err)
	}
	if _, err := own(t).Draw([]Record{record(nil), record(nil)}); err == nil || !strings.Contains(err.Error(), `"a" twice`) {
		t.Errorf("have %v", err)
	}
}

func TestParseSpecRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"title"`, `"titel"`, "titel"},
		{`"kind": "rate"`, `"kind": "rates"`, `kind: have "rates"`},
		{`{"value": "holm_p"}`, `{"p": "holm_p"}`, `from: have "p", want a part of p: value, log10, state, why`},
		{`"null": "not_applicable"`, `"null": "zero"`, `null: have "zero"`},
		{`"key": ["harness"]`, `"key": []`, "key: have none"},
		{`"name": "own"`, `"name": "a/b"`, "name: have"},
		{`"name": "own"`, `"name": "own", "name": "own"`, "duplicate"},
		{`"digits": 2`, `"digits": 2.5`, "digits"},
	} {
		if _, err := ParseSpec([]byte(strings.Replace(ownSpec, c.old, c.new, 1)), "SELECT 1"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %q", c.new, err, c.want)
		}
	}
	if _, err := ParseSpec([]byte(ownSpec), " \n"); err == nil || !strings.Contains(err.Error(), "want a query in own.sql") {
		t.Errorf("have %v", err)
	}
}

func TestSpecJSON(t *testing.T) {
	s := own(t)
	back, err := ParseSpec(s.JSON(), s.SQL)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, back); diff != "" {
		t.Error(diff)
	}
}

func TestReadSpecs(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	second := strings.Replace(ownSpec, `"own"`, `"a-first"`, 1)
	specs, err := ReadSpecs(fstest.MapFS{"own.json": file(ownSpec), "own.sql": file("SELECT 1"), "a-first.json": file(second), "a-first.sql": file("SELECT 2"), "README.md": file("x")})
	if err != nil || len(specs) != 2 || specs[0].Name != "a-first" || specs[1].SQL != "SELECT 1" {
		t.Fatalf("have %+v, %v", specs, err)
	}
	for _, c := range []struct {
		folder fstest.MapFS
		want   string
	}{
		{fstest.MapFS{"own.json": file(ownSpec)}, "own.json: have no own.sql beside it, want its query"},
		{fstest.MapFS{"own.sql": file("SELECT 1")}, "own.json: have own.sql alone, want its specification beside it"},
		{fstest.MapFS{"x.json": file(ownSpec), "x.sql": file("SELECT 1")}, `x.json: name: have "own", want "x" as the file`},
		{fstest.MapFS{"x.json": file("{"), "x.sql": file("SELECT 1")}, "x.json: "},
	} {
		if _, err := ReadSpecs(c.folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have %v, want %q", err, c.want)
		}
	}
}

func FuzzParseSpec(f *testing.F) {
	f.Add([]byte(ownSpec))
	f.Add([]byte(`{"name":"a","title":"b","key":["k"],"columns":[{"key":"k","kind":"text"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ParseSpec(b, "SELECT 1")
		if err != nil {
			return
		}
		back, err := ParseSpec(s.JSON(), s.SQL)
		if err != nil || !cmp.Equal(s, back) {
			t.Fatalf("%s reads back as %s, %v", s.JSON(), back.JSON(), err)
		}
		if _, err := s.Draw(nil); err != nil {
			t.Fatal(err)
		}
	})
}

func ExampleSpec_Draw() {
	spec := Spec{Name: "stages", Title: "Failure stages", SQL: "SELECT …", Key: []string{"stage"}, Columns: []ColumnSpec{
		{Key: "stage", Heading: "stage", Kind: KindText, Stub: true},
		{Key: "runs", Heading: "runs", Kind: KindShare, NumberFormat: NumberFormat{Digits: 2}},
	}}
	grid, err := spec.Draw([]Record{
		{"stage": String("localize"), "runs_count": Integer(3), "runs_total": Integer(4)},
		{"stage": String("edit"), "runs_count": Integer(1), "runs_total": Integer(4)},
	})
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(string(Markdown(grid)))
	// Output:
	// **Failure stages**
	//
	// | stage    |     runs |
	// | -------- | --------:|
	// | localize | 3 (0.75) |
	// | edit     | 1 (0.25) |
}
