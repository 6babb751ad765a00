package derive

import (
	"slices"

	"github.com/assay-bench/assay/schema"
)

// gold is the known answer of the run's task, each item once.
type gold struct {
	// known is true where files or documents of the answer are known.
	known bool
	// items are the distinct gold files and documents.
	items []*entity
	// files counts the relevant files, docs the relevant documents.
	files, docs int64
	// hasFiles, hasDocs and hasFunctions are true where the list is known, even if empty.
	hasFiles, hasDocs, hasFunctions bool
	// functions are the distinct relevant gold functions.
	functions []goldFunction
	// ideal is the discounted gain of the best order.
	ideal float64
	// duplicates counts the items listed again.
	duplicates int64
	grades     []float64
}

type goldFunction struct {
	file   *entity
	symbol string
	first  int64
	last   int64
	grade  float64
	// matched is the number of the list that matched it last.
	matched uint32
}

func (g *gold) reset() {
	*g = gold{items: g.items[:0], functions: g.functions[:0], grades: g.grades[:0]}
}

// relevant counts what recall divides by.
func (g *gold) relevant() int64 { return g.files + g.docs }

// learnGold takes in the answer; text of t may be in use by others.
func (r *Run) learnGold(t *schema.Gold) {
	g := &r.gold
	g.reset()
	r.answers++
	if t == nil {
		return
	}
	g.hasFiles, g.hasDocs, g.hasFunctions = t.Files != nil, t.Docs != nil, t.Functions != nil
	g.known = g.hasFiles || g.hasDocs
	for _, f := range t.Files {
		r.addGold(r.names.file(f.Path).same, f.Grade.Or(1))
	}
	files := len(g.items)
	for _, d := range t.Docs {
		r.addGold(r.docs.doc(d.DocID), d.Grade.Or(1))
	}
	for i, e := range g.items {
		if e.grade <= 0 {
			continue
		}
		g.grades = append(g.grades, e.grade)
		if i < files {
			g.files++
		} else {
			g.docs++
		}
	}
	for i := range t.Functions {
		r.addFunction(&t.Functions[i])
	}
	g.functions = slices.DeleteFunc(g.functions, func(f goldFunction) bool { return f.grade <= 0 })
	g.ideal = idealGain(g.grades)
}

// addGold adds a file or document. Of two grades for one item the larger counts.
func (r *Run) addGold(e *entity, grade float64) {
	if e.goldOf == r.answers {
		r.gold.duplicates++
		e.grade = max(e.grade, grade)
		return
	}
	e.goldOf, e.grade = r.answers, grade
	r.gold.items = append(r.gold.items, e)
}

func (r *Run) addFunction(f *schema.GoldFunction) {
	first, last := span(f.StartLine, f.EndLine)
	added := goldFunction{file: r.names.file(f.File).same, symbol: r.texts.name(f.Symbol.Or("")), first: first, last: last, grade: f.Grade.Or(1)}
	for i := range r.gold.functions {
		g := &r.gold.functions[i]
		if g.file == added.file && g.symbol == added.symbol && g.first == first && g.last == last {
			r.gold.duplicates++
			g.grade = max(g.grade, added.grade)
			return
		}
	}
	r.gold.functions = append(r.gold.functions, added)
}

// span returns the lines from first to last; a lone line is a span of one, and
// 0, 0 says that there is no span.
func span(start, end schema.Opt[int64]) (first, last int64) {
	first, ok := start.Get()
	if !ok {
		return 0, 0
	}
	return first, end.Or(first)
}

// gradeOf is the entity's grade in the run's gold: 0 where it is none.
func (r *Run) gradeOf(e *entity) float64 {
	if e.goldOf != r.answers {
		return 0
	}
	return e.grade
}

// idealGain is the discounted gain of the first ten grades in descending order.
func idealGain(grades []float64) float64 {
	slices.SortFunc(grades, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	sum := 0.0
	for i, g := range grades[:min(len(grades), len(log2))] {
		sum += g / log2[i]
	}
	return sum
}

// log2 holds log2(rank+1) of the ranks 1 to 10: a table, because logarithms
// differ in the last digit between machines. Values from mpmath, 25 digits.
var log2 = [10]float64{
	1,
	1.584962500721156181453739,
	2,
	2.321928094887362347870319,
	2.584962500721156181453739,
	2.807354922057604107441969,
	3,
	3.169925001442312362907478,
	3.321928094887362347870319,
	3.459431618637297256199363,
}
