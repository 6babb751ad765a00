package pipeline

import (
	"testing"

	"github.com/assay-bench/assay/schema"
)

func level(name, value string) schema.Member[schema.Scalar] {
	return schema.Member[schema.Scalar]{Name: name, Value: schema.Scalar(value)}
}

// TestGrid lays out plans by hand: what is planned, and which cell a run fills.
func TestGrid(t *testing.T) {
	model := schema.Some("m")
	seen := newSightings()
	for _, r := range []struct {
		task string
		rep  schema.Opt[int64]
		on   string
	}{{"t1", schema.Some(int64(1)), "true"}, {"t2", schema.Some(int64(3)), "false"}} {
		a := arm{harness: "h", model: model, treatment: schema.Members[schema.Scalar]{level("rag", r.on)}}
		seen.add(a, a.key(), r.task, r.rep)
	}
	on := schema.ArmName("h", model, schema.Members[schema.Scalar]{level("rag", "true")})
	other := schema.ArmName("h", schema.None[string](), nil)
	for _, c := range []struct {
		name     string
		plan     *schema.Plan
		size     int64
		inferred bool
		arm      string
		task     string
		rep      schema.Opt[int64]
		planned  bool
	}{
		{"without a plan: 2 arms x 2 tasks x 3", nil, 12, true, on, "t2", schema.Some(int64(2)), true},
		{"without a plan, a number not seen", nil, 12, true, on, "t2", schema.Some(int64(4)), false},
		{"a run without a number is the first", nil, 12, true, on, "t2", schema.None[int64](), true},
		{"arms, tasks, repetitions planned", &schema.Plan{
			Arms:  []schema.Arm{{Name: "base", HarnessID: "h"}},
			Tasks: []string{"t2", "t9", "t2"}, Repetitions: schema.Some(int64(2))}, 4, false, other, "t9", schema.Some(int64(2)), true},
		{"an arm outside the plan", &schema.Plan{
			Arms:  []schema.Arm{{Name: "base", HarnessID: "h"}},
			Tasks: []string{"t2"}, Repetitions: schema.Some(int64(2))}, 2, false, on, "t2", schema.Some(int64(1)), false},
		{"factor levels crossed: 1 harness x 1 model x 2 x 3 levels", &schema.Plan{
			Factors: schema.Members[schema.Factor]{
				{Name: "rag", Value: schema.Factor{Levels: []schema.Scalar{"true", "false"}}},
				{Name: "k", Value: schema.Factor{Levels: []schema.Scalar{"1", "5", "10"}}}},
			Tasks: []string{"t1"}, Repetitions: schema.Some(int64(1))}, 6, true,
			schema.ArmName("h", model, schema.Members[schema.Scalar]{level("rag", "false"), level("k", "5.0")}), "t1", schema.Some(int64(1)), true},
		{"seeds number the repetitions", &schema.Plan{
			Arms: []schema.Arm{{Name: "base", HarnessID: "h"}}, Tasks: []string{"t1"}, Seeds: []schema.Scalar{"7", "8"}}, 2, false, other, "t1", schema.Some(int64(2)), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, err := newGrid(c.plan, seen)
			if err != nil {
				t.Fatal(err)
			}
			if g.size() != c.size || g.inferred != c.inferred {
				t.Errorf("have %d cells, inferred %v, want %d, %v", g.size(), g.inferred, c.size, c.inferred)
			}
			if _, ok := g.cellOf(c.arm, c.task, c.rep); ok != c.planned {
				t.Errorf("run of %s, %s, %v: have planned %v, want %v", c.arm, c.task, c.rep, ok, c.planned)
			}
		})
	}
}

// TestGridWithoutNumbers: runs that carry no repetition are planned once.
func TestGridWithoutNumbers(t *testing.T) {
	seen := newSightings()
	a := arm{harness: "h"}
	seen.add(a, a.key(), "t", schema.None[int64]())
	g, err := newGrid(nil, seen)
	if err != nil {
		t.Fatal(err)
	}
	c, ok := g.cellOf(a.key(), "t", schema.None[int64]())
	if g.size() != 1 || !ok || c.repetition.Has() {
		t.Errorf("have %d cells and %v %v, want one without a number", g.size(), c, ok)
	}
}

// TestGridBound: a hostile number is bounded before anything is laid out.
func TestGridBound(t *testing.T) {
	seen := newSightings()
	a := arm{harness: "h"}
	seen.add(a, a.key(), "t", schema.Some(int64(1)<<62))
	g, err := newGrid(nil, seen)
	if err != nil || g.size() != maxCells+1 {
		t.Errorf("have %v %v, want more cells than the bound", g, err)
	}
}
