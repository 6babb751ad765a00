package derive

import (
	"strings"

	"github.com/assay-bench/assay/schema"
)

// An entity is a file or document that candidates, reads and edits name. All
// spellings of one file lead to one entity, so that the rest compares pointers.
type entity struct {
	// text is the spelling.
	text string
	// same is the entity of the cleaned path; itself where the path is clean,
	// and where it can name no file.
	same *entity
	// unknown is true of a path that can name no file of the repository.
	unknown bool
	// goldOf is the number of the answer that the entity is part of.
	goldOf uint32
	// grade is its grade there.
	grade float64
	// listed is the number of the list that the entity stands in.
	listed uint32
	// visited is the number of the run that touched the file.
	visited uint32
}

// entities finds entities by their spelling. They are remembered from run to
// run, for runs on one repository name the same files; what belongs to one run
// carries that run's number.
type entities struct{ bySpelling map[string]*entity }

func (e *entities) start() {
	if e.bySpelling == nil || len(e.bySpelling) > maxNames {
		e.bySpelling = map[string]*entity{}
	}
}

// file returns the entity of a path.
func (e *entities) file(path string) *entity {
	if found, ok := e.bySpelling[path]; ok {
		return found
	}
	found := e.add(path)
	clean, ok := schema.CleanPath(path)
	switch {
	case !ok:
		found.unknown = true
	case clean != path:
		found.same = e.file(clean)
	}
	return found
}

// doc returns the entity of a document, whose id is compared byte by byte.
func (e *entities) doc(id string) *entity {
	if found, ok := e.bySpelling[id]; ok {
		return found
	}
	return e.add(id)
}

func (e *entities) add(text string) *entity {
	found := &entity{text: strings.Clone(text)}
	found.same = found
	e.bySpelling[found.text] = found
	return found
}
