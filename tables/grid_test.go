package tables

import (
	"math/big"
	"strings"
	"testing"
)

// sample is a small grid with every kind of value and all four states.
func sample() Grid {
	columns := []Column{
		{Key: "harness", Heading: "harness", Kind: KindText, Stub: true},
		{Key: "model", Heading: "model", Kind: KindText, Stub: true},
		{Key: "resolved_at_1", Heading: "resolved@1", Kind: KindRate, Format: NumberFormat{Digits: 3}},
		{Key: "difference", Heading: "difference", Group: "to the baseline", Kind: KindEstimate, Format: NumberFormat{Digits: 3, Signed: true}},
		{Key: "p", Heading: "p", Group: "to the baseline", Kind: KindPValue},
		{Key: "input_tokens", Heading: "in", Unit: "10³", Group: "tokens", Kind: KindQuartiles, Format: NumberFormat{Digits: 1, Shift: 3, Thousands: true}},
		{Key: "cost_usd", Heading: "cost", Unit: "USD", Kind: KindNumber, Format: NumberFormat{Digits: 2}},
		{Key: "bounds", Heading: "bounds", Kind: KindInterval, Format: NumberFormat{Digits: 2}},
		{Key: "timeouts", Heading: "timeouts", Kind: KindShare, Format: NumberFormat{Digits: 3}},
		{Key: "note", Heading: "note", Kind: KindText},
	}
	return Grid{
		Number: 4, Name: "correctness", Title: "End-to-end correctness & efficiency",
		Caption: "One row a cell of harness × model; 95% intervals in brackets.",
		Columns: columns,
		Rows: []Row{
			{Key: RowKey("swe_agent", "m-1"), Cells: []Cell{
				Show(Text("swe_agent")), Show(Text("m-1")),
				Show(Rate{Numerator: 7, Denominator: 17, Excluded: 1, Missing: 1, Interval: Limits{Low: Float(0.21605), High: Float(0.63993)}}),
				NotApplicable("the baseline"), NotApplicable("the baseline"),
				Show(Quartiles{Median: Float(1234567.5), Q1: Int(10001), Q3: Int(22345678), Coverage: Coverage{Observed: 15, Missing: 2, Known: true}}),
				Show(Decimal(big.NewInt(1234565), 4)), Show(Interval{Low: Float(-0.125), High: Float(0.375)}),
				Show(Share{Count: 3, Total: 17}), Show(Text("50% | a_b <b>")),
			}},
			{Key: RowKey("swe_agent", "m-2"), Cells: []Cell{
				Show(Text("swe_agent")), Show(Text("m-2")),
				Show(Rate{Denominator: 12, Absent: 3, Interval: Limits{Why: "too few"}}),
				Show(Estimate{Value: Float(-0.41176), Interval: Limits{Low: Float(-0.6399), High: Float(-0.2)}, Coverage: Coverage{Observed: 12, Known: true}}),
				Show(PValue{P: Float(0.00009999)}),
				Missing("no call reported usage"), Missing("cost unknown"),
				NotEstimable("no variation"), Show(Share{}), Show(Text("")),
			}},
			{Key: "total", Rule: true, Cells: []Cell{
				Show(Text("total")), Show(Text("")),
				Show(Rate{Excluded: 3}),
				Show(Estimate{Value: Float(0.05), Interval: Limits{Why: "no variation"}}),
				Show(PValue{P: Float(0.03125)}),
				Show(Quartiles{Median: Int(0), Q1: Int(0), Q3: Int(0)}),
				Show(Int(0)), Show(Interval{Low: Int(0), High: Int(1)}), Show(Share{Count: 12345, Total: 12345}), Show(Text("two\nlines")),
			}},
		},
		Notes:   []string{"#1: faults of the agent count as failures (convention \"standard\")."},
		Lineage: "dataset 0123abcd; 34 runs; assay 1.0.0; 3 excluded; 4.lineage.json",
	}
}

// small is a grid of texts alone.
func small(heads []string, rows ...[]string) Grid {
	g := Grid{Name: "small"}
	for i, h := range heads {
		g.Columns = append(g.Columns, Column{Key: "c" + string(rune('a'+i)), Heading: h, Kind: KindText})
	}
	for _, texts := range rows {
		r := Row{Key: RowKey("r", Int(int64(len(g.Rows))).Exact())}
		for _, text := range texts {
			r.Cells = append(r.Cells, Show(Text(text)))
		}
		g.Rows = append(g.Rows, r)
	}
	return g
}

func TestPrint(t *testing.T) {
	three := NumberFormat{Digits: 3}
	for _, c := range []struct {
		v      Value
		format NumberFormat
		want   string
	}{
		{Rate{Numerator: 7, Denominator: 17, Excluded: 2}, three, "0.412 (7/17, 2 excl.)"},
		{Rate{Numerator: 1, Denominator: 1, Missing: 1}, three, "1.000 (1/1, 1 excl.)"},
		{Rate{Numerator: 11, Denominator: 21, Excluded: 8, Absent: 3}, three, "0.524 (11/21, 8 excl., 3 absent)"},
		{Rate{Excluded: 3}, three, "n/a (0/0, 3 excl.)"},
		{Rate{Denominator: 5}, three, "0.000 (0/5, 0 excl.)"},
		{Rate{Numerator: 7, Denominator: 17, Interval: Limits{Low: Float(0.2), High: Float(0.6)}}, three, "0.412 (7/17, 0 excl.) [0.200, 0.600]"},
		{PValue{P: Float(0.0001)}, three, "0.0001"},
		{PValue{P: Float(0.000099999)}, three, "< 0.0001"},
		{PValue{Log10: Float(-400)}, three, "< 0.0001"},
		{PValue{P: Int(1)}, three, "1.0000"},
		{Int(1234), NumberFormat{Thousands: true}, "1234"},
		{Int(-1234567), NumberFormat{Thousands: true}, "-1 234 567"},
		{Int(1234567), NumberFormat{}, "1234567"},
		{Int(0), NumberFormat{Signed: true, Shift: 3}, "0"},
		{Float(0.25), NumberFormat{Digits: 1, Signed: true}, "+0.2"},
		{Int(1550), NumberFormat{Digits: 1, Shift: 3}, "1.6"},
		{Float(0.0008), NumberFormat{Digits: 2}, "0.0008"}, // a cost, not none
		{Float(0.0004999), NumberFormat{Digits: 3}, "0.0005"},
		{Float(1e-17), NumberFormat{Digits: 3}, "0.000"}, // the noise of floating point
		{Quartiles{Median: Int(25), Q1: Int(0), Q3: Int(60)}, NumberFormat{Digits: 1, Shift: 3}, "0.02 [0.0, 0.1]"},
		{Estimate{Value: Float(0.04), Interval: Limits{Low: Float(0.003), High: Float(0.05)}}, NumberFormat{Digits: 1}, "0.04 [0.003, 0.05]"},
		{Estimate{Value: Float(0.0004)}, NumberFormat{Digits: 3, Signed: true}, "0.000"}, // a difference of none
		{Estimate{Value: Float(0.5), Coverage: Coverage{Observed: 33, Missing: 56, Known: true}}, three, "0.500 (n = 33, 56 missing)"},
		{Share{Count: 3, Total: 8}, three, "3 (0.375)"},
		{Share{}, three, "0 (n/a)"},
	} {
		if got := strings.ReplaceAll(Show(c.v).print(c.format, minusASCII).line(), narrowSpace, " "); got != c.want {
			t.Errorf("%+v: have %q, want %q", c.v, got, c.want)
		}
	}
}

func TestRowKey(t *testing.T) {
	for _, c := range []struct {
		values []string
		want   string
	}{
		{[]string{"openhands", "gpt-5:high", "k=10,packing=none"}, "openhands::gpt-5:high::k=10,packing=none"},
		{[]string{"a::b", "c"}, "a%3A%3Ab::c"},
		{[]string{"a", ":b"}, "a::%3Ab"},
		{[]string{"a:", "b"}, "a%3A::b"},
		{[]string{"50%"}, "50%25"},
		{[]string{"a\nb\x1b[31m", "é"}, "a%0Ab%1B[31m::é"},
	} {
		if got := RowKey(c.values...); got != c.want {
			t.Errorf("RowKey(%q): have %s, want %s", c.values, got, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	if err := sample().Validate(); err != nil {
		t.Fatal(err)
	}
	check := func(want string, spoil func(*Grid)) {
		t.Helper()
		g := sample()
		spoil(&g)
		if err := g.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("have %v, want an error with %q", err, want)
		}
	}
	cell := func(c Cell, at int) func(*Grid) { return func(g *Grid) { g.Rows[0].Cells[at] = c } }
	check("table 4: row swe_agent::m-1: column resolved_at_1: have a rate of 8/7", cell(Show(Rate{Numerator: 8, Denominator: 7}), 2))
	check("below 0", cell(Show(Rate{Excluded: -1}), 2))
	check("kind number, want rate", cell(Show(Int(1)), 2))
	check("n.e. without a reason", cell(NotEstimable(""), 2))
	check("have state \"\"", cell(Cell{}, 2))
	check("a value beside state missing", cell(Cell{State: StateMissing, Value: Int(1)}, 6))
	check("have p = 0", cell(Show(PValue{P: Int(0)}), 4))
	check("0 < p <= 1", cell(Show(PValue{P: Float(1.5)}), 4))
	check("have no p", cell(Show(PValue{Log10: Float(-2)}), 4))
	check("low <= high", cell(Show(Interval{Low: Int(2), High: Int(1)}), 7))
	check("both or neither", cell(Show(Rate{Denominator: 1, Interval: Limits{Low: Int(0)}}), 2))
	check("between the quartiles", cell(Show(Quartiles{Median: Int(5), Q1: Int(1), Q3: Int(2)}), 5))
	check("within the total", cell(Show(Share{Count: 2, Total: 1}), 8))
	check("as it names the row", cell(Missing(""), 0))
	check("key \"total\" twice", func(g *Grid) { g.Rows[0].Key = "total" })
	check("have 1 cells, want 10", func(g *Grid) { g.Rows[0].Cells = g.Rows[0].Cells[:1] })
	check("second time in the CSV head", func(g *Grid) { g.Columns[3].Key = "resolved_at_1_low"; g.Columns[4].Key = "resolved_at_1_low_low" })
	check("second time in the CSV head", func(g *Grid) { g.Columns[1].Key = "row" })
	check("want stubs first", func(g *Grid) { g.Columns[9].Stub = true })
	check("columns: have none", func(g *Grid) { g.Columns = nil })
	check("name:", func(g *Grid) { g.Name = "../x" })
	check("key: want a-z", func(g *Grid) { g.Columns[3].Key = "A b" })
	check("kind: have \"rat\"", func(g *Grid) { g.Columns[3].Kind = "rat" })
}

func TestAt(t *testing.T) {
	if c, ok := sample().At("total", "resolved_at_1"); !ok || c.Value != (Rate{Excluded: 3}) {
		t.Errorf("have %+v, %v", c, ok)
	}
	if _, ok := sample().At("total", "nothing"); ok {
		t.Error("have a cell in a column that is not there")
	}
}
