package importer

import (
	"errors"
	"strconv"
	"strings"

	"github.com/assay-bench/assay/schema"
)

// A chain is one trajectory with its continuations, in order.
type chain struct {
	parts []*part
	// cut is true where a continuation is not there or cannot be read: what the
	// last part declares of the run, and its end, are those of a beginning.
	cut bool
}

// A part is one document of a chain.
type part struct {
	text *text
	// base is the offset of the document in its file.
	base int64
	doc  *atifDocument
}

// place is where a step stands.
func (p *part) place(l *located[atifStep]) Place {
	return Place{p.text.file.rel, p.text.line(p.base + l.start)}
}

// loadPart reads one document and keeps one of each step.
func (s *source) loadPart(f *file) (*part, error) {
	t, err := s.read(f)
	if err != nil {
		return nil, err
	}
	doc, err := s.decodeATIF(t)
	if err != nil {
		return nil, err
	}
	p := &part{text: t, doc: doc}
	return p, s.uniqueSteps(p)
}

// uniqueSteps drops identical repeats of a step; a step_id with two contents is a
// contradiction.
func (s *source) uniqueSteps(p *part) error {
	at := map[int64]int{}
	var kept []located[atifStep]
	for _, step := range p.doc.Steps {
		id, ok := step.value.ID.integer().Get()
		i, seen := at[id]
		if !ok || !seen {
			if ok {
				at[id] = len(kept)
			}
			kept = append(kept, step)
			continue
		}
		if sameJSON(kept[i].raw, step.raw) {
			if at := p.place(&step); !s.counted[at] {
				s.counted[at] = true
				s.report.count(countStepRepeats, 1)
			}
			continue
		}
		first, err := s.contradiction("step_id", strconv.FormatInt(id, 10), p.place(&kept[i]), p.place(&step))
		if err != nil {
			return err
		}
		if !first {
			kept[i] = step
		}
	}
	p.doc.Steps = kept
	return nil
}

// contradiction refuses an id with two contents, or records which one is taken.
func (s *source) contradiction(what, id string, first, second Place) (takeFirst bool, err error) {
	c := Conflict{what, redacted(id), first, second}
	switch s.options.OnConflict {
	case ConflictFirst:
	case ConflictLast:
		c.Kept, c.Dropped = second, first
	default:
		return false, &ContradictionError{what, id, first, second}
	}
	s.report.conflict(c)
	return s.options.OnConflict == ConflictFirst, nil
}

func redacted(s string) string {
	s, _ = schema.Redact(s)
	return s
}

// loadChain reads a trajectory and what continues it. A continuation that is not
// there, or cannot be read, is reported; what is there is used.
func (s *source) loadChain(f *file) (*chain, error) {
	p, err := s.loadPart(f)
	if err != nil {
		return nil, err
	}
	c := &chain{parts: []*part{p}}
	seen := map[string]bool{f.abs: true}
	for {
		name, ok := present(p.doc.Continued).Get()
		if !ok {
			return c, nil
		}
		next, ok := s.referred(p.text.file, name)
		if !ok {
			s.report.missing(p.text.file.rel, name)
			c.cut = true
			return c, nil
		}
		if seen[next.abs] {
			return nil, &damage{Place{Path: p.text.file.rel}, "continues itself: " + name}
		}
		seen[next.abs] = true
		if ok, err := s.claim(next, name); err != nil || !ok {
			c.cut = true
			return c, err
		}
		if p, err = s.loadPart(next); err != nil {
			var d *damage
			if errors.As(err, &d) {
				s.report.leaveOut(d.place, d.reason)
				c.cut = true
				return c, nil
			}
			return nil, err
		}
		c.parts = append(c.parts, p)
	}
}

// claim gives a file that is referred to by name to the run that is being written.
// A file that another run has is a contradiction: its calls would count twice.
func (s *source) claim(f *file, name string) (bool, error) {
	owner, taken := s.claimed[f.abs]
	if !taken {
		s.claimed[f.abs] = s.writing
		return true, nil
	}
	if owner == s.writing {
		return true, nil
	}
	// The first run is written already, so that the first keeps the file whatever
	// the policy says.
	_, err := s.contradiction("file of two runs", name, Place{Path: owner}, Place{Path: s.writing})
	return false, err
}

// trajectoryWord is what a reference begins with; copies of a set of files often
// carry a common prefix before it.
const trajectoryWord = "trajectory"

// referred finds a file that another refers to by name: beside it, with the same
// prefix, and perhaps compressed.
func (s *source) referred(f *file, name string) (*file, bool) {
	names := []string{name}
	base := f.rel[strings.LastIndexByte(f.rel, '/')+1:]
	if i := strings.Index(base, trajectoryWord); i > 0 && strings.HasPrefix(name, trajectoryWord) {
		names = append(names, base[:i]+name)
	}
	for _, n := range names {
		for _, suffix := range []string{"", ".gz"} {
			if g, ok := s.at(f, n+suffix); ok {
				return g, true
			}
		}
	}
	return nil, false
}

// originals are the files of the chain.
func (c *chain) originals() []Original {
	var list []Original
	for _, p := range c.parts {
		list = append(list, Original{p.text.file.rel, p.text.sha256})
	}
	return list
}

// model is the model that the trajectory names: its agent's, else the only one of
// its steps.
func (c *chain) model() schema.Opt[string] {
	var found schema.Opt[string]
	for _, p := range c.parts {
		if m := present(p.doc.Agent.ModelName); m.Has() {
			return m
		}
	}
	for _, p := range c.parts {
		for _, step := range p.doc.Steps {
			m := present(step.value.ModelName)
			if found.Has() && m.Has() && found != m {
				return schema.None[string]()
			}
			if m.Has() {
				found = m
			}
		}
	}
	return found
}
