package simulate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// The levels of a retrieval factor that ParseFactor knows by their names.
const (
	// noneLevel asks nothing.
	noneLevel = "none"
	// grepLevel searches without an index.
	grepLevel = "grep"
)

// packedFits is how many candidates fit the budget at the levels of a packing
// factor, in order; the last counts for further ones.
var packedFits = []int{ranked, 6, 4, 2}

// ParseFactor reads NAME[:ROLE]=LEVEL,LEVEL…, such as packing:packing=head,full/6.
// The first level is the reference. In a retrieval factor the level none asks
// nothing, and every other one but grep builds an index. In a packing factor the
// number behind a level is how many of ten candidates fit the context budget;
// without it 10, 6, 4 and 2 in order.
func ParseFactor(text string) (Factor, error) {
	head, list, ok := strings.Cut(text, "=")
	name, role, _ := strings.Cut(head, ":")
	if !ok || name == "" {
		return Factor{}, fmt.Errorf("factor: have %q, want NAME[:ROLE]=LEVEL,LEVEL", text)
	}
	f := Factor{Name: name, Role: role}
	for i, word := range strings.Split(list, ",") {
		l, err := f.parseLevel(i, word)
		if err != nil {
			return Factor{}, fmt.Errorf("factor %s: %w", name, err)
		}
		f.Levels = append(f.Levels, l)
	}
	f.Reference = f.Levels[0].Name
	return f, nil
}

func (f *Factor) parseLevel(i int, word string) (Level, error) {
	l := Level{Name: word}
	switch f.Role {
	case schema.RoleRetrieval.Name:
		l.Silent = word == noneLevel
		l.Index = word != noneLevel && word != grepLevel
	case schema.RolePacking.Name:
		name, number, given := strings.Cut(word, "/")
		l.Name, l.Fits = name, packedFits[min(i, len(packedFits)-1)]
		if n, err := strconv.Atoi(number); given && err == nil {
			l.Fits = n
		} else if given {
			return l, fmt.Errorf("level %q: have %q behind the slash, want a number of candidates", word, number)
		}
	}
	if l.Name == "" {
		return l, fmt.Errorf("have an empty level, want a name")
	}
	return l, nil
}
