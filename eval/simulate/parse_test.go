package simulate_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/assay-bench/assay/eval/simulate"
	"github.com/assay-bench/assay/schema"
)

// TestCheck: a study that cannot be is refused with what is wrong.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		change func(*simulate.Study)
		want   string
	}{
		{func(s *simulate.Study) { s.Tasks = 0 }, "tasks: have 0"},
		{func(s *simulate.Study) { s.ExperimentID = "a/b" }, "experiment: have"},
		{func(s *simulate.Study) { s.Recall = 0.9 }, "file_recall_at_10: have a mean of"},
		{func(s *simulate.Study) { s.Factors[0].Name = "harness" }, "factor: have the name"},
		{func(s *simulate.Study) { s.Factors[0].Reference = "colbert" }, "and reference"},
		{func(s *simulate.Study) { s.Effects[0].At[0].Value = "colbert" }, "have retriever=colbert"},
		{func(s *simulate.Study) { s.Faults = []simulate.Plant{{Fault: &simulate.FaultAbsent, Count: 1e6}} }, "fault absent: have too few runs"},
		{func(s *simulate.Study) { s.Harnesses = []string{"a", "a"} }, "one level twice"},
	} {
		s := simulate.Default()
		c.change(&s)
		if _, err := simulate.Draw(s, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("have %v, want %q", err, c.want)
		}
	}
}

func TestParseEffect(t *testing.T) {
	for _, text := range []string{"file_recall_at_10:retriever=dense,query=rewritten:+0.2", "resolved_at_1:difficulty=hard:-0.25", "input_tokens:model=sim/coder@q8:+0.5"} {
		e, err := simulate.ParseEffect(text)
		if err != nil || e.String() != text {
			t.Errorf("have %v, %v, want %s", e, err, text)
		}
	}
	for _, text := range []string{"", "resolved_at_1", "mrr:a=b:1", "resolved_at_1:a:1", "resolved_at_1:a=b:x"} {
		if e, err := simulate.ParseEffect(text); err == nil {
			t.Errorf("%q: have %v, want an error", text, e)
		}
	}
}

func TestParseFactor(t *testing.T) {
	for _, c := range []struct {
		text string
		want simulate.Factor
	}{
		{"retriever:retrieval=none,grep,bm25", simulate.Factor{Name: "retriever", Role: schema.RoleRetrieval.Name, Reference: "none",
			Levels: []simulate.Level{{Name: "none", Silent: true}, {Name: "grep"}, {Name: "bm25", Index: true}}}},
		{"packing:packing=head,full,all/1", simulate.Factor{Name: "packing", Role: schema.RolePacking.Name, Reference: "head",
			Levels: []simulate.Level{{Name: "head", Fits: 10}, {Name: "full", Fits: 6}, {Name: "all", Fits: 1}}}},
		{"colour=red,blue/2", simulate.Factor{Name: "colour", Reference: "red", Levels: []simulate.Level{{Name: "red"}, {Name: "blue/2"}}}},
	} {
		if have, err := simulate.ParseFactor(c.text); err != nil || !reflect.DeepEqual(have, c.want) {
			t.Errorf("%s: have %+v, %v, want %+v", c.text, have, err, c.want)
		}
	}
	for _, text := range []string{"", "a", "=x,y", "a=", "a=x,,y", "a:packing=x,y/z"} {
		if f, err := simulate.ParseFactor(text); err == nil {
			t.Errorf("%q: have %+v, want an error", text, f)
		}
	}
}

// FuzzParseEffect: what is read prints as what is read again.
func FuzzParseEffect(f *testing.F) {
	f.Add("file_recall_at_10:retriever=dense,query=rewritten:+0.2")
	f.Add("input_tokens:model=a:b=c:-1e3")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := simulate.ParseEffect(text)
		if err != nil {
			return
		}
		again, err := simulate.ParseEffect(e.String())
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Errorf("%q: have %+v, then %+v, %v", text, e, again, err)
		}
	})
}

// FuzzParseFactor: a factor that is read can be checked, whatever it holds.
func FuzzParseFactor(f *testing.F) {
	f.Add("retriever:retrieval=none,bm25")
	f.Add("p:packing=a/3,b")
	f.Fuzz(func(t *testing.T, text string) {
		factor, err := simulate.ParseFactor(text)
		if err != nil {
			return
		}
		s := simulate.Default()
		s.Factors, s.Effects = []simulate.Factor{factor}, nil
		if s.Check() == nil && len(s.Arms()) != len(factor.Levels) {
			t.Errorf("%q: have %d arms, want one a level", text, len(s.Arms()))
		}
	})
}
