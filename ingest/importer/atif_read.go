package importer

import (
	"crypto/sha256"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/assay-bench/assay/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// The name of a count.
const countRepeats = "identical repeats, kept once"

// unknownID stands where a source names no harness.
const unknownID = "unknown"

// readATIF finds the trajectories among the files.
func readATIF(s *source) (*batch, error) {
	found, err := s.findATIF()
	if err != nil {
		return nil, err
	}
	b := &batch{}
	for _, f := range s.roots(found) {
		b.runs = append(b.runs, s.atifRun(f))
	}
	b.experiments = s.nameATIFExperiments(b.runs)
	return b, nil
}

// A foundATIF is a trajectory file with what is needed to place it: not its steps,
// so that many files need little memory.
type foundATIF struct {
	file      *file
	sha256    string
	agent     atifAgent
	model     schema.Opt[string]
	id        schema.Opt[string]
	startedAt schema.Opt[schema.Time]
	// refersTo are the files that continue it or hold its sub-agents.
	refersTo []string
}

// findATIF reads every JSON file once.
func (s *source) findATIF() ([]*foundATIF, error) {
	var list []*foundATIF
	byContent := map[[32]byte]bool{}
	byID := map[string]int{}
	for i := range s.files {
		f := &s.files[i]
		if !strings.HasSuffix(strings.TrimSuffix(f.rel, ".gz"), ".json") && !f.given {
			continue
		}
		found, content, err := s.probeATIF(f)
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		s.report.RunsRead++
		if byContent[content] {
			s.report.count(countRepeats, 1)
			continue
		}
		byContent[content] = true
		id, ok := found.id.Get()
		k, again := byID[id]
		switch {
		case !ok || !again:
			byID[id] = len(list)
			list = append(list, found)
			continue
		}
		first, err := s.contradiction("trajectory_id", id, Place{Path: list[k].file.rel}, Place{Path: f.rel})
		if err != nil {
			return nil, err
		}
		if !first {
			list[k] = found
		}
	}
	return list, nil
}

// probeATIF reads a file; nil where it is left out or of another kind.
func (s *source) probeATIF(f *file) (*foundATIF, [32]byte, error) {
	none := [32]byte{}
	t, err := s.read(f)
	if err == nil {
		var ok bool
		if _, ok, err = isATIF(t); err == nil && !ok && !f.given {
			s.report.count(countOtherJSON, 1)
			return nil, none, nil
		}
	}
	var doc *atifDocument
	if err == nil {
		doc, err = s.decodeATIF(t)
	}
	p := &part{text: t, doc: doc}
	if err == nil {
		err = s.uniqueSteps(p)
	}
	var d *damage
	if errors.As(err, &d) {
		s.report.leaveOut(d.place, d.reason)
		return nil, none, nil
	}
	if err != nil {
		return nil, none, err
	}
	found := &foundATIF{file: f, sha256: t.sha256, agent: doc.Agent, model: (&chain{parts: []*part{p}}).model(),
		id: present(doc.TrajectoryID), startedAt: firstTime(doc)}
	for _, name := range references(doc) {
		if g, ok := s.referred(f, name); ok && g.abs != f.abs {
			found.refersTo = append(found.refersTo, g.abs)
		}
	}
	return found, sha256.Sum256(t.bytes), nil
}

// references are the names of the files that a trajectory refers to.
func references(doc *atifDocument) []string {
	var names []string
	if n, ok := present(doc.Continued).Get(); ok {
		names = append(names, n)
	}
	for i := range doc.Steps {
		o := doc.Steps[i].value.Observation
		if o == nil {
			continue
		}
		for _, r := range o.Results {
			for _, ref := range r.Subagent {
				if n, ok := present(ref.Path).Get(); ok {
					names = append(names, n)
				}
			}
		}
	}
	for i := range doc.Subagents {
		names = append(names, references(&doc.Subagents[i].value)...)
	}
	return names
}

// roots are the trajectories that no other refers to. Files that only refer to
// each other in a circle are left out.
func (s *source) roots(found []*foundATIF) []*foundATIF {
	at := map[string]*foundATIF{}
	referred := map[string]bool{}
	for _, f := range found {
		at[f.file.abs] = f
		for _, abs := range f.refersTo {
			referred[abs] = true
		}
	}
	reached := map[string]bool{}
	var reach func(abs string)
	reach = func(abs string) {
		if f := at[abs]; f != nil && !reached[abs] {
			reached[abs] = true
			for _, next := range f.refersTo {
				reach(next)
			}
		}
	}
	var roots []*foundATIF
	for _, f := range found {
		if !referred[f.file.abs] {
			roots = append(roots, f)
			reach(f.file.abs)
		}
	}
	for _, f := range found {
		if !reached[f.file.abs] {
			s.report.leaveOut(Place{Path: f.file.rel}, "only files that it refers to itself refer to it")
		}
	}
	s.report.RunsRead -= len(found) - len(roots)
	return roots
}

// atifRun is the run of a trajectory.
func (s *source) atifRun(f *foundATIF) *run {
	harness := present(f.agent.Name)
	task := taskOfFile(f.file)
	m := schema.Manifest{
		HarnessID: schema.PathID(harness.Or(unknownID)), TaskID: schema.PathID(task),
		HarnessConfig: agentConfig(&f.agent), ModelKey: f.model, HarnessVersion: known(f.agent.Version),
		Source: &schema.Source{
			Format: schema.Some(s.imp.Name), ImporterVersion: schema.Some(s.imp.Version),
			Path: schema.Some(f.file.rel), SHA256: schema.Some(f.sha256),
			Experiment: schema.Some(f.file.root), Harness: harness, Task: schema.Some(task),
			Trial: f.id, StartedAt: f.startedAt,
		},
	}
	return &run{manifest: m, load: func() (*content, error) { return s.atifContent(f.file, m.TaskID) }}
}

// agentConfig is what a trajectory says of its agent's configuration.
func agentConfig(a *atifAgent) schema.Object {
	extra, ok := a.Extra.Get()
	if !ok {
		return "{}"
	}
	c, err := configuration(jsontext.Value(`{"extra":` + string(extra) + `}`))
	if err != nil {
		return "{}"
	}
	return schema.Object(c)
}

// firstTime is the earliest place in time that a trajectory gives itself, by which
// repetitions are ordered.
func firstTime(doc *atifDocument) schema.Opt[schema.Time] {
	for i := range doc.Steps {
		if t := timeOf(parseInstant(doc.Steps[i].value.Timestamp)); t.Has() {
			return t
		}
	}
	return schema.None[schema.Time]()
}

// atifContent reads the events of a lone trajectory.
func (s *source) atifContent(f *file, taskID string) (*content, error) {
	c, err := s.loadChain(f)
	if err != nil {
		return nil, err
	}
	w := newWalker(s)
	if err := w.chain(c, agentName{}, ""); err != nil {
		return nil, err
	}
	s.checkChain(c)
	out := &content{
		started:   event[schema.RunStarted]{c.start(), schema.RunStarted{Task: schema.Task{ID: taskID}}},
		events:    w.events,
		originals: append(c.originals(), w.extra...), notRecorded: w.notRecorded(),
	}
	out.finished = event[schema.RunFinished]{c.end(), schema.RunFinished{
		Ending: schema.EndingCompleted.Name, Outcome: schema.OutcomeNotEvaluated.Name, Totals: s.totals(c, w.calls)}}
	return out, nil
}

// start is the time of the first step. That of a later one is no start: a time
// between the two would be lost.
func (c *chain) start() schema.Opt[schema.Time] {
	if steps := c.parts[0].doc.Steps; len(steps) > 0 {
		return timeOf(parseInstant(steps[0].value.Timestamp))
	}
	return schema.None[schema.Time]()
}

// end is the time of the last step.
func (c *chain) end() schema.Opt[schema.Time] {
	if steps := c.parts[len(c.parts)-1].doc.Steps; len(steps) > 0 && !c.cut {
		return timeOf(parseInstant(steps[len(steps)-1].value.Timestamp))
	}
	return schema.None[schema.Time]()
}

// genericFolders are folders that hold a trajectory without naming its task.
var genericFolders = []string{"agent", "artifacts", "logs"}

// taskOfFile names the task of a lone trajectory: the file's name without the
// word trajectory and the suffixes, else the folder that holds it.
func taskOfFile(f *file) string {
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(f.rel), ".gz"), ".json")
	var kept []string
	for _, word := range strings.Split(name, ".") {
		if word != trajectoryWord && word != "" {
			kept = append(kept, word)
		}
	}
	if kept != nil {
		return strings.Join(kept, ".")
	}
	for dir := path.Dir(f.rel); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if base := path.Base(dir); !slices.Contains(genericFolders, base) {
			return base
		}
	}
	return f.root
}
