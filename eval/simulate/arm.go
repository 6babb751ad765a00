package simulate

import (
	"github.com/assay-bench/assay/schema"
)

// An Arm is one combination of harness, model and factor levels.
type Arm struct {
	// Name is the arm's name in the plan.
	Name string
	// Harness names its harness.
	Harness string
	// Model is its model key.
	Model string
	// Treatment holds its factor levels.
	Treatment schema.Members[schema.Scalar]
	// levels are all its levels by the names that effects use.
	levels schema.Members[string]
	// silent arms ask nothing.
	silent bool
	// fits is how many candidates fit the context budget.
	fits int
	// source names the retriever: the levels of the retrieval factors.
	source string
	// index names the index, or is empty.
	index string
	// cost is what the index costs, as a multiple of the cheapest.
	cost float64
}

// Arms lists the arms of the study: harnesses, then models, then the factors'
// levels, the last factor fastest. A Row's Arm is a place in this list.
func (s *Study) Arms() []Arm { return s.arms() }

func (s *Study) arms() []Arm {
	var list []Arm
	for _, h := range s.Harnesses {
		for _, m := range s.Models {
			list = append(list, Arm{Harness: h, Model: m, fits: ranked,
				levels: schema.Members[string]{{Name: harnessKey, Value: h}, {Name: modelKey, Value: m}}})
		}
	}
	for i := range s.Factors {
		var next []Arm
		for _, a := range list {
			for j := range s.Factors[i].Levels {
				next = append(next, a.with(&s.Factors[i], j))
			}
		}
		list = next
	}
	for i := range list {
		list[i].Name = schema.ArmName(list[i].Harness, schema.Some(list[i].Model), list[i].Treatment)
		if list[i].source == "" {
			list[i].source = "search"
		}
	}
	return list
}

// costRatio is by how much each further index level of a factor costs more.
const costRatio = 4

// with is the arm at one more level.
func (a Arm) with(f *Factor, j int) Arm {
	l := &f.Levels[j]
	a.Treatment = appendMember(a.Treatment, f.Name, schema.StringScalar(l.Name))
	a.levels = appendMember(a.levels, f.Name, l.Name)
	a.silent = a.silent || l.Silent
	if l.Fits > 0 {
		a.fits = min(a.fits, l.Fits)
	}
	if f.Role == schema.RoleRetrieval.Name {
		a.source = l.Name
	}
	if l.Index {
		a.index, a.cost = f.Name+"="+l.Name, 1
		for i := range f.Levels[:j] {
			if f.Levels[i].Index {
				a.cost *= costRatio
			}
		}
	}
	return a
}

// appendMember appends to a copy: arms share the beginning of their lists.
func appendMember[T any](m schema.Members[T], name string, v T) schema.Members[T] {
	return append(m[:len(m):len(m)], schema.Member[T]{Name: name, Value: v})
}
